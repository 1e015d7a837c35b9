#pragma once
// STRIDESCOPE_HD marks a function that compiles for the CPU and, under nvcc, for the device as well.
//
// It is always inlined on the CPU: the kernels are compiled once per instruction set (core/backend/cpu/isa), and an
// out-of-line copy of a shared function could be the one that the oldest machine cannot run.
//
// STRIDESCOPE_UNROLL asks nvcc to unroll the loop behind it.

#ifdef __CUDACC__
#define STRIDESCOPE_HD __host__ __device__ inline
#define STRIDESCOPE_UNROLL _Pragma("unroll")
#else
#define STRIDESCOPE_HD [[gnu::always_inline]] inline
#define STRIDESCOPE_UNROLL
#endif
