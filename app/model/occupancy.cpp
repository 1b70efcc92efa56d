// One function per resource that can run out; the tightest decides.
#include "model/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>

#include "base/text.h"
#include "model/sizes.h"

namespace lanewise {
namespace {

constexpr int kMaxThreadsPerBlock = 1024;

int blocks_by_threads(const SmLimits& limits, int threads, int warps) {
    if (threads > kMaxThreadsPerBlock) return 0;
    return std::min(limits.warps / warps, limits.threads / threads);
}

int blocks_by_registers(const SmLimits& limits, std::optional<int> registers, int warps) {
    if (registers.value_or(0) == 0) return INT_MAX;
    int resident = limits.registers / round_up(*registers * kWarp, kRegisterUnit);
    return resident / kWarpUnit * kWarpUnit / warps;
}

int blocks_by_shared(const SmLimits& limits, int bytes) {
    if (bytes > limits.shared_bytes_per_block) return 0;
    int unit = limits.shared_bytes_reserved > 0 ? 128 : 256;  // sm_80 brought both
    int block = round_up(bytes, unit) + limits.shared_bytes_reserved;
    return block == 0 ? INT_MAX : limits.shared_bytes / block;
}

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct Architecture {
    const char* arch;
    SmLimits limits;
};
constexpr int kKiB = 1024;
constexpr Architecture kArchitectures[] = {
    // arch     threads blocks warps registers   shared    of a block  reserved
    {"sm_75", {1024, 16, 32, 65'536, 64 * kKiB, 64 * kKiB, 0}},
    {"sm_80", {2048, 32, 64, 65'536, 164 * kKiB, 163 * kKiB, kKiB}},
    {"sm_86", {1536, 16, 48, 65'536, 100 * kKiB, 99 * kKiB, kKiB}},
    {"sm_87", {1536, 16, 48, 65'536, 164 * kKiB, 163 * kKiB, kKiB}},
    {"sm_89", {1536, 24, 48, 65'536, 100 * kKiB, 99 * kKiB, kKiB}},
    {"sm_90", {2048, 32, 64, 65'536, 228 * kKiB, 227 * kKiB, kKiB}},
    {"sm_100", {2048, 32, 64, 65'536, 228 * kKiB, 227 * kKiB, kKiB}},
    {"sm_103", {2048, 32, 64, 65'536, 228 * kKiB, 227 * kKiB, kKiB}},
    {"sm_120", {1536, 24, 48, 65'536, 100 * kKiB, 99 * kKiB, kKiB}},
};

}  // namespace

const SmLimits* sm_limits(const std::string& arch) {
    std::string plain = arch.substr(0, arch.find_last_of("0123456789") + 1);
    for (const Architecture& known : kArchitectures)
        if (plain == known.arch) return &known.limits;
    return nullptr;
}

SmLimits sm_limits(const DeviceProfile& device) {
    return {device.max_threads_per_sm,   device.max_blocks_per_sm,   device.max_warps_per_sm,
            device.registers_per_sm,     device.shared_bytes_per_sm, device.shared_bytes_per_block,
            device.shared_bytes_reserved};
}

Occupancy occupancy(const DeviceProfile& device, int threads_per_block,
                    std::optional<int> registers_per_thread, int shared_bytes_per_block) {
    return occupancy(sm_limits(device), threads_per_block, registers_per_thread,
                     shared_bytes_per_block);
}

Occupancy occupancy(const SmLimits& limits, int threads_per_block,
                    std::optional<int> registers_per_thread, int shared_bytes_per_block) {
    int warps = (threads_per_block + kWarp - 1) / kWarp;
    struct Limit {
        const char* resource;
        int blocks;
    };
    const std::array<Limit, 4> all = {
        {{"threads", blocks_by_threads(limits, threads_per_block, warps)},
         {"blocks", limits.blocks},
         {"registers", blocks_by_registers(limits, registers_per_thread, warps)},
         {"shared memory", blocks_by_shared(limits, shared_bytes_per_block)}}};
    const Limit& tightest = *std::min_element(
        all.begin(), all.end(), [](const Limit& a, const Limit& b) { return a.blocks < b.blocks; });
    Occupancy result;
    result.blocks_per_sm = tightest.blocks;
    result.warps_per_sm = tightest.blocks * warps;
    result.fraction = static_cast<double>(result.warps_per_sm) / limits.warps;
    result.limited_by = tightest.resource;
    result.registers_per_thread = registers_per_thread;
    result.shared_bytes_per_block = shared_bytes_per_block;
    result.threads_per_block = threads_per_block;
    return result;
}

std::string in_words(const Occupancy& o) {
    return fmt::format("{}{}, {} ({:.0f} %) on a multiprocessor, limited by {}",
                       o.is_known() ? "" : "at most ", counted(uint64_t(o.blocks_per_sm), "block"),
                       counted(uint64_t(o.warps_per_sm), "warp"), 100 * o.fraction, o.limited_by);
}

std::string registers_in_words(const Occupancy& o) {
    return o.is_known() ? fmt::format("{} registers a thread", *o.registers_per_thread)
                        : fmt::format("registers {}", kNotKnown);
}

}  // namespace lanewise
