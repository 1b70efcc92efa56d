// The counting rules: examples worked by hand, and every recorded access of an H200.
#include "trace/count/rules.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/text.h"

namespace lanewise {
namespace {

constexpr uint32_t kAll = ~0u;

// Lane n at start + n * stride bytes.
LaneAddresses strided(uint64_t stride, uint64_t start = 0) {
    LaneAddresses addresses;
    for (size_t n = 0; n < 32; ++n) addresses[n] = start + n * stride;
    return addresses;
}

TEST(Sectors, AreDistinct32ByteBlocks) {
    EXPECT_EQ(4, sectors(strided(4), 4, kAll));        // 128 bytes
    EXPECT_EQ(5, sectors(strided(4, 16), 4, kAll));    // half a sector at each end
    EXPECT_EQ(32, sectors(strided(4096), 4, kAll));    // a column
    EXPECT_EQ(16, sectors(strided(16), 16, kAll));     // float4
    EXPECT_EQ(1, sectors(strided(0), 4, kAll));        // all lanes the same
    EXPECT_EQ(1, sectors(strided(4), 4, 0x00000081));  // lanes 0 and 7
    EXPECT_EQ(2, sectors(strided(4), 4, 0x00000101));  // lanes 0 and 8
    EXPECT_EQ(0, sectors(strided(4), 4, 0));
}

TEST(Sectors, IdealPacksTheDistinctBytes) {
    EXPECT_EQ(4, sectors_ideal(strided(4096), 4, kAll));
    EXPECT_EQ(1, sectors_ideal(strided(4096), 1, kAll));
    EXPECT_EQ(1, sectors_ideal(strided(0), 16, kAll));
    EXPECT_EQ(2, sectors_ideal(strided(64), 4, 0x000001ff));  // 9 lanes, 36 bytes
    EXPECT_EQ(0, sectors_ideal(strided(64), 4, 0));
}

TEST(Wavefronts, ColumnOfATile) {
    EXPECT_EQ(32, wavefronts(strided(32 * 4), 4, kAll, false));  // every lane wants bank 0
    EXPECT_EQ(1, wavefronts(strided(33 * 4), 4, kAll, false));   // padding spreads them
    EXPECT_EQ(2, wavefronts(strided(34 * 4), 4, kAll, false));   // lanes n and n + 16 share a bank
    EXPECT_EQ(1, wavefronts(strided(0), 4, kAll, false));        // the same word never conflicts
    EXPECT_EQ(1, wavefronts(strided(1), 1, kAll, true));         // four lanes in a word
    EXPECT_EQ(0, wavefronts(strided(4), 4, 0, false));
}

TEST(Wavefronts, WideAccessesGoInPhases) {
    EXPECT_EQ(2, wavefronts(strided(8), 8, kAll, false));
    EXPECT_EQ(4, wavefronts(strided(16), 16, kAll, false));
    EXPECT_EQ(1, wavefronts(strided(16), 16, 0x000000ff, false));  // one quarter-warp
    EXPECT_EQ(2, wavefronts_ideal(strided(512), 8, kAll, false));
    EXPECT_EQ(4, wavefronts_ideal(strided(512), 16, kAll, true));
    EXPECT_EQ(1, wavefronts_ideal(strided(512), 4, kAll, true));
    EXPECT_EQ(1, wavefronts_ideal(strided(16), 16, 0x000000ff, false));
}

// Lanes n and n ^ 1 read the same 8 (16) bytes.
TEST(Wavefronts, LoadsOfEqualNeighboursMergePhases) {
    LaneAddresses pairs;
    for (size_t n = 0; n < 32; ++n) pairs[n] = n / 2 * 8;
    EXPECT_EQ(1, wavefronts(pairs, 8, kAll, false));
    EXPECT_EQ(2, wavefronts(pairs, 8, kAll, true));
    for (size_t n = 0; n < 32; ++n) pairs[n] = n / 2 * 16;
    EXPECT_EQ(2, wavefronts(pairs, 16, kAll, false));
    EXPECT_EQ(4, wavefronts(pairs, 16, kAll, true));
    EXPECT_EQ(2, wavefronts_ideal(pairs, 16, kAll, false));
}

TEST(Schedule, SaysWhichWordServesWhichLanes) {
    LaneAddresses addresses = strided(0);
    addresses[1] = 128;  // bank 0 again, another word
    addresses[2] = 4;    // bank 1
    auto schedule = wavefront_schedule(addresses, 4, 0x0000000f, false);
    ASSERT_EQ(2u, schedule.size());
    ASSERT_EQ(2u, schedule[0].size());
    EXPECT_EQ(0u, schedule[0][0].word);
    EXPECT_EQ(0x9u, schedule[0][0].lanes);
    EXPECT_EQ(1u, schedule[0][1].word);
    EXPECT_EQ(0x4u, schedule[0][1].lanes);
    ASSERT_EQ(1u, schedule[1].size());
    EXPECT_EQ(32u, schedule[1][0].word);
    EXPECT_EQ(0x2u, schedule[1][0].lanes);
}

// h200-access-rules.csv: op, bytes_per_lane, case, active_mask, requests, sectors, wavefronts,
// bank_conflicts, 32 offsets.
TEST(Rules, EqualAnH200InEveryRecordedAccess) {
    std::string text = read_file(std::string(TESTS_FOLDER) + "/trace/h200-access-rules.csv");
    auto lines = lines_of(text);
    int cases = 0;
    for (size_t i = 1; i < lines.size(); ++i, ++cases) {
        std::vector<std::string> cells;
        for (auto cell : split(lines[i], ',')) cells.emplace_back(cell);
        ASSERT_EQ(40u, cells.size()) << "line " << i + 1;
        int bytes = std::stoi(cells[1]);
        auto mask = static_cast<uint32_t>(std::stoul(cells[3], nullptr, 16));
        LaneAddresses offsets;
        for (size_t n = 0; n < 32; ++n) offsets[n] = std::stoull(cells[8 + n]);
        bool is_store = cells[0].starts_with("st");
        if (cells[0].ends_with("global")) {
            EXPECT_EQ(std::stoi(cells[4]), mask != 0) << lines[i];
            EXPECT_EQ(std::stoi(cells[5]), sectors(offsets, bytes, mask)) << lines[i];
        } else {
            int count = wavefronts(offsets, bytes, mask, is_store);
            EXPECT_EQ(std::stoi(cells[6]), count) << lines[i];
            auto schedule = wavefront_schedule(offsets, bytes, mask, is_store);
            EXPECT_EQ(static_cast<size_t>(count), schedule.size()) << lines[i];
        }
    }
    EXPECT_EQ(384, cases);
}

}  // namespace
}  // namespace lanewise
