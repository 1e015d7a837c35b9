#pragma once
// ShapeTable: shapes that a refused view() could have had, each tested against the strides of the tensor, and a field
// for one's own. Every shape is a button that runs its line.

#include "widgets/figures/view_fails.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace stridescope {

class ShapeTable : public QWidget {
    Q_OBJECT

public:
    explicit ShapeTable(QWidget* parent = nullptr);
    /// Replaces the rows: `wanted` (as typed, may hold one -1) comes first where it has as many elements as the tensor.
    /// `assigned`: the name that the refused line gave its result; those of the shapes get it, too.
    void setTensor(const TensorEntry& entry, const Dims& wanted, const QString& assigned = {});
    void setTheme(const Theme& theme);
    const std::vector<ShapeRow>& rows() const { return m_rows; }

Q_SIGNALS:
    void runRequested(const QString& code);     ///< "y.view(2, 6)"
    void previewRequested(const QString& code); ///< empty: no preview

private:
    /// Verdict on the typed shape; the code of its line, or nothing where it is no shape.
    QString testTyped();

    Theme m_theme;
    TensorEntry m_entry;
    QString m_assigned; ///< "z = ", or nothing
    std::vector<ShapeRow> m_rows;
    QLabel *m_title, *m_intro, *m_verdict;
    QLineEdit* m_typed;
    QWidget* m_list;
    QVBoxLayout* m_column;
};

} // namespace stridescope
