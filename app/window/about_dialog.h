#pragma once
// About: what this is, and one block of facts to copy into a report.

#include "widgets/theme/theme.h"

#include <QDialog>

namespace stridescope {

class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(const Theme& theme, QWidget* parent = nullptr);
};

} // namespace stridescope
