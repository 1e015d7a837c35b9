#pragma once
// The window's end of the channel to a kernel: frames in both directions, without ever waiting.

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>

#include <vector>

namespace stridescope {

/// A frame is 8 bytes (size of the payload as 32 bits, its kind, the number of descriptors that came with it, two zero
/// bytes), then the payload.
struct Frame {
    static constexpr quint8 kEvent = 'J', kOutput = 'O', kErrors = 'E';
    quint8 kind = 0;
    QByteArray payload;
    std::vector<int> descriptors; ///< whoever takes the frame closes them
};

class FrameSocket : public QObject {
    Q_OBJECT

public:
    /// Longer frames are no frames: the other end has lost its head.
    static constexpr quint32 kLongestFrame = 64U << 20;

    /// Takes over `descriptor`, a connected local socket.
    explicit FrameSocket(int descriptor, QObject* parent = nullptr);
    ~FrameSocket() override;

    /// Queues a frame; it leaves as the other end reads. Descriptors are duplicated.
    void send(const QByteArray& payload, const std::vector<int>& descriptors = {});
    /// Reads all that is there, however much: for a process that has ended.
    void drain();

Q_SIGNALS:
    void received(const stridescope::Frame& frame);
    /// The other end closed it, or sent what is no frame.
    void closed(const QString& why);

private:
    /// False when there was nothing to read.
    bool readOnce();
    void readSlice();
    void takeFrames();
    void writeSlice();
    void end(const QString& why);

    int m_descriptor;
    QSocketNotifier m_readable, m_writable;
    QByteArray m_in;
    qsizetype m_taken = 0; ///< bytes of m_in that were frames
    std::vector<int> m_inDescriptors;
    struct Outgoing {
        QByteArray bytes;
        std::vector<int> descriptors;
    };
    std::vector<Outgoing> m_out;
    qsizetype m_sent = 0; ///< of the first one
    bool m_ended = false;
};

} // namespace stridescope
