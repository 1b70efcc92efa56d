// PTX's special registers (manual, chapter 10): where a thread stands, and in what.
#pragma once
#include <cstdint>
#include <string_view>

#include "sim/warp/machine.h"

namespace lanewise {

// Where one lane of one warp of one block is.
struct Standpoint {
    const LaunchShape* shape;
    uint32_t static_shared_bytes;
    Dim3 block;       // coordinates
    uint32_t thread;  // linear, within the block
    Dim3 cluster = {};  // blocks
    bool has_cluster = false;  // the kernel or its launch says so
};

struct SpecialRegister {
    std::string_view name;
    bool differs_by_block;  // and is then the same for all threads of a block
    uint64_t (*value)(const Standpoint&);
};

// Null where there is none of this name. The clocks are instructions of their own (decode.cpp).
const SpecialRegister* find_special_register(std::string_view name);

}  // namespace lanewise
