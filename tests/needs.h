// What a test needs of the machine beyond what every machine has, each said in one place. A test
// over stages needs nothing: their programs are shipped. One over a kernel of its own, or over
// edited text, needs a compiler. Where LANEWISE_NO_SKIP=1 is set, as on a machine that is known to
// have it all, a test fails that would be skipped.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace lanewise {

inline bool may_skip() {
    const char* value = std::getenv("LANEWISE_NO_SKIP");
    return !value || std::string_view(value) != "1";
}

}  // namespace lanewise

// In the body of a test or in SetUp(): ends it where `is_there` is false. `why` begins "there is
// no …".
#define LANEWISE_NEEDS(is_there, why)                                             \
    do {                                                                          \
        if (is_there) break;                                                      \
        if (::lanewise::may_skip()) GTEST_SKIP() << why;                          \
        FAIL() << why << ", and LANEWISE_NO_SKIP=1 lets no test be skipped here"; \
    } while (false)

// NVRTC itself, to compile what is not shipped. Needs compile/compiler.h.
#define NEEDS_NVRTC() LANEWISE_NEEDS(::lanewise::compiler_status().found, "there is no NVRTC here")

// The CUDA toolkit's headers, for kernels that include them.
#define NEEDS_CUDA_HEADERS()                                              \
    LANEWISE_NEEDS(!::lanewise::compiler_status().include_folder.empty(), \
                   "there is no folder of the CUDA toolkit's headers here")
