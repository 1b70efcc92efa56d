// What a launch loses and where, on a machine that can be worked out by hand: one multiprocessor of
// 1,000 MHz, so that a clock is a nanosecond, and one block at a time, so that its round is a sum.
#include "lab/analysis/issues.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

DeviceProfile simple_card() {
    DeviceProfile device;
    device.name = "simple";
    device.sm_count = 1;
    device.max_threads_per_sm = 1024;
    device.max_warps_per_sm = 32;
    device.l1_bytes_per_sm = 65'536;
    device.sm_clock_mhz = 1000;
    device.l2_bytes = 1e9;  // all stays in L2
    device.datasheet_gb_per_s = 100;
    device.launch_us = 2;
    device.costs.wavefront_clocks = 1;
    device.costs.l2_write_line_clocks = device.costs.l2_write_sector_clocks = 1;
    device.costs.l2_write_part_clocks = 2;
    device.costs.barrier_clocks = 20;
    return device;
}

// 100 blocks; each reads shared memory with 64 wavefronts where 2 would do (line 18), writes 32
// sectors in part where 4 would do (line 26), and waits at 3 barriers.
struct Launch {
    DeviceProfile device = simple_card();
    Traffic traffic;
    Occupancy occupancy;
    Report report;
    BandwidthPrediction prediction;
    Launch() {
        traffic.blocks = 100;
        traffic.shared_wavefronts = 64;
        traffic.store_sectors = traffic.store_lines = traffic.store_sectors_in_part = 32;
        traffic.barriers = 3;
        occupancy.blocks_per_sm = 1;
        LineReport read, write;
        read.line = 18;
        read.counts.shared_load = {200, 6400, 200, 25'600};
        write.line = 26;
        write.counts.global_store = {100, 100, 3200, 400, 12'800};
        report.lines = {read, write};
        report.totals = read.counts;
        report.totals += write.counts;
    }
    std::vector<Issue> issues(bool with_traffic = true) {
        prediction = predict_bandwidth(device, traffic, occupancy, 1000);
        return issues_of(
            {&report, &prediction, &occupancy, &device, with_traffic ? &traffic : nullptr, 1000});
    }
};

// A round: 64 + (32 + 32 + 2 * 32) + 3 * 20 = 252 clocks; 100 of them and 2 us: 27.2 us. Without the
// partial sectors 4 + 4 remain of the 128, without the conflicts 2 of the 64.
TEST(Issues, AreRankedByWhatTheyAddToTheLaunch) {
    Launch launch;
    std::vector<Issue> issues = launch.issues();
    EXPECT_NEAR(27.2, launch.prediction.time_us, 1e-3);
    ASSERT_EQ(3u, issues.size());
    EXPECT_EQ("88 % of the sectors that it writes are wasted", issues[0].title);
    EXPECT_EQ(26, issues[0].line);
    EXPECT_NEAR(12.0, issues[0].us, 1e-3);
    EXPECT_NEAR(15.2, issues[0].us_without, 1e-3);
    EXPECT_EQ("32-way bank conflict", issues[1].title);
    EXPECT_EQ(18, issues[1].line);
    EXPECT_NEAR(6.2, issues[1].us, 1e-3);
    EXPECT_NEAR(21.0, issues[1].us_without, 1e-3);
    EXPECT_EQ("Warps wait at barriers", issues[2].title);
    EXPECT_EQ(0, issues[2].line);
    EXPECT_NEAR(6.0, issues[2].us, 1e-3);
    for (const Issue& issue : issues) EXPECT_FALSE(issue.fix.empty()) << issue.title;
}

TEST(Issues, WithoutTrafficOnlyWhatTheModelNamesIsOne) {
    Launch launch;
    std::vector<Issue> issues = launch.issues(false);
    ASSERT_EQ(1u, issues.size());
    EXPECT_EQ("Warps wait at barriers", issues[0].title);
}

TEST(Issues, AnIdealLaunchHasNone) {
    Launch launch;
    launch.traffic.barriers = 0;
    for (LineReport& line : launch.report.lines) {
        line.counts.shared_load.wavefronts = line.counts.shared_load.wavefronts_ideal;
        line.counts.global_store.sectors = line.counts.global_store.sectors_ideal;
    }
    EXPECT_TRUE(launch.issues().empty());
    launch.prediction = {};  // nothing is modelled
    EXPECT_TRUE(issues_of({&launch.report, &launch.prediction, &launch.occupancy, &launch.device,
                           &launch.traffic, 1000})
                    .empty());
}

// What costs less than a hundredth of the time is not spoken of: 0.2 of 25.4 us.
TEST(Issues, LeavesOutWhatHardlyCosts) {
    Launch launch;
    launch.traffic.shared_wavefronts = 4;  // 2 above the ideal
    launch.report.lines[0].counts.shared_load.wavefronts = 400;
    for (const Issue& issue : launch.issues()) EXPECT_NE(18, issue.line);
}

// DRAM's 10 us fall to both lines' needed sectors, 4 and 4; the wavefronts' 32 us to 1 and 31 of
// them; the launch to none.
TEST(Issues, TheModelledTimeIsDealtOutToLines) {
    Report report;
    LineReport load, store;
    load.line = 15;
    load.counts.global_load = {1, 1, 4, 4, 128};
    load.counts.shared_store = {1, 1, 1, 128};
    store.line = 18;
    store.counts.global_store = {1, 1, 4, 4, 128};
    store.counts.shared_load = {1, 31, 1, 128};
    report.lines = {load, store};
    BandwidthPrediction prediction;
    prediction.stations = {
        {"DRAM", 10, "", 0}, {"shared-memory wavefronts", 32, "", 0}, {"launch", 2, "", 0}};
    EXPECT_EQ((std::vector<LineTime>{{15, 5 + 1}, {18, 5 + 31}}), time_by_line(report, prediction));
    EXPECT_TRUE(time_by_line(report, {}).empty());
}

}  // namespace
}  // namespace lanewise
