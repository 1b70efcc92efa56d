// How many blocks of a kernel fit one multiprocessor, and which resource stops the next one.
// Source: CUDA C++ Programming Guide, "Compute Capabilities" tables; allocation granularities as in
// NVIDIA's occupancy calculator: registers per warp in units of 256, warps that registers allow in
// units of 4, shared memory in units of 128 bytes (256 before sm_80) plus what the system reserves.
#pragma once
#include <optional>
#include <string>

#include "model/device_profile.h"

namespace lanewise {

// What a multiprocessor has room for.
struct SmLimits {
    int threads = 0, blocks = 0, warps = 0, registers = 0;
    int shared_bytes = 0, shared_bytes_per_block = 0;  // a block's, with the opt-in
    int shared_bytes_reserved = 0;                     // by the system, for each block
};
// Of "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90" and "sm_100", with or without a letter
// behind; null for others.
const SmLimits* sm_limits(const std::string& arch);
SmLimits sm_limits(const DeviceProfile& device);

// Where the registers are not known (only ptxas knows, and it may not be here), the blocks that fit
// are an upper bound: as many as threads, blocks and shared memory let in.
struct Occupancy {
    int blocks_per_sm = 0;
    int warps_per_sm = 0;
    double fraction = 0;     // of the card's warps per SM
    std::string limited_by;  // "threads", "blocks", "registers" or "shared memory"
    std::optional<int> registers_per_thread = 0;  // nullopt: not known
    int shared_bytes_per_block = 0;
    int threads_per_block = 0;
    bool is_known() const { return registers_per_thread.has_value(); }
};

// 0 blocks where not even one fits. threads_per_block is at least 1.
Occupancy occupancy(const SmLimits& limits, int threads_per_block,
                    std::optional<int> registers_per_thread, int shared_bytes_per_block);
Occupancy occupancy(const DeviceProfile& device, int threads_per_block,
                    std::optional<int> registers_per_thread, int shared_bytes_per_block);

inline constexpr const char* kNotKnown = "not known without ptxas";

// "1 block, 8 warps (12 %) on a multiprocessor, limited by shared memory"; "at most 1 block, …"
// where the registers are not known.
std::string in_words(const Occupancy& occupancy);
// "30 registers a thread", or "registers not known without ptxas".
std::string registers_in_words(const Occupancy& occupancy);

}  // namespace lanewise
