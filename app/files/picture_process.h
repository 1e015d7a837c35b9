#pragma once
// Pictures are decoded in a process of their own: decoders are large, old, and read what anybody may have made. One
// that crashes, never ends or wants all memory ends that process, and the window says so.

#include "app/files/picture_file.h"

#include <QProcess>

#include <chrono>
#include <memory>

namespace stridescope {

/// The program that decodes; it understands --decode-pictures. Until this is called, as in tests of other things,
/// pictures are decoded where they are read.
void setPictureProgram(const QString& program);

/// Reads pictures one after the other, all of them in one process as long as that lives. For one thread.
class PictureReader {
public:
    static constexpr std::chrono::seconds kLongest{60}; ///< for one picture

    explicit PictureReader(std::chrono::milliseconds longest = kLongest);
    ~PictureReader();
    PictureReader(const PictureReader&) = delete;
    PictureReader& operator=(const PictureReader&) = delete;

    /// Refused as decodePicture() does, and PIC-04 the decoder failed, PIC-05 it took too long and was stopped, PIC-06
    /// its process could not be started. The budget is asked every 20 ms: IO-08, IO-20.
    Result<OpenedPicture> read(const QString& path, FileKind kind, const Budget& budget = {});

    /// Starts the process, which read() does by itself. False: it could not be started.
    bool start();
    /// Of the process; 0 without one.
    qint64 processId() const { return m_process ? m_process->processId() : 0; }

private:
    struct Answer;
    Result<Answer> ask(const QString& path, FileKind kind, const Budget& budget);
    /// Nothing when all of it came.
    std::optional<Refusal> take(char* to, qint64 bytes, const Budget& budget);
    Refusal failed();
    void end();

    std::chrono::milliseconds m_longest;
    std::chrono::steady_clock::time_point m_asked;
    std::unique_ptr<QProcess> m_process;
};

/// The other end: answers on stdout what is asked on stdin, until that is closed. The exit code of the program.
int decodePictures();

} // namespace stridescope
