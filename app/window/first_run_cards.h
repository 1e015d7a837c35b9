#pragma once
// What to do at a first start: three cards above the picture, until they are closed or the first thing is done.

#include "widgets/theme/theme.h"

#include <QFrame>
#include <QPushButton>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace stridescope {

/// A button that says what happens in a title and a sentence.
class StepCard : public QPushButton {
    Q_OBJECT

public:
    StepCard(const QString& icon, const QString& title, const QString& sentence, const QString& keys, QWidget* parent);
    void setTheme(const Theme& theme);
    /// The title alone, for low windows; the sentence is in the tool tip then.
    void setCompact(bool compact);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showWhatFits();

    QString m_icon;
    bool m_compact = false;
    QLabel *m_sign, *m_title, *m_sentence, *m_keys;
};

class FirstRunCards : public QFrame {
    Q_OBJECT

public:
    explicit FirstRunCards(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// A row above the picture, one of titles only for low windows, or a small column that stands in its corner.
    enum class Place : quint8 { Row, LowRow, Corner };
    void setPlace(Place place);
    Place place() const { return m_place; }

Q_SIGNALS:
    void openRequested();
    void typeRequested();
    void lessonRequested();
    void dismissed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    std::vector<StepCard*> m_cards;
    QLabel* m_title;
    QToolButton* m_close;
    QHBoxLayout* m_head;
    QBoxLayout* m_row;
    Place m_place = Place::Row;
};

} // namespace stridescope
