// Occupancy worked out by hand, as NVIDIA's calculator does it.
#include "model/occupancy.h"

#include <gtest/gtest.h>

#include <cctype>

#include "../case_name.h"
#include "base/files.h"
#include "base/text.h"
#include "model/carveout.h"
#include "model/occupancy_rows.h"

namespace lanewise {
namespace {

DeviceProfile card(const std::string& name) {
    return read_device_profile(std::string(CONTENT_FOLDER "/assets/devices/") + name + ".json");
}

struct Case {
    const char* card;
    int threads, registers, shared;
    int blocks, warps;
    double fraction;
    const char* limited_by;
};
std::string in_words(const Case& c) {
    return std::string(c.card) + " " + std::to_string(c.threads) + " threads " +
           std::to_string(c.registers) + " registers " + std::to_string(c.shared) + " bytes";
}
void PrintTo(const Case& c, std::ostream* to) { *to << in_words(c); }

class Occupancies : public testing::TestWithParam<Case> {};

TEST_P(Occupancies, MatchTheCalculator) {
    const Case& c = GetParam();
    Occupancy got = occupancy(card(c.card), c.threads, c.registers, c.shared);
    EXPECT_EQ(c.blocks, got.blocks_per_sm);
    EXPECT_EQ(c.warps, got.warps_per_sm);
    EXPECT_NEAR(c.fraction, got.fraction, 1e-9);
    EXPECT_EQ(c.limited_by, got.limited_by);
}

INSTANTIATE_TEST_SUITE_P(
    ByHand, Occupancies,
    testing::Values(
        // 8 warps a block, 64 a multiprocessor: 8 blocks. Registers: 20 * 32 = 640 -> 768 a warp,
        // 85 -> 84 warps, 10 blocks. Shared: 4,224 + 1,024, 44 blocks.
        Case{"nvidia-h200", 256, 20, 4224, 8, 64, 1.0, "threads"},
        // 32 warps a block: 2 blocks; registers allow 84 / 32 = 2 too, threads are named first.
        Case{"nvidia-h200", 1024, 20, 4096, 2, 64, 1.0, "threads"},
        // 40 * 32 = 1,280 a warp: 51 -> 48 warps, 6 blocks.
        Case{"nvidia-h200", 256, 40, 0, 6, 48, 0.75, "registers"},
        // 33 * 32 = 1,056 -> 1,280 a warp: the same 6 blocks.
        Case{"nvidia-h200", 256, 33, 0, 6, 48, 0.75, "registers"},
        // 48 KiB + 1 KiB: 233,472 / 50,176 = 4.65.
        Case{"nvidia-h200", 256, 16, 49152, 4, 32, 0.5, "shared memory"},
        // One warp a block, at most 32 blocks.
        Case{"nvidia-h200", 32, 16, 0, 32, 32, 0.5, "blocks"},
        // 33 threads are two warps: 32 blocks by warps and by number.
        Case{"nvidia-h200", 33, 16, 0, 32, 64, 1.0, "threads"},
        // 255 * 32 = 8,160 -> 8,192 a warp: 8 warps, a block needs 32.
        Case{"nvidia-h200", 1024, 255, 0, 0, 0, 0.0, "registers"},
        Case{"nvidia-h200", 1025, 16, 0, 0, 0, 0.0, "threads"},
        Case{"nvidia-h200", 256, 16, 232449, 0, 0, 0.0, "shared memory"},
        Case{"nvidia-a100", 256, 32, 4224, 8, 64, 1.0, "threads"},
        // 48 warps: one block of 32 fits, a second does not.
        Case{"nvidia-rtx-3080", 1024, 16, 0, 1, 32, 32.0 / 48, "threads"},
        Case{"nvidia-rtx-2080-ti", 256, 32, 0, 4, 32, 1.0, "threads"},
        // Units of 256 and nothing reserved: 4,224 -> 4,352, 65,536 / 4,352 = 15.06.
        Case{"nvidia-rtx-2080-ti", 64, 16, 4224, 15, 30, 30.0 / 32, "shared memory"}),
    [](const auto& test) { return case_name(in_words(test.param)); });

// The profiles say the same of their multiprocessors as the guide says of their architecture.
TEST(SmLimits, AgreeWithTheProfiles) {
    for (const DeviceProfile& device : device_profiles(CONTENT_FOLDER)) {
        const SmLimits* limits = sm_limits(device.arch);
        ASSERT_NE(nullptr, limits) << device.arch;
        SmLimits own = sm_limits(device);
        EXPECT_EQ(limits->threads, own.threads) << device.name;
        EXPECT_EQ(limits->blocks, own.blocks);
        EXPECT_EQ(limits->warps, own.warps);
        EXPECT_EQ(limits->registers, own.registers);
        EXPECT_EQ(limits->shared_bytes, own.shared_bytes);
        EXPECT_EQ(limits->shared_bytes_per_block, own.shared_bytes_per_block);
        EXPECT_EQ(limits->shared_bytes_reserved, own.shared_bytes_reserved);
    }
}

// 1,024 threads of 32 registers, with 20 KiB: threads allow 2, 1 and 1 of them.
TEST(SmLimits, KnowArchitecturesWithoutAProfile) {
    EXPECT_EQ(2, occupancy(*sm_limits("sm_100"), 1024, 32, 20'480).blocks_per_sm);
    EXPECT_EQ(1, occupancy(*sm_limits("sm_89"), 1024, 32, 20'480).blocks_per_sm);
    EXPECT_EQ(24, occupancy(*sm_limits("sm_89"), 32, 32, 0).blocks_per_sm);  // 16 on an sm_86
    EXPECT_EQ(7, occupancy(*sm_limits("sm_87"), 32, 32, 20'480).blocks_per_sm);
    EXPECT_EQ(24, occupancy(*sm_limits("sm_120a"), 32, 32, 0).blocks_per_sm);
    EXPECT_EQ(sm_limits("sm_90"), sm_limits("sm_90a"));
    EXPECT_EQ(nullptr, sm_limits("sm_35"));
    EXPECT_EQ(nullptr, sm_limits(""));
}

struct ByHand {
    const char* arch;
    int threads, registers, shared, blocks;
    const char* limited_by;
};

// Registers go to warps in units of 256 and warps come in fours; shared memory in units of 128
// bytes (256 on sm_75), plus 1 KiB of the system's on sm_80 and later.
TEST(Occupancies, EqualSumsByHandOnEachArchitecture) {
    const ByHand cases[] = {
        // 40 * 32 = 1,280 registers a warp: 51 warps, so 48; 48 / 8 = 6, but 1,024 / 256 = 4.
        {"sm_75", 256, 40, 0, 4, "threads"},
        // 20,000 -> 20,224; 65,536 / 20,224 = 3.2.
        {"sm_75", 128, 40, 20'000, 3, "shared memory"},
        {"sm_75", 32, 40, 0, 16, "blocks"},
        // 20,000 -> 20,096, + 1,024 = 21,120; 167,936 / 21,120 = 7.95.
        {"sm_80", 128, 40, 20'000, 7, "shared memory"},
        // 48 warps: 6 of 8 by threads, and by registers 48 / 8 = 6 too: threads are named first.
        {"sm_86", 256, 40, 0, 6, "threads"},
        // 102,400 / 21,120 = 4.8.
        {"sm_86", 128, 40, 20'000, 4, "shared memory"},
        {"sm_86", 64, 16, 0, 16, "blocks"},
        // 96 * 32 = 3,072: 21 warps, so 20; 20 / 8 = 2.
        {"sm_87", 256, 96, 0, 2, "registers"},
        {"sm_87", 128, 40, 20'000, 7, "shared memory"},
        // 64 threads: 24 of 48 warps' worth of blocks at most; a second limit, 24 blocks, is equal.
        {"sm_89", 64, 16, 0, 24, "threads"},
        {"sm_89", 32, 16, 0, 24, "blocks"},
        // 168 * 32 = 5,376: 12 warps; 12 / 4 = 3.
        {"sm_90", 128, 168, 0, 3, "registers"},
        // 233,472 / 21,120 = 11.05.
        {"sm_90", 128, 40, 20'000, 11, "shared memory"},
        {"sm_100", 128, 40, 20'000, 11, "shared memory"},
        {"sm_100", 128, 168, 0, 3, "registers"},
        // 227 KiB and not a byte more.
        {"sm_100", 128, 32, 232'448, 1, "shared memory"},
        {"sm_100", 128, 32, 232'449, 0, "shared memory"},
    };
    for (const ByHand& c : cases) {
        Occupancy got = occupancy(*sm_limits(c.arch), c.threads, c.registers, c.shared);
        EXPECT_EQ(c.blocks, got.blocks_per_sm) << c.arch << " " << c.threads << " " << c.shared;
        EXPECT_EQ(c.limited_by, got.limited_by) << c.arch << " " << c.threads << " " << c.shared;
    }
}

// What Nsight Compute said of 177 launches on an H200.
TEST(Carveouts, AreWhatTheDriverSetsAside) {
    const SmLimits& limits = *sm_limits("sm_90");
    const std::string text = read_file(TESTS_FOLDER "/model/fixtures/carveouts.csv");
    int rows = 0;
    for (std::string_view line : lines_of(text)) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<std::string_view> cells = split(line, ',');
        ASSERT_EQ(4u, cells.size()) << line;
        auto number = [&](size_t i) { return std::stoi(std::string(cells[i])); };
        CarvedFor launch{number(0), occupancy(limits, number(0), number(1), number(2)).blocks_per_sm,
                         limits.threads / number(0), number(2), limits.shared_bytes_reserved};
        EXPECT_EQ(number(3) * 1024, driver_carveout_bytes("sm_90", launch)) << line;
        ++rows;
    }
    EXPECT_EQ(177, rows);
}

// NVIDIA's own calculator, cuda_occupancy.h of CUDA 13.0 (golden/cuda_occupancy/take.cpp).
TEST(Occupancies, EqualTheToolkitsOnEachArchitecture) {
    std::string text = read_file(TESTS_FOLDER "/golden/cuda_occupancy/by_arch.csv");
    int rows = 0;
    for (std::string_view line : lines_of(text)) {
        if (!line.starts_with("sm_")) continue;
        std::vector<std::string_view> cells = split(line, ',');
        ASSERT_EQ(7u, cells.size()) << line;
        auto number = [&](size_t i) { return std::stoi(std::string(cells[i])); };
        std::string arch(cells[0]);
        int blocks = occupancy(*sm_limits(arch), number(1), number(2), number(3)).blocks_per_sm;
        ++rows;
        EXPECT_EQ(number(4), blocks) << line;
        EXPECT_EQ(number(6), shared_carveout_bytes(arch, int64_t(number(4)) * number(5))) << line;
    }
    EXPECT_EQ(3528, rows);
}

// 256 threads of 40 registers and 20,000 bytes on an sm_90: 8 warps; 40 * 32 * 8 registers, 51
// warps, so 48, so 6 blocks; 20,096 + 1,024 bytes, 11 blocks.
TEST(OccupancyRows, SayWhatABlockTakesAndWhatThatAllows) {
    SmLimits limits = *sm_limits("sm_90");
    std::vector<OccupancyRow> rows = occupancy_rows(limits, occupancy(limits, 256, 40, 20'000));
    ASSERT_EQ(4u, rows.size());
    int64_t per_block[] = {8, 1, 10'240, 21'120}, blocks[] = {8, 32, 6, 11};
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(per_block[i], rows[i].per_block) << rows[i].resource;
        EXPECT_EQ(blocks[i], rows[i].blocks) << rows[i].resource;
        EXPECT_EQ(i == 2, rows[i].limits) << rows[i].resource;
    }
    // Neither registers nor shared memory, on an sm_75, which reserves none.
    rows = occupancy_rows(*sm_limits("sm_75"), occupancy(*sm_limits("sm_75"), 1024, 0, 0));
    EXPECT_EQ(kAnyNumber, rows[2].blocks);
    EXPECT_EQ(kAnyNumber, rows[3].blocks);
    EXPECT_TRUE(rows[0].limits);
}

// sm_90 sets aside 0, 8, 16, 32, 64, 100, … KiB, sm_75 at least 32.
TEST(SharedCarveout, IsTheLeastThatHolds) {
    EXPECT_EQ(0, shared_carveout_bytes("sm_90", 0));
    EXPECT_EQ(8 * 1024, shared_carveout_bytes("sm_90a", 1));
    EXPECT_EQ(64 * 1024, shared_carveout_bytes("sm_90", 8 * 5248));
    EXPECT_EQ(100 * 1024, shared_carveout_bytes("sm_86", 64 * 1024 + 1));
    EXPECT_EQ(32 * 1024, shared_carveout_bytes("sm_75", 0));
    EXPECT_EQ(12'345, shared_carveout_bytes("sm_35", 12'345));
    EXPECT_EQ(10u, carveouts_kib("sm_100").size());
}

// What cuOccupancyMaxActiveBlocksPerMultiprocessor said on an H200, row by row.
TEST(Occupancies, EqualTheDriversOnAnH200) {
    std::string text = read_file(TESTS_FOLDER "/golden/h200/occupancy.csv");
    DeviceProfile h200 = card("nvidia-h200");
    int rows = 0;
    for (std::string_view line : lines_of(text)) {
        if (line.empty() || !std::isdigit(static_cast<unsigned char>(line[0]))) continue;
        std::vector<int> cells;
        for (std::string_view cell : split(line, ','))
            cells.push_back(std::stoi(std::string(cell)));
        ASSERT_EQ(5u, cells.size()) << line;
        ++rows;
        EXPECT_EQ(cells[4], occupancy(h200, cells[0], cells[1], cells[2] + cells[3]).blocks_per_sm)
            << line;
    }
    EXPECT_GE(rows, 300);
}

TEST(Occupancies, AreToldInWords) {
    Occupancy one;
    one.blocks_per_sm = 1, one.warps_per_sm = 8, one.fraction = 0.125;
    one.limited_by = "shared memory";
    EXPECT_EQ("1 block, 8 warps (12 %) on a multiprocessor, limited by shared memory",
              in_words(one));
    one.registers_per_thread = 30;
    EXPECT_EQ("30 registers a thread", registers_in_words(one));
    one.registers_per_thread.reset();
    EXPECT_EQ("at most 1 block, 8 warps (12 %) on a multiprocessor, limited by shared memory",
              in_words(one));
    EXPECT_EQ("registers not known without ptxas", registers_in_words(one));
}

// 256 threads: by threads 8 blocks. 33 KiB of shared memory: 227 of them would do for 6, and so
// many registers as a thread can have for one.
TEST(Occupancies, WithoutTheRegistersAreAnUpperBound) {
    const SmLimits& limits = *sm_limits("sm_90");
    Occupancy bound = occupancy(limits, 256, std::nullopt, 33 * 1024);
    EXPECT_EQ(6, bound.blocks_per_sm);
    EXPECT_EQ("shared memory", bound.limited_by);
    EXPECT_FALSE(bound.is_known());
    EXPECT_EQ(1, occupancy(limits, 256, 255, 33 * 1024).blocks_per_sm);
    std::vector<OccupancyRow> rows = occupancy_rows(limits, bound);
    EXPECT_EQ(kUnknownNumber, rows[2].blocks);
    EXPECT_EQ(0, rows[2].per_block);
    EXPECT_FALSE(rows[2].limits);
}

}  // namespace
}  // namespace lanewise
