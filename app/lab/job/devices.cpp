#include "lab/job/devices.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "gpu/device.h"

namespace lanewise {

namespace {

constexpr const char* kDefaultCard = "NVIDIA H200";

const DeviceProfile* named(const std::vector<DeviceProfile>& profiles, const std::string& name) {
    auto it = std::find_if(profiles.begin(), profiles.end(),
                           [&](const DeviceProfile& profile) { return profile.name == name; });
    return it == profiles.end() ? nullptr : &*it;
}

// For a card without a profile: the driver's figures; what it does not tell stays as on `like`.
DeviceProfile profile_from_driver(const GpuDescription& gpu, const DeviceProfile& like) {
    constexpr double kTransfersPerClock = 2;  // every memory of these cards is double data rate
    DeviceProfile profile = like;
    profile.name = gpu.name;
    profile.arch = gpu.arch;
    profile.sm_count = gpu.sm_count;
    profile.max_threads_per_sm = gpu.max_threads_per_sm;
    profile.max_blocks_per_sm = gpu.max_blocks_per_sm;
    profile.max_warps_per_sm = gpu.max_threads_per_sm / 32;
    profile.registers_per_sm = gpu.registers_per_sm;
    profile.shared_bytes_per_sm = gpu.shared_bytes_per_sm;
    profile.shared_bytes_per_block = gpu.shared_bytes_per_block;
    profile.sm_clock_mhz = gpu.sm_clock_mhz;
    profile.l2_bytes = static_cast<double>(gpu.l2_bytes);
    profile.datasheet_gb_per_s =
        gpu.memory_clock_mhz * kTransfersPerClock * gpu.memory_bus_bits / 8 / 1000;
    profile.copy_gb_per_s = 0;
    profile.fp32_tflop_per_s = profile.tf32_tflop_per_s = profile.fp16_tflop_per_s = 0;
    profile.tflop_source.clear();
    profile.costs = scaled_costs(like, profile);
    profile.costs_like = like.name;
    profile.costs_from.clear();
    profile.source = "what the driver says about this card; costs: an H200's, scaled";
    return profile;
}

DeviceProfile find_device() {
    std::vector<DeviceProfile> profiles = device_profiles(content_folder());
    const DeviceProfile* fallback = named(profiles, kDefaultCard);
    if (!fallback)
        throw Error(Status::bad_input,
                    "assets/devices has no profile of an " + std::string(kDefaultCard) +
                        ", which stands in where there is no GPU; install it again");
    if (const char* asked = std::getenv("LANEWISE_CARD"); asked && *asked) {
        if (const DeviceProfile* profile = named(profiles, asked)) return *profile;
        std::string known;
        for (const DeviceProfile& profile : profiles)
            known += (known.empty() ? "" : ", ") + profile.name;
        throw Error(Status::bad_input, "LANEWISE_CARD is \"" + std::string(asked) +
                                           "\", of which there is no profile; there are " + known);
    }
    const GpuStatus& status = gpu_status();
    if (!status.found) return *fallback;
    const DeviceProfile* own = named(profiles, status.gpu.name);
    return own ? *own : profile_from_driver(status.gpu, *fallback);
}

// The first number of a one-number file such as a cgroup's; -1 where there is none ("max").
int64_t number_in(const char* path) {
    std::ifstream file(path);
    int64_t number = -1;
    return file >> number ? number : -1;
}

}  // namespace

const DeviceProfile& device_in_use() {
    static const DeviceProfile device = find_device();
    return device;
}

std::string default_arch() { return gpu_status().found ? gpu_status().gpu.arch : "sm_90"; }

uint64_t available_memory_bytes() {
    uint64_t available = 0;
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        uint64_t kib = 0;
        if (words >> name >> kib && name == "MemAvailable:") available = kib << 10;
    }
    int64_t limit = number_in("/sys/fs/cgroup/memory.max");
    if (limit > 0) available = std::min(available, static_cast<uint64_t>(limit));
    return available;
}

}  // namespace lanewise
