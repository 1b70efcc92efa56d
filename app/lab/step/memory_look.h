// The bytes of memory at the moment at which a recording stands, and what lies there.
#pragma once
#include <cstdint>
#include <string>

#include "lab/step/launch_recording.h"

namespace lanewise {

// A lane's view: global memory, or the block's shared and the lane's own local memory by their
// generic addresses. bytes: at most 8. False where nothing lies there.
bool read_bits(const LaunchRecording& recording, uint32_t warp, uint32_t lane, uint64_t address,
               uint32_t bytes, uint64_t& bits);

// Generic addresses of shared memory.
bool is_shared_address(uint64_t address);
uint64_t shared_address(uint64_t offset);
uint64_t shared_offset(uint64_t address);

// "local + 12 bytes", "bins + 4 bytes".
std::string place_of(const LaunchRecording& recording, uint64_t address);

}  // namespace lanewise
