// Occupancy worked out by hand, as NVIDIA's calculator does it.
#include "model/occupancy.h"

#include <gtest/gtest.h>

#include <cctype>

#include "base/files.h"
#include "base/text.h"

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
        Case{"nvidia-rtx-2080-ti", 64, 16, 4224, 15, 30, 30.0 / 32, "shared memory"}));

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
    EXPECT_EQ(sm_limits("sm_90"), sm_limits("sm_90a"));
    EXPECT_EQ(nullptr, sm_limits("sm_35"));
    EXPECT_EQ(nullptr, sm_limits(""));
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

}  // namespace
}  // namespace lanewise
