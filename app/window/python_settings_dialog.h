#pragma once
// Which Python the console uses and how much memory it may take: asked for, tried, and only then kept.

#include "app/kernel/kernel_client.h"

#include <QDialog>

#include <memory>

class QComboBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QFrame;
class QLabel;
class QLineEdit;

namespace stridescope {

class Settings;

/// The choice as it is kept in the settings.
KernelClient::Options kernelOptions(const Settings& settings);

class PythonSettingsDialog : public QDialog {
    Q_OBJECT

public:
    /// `running`: the Python of the console, if there is one.
    PythonSettingsDialog(Settings* settings, const std::optional<KernelHello>& running, QWidget* parent);
    ~PythonSettingsDialog() override;

Q_SIGNALS:
    /// These work, and are kept: Python has to be started again with them.
    void chosen(const stridescope::KernelClient::Options& options);

public Q_SLOTS:
    void accept() override;

private:
    KernelClient::Options asked() const;
    void refuse(const QString& message, const QString& hint);
    void setTrying(bool trying);

    Settings* m_settings;
    QLineEdit* m_python;
    QComboBox* m_memoryKind;
    QDoubleSpinBox* m_memory;
    QFrame* m_refusal;
    QLabel *m_refusalText, *m_now;
    QString m_running; ///< what m_now says while no interpreter is tried
    QDialogButtonBox* m_buttons;
    std::unique_ptr<KernelClient> m_trial; ///< a Python with what is asked for: what it says is certain
};

} // namespace stridescope
