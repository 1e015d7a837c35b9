#pragma once
// About: what this is, and one block of facts to copy into a report.

#include <QDialog>

namespace stridescope {

class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(QWidget* parent = nullptr);
};

} // namespace stridescope
