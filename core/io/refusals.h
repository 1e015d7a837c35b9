#pragma once
// Ids of what core/io refuses, and the helper that makes a Refusal. Ids are stable; tests assert them.
//
// IO-01  not a regular file (folder, FIFO, socket, device)   IO-10  cannot create a file in this folder
// IO-02  no such file or folder                              IO-11  not enough free space (both numbers)
// IO-03  no permission                                       IO-12  a write failed or came out short
// IO-04  symbolic links go round in a circle                 IO-13  fsync or close failed
// IO-05  the system refused to open or read, in its words    IO-14  what was read back differs from what was written
// IO-06  the file cannot be mapped                           IO-15  rename failed
// IO-07  file changed while reading                          IO-16  the name to save under is a folder or not a file
// IO-08  cancelled                                           IO-17  the tensor to save is not on the CPU
// IO-09  not a kind of file that can be opened               IO-18  not enough memory, or over the budget
// IO-19  raw image rows do not make an image                 IO-20  over the time of the budget (both numbers)
//
// NPY-01 magic is missing (not an .npy file)                 NPY-11 sizes: wrong type, negative, too large
// NPY-02 version is not 1.0, 2.0 or 3.0                      NPY-12 product of the sizes does not fit 64 bits
// NPY-03 header longer than the budget                       NPY-13 more than 64 dims
// NPY-04 header ends after the file                          NPY-14 Python objects (pickle)
// NPY-05 header is not a dictionary of literals              NPY-15 structured or sub-array dtype
// NPY-06 a key is missing                                    NPY-16 text, bytes, datetime, void
// NPY-07 data shorter than the sizes say                     NPY-17 long double: no such dtype here
// NPY-08 unknown key                                         NPY-18 descr is not understood
// NPY-09 key appears twice                                   NPY-19 uint64 with values above int64
// NPY-10 value of a key has the wrong type                   NPY-20 must be copied to be opened, and that is over
// budget
//
// NPZ-01 not a zip file                                      NPZ-08 entry needs more than the budget
// NPZ-02 directory is damaged                                NPZ-09 expands too much (both numbers)
// NPZ-03 directory and local headers disagree                NPZ-10 CRC differs
// NPZ-04 more entries than the budget                        NPZ-11 packed data damaged or of another length
// NPZ-05 holds no .npy entry                                 NPZ-12 name was there already
// NPZ-06 encrypted entry                                     NPZ-13 entry is not an .npy array
// NPZ-07 unknown method of packing                           NPZ-14 PyTorch checkpoint (pickle)
// NPZ-15 parts of several disks                              NPZ-16 names to save are empty or repeated
//
// ST-01 shorter than 8 bytes                                 ST-08 sizes do not fit 64 bits
// ST-02 header longer than 100 MB                            ST-09 offsets and sizes disagree
// ST-03 header ends after the file                           ST-10 bytes shared, or bytes of nobody
// ST-04 header is not the JSON that it must be               ST-11 data shorter than the offsets say
// ST-05 more tensors than the budget                         ST-12 bytes behind the last tensor
// ST-06 a name appears twice                                 ST-13 dtype that does not exist here (skipped)
// ST-07 unknown dtype                                        ST-14 names to save are empty or repeated
// ST-15 a dtype to save that the format does not define
//
// SES-01 not the JSON that a session must be (line, column)  SES-06 a file that holds bytes is not there
// SES-02 no format, or one that never was                    SES-07 that file has another size (both numbers)
// SES-03 more entries than a session may have                SES-08 that file has other contents
// SES-04 a storage contradicts itself or the file            SES-09 too large for a text (both numbers)
// SES-05 a tensor's record is incomplete or no bool          SES-10 not a state that was copied as text, or damaged
//
// JOUR-01 a journal without a state that is whole
//
// GZ-01 not a gzip file     GZ-03 ends early (both numbers)     GZ-04 damaged     GZ-05 grows too much (both numbers)
// TAR-01 not a tar file, or cut in a header    TAR-02 header damaged    TAR-03 too many entries    TAR-04 cut in a file
// TAR-05 a file over the budget
// PKL-01 not a pickle    PKL-02 damaged, or needs what no batch needs    PKL-03 ends early
// PKL-04 names what is not allowed (nothing is carried out)    PKL-05 too many values, or too deep
//
// CIF-01 no CIFAR files there                                CIF-04 the sum differs (both sums)
// CIF-02 length is no multiple of a record (both numbers)    CIF-05 the pickle is no batch of images
// CIF-03 records of CIFAR-100 where CIFAR-10 was asked for   CIF-06 a file of the set is missing
//
// PNG-01 dtype is not uint8    PNG-02 shape is not an image    PNG-03 too many pixels    PNG-04 encoder failed

#include "core/result.h"

#include <optional>
#include <string>
#include <utility>

namespace stridescope {
class Tensor;
}

namespace stridescope::io {

// Notes about copies that hold what the file holds: worth telling beside the tensor, no reason to warn.
inline constexpr const char* kCopiedByteOrder = "Big-endian data was copied to this machine's byte order.";
inline constexpr const char* kCopiedUnaligned = "The data is not aligned in the file; it was copied.";

inline Refusal refuse(std::string id, std::string message, std::string hint = {}, RefusalDetail detail = {},
                      ErrorKind kind = ErrorKind::Io) {
    return Refusal{kind, std::move(id), std::move(message), std::move(hint), std::move(detail)};
}

/// Refusal of `wanted` bytes or elements where `limit` are there or allowed.
inline Refusal refuseAmount(std::string id, std::string message, std::string hint, std::uint64_t wanted,
                            std::uint64_t limit, ErrorKind kind = ErrorKind::Io) {
    constexpr std::uint64_t kMost = INT64_MAX;
    return refuse(std::move(id), std::move(message), std::move(hint),
                  BytesExceeded{static_cast<Index>(wanted < kMost ? wanted : kMost),
                                static_cast<Index>(limit < kMost ? limit : kMost)},
                  kind);
}

/// Why the elements of `t` cannot be read by a writer of files, if so: undefined, or not on the CPU.
std::optional<Refusal> refuseUnreadable(const Tensor& t);
/// Why `t` cannot go into any file, if so: as above, or more bytes than 64 bits count (an expanded view can have them).
std::optional<Refusal> refuseUnsavable(const Tensor& t);

} // namespace stridescope::io
