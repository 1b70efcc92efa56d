// Recorded programs of a stage: tests/compile/fixtures/padded.*.cubin, transpose_padded<float, 32, 8, 1>, NVRTC 13.0.
#pragma once
#include <string>

#include "base/files.h"

namespace lanewise {

inline constexpr const char* kPadded = "_Z16transpose_paddedIfLi32ELi8ELi1EEvPKT_PS0_ii";
inline std::string fixture(const char* name) {
    return read_file(std::string(TESTS_FOLDER "/compile/fixtures/") + name);
}

}  // namespace lanewise
