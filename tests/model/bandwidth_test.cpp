// The model against what an H200 measured: medians of single launches, 4096 x 4096 and 8192 x 8192
// floats, GB/s counting read and write. Printed with its error; the ladder's order must hold.
#include "model/bandwidth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>

namespace lanewise {
namespace {

// What one warp of the kernel does: its counts follow from the definition in hardware-rules terms.
struct Kernel {
    const char* name;
    int threads, shared_bytes;
    int elements_per_thread;
    int load_sectors, store_sectors;      // per request
    int shared_load, shared_store;        // wavefronts per access, 0: no shared memory
    double measured_4096, measured_8192;  // GB/s
};

constexpr Kernel kKernels[] = {
    // name          threads shared  e  ld  st  sl  ss  4096  8192
    {"copy", 256, 0, 1, 4, 4, 0, 0, 2449, 2667},
    {"naive", 1024, 0, 1, 4, 32, 0, 0, 524, 551},
    {"naive_write", 1024, 0, 1, 32, 4, 0, 0, 1309, 1370},
    {"coarsened", 256, 4096, 4, 4, 4, 32, 1, 1605, 1736},
    {"padded", 256, 4224, 4, 4, 4, 1, 1, 3185, 3487},
};

DeviceProfile h200() {
    return read_device_profile(CONTENT_FOLDER "/assets/devices/nvidia-h200.json");
}

BandwidthPrediction predict(const Kernel& k, uint64_t side) {
    uint64_t elements = side * side, requests = elements / 32;
    Counts counts;
    counts.global_load = {requests, requests, requests * static_cast<uint64_t>(k.load_sectors),
                          requests * 4, elements * 4};
    counts.global_store = {requests, requests, requests * static_cast<uint64_t>(k.store_sectors),
                           requests * 4, elements * 4};
    if (k.shared_load > 0) {
        counts.shared_load = {requests, requests * static_cast<uint64_t>(k.shared_load), requests,
                              elements * 4};
        counts.shared_store = {requests, requests * static_cast<uint64_t>(k.shared_store), requests,
                               elements * 4};
    }
    uint64_t per_block = static_cast<uint64_t>(k.threads * k.elements_per_thread);
    Occupancy occupied = occupancy(h200(), k.threads, 20, k.shared_bytes);
    return predict_bandwidth(h200(), counts, requests * 25, occupied, elements / per_block,
                             elements * 8);
}

TEST(Bandwidth, ComesCloseToAnH200) {
    for (const Kernel& kernel : kKernels)
        for (auto [side, measured] :
             {std::pair(4096, kernel.measured_4096), std::pair(8192, kernel.measured_8192)}) {
            BandwidthPrediction got = predict(kernel, static_cast<uint64_t>(side));
            double error = got.gb_per_s / measured - 1;
            std::printf("%-12s %d  measured %5.0f  model %5.0f  %+5.1f %%  %s\n", kernel.name, side,
                        measured, got.gb_per_s, 100 * error, got.limited_by.c_str());
            EXPECT_LT(std::fabs(error), 0.15) << kernel.name;
        }
}

TEST(Bandwidth, OrdersTheLadderAsMeasured) {
    for (uint64_t side : {4096u, 8192u}) {
        double last = 0;
        for (const char* name : {"naive", "naive_write", "coarsened", "copy", "padded"}) {
            const Kernel* kernel =
                std::find_if(std::begin(kKernels), std::end(kKernels),
                             [&](const Kernel& k) { return std::string(name) == k.name; });
            double gb_per_s = predict(*kernel, side).gb_per_s;
            EXPECT_GT(gb_per_s, last) << name;
            last = gb_per_s;
        }
        EXPECT_LT(last, achievable_gb_per_s(h200()));
    }
}

TEST(Bandwidth, NamesWhatLimits) {
    auto limit = [](int kernel, uint64_t side) {
        return predict(kKernels[kernel], side).limited_by;
    };
    EXPECT_EQ("bytes in flight", limit(0, 4096));
    EXPECT_EQ("L2 sectors", limit(1, 4096));
    EXPECT_EQ("L1 lines", limit(2, 4096));
    EXPECT_EQ("shared-memory wavefronts", limit(3, 4096));
    EXPECT_EQ("DRAM", limit(4, 4096));
    EXPECT_EQ("launch", limit(4, 32));
}

// coarsened at 4096 x 4096: 16,777,216 + 524,288 wavefronts on 132 multiprocessors at 1,980 per
// microsecond are 66.2 us; 134.2 MB at 4,268 GB/s are 31.4 us; 16,384 blocks, 8 on each
// multiprocessor, are 15.5 rounds of 0.27 us.
TEST(Bandwidth, WorksOutEachStation) {
    BandwidthPrediction got = predict(kKernels[3], 4096);
    auto time_of = [&](const std::string& name) {
        for (const Station& station : got.stations)
            if (station.name == name) return station.time_us;
        return -1.0;
    };
    EXPECT_EQ("NVIDIA H200", got.device);
    EXPECT_EQ("shared-memory wavefronts", got.stations[0].name);
    EXPECT_NEAR(66.2, time_of("shared-memory wavefronts"), 0.05);
    EXPECT_NEAR(31.45, time_of("DRAM"), 0.05);
    EXPECT_NEAR(4.19, time_of("bytes in flight"), 0.05);
    EXPECT_NEAR(4.01, time_of("L1 lines"), 0.05);            // 1,048,576 lines
    EXPECT_NEAR(23.97, time_of("L2 sectors"), 0.05);         // 4,194,304 sectors at 5,600 GB/s
    EXPECT_NEAR(12.54, time_of("instruction issue"), 0.05);  // 25 instructions a warp, 4 a clock
    EXPECT_NEAR(3, time_of("launch"), 1e-9);
    double others = 31.45 + 4.01 + 23.97 + 12.54;
    EXPECT_NEAR(66.2 + others / 8 + 4.19 + 3, got.time_us, 0.2);
}

TEST(Bandwidth, LeavesOutAnUnknownL2) {
    DeviceProfile device = h200();
    device.l2_gb_per_s = 0;
    Counts counts;
    counts.global_load = {1, 1, 4, 4, 128};
    counts.global_store = {1, 1, 4, 4, 128};
    BandwidthPrediction got =
        predict_bandwidth(device, counts, 25, occupancy(device, 256, 20, 0), 1, 256);
    for (const Station& station : got.stations) EXPECT_NE("L2 sectors", station.name);
    EXPECT_GT(got.time_us, device.launch_us);
}

}  // namespace
}  // namespace lanewise
