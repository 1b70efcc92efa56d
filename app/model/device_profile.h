// What a card is able to do: assets/devices/<name>.json, or read from the driver.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace lanewise {

struct DeviceProfile {
    std::string name;  // "NVIDIA H200"
    std::string arch;  // "sm_90"
    int sm_count = 0;
    int max_threads_per_sm = 0, max_blocks_per_sm = 0, max_warps_per_sm = 0;
    int registers_per_sm = 0;
    int shared_bytes_per_sm = 0, shared_bytes_per_block = 0, shared_bytes_reserved = 1024;
    int l1_bytes_per_sm = 0;  // shared memory comes out of it
    double sm_clock_mhz = 0;  // boost
    double l2_bytes = 0;
    double l2_gb_per_s = 0;         // 0 where unknown: the model then leaves that station out
    double datasheet_gb_per_s = 0;  // the vendor's figure
    double copy_gb_per_s = 0;       // best copy measured on such a card; 0 where never measured
    double latency_ns = 0;          // global load latency under light load
    double launch_us = 3;           // what an empty launch takes between two events
    std::string source;             // where the figures come from, for the screen
};

// What a copy reaches: copy_gb_per_s, or where it was never measured the share of the datasheet's
// figure that an H200 reaches.
double achievable_gb_per_s(const DeviceProfile& device);

// Throws Error(bad_input) naming the file and the field.
DeviceProfile read_device_profile(const std::filesystem::path& file);
// All profiles of assets/devices, by file name.
std::vector<DeviceProfile> device_profiles(const std::filesystem::path& content);

}  // namespace lanewise
