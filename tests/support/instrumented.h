#pragma once
// Is this program built with a sanitizer? Then everything takes 3 to 20 times as long, and tests that try very many
// cases try fewer.

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRIDESCOPE_TEST_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define STRIDESCOPE_TEST_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define STRIDESCOPE_TEST_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define STRIDESCOPE_TEST_TSAN 1
#endif

namespace stridescope::test {

#ifdef STRIDESCOPE_TEST_ASAN
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#ifdef STRIDESCOPE_TEST_TSAN
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
inline constexpr bool kInstrumented = kAddressSanitizer || kThreadSanitizer;

} // namespace stridescope::test
