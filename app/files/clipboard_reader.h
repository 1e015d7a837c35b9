#pragma once
// What the clipboard holds, without ever waiting for the program that owns it.

#include <QByteArray>
#include <QImage>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <QUrl>

#include <functional>
#include <memory>

class QMimeData;
class QProcess;

namespace stridescope {

struct ClipboardContents {
    QList<QUrl> urls;
    QImage image;
    QString text;
    qint64 textBytes = 0; ///< of the whole text; `text` is empty when they are more than kLargestPaste
    bool hasText = false;
    bool timedOut = false; ///< its owner did not answer in time
    bool isEmpty() const { return urls.isEmpty() && image.isNull() && !hasText; }
};

/// On X11 Qt waits up to five seconds, again for every format, for a program that may have hung: there a process of
/// our own asks, and is ended when the time is up. Elsewhere, and for what this program copied itself, it is asked
/// here.
class ClipboardReader : public QObject {
    Q_OBJECT

public:
    static constexpr int kLimit = 1000; ///< milliseconds

    explicit ClipboardReader(QObject* parent = nullptr);
    ~ClipboardReader() override;

    /// Calls `done` at most kLimit later, in this thread; an earlier question that is still open is dropped.
    void read(std::function<void(const ClipboardContents&)> done);
    /// The program that is started to ask instead of this one; then it is always started. For tests.
    void setHelper(const QString& program, const QStringList& arguments);

    static ClipboardContents contentsOf(const QMimeData* data);
    /// What the helper process writes and this one reads.
    static QByteArray packed(const ClipboardContents& contents);
    static ClipboardContents unpacked(const QByteArray& bytes);

private:
    void ask();
    void answer(const ClipboardContents& contents);
    void drop();

    QString m_program;
    QStringList m_arguments;
    bool m_always = false;
    QProcess* m_process = nullptr;
    QByteArray m_bytes;
    QTimer m_limit;
    std::function<void(const ClipboardContents&)> m_done;
};

/// The helper process: writes the packed contents to standard output. Needs a QGuiApplication. Returns the exit code.
int writeClipboardToStdout();

} // namespace stridescope
