#pragma once
// What stands where nothing is yet: what goes here, and the buttons that fill it.

#include <QStringList>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;

namespace stridescope {

class EmptyState : public QWidget {
    Q_OBJECT

public:
    struct Choice {
        QString name; ///< comes back through `chosen`; also the button's object name
        QString text;
    };

    explicit EmptyState(QWidget* parent = nullptr);
    /// Replaces what is shown. Empty texts leave no room.
    void setContents(const QString& title, const QString& sentence, const std::vector<Choice>& choices);

Q_SIGNALS:
    void chosen(const QString& name);

private:
    QLabel *m_title, *m_sentence;
    QHBoxLayout* m_buttons;
    std::vector<Choice> m_choices;
};

/// The two ways to a first tensor. The names that come back: kMakeChoice, kOpenChoice.
std::vector<EmptyState::Choice> firstTensorChoices();
inline constexpr char16_t kMakeChoice[] = u"emptyMake", kOpenChoice[] = u"emptyOpen";
/// The line that makes one.
QString firstTensorLine();

} // namespace stridescope
