#pragma once
// CodeAssistant: what the kernel knows, beside a field for code: names that could stand there, and what is called.

#include "app/kernel/kernel_values.h"

#include <QObject>
#include <QTimer>

namespace stridescope {

class CodeEdit;
class KernelClient;

/// Asks the kernel and never waits for it. While it is busy, or there is none, names of the last listing are offered.
class CodeAssistant : public QObject {
    Q_OBJECT

public:
    CodeAssistant(CodeEdit* edit, KernelClient* kernel, QObject* parent);
    void setOn(bool on);

private:
    enum class Wanted : quint8 { Nothing, Call, List };
    void ask(Wanted wanted);
    void show(const KernelCompletions& found);
    void showKnownNames();
    bool isInCall() const;
    /// A list was asked for and is not there: another question must not take its place.
    bool listIsDue() const { return m_asked != 0 && m_wanted == Wanted::List; }

    CodeEdit* m_edit;
    KernelClient* m_kernel;
    QTimer m_pause; ///< nobody is asked after each of many keys
    bool m_on = false;
    quint64 m_asked = 0; ///< of the question whose answer counts
    Wanted m_wanted = Wanted::Nothing;
    QString m_text; ///< and the cursor's place, when it was asked
    int m_cursor = 0;
};

} // namespace stridescope
