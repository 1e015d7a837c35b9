#pragma once
// The names that lines of code can use now: tensors with their layout, other values with a short text.

#include "widgets/model/snapshot.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QAbstractTableModel;
class QLabel;
class QPushButton;
class QTableView;

namespace stridescope {

/// One row. Texts as the rest of the window words them.
struct VariableRow {
    QString name, type; ///< "float32", "int", "module"
    // Of tensors:
    bool isTensor = false;
    QString size, stride, storage, device; ///< "(2, 3)", "(3, 1)", "#1", "cpu"
    Index numel = 0;
    TensorId tensor = 0; ///< 0: no card can show it
    bool onStage = false;
    int colour = -1;
    QChar letter;
    // Of all else:
    QString value; ///< short; empty when nothing certain can be said
    friend bool operator==(const VariableRow&, const VariableRow&) = default;
};

class VariablesModel;

/// A table that is sorted by the column that was clicked last. A row that is clicked asks for its card.
class VariablesPanel : public QWidget {
    Q_OBJECT

public:
    enum Column : quint8 { Name, Type, Size, Stride, StorageColumn, DeviceColumn, Columns };

    explicit VariablesPanel(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `more`: names that were too many to list.
    void setRows(std::vector<VariableRow> rows, int more = 0);
    void setSelected(TensorId tensor);
    /// What code has left running, in a line below the table with a button that stops it.
    void setThreads(const QStringList& names);
    /// As they stand in the table.
    const std::vector<VariableRow>& rows() const;

Q_SIGNALS:
    void cardRequested(stridescope::TensorId tensor);
    void stopThreadsRequested();

private:
    void spanValues();
    void fitColumns();
    void ask(int row);

    VariablesModel* m_model;
    QTableView* m_view;
    QLabel* m_note;
    QWidget* m_threads;
    QLabel* m_threadNames;
    QPushButton* m_stopThreads;
    TensorId m_selected = 0;
    bool m_following = false;
};

} // namespace stridescope
