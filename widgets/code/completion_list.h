#pragma once
// What could stand at the cursor: a list over the code, and a line that says what is being called.

#include "widgets/theme/theme.h"

#include <QFrame>
#include <QStringList>

#include <vector>

class QLabel;
class QListView;
class QStandardItemModel;

namespace stridescope {

struct Completion {
    QString text, kind; ///< "narrow", "method"
    QString detail;     ///< "(dim, start, length)"
    friend bool operator==(const Completion&, const Completion&) = default;
};

/// A list beside a word. It never has the focus: who types goes on typing, and hands the arrows on.
class CompletionList : public QFrame {
    Q_OBJECT

public:
    static constexpr int kRows = 9; ///< in sight at once

    explicit CompletionList(QWidget* parent);
    void setTheme(const Theme& theme);
    /// Those of `all` that begin with `prefix`; `note` stands below them ("Python is busy").
    void setItems(std::vector<Completion> all, const QString& prefix, const QString& note = {});
    void setPrefix(const QString& prefix);
    std::vector<Completion> shown() const;
    bool isEmpty() const { return shown().empty(); }
    QString current() const; ///< empty: none
    void moveCurrent(int by);
    /// Beside `word`, in the parent's coordinates: below it where there is room, else above.
    void place(const QRect& word);

Q_SIGNALS:
    void chosen(const QString& text);

private:
    void fill();

    Theme m_theme;
    QListView* m_list;
    QStandardItemModel* m_model;
    QLabel* m_note;
    std::vector<Completion> m_all;
    QString m_prefix;
};

/// What is called, and which of its arguments is being typed.
struct CallHint {
    QString name;
    QStringList signatures; ///< "(int dim, int start, int length)"
    int argument = 0;
    QString keyword;
    friend bool operator==(const CallHint&, const CallHint&) = default;
};

/// Where the parameter that is being typed stands in a signature: start and length, length 0 when there is none.
std::pair<int, int> parameterOf(const QString& signature, int argument, const QString& keyword);

class CallTip : public QWidget {
    Q_OBJECT

public:
    static constexpr int kLines = 3; ///< signatures at most

    explicit CallTip(QWidget* parent);
    void setTheme(const Theme& theme);
    void setHint(const CallHint& hint);
    const CallHint& hint() const { return m_hint; }
    /// Above the line that `word` stands in where there is room, else below.
    void place(const QRect& word);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList lines() const;

    Theme m_theme;
    CallHint m_hint;
};

} // namespace stridescope
