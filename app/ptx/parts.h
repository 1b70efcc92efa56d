// What the dots of an opcode say: "ld.volatile.shared.u32" has the parts ld, volatile, shared, u32.
#pragma once
#include <algorithm>
#include <string_view>

#include "ptx/instruction.h"

namespace lanewise::ptx {

inline bool has_part(const Instruction& instruction, std::string_view part) {
    const auto& parts = instruction.parts;
    return std::find(parts.begin(), parts.end(), part) != parts.end();
}

}  // namespace lanewise::ptx
