#include "app/kernel/frame_socket.h"

#include <QElapsedTimer>
#include <QPointer>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace stridescope {

namespace {

struct Header {
    quint32 bytes = 0;
    quint8 kind = 0, descriptors = 0;
    quint16 reserved = 0;
};
static_assert(sizeof(Header) == 8);

constexpr std::size_t kMostDescriptors = 4;
/// Reading goes on for so long before the window gets its turn again.
constexpr int kSliceMilliseconds = 4;

} // namespace

FrameSocket::FrameSocket(int descriptor, QObject* parent)
    : QObject(parent), m_descriptor(descriptor), m_readable(descriptor, QSocketNotifier::Read),
      m_writable(descriptor, QSocketNotifier::Write) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, &FrameSocket::readSlice);
    connect(&m_writable, &QSocketNotifier::activated, this, &FrameSocket::writeSlice);
}

FrameSocket::~FrameSocket() {
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    close(m_descriptor);
    for (const int descriptor : m_inDescriptors) close(descriptor);
    for (const Outgoing& frame : m_out) {
        for (const int descriptor : frame.descriptors) close(descriptor);
    }
}

void FrameSocket::send(const QByteArray& payload, const std::vector<int>& descriptors) {
    const Header header{static_cast<quint32>(payload.size()), Frame::kEvent, static_cast<quint8>(descriptors.size()),
                        0};
    Outgoing frame;
    frame.bytes = QByteArray(reinterpret_cast<const char*>(&header), sizeof header) + payload;
    for (const int descriptor : descriptors) frame.descriptors.push_back(fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
    m_out.push_back(std::move(frame));
    writeSlice();
}

void FrameSocket::writeSlice() {
    while (!m_out.empty() && !m_ended) {
        Outgoing& frame = m_out.front();
        iovec part{frame.bytes.data() + m_sent, static_cast<std::size_t>(frame.bytes.size() - m_sent)};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
        if (!frame.descriptors.empty()) {
            const std::size_t size = sizeof(int) * frame.descriptors.size();
            message.msg_control = control.data();
            message.msg_controllen = CMSG_SPACE(size);
            cmsghdr* header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(size);
            std::memcpy(CMSG_DATA(header), frame.descriptors.data(), size);
        }
        const ssize_t sent = sendmsg(m_descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) {
            // The end of the process is told elsewhere; here it only means that nothing more can be said.
            m_writable.setEnabled(errno == EAGAIN || errno == EWOULDBLOCK);
            return;
        }
        for (const int descriptor : frame.descriptors) close(descriptor);
        frame.descriptors.clear();
        m_sent += sent;
        if (m_sent < frame.bytes.size()) continue;
        m_out.erase(m_out.begin());
        m_sent = 0;
    }
    m_writable.setEnabled(false);
}

bool FrameSocket::readOnce() {
    std::array<char, 65536> bytes;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
    iovec part{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t count = recvmsg(m_descriptor, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) return true;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
    if (count <= 0) {
        end(QStringLiteral("the kernel closed its end"));
        return false;
    }
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        std::vector<int> descriptors((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        std::memcpy(descriptors.data(), CMSG_DATA(header), descriptors.size() * sizeof(int));
        m_inDescriptors.insert(m_inDescriptors.end(), descriptors.begin(), descriptors.end());
    }
    m_in.append(bytes.data(), count);
    const QPointer<FrameSocket> self(this);
    takeFrames();
    return self && !m_ended;
}

void FrameSocket::takeFrames() {
    const QPointer<FrameSocket> self(this); // a receiver may delete this
    while (!m_ended && m_in.size() - m_taken >= static_cast<qsizetype>(sizeof(Header))) {
        Header header;
        std::memcpy(&header, m_in.constData() + m_taken, sizeof header);
        if (header.bytes > kLongestFrame || header.reserved != 0) {
            end(QStringLiteral("the kernel sent what is no frame"));
            return;
        }
        const auto whole = static_cast<qsizetype>(sizeof header + header.bytes);
        if (m_in.size() - m_taken < whole) break;
        Frame frame;
        frame.kind = header.kind;
        frame.payload = m_in.mid(m_taken + static_cast<qsizetype>(sizeof header), header.bytes);
        const auto count =
            static_cast<std::ptrdiff_t>(std::min<std::size_t>(header.descriptors, m_inDescriptors.size()));
        frame.descriptors.assign(m_inDescriptors.begin(), m_inDescriptors.begin() + count);
        m_inDescriptors.erase(m_inDescriptors.begin(), m_inDescriptors.begin() + count);
        m_taken += whole;
        Q_EMIT received(frame);
        if (!self) return;
    }
    if (m_taken == m_in.size() || m_taken > (1 << 20)) {
        m_in.remove(0, m_taken);
        m_taken = 0;
    }
}

void FrameSocket::readSlice() {
    QElapsedTimer timer;
    timer.start();
    const QPointer<FrameSocket> self(this);
    while (self && timer.elapsed() < kSliceMilliseconds && readOnce()) {
    }
}

void FrameSocket::drain() {
    const QPointer<FrameSocket> self(this);
    while (self && !m_ended && readOnce()) {
    }
}

void FrameSocket::end(const QString& why) {
    m_ended = true;
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    Q_EMIT closed(why);
}

} // namespace stridescope
