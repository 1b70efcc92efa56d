// One function per resource that can run out; the tightest decides.
#include "model/occupancy.h"

#include <algorithm>
#include <array>
#include <climits>

namespace lanewise {
namespace {

constexpr int kWarp = 32, kRegisterUnit = 256, kWarpUnit = 4, kMaxThreadsPerBlock = 1024;

int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

int blocks_by_threads(const DeviceProfile& device, int threads, int warps) {
    if (threads > kMaxThreadsPerBlock) return 0;
    return std::min(device.max_warps_per_sm / warps, device.max_threads_per_sm / threads);
}

int blocks_by_registers(const DeviceProfile& device, int registers, int warps) {
    if (registers == 0) return INT_MAX;
    int resident = device.registers_per_sm / round_up(registers * kWarp, kRegisterUnit);
    return resident / kWarpUnit * kWarpUnit / warps;
}

int blocks_by_shared(const DeviceProfile& device, int bytes) {
    if (bytes > device.shared_bytes_per_block) return 0;
    int unit = device.shared_bytes_reserved > 0 ? 128 : 256;  // sm_80 brought both
    int block = round_up(bytes, unit) + device.shared_bytes_reserved;
    return block == 0 ? INT_MAX : device.shared_bytes_per_sm / block;
}

}  // namespace

Occupancy occupancy(const DeviceProfile& device, int threads_per_block, int registers_per_thread,
                    int shared_bytes_per_block) {
    int warps = (threads_per_block + kWarp - 1) / kWarp;
    struct Limit {
        const char* resource;
        int blocks;
    };
    const std::array<Limit, 4> limits = {
        {{"threads", blocks_by_threads(device, threads_per_block, warps)},
         {"blocks", device.max_blocks_per_sm},
         {"registers", blocks_by_registers(device, registers_per_thread, warps)},
         {"shared memory", blocks_by_shared(device, shared_bytes_per_block)}}};
    const Limit& tightest =
        *std::min_element(limits.begin(), limits.end(),
                          [](const Limit& a, const Limit& b) { return a.blocks < b.blocks; });
    Occupancy result;
    result.blocks_per_sm = tightest.blocks;
    result.warps_per_sm = tightest.blocks * warps;
    result.fraction = static_cast<double>(result.warps_per_sm) / device.max_warps_per_sm;
    result.limited_by = tightest.resource;
    result.registers_per_thread = registers_per_thread;
    result.shared_bytes_per_block = shared_bytes_per_block;
    result.threads_per_block = threads_per_block;
    return result;
}

}  // namespace lanewise
