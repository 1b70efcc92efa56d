// The model on machines that can be worked out by hand, and its shape on an H200. How far it is
// from measurements: tests/lab/prediction_test.cpp.
#include "model/bandwidth.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanewise {
namespace {

// One multiprocessor of 1,000 MHz, so a clock is a nanosecond; nothing costs anything yet.
DeviceProfile simple_card() {
    DeviceProfile device;
    device.name = "simple";
    device.sm_count = 1;
    device.max_threads_per_sm = 1024;
    device.max_warps_per_sm = 32;
    device.l1_bytes_per_sm = 65'536;
    device.sm_clock_mhz = 1000;
    device.l2_bytes = 1000;
    device.datasheet_gb_per_s = 100;
    device.launch_us = 2;
    device.costs.dram_read_gb_per_s = device.costs.dram_write_gb_per_s = 64;
    return device;
}

Occupancy fits(int blocks) {
    Occupancy occupancy;
    occupancy.blocks_per_sm = blocks;
    return occupancy;
}

// 100 blocks of one warp that copy 3,200 bytes each.
constexpr uint64_t kBytes = 2 * 100 * 3200;
Traffic copying() {
    Traffic traffic;
    traffic.blocks = 100;
    traffic.load_requests = traffic.store_requests = 25;
    traffic.load_lines = traffic.store_lines = 25;
    traffic.load_sectors = traffic.load_sectors_once = traffic.store_sectors = 100;
    traffic.trips = 1;
    traffic.warp_instructions = 40;
    return traffic;
}

// Bytes below the multiprocessors: L1 asks for what its blocks have not asked for before where it
// keeps that, else for all; DRAM moves what the kernel must, unless all of it stays in L2.
TEST(Bandwidth, SaysWhatMovesBelowTheMultiprocessors) {
    DeviceProfile card = simple_card();
    Traffic traffic = copying();
    traffic.load_sectors = 400;  // of which a block has 100 different ones: 3,200 bytes
    BandwidthPrediction got = predict_bandwidth(card, traffic, fits(1), kBytes);
    EXPECT_NEAR(100 * 100 * 32, got.l2_read_bytes, 1e-6);
    EXPECT_NEAR(kBytes / 2, got.dram_read_bytes, 1e-6);
    EXPECT_NEAR(kBytes / 2, got.dram_written_bytes, 1e-6);
    card.l1_bytes_per_sm = 3000;
    card.l2_bytes = 2 * kBytes;
    got = predict_bandwidth(card, traffic, fits(1), kBytes);
    EXPECT_NEAR(100 * 400 * 32, got.l2_read_bytes, 1e-6);
    EXPECT_EQ(0, got.dram_read_bytes);
    EXPECT_EQ(0, got.dram_written_bytes);
}

const Station* find(const BandwidthPrediction& got, const std::string& name) {
    for (const Station& station : got.stations)
        if (station.name == name) return &station;
    return nullptr;
}

// One block at a time: its round is the sum of all. DRAM: 3,200 / 64 = 50 clocks each way and a
// tenth more to turn; L2: 25 lines of 1 and 100 sectors of 0.1 each way, 70; L1: 25 * 2 + 25 = 75;
// issue: 40 / 4; the load: 500; the change: 100 + 1 * 10, and 40 instructions of 5; 3 barriers of
// 20 + 1. In all 110 + 70 + 75 + 10 + 500 + 310 + 63 = 1,138 ns, times 100 blocks; 2 us to launch.
TEST(Bandwidth, AddsUpABlocksRound) {
    DeviceProfile card = simple_card();
    MachineCosts& costs = card.costs;
    costs.dram_turning = 0.1;
    costs.l2_read_line_clocks = costs.l2_write_line_clocks = 1;
    costs.l2_read_sector_clocks = costs.l2_write_sector_clocks = 0.1;
    costs.l1_load_line_clocks = 2;
    costs.l1_store_line_clocks = 1;
    costs.dram_latency_clocks = 500;
    costs.block_clocks = 100;
    costs.block_warp_clocks = 10;
    costs.instruction_clocks = 5;
    costs.barrier_clocks = 20;
    costs.barrier_warp_clocks = 1;
    Traffic traffic = copying();
    traffic.barriers = 3;
    BandwidthPrediction got = predict_bandwidth(card, traffic, fits(1), kBytes);
    EXPECT_NEAR(113.8 + 2, got.time_us, 1e-3);
    EXPECT_NEAR(kBytes / 115.8 / 1e3, got.gb_per_s, 1e-3);
    EXPECT_NEAR(11.0, find(got, "DRAM")->time_us, 1e-3);
    EXPECT_NEAR(7.0, find(got, "L2 sectors")->time_us, 1e-3);
    EXPECT_NEAR(7.5, find(got, "L1 lines")->time_us, 1e-3);
    EXPECT_NEAR(1.0, find(got, "instruction issue")->time_us, 1e-3);
    EXPECT_NEAR(50.0, find(got, "bytes in flight")->time_us, 1e-3);
    EXPECT_NEAR(31.0, find(got, "blocks coming and going")->time_us, 1e-3);
    EXPECT_NEAR(6.3, find(got, "barriers")->time_us, 1e-3);
    EXPECT_NEAR(2.0, find(got, "launch")->time_us, 1e-3);
    EXPECT_EQ("bytes in flight", got.limited_by);
    EXPECT_EQ("bytes in flight", largest_loss(got));
    EXPECT_EQ("simple", got.device);
    EXPECT_EQ(100, got.peak_gb_per_s);
}

// What the work itself takes is no loss, nor is what an empty launch takes, nor a twentieth.
TEST(Bandwidth, NamesTheLargestLoss) {
    BandwidthPrediction prediction;
    prediction.time_us = 100;
    prediction.stations = {{"DRAM", 80, "", 0}, {"last round", 4.9, "", 0}, {"launch", 15, "", 0}};
    EXPECT_EQ("", largest_loss(prediction));
    prediction.stations[1].time_us = 5;
    EXPECT_EQ("last round", largest_loss(prediction));
    prediction.stations.push_back({"arithmetic", 60, "", 0});
    EXPECT_EQ("arithmetic", largest_loss(prediction));
    prediction.gflop_per_s = 1;  // of a product it is the work
    EXPECT_EQ("last round", largest_loss(prediction));
}

// 100 blocks of a product, one at a time, 64 operations a clock. A block needs 6,400: 100 clocks,
// and as 100 of its 140 instructions; the other 40 take 10. Its 100 sectors come from L1 but for
// 25, and 10 of those from DRAM: 320 bytes, 5 clocks, and 10 for the 640 it writes. Of two waits
// one is a copy's, which nobody feels; the other is 75 % of 40, 15 % of 100 and 10 % of 500 clocks,
// 95. In all 100 + 10 + 5 + 10 + 95 = 220 ns a block.
TEST(Bandwidth, OfAProductIsItsArithmeticAndWhatItWaitsFor) {
    DeviceProfile card = simple_card();
    card.fp32_tflop_per_s = 0.064;
    card.fp16_tflop_per_s = 0.64;
    card.costs.l1_latency_clocks = 40;
    card.costs.l2_latency_clocks = 100;
    card.costs.dram_latency_clocks = 500;
    card.costs.instruction_clocks = 5;  // felt only beside tensor cores: else they are independent
    Traffic traffic;
    traffic.blocks = 100;
    traffic.operations = 6400;
    traffic.warp_instructions = 140;
    traffic.load_requests = 25;
    traffic.load_sectors = 100;
    traffic.load_sectors_once = traffic.sectors_in_use = 25;
    traffic.trips = 2;
    traffic.copy_trips = 1;
    traffic.busiest_trips = 1;
    traffic.busiest_instructions = 20;  // 100 clocks in a row
    traffic.read_bytes = 320;
    traffic.write_bytes = 640;
    uint64_t bytes = 100 * 960;
    BandwidthPrediction got = predict_bandwidth(card, traffic, fits(1), bytes);
    EXPECT_NEAR(22 + 2, got.time_us, 1e-3);
    EXPECT_NEAR(10, find(got, "arithmetic")->time_us, 1e-3);
    EXPECT_NEAR(1.5, find(got, "DRAM")->time_us, 1e-3);
    EXPECT_NEAR(1, find(got, "instruction issue")->time_us, 1e-3);
    EXPECT_NEAR(9.5, find(got, "bytes in flight")->time_us, 1e-3);
    EXPECT_EQ(nullptr, find(got, "busiest warp"));
    EXPECT_EQ("arithmetic", got.limited_by);
    EXPECT_NEAR(100 * 6400 / 24.0 / 1e3, got.gflop_per_s, 1e-3);
    EXPECT_NEAR(64, got.peak_gflop_per_s, 1e-9);
    EXPECT_EQ("FP32", got.unit);

    traffic.tensor_operations = 12'800;  // at edges they do more than is needed: 20 clocks
    got = predict_bandwidth(card, traffic, fits(1), bytes);
    EXPECT_NEAR(2, find(got, "arithmetic")->time_us, 1e-3);
    EXPECT_NEAR(3.5, find(got, "instruction issue")->time_us, 1e-3);  // all 140 of them
    EXPECT_NEAR(6.5, find(got, "busiest warp")->time_us, 1e-3);       // 100 less the 35 of issue
    EXPECT_EQ("FP16 tensor cores", got.unit);

    traffic.warps = 8;  // two on each scheduler: the other one multiplies for 10 clocks
    got = predict_bandwidth(card, traffic, fits(1), bytes);
    EXPECT_NEAR(5.5, find(got, "busiest warp")->time_us, 1e-3);
    traffic.warps = 1;

    traffic.sectors_in_use = 3000;  // more than 64 KiB: L1 keeps none of them
    got = predict_bandwidth(card, traffic, fits(1), bytes);
    EXPECT_NEAR(14, find(got, "bytes in flight")->time_us, 1e-3);  // 90 % of 100, 10 % of 500
}

// Two blocks, 100 clocks of shared memory and 300 of latency each: the second finds 1/4 of one at
// the centre. 425 clocks for two blocks; 100 blocks make 50 whole rounds.
TEST(Bandwidth, BlocksWaitForEachOther) {
    DeviceProfile card = simple_card();
    card.l2_bytes = 1e9;  // everything is there
    card.costs.l2_latency_clocks = 300;
    card.costs.wavefront_clocks = 1;
    Traffic traffic = copying();
    traffic.warp_instructions = 0;
    traffic.shared_wavefronts = 100;
    BandwidthPrediction got = predict_bandwidth(card, traffic, fits(2), kBytes);
    EXPECT_NEAR(50 * 0.425 + 2, got.time_us, 1e-3);
    EXPECT_EQ(nullptr, find(got, "DRAM"));
    EXPECT_EQ(nullptr, find(got, "last round"));
}

// Runs of 128 bytes take twice as long: 50 + 100 clocks.
TEST(Bandwidth, KnowsTheOrderOfBlocks) {
    DeviceProfile card = simple_card();
    card.costs.write_runs = {{128, 2}, {512, 1}};
    Traffic traffic = copying();
    traffic.warp_instructions = 0;
    traffic.store_run_bytes = 128;
    EXPECT_NEAR(15 + 2, predict_bandwidth(card, traffic, fits(1), kBytes).time_us, 1e-3);
    traffic.store_run_bytes = 256;  // half way, as logarithms go: 1.5
    EXPECT_NEAR(12.5 + 2, predict_bandwidth(card, traffic, fits(1), kBytes).time_us, 1e-3);
    traffic.store_run_bytes = 4096;
    EXPECT_NEAR(10 + 2, predict_bandwidth(card, traffic, fits(1), kBytes).time_us, 1e-3);
}

// Sectors written in part: 100 of them, 3 clocks more each. Reads come from L1 where it holds them.
TEST(Bandwidth, ChargesL2ForPartsAndForWhatL1Forgets) {
    DeviceProfile card = simple_card();
    card.costs.l2_write_part_clocks = 3;
    card.costs.l2_read_sector_clocks = 1;
    Traffic traffic = copying();
    traffic.warp_instructions = 0;
    traffic.store_sectors_in_part = 100;
    traffic.load_sectors = traffic.load_lines = 800;  // each sector asked for 8 times
    EXPECT_NEAR(0.1 * (300 + 100),
                find(predict_bandwidth(card, traffic, fits(1), kBytes), "L2 sectors")->time_us,
                1e-3);
    card.l1_bytes_per_sm = 3199;  // 100 sectors are 3,200 bytes
    EXPECT_NEAR(0.1 * (300 + 800),
                find(predict_bandwidth(card, traffic, fits(1), kBytes), "L2 sectors")->time_us,
                1e-3);
}

// 3 blocks in slots of 2: 1.5 rounds, of which the second is half empty.
TEST(Bandwidth, TheLastRoundIsPartlyEmpty) {
    DeviceProfile card = simple_card();
    card.l2_bytes = 1e9;
    card.costs.l2_latency_clocks = 1000;
    Traffic traffic = copying();
    traffic.warp_instructions = 0;
    traffic.blocks = 3;
    BandwidthPrediction got = predict_bandwidth(card, traffic, fits(2), 19'200);
    EXPECT_NEAR(1.5, find(got, "bytes in flight")->time_us, 1e-3);
    EXPECT_NEAR(0.5, find(got, "last round")->time_us, 1e-3);
}

// Each step leaves less than the one before it, down to the prediction.
TEST(Bandwidth, IsAWaterfall) {
    DeviceProfile card = read_device_profile(CONTENT_FOLDER "/assets/devices/nvidia-h200.json");
    Traffic traffic = copying();
    traffic.blocks = 100'000;
    traffic.store_sectors_in_part = 100;
    traffic.store_run_bytes = 128;
    BandwidthPrediction got = predict_bandwidth(card, traffic, fits(8), 2 * 100'000 * 3200ull);
    double left = got.peak_gb_per_s, us = 0;
    for (const Station& station : got.stations) {
        EXPECT_LT(station.gb_per_s, left) << station.name;
        EXPECT_FALSE(station.because.empty());
        left = station.gb_per_s;
        us += station.time_us;
    }
    EXPECT_DOUBLE_EQ(left, got.gb_per_s);
    EXPECT_NEAR(us, got.time_us, 1e-6);
}

}  // namespace
}  // namespace lanewise
