#include "app/cli/script_tensors.h"

#include "app/devices/device_refusal.h"
#include "app/devices/gather_devices.h"
#include "app/workspace/python_runner.h"

#include <QEventLoop>
#include <QTimer>

#include <cstdio>

namespace stridescope {

ScriptEnd runIntoWorkspace(Workspace& workspace, const QString& code, const QString& name,
                           std::chrono::milliseconds patience) {
    KernelClient kernel;
    PythonRunner runner(&workspace, &kernel);
    ScriptEnd end;
    QEventLoop loop;
    bool late = false, over = false;
    QObject::connect(&kernel, &KernelClient::printed, &loop, [](const OutputBatch& batch) {
        if (batch.droppedLines > 0) std::fprintf(stderr, "(%lld lines)\n", static_cast<long long>(batch.droppedLines));
        for (const OutputPart& part : batch.parts)
            std::fputs(part.text.toUtf8().constData(), part.isError ? stderr : stdout);
    });
    QObject::connect(&kernel, &KernelClient::inputWanted, &loop, [&kernel] { kernel.sendInput(std::nullopt); });
    DeviceLog devices;
    devices.begin(name);
    std::optional<KernelError> failure;
    QObject::connect(&kernel, &KernelClient::devicesTold, &loop,
                     [&devices](const std::vector<DeviceRecord>& records) { devices.take(records); });
    QObject::connect(&kernel, &KernelClient::failed, &loop, [&](quint64, const KernelError& error) {
        failure = error;
        end.error = error.traceback;
        end.refusal.id = error.refusal.toStdString();
        end.refusal.message = error.message.toStdString();
        if (error.line > 0) end.errorCode = code.section(QLatin1Char('\n'), error.line - 1, error.line - 1).trimmed();
    });
    QObject::connect(&kernel, &KernelClient::ended, &loop, [&](const KernelEnd& why) {
        if (end.error.isEmpty()) end.error = why.message + QLatin1Char(' ') + why.hint;
    });
    QObject::connect(&runner, &PythonRunner::lineFinished, &loop,
                     [&](const QString&, const RunOutcome& outcome, const KernelResult& result) {
                         end.outcome = outcome;
                         const bool fine = result.status == KernelResult::Status::Done ||
                                           (result.status == KernelResult::Status::Exited &&
                                            (result.exitCode.isEmpty() || result.exitCode == QStringLiteral("0")));
                         if (fine) end.error.clear();
                         if (!fine && end.error.isEmpty())
                             end.error = QStringLiteral("The script did not come to its end.");
                         over = true;
                         loop.quit();
                     });
    QTimer limit;
    limit.setSingleShot(true);
    QObject::connect(&limit, &QTimer::timeout, &loop, [&] {
        late = true;
        runner.stop();
    });
    limit.start(patience);
    if (!runner.run(code, KernelMode::Script, name)) {
        end.error = QStringLiteral("The script could not be started.");
        return end;
    }
    if (!over) loop.exec();
    // What the script gave to devices may go on.
    QTimer soon;
    QObject::connect(&soon, &QTimer::timeout, &loop, &QEventLoop::quit);
    soon.start(20);
    while (!late && kernel.hello() && devices.isBusy()) loop.exec();
    end.devices = gatherDevices(workspace, kernel.variables(), devices);
    if (failure) end.devices.refusal = devicesRefusal(*failure, code, end.devices, devices);
    if (late)
        end.error = QStringLiteral("The script ran longer than %1 s and was stopped.").arg(patience.count() / 1000);
    return end;
}

} // namespace stridescope
