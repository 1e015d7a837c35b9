#pragma once
// Command palette: every command of the program and every operation of the selected tensor behind one search field.

#include <QFrame>
#include <QIcon>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QLineEdit;
class QListView;
class QStandardItemModel;
class QLabel;

namespace stridescope {

struct PaletteEntry {
    QString title;    ///< "Undo narrow(1, 1, 2)", "B.t()"
    QString detail;   ///< "(4, 2)": shown at the right, in grey
    QString shortcut; ///< "Ctrl+Z"
    QString section;  ///< "Edit", "Operations on B"
    QString help;     ///< never shown: other words that find it
    bool enabled = true;
    QString whyNot; ///< shown instead of `detail` when not enabled
    std::function<void()> run;
    std::function<void()> preview; ///< when it becomes the current one; may be empty
};

/// A pop-up over its parent. Type to filter, arrows to choose, Enter to run, Esc to leave.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* parent);
    ~CommandPalette() override;

    /// Shows `entries`, best matches first, over the parent's upper middle.
    void open(std::vector<PaletteEntry> entries);
    /// The entries that fit the typed text, in the order in which they are shown.
    std::vector<const PaletteEntry*> shown() const;
    void setFilter(const QString& text);

Q_SIGNALS:
    /// After it closed; previews should go.
    void closed();
    /// The current entry has no preview, or there is none: that of another one should go.
    void previewEnded();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void filter();
    void fit();
    void runCurrent();
    void moveCurrent(int by);

    QPointer<QWidget> m_before; ///< what had the focus
    QLineEdit* m_field;
    QListView* m_list;
    QLabel* m_empty;
    QStandardItemModel* m_model;
    std::vector<PaletteEntry> m_entries;
    std::vector<std::size_t> m_order;
};

} // namespace stridescope
