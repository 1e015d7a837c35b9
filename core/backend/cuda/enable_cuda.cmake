# Decides whether the CUDA module is built and sets STRIDESCOPE_HAVE_CUDA. Included by the top CMakeLists.txt.
set(STRIDESCOPE_HAVE_CUDA OFF)
if(NOT STRIDESCOPE_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      # One cubin, and PTX that newer devices compile for themselves; the `cuda` preset names all architectures.
      set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90-real)
    endif()
    # CMake 3.25.1 does not know that nvcc speaks C++20.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CUDA_STANDARD 20)
    set(STRIDESCOPE_HAVE_CUDA ON)
  elseif(STRIDESCOPE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "STRIDESCOPE_CUDA is ON but nvcc was not found. Install the CUDA Toolkit (13.0 or newer), "
                        "put nvcc on PATH, or configure with -DSTRIDESCOPE_CUDA=AUTO.")
  endif()
endif()
message(STATUS "Stridescope: CUDA module ${STRIDESCOPE_HAVE_CUDA} (STRIDESCOPE_CUDA=${STRIDESCOPE_CUDA})")
