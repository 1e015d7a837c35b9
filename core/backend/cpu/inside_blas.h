#pragma once
// The one door to OpenBLAS's memory and threads: nothing calls BLAS or LAPACK but under one of these.

namespace stridescope::cpu {

/// While it lives, up to `threads` threads may be inside BLAS or LAPACK on behalf of its owner.
///
/// OpenBLAS takes an anonymous mapping of 128 MiB for every thread that is inside it, keeps it for the next one, and
/// where the system refuses tries again for ever. So what is missing for more threads than there ever were is asked of
/// the system first.
class InsideBlas {
public:
    /// @throws MemoryError (MEM-04) when the system has no such memory; nothing was taken or changed.
    explicit InsideBlas(int threads = 1);
    ~InsideBlas();
    InsideBlas(const InsideBlas&) = delete;
    InsideBlas& operator=(const InsideBlas&) = delete;

private:
    int m_threads;
};

/// How many threads BLAS may take, one setting for the whole process. @throws MemoryError (MEM-04) as above, for the
/// threads that it would start.
void setBlasThreads(int count);

} // namespace stridescope::cpu
