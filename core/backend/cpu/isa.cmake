# The hot loops (core/backend/cpu/isa/*.cpp) are compiled once per instruction set into one binary; isa.cpp picks at run
# time. They are always optimised, in the dev preset too: without it every test over large tensors would crawl.
# -fno-trapping-math and -fno-math-errno let the compiler vectorise conversions and change no value;
# -ffp-contract=off keeps results equal on all sets.
file(GLOB ISA_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/isa/*.cpp ${CMAKE_CURRENT_LIST_DIR}/isa/*.h)
set(ISA_COMMON_FLAGS -ffp-contract=off -fno-trapping-math -fno-math-errno -fno-strict-aliasing)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports its own AVX-512 headers as reading uninitialised values (GCC bug 105593).
  list(APPEND ISA_COMMON_FLAGS -Wno-maybe-uninitialized -Wno-uninitialized)
endif()
if(NOT STRIDESCOPE_SANITIZE)
  list(APPEND ISA_COMMON_FLAGS -O3)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Loops that are asked to be vectorised are not while every access is checked; clang says so for each.
  list(APPEND ISA_COMMON_FLAGS -Wno-pass-failed)
endif()

function(stridescope_isa name)
  add_library(stridescope_isa_${name} OBJECT ${ISA_SOURCES})
  target_include_directories(stridescope_isa_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(stridescope_isa_${name} PRIVATE STRIDESCOPE_ISA=${name})
  target_compile_options(stridescope_isa_${name} PRIVATE ${ISA_COMMON_FLAGS} ${ARGN})
  target_sources(stridescope_core PRIVATE $<TARGET_OBJECTS:stridescope_isa_${name}>)
  string(TOUPPER ${name} upper)
  target_compile_definitions(stridescope_core PRIVATE STRIDESCOPE_HAVE_ISA_${upper})
endfunction()

stridescope_isa(plain)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  stridescope_isa(avx2 -mavx2 -mbmi -mbmi2 -mf16c -mfma)
  stridescope_isa(avx512 -mavx2 -mbmi -mbmi2 -mf16c -mfma -mavx512f -mavx512bw -mavx512dq -mavx512vl
                         -mprefer-vector-width=512)
endif()
