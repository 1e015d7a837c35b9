#pragma once
// STRIDESCOPE_HD marks a function that compiles for the CPU and, under nvcc, for the device as well.

#ifdef __CUDACC__
#define STRIDESCOPE_HD __host__ __device__
#else
#define STRIDESCOPE_HD
#endif
