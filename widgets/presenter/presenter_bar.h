#pragma once
// PresenterBar: one line under a presented page: the last key with what it did, the line of the last act, the stage.

#include "widgets/theme/theme.h"

#include <QWidget>

namespace stridescope {

class PresenterBar : public QWidget {
    Q_OBJECT

public:
    explicit PresenterBar(QWidget* parent = nullptr);

    void setLook(const Theme& theme, qreal scale);
    /// "Ctrl+Z", "Undo B.t()"; `command` may be empty.
    void setKey(const QString& key, const QString& command);
    QString key() const { return m_key; }
    QString command() const { return m_command; }
    /// The line of PyTorch that does what was done last.
    void setCode(const QString& code);
    QString code() const { return m_code; }
    /// "Stretch", stage 3 of 4; 0 of 0: none.
    void setStage(const QString& name, int stage, int stages);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void codeClicked(); ///< a line is to be typed

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void tell();

    Theme m_theme;
    qreal m_scale = 1;
    QString m_key, m_command, m_code, m_stageName;
    int m_stage = 0, m_stages = 0;
};

} // namespace stridescope
