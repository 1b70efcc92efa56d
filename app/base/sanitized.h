// Whether the program was built with the address or the thread sanitizer: it maps terabytes of
// addresses, which no limit on addresses allows, and its own allocator keeps what is freed.
#pragma once

namespace lanewise {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace lanewise
