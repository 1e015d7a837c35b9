#pragma once
// ExportDialog: what the file will be, before its name is asked for: size, what becomes of values that no picture can
// hold, and the line that does the same.

#include "app/images/grid_export.h"

#include <QDialog>

class QButtonGroup;
class QLabel;
class QPlainTextEdit;

namespace stridescope {

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// `how` is what the screen shows; its black and white points are offered as a range. `lines` make the images,
    /// which the last of them calls `name`.
    ExportDialog(const Tensor& images, const GridExport& how, const QStringList& lines, const QString& name,
                 QWidget* parent);
    GridExport chosen() const;

Q_SIGNALS:
    void saveWanted(const stridescope::GridExport& how);

private:
    void showLine();

    Tensor m_images;
    GridExport m_how;
    QStringList m_lines;
    QString m_name;
    QButtonGroup* m_scaling;
    QPlainTextEdit* m_line;
};

} // namespace stridescope
