// The swizzle forge on the stages themselves: what the machine counts, verifies and finds.
#include "lab/change/swizzle.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

const Catalogue& catalogue() {
    return shipped_stages();
}

Job job_of(const std::string& stage, const std::string& type = "f32") {
    Job job;
    job.stage = catalogue().find(stage);
    job.type = type;
    job.rows = job.cols = 64;
    return job;
}

SwizzleResult forge(const std::string& stage, const std::string& expression, int64_t pad = 0,
                    const std::string& type = "f32") {
    return try_swizzle(job_of(stage, type), 0, {expression, pad});
}

class Forge : public testing::Test {};

// 32 x 32 floats by 32 x 8 threads: 32 stores of a row, 32 loads of a column.
TEST_F(Forge, WithoutAMappingAColumnLiesInOneBank) {
    SwizzleResult plain = forge("22_coarsened", "col");
    EXPECT_EQ("", plain.problem);
    EXPECT_EQ((ColumnMap{32, 32, 32, plain.map.columns}), plain.map);
    EXPECT_EQ((SharedCounts{32, 32, 32, 4096}), plain.store);
    EXPECT_EQ((SharedCounts{32, 32 * 32, 32, 4096}), plain.load);
    EXPECT_TRUE(plain.correct);
    EXPECT_FALSE(plain.reaches_goal());
    ASSERT_EQ(64u, plain.accesses.size());
    EXPECT_TRUE(plain.accesses[0].is_store);
    EXPECT_EQ(5, plain.accesses[0].elements[5]);  // lane 5 of warp 0: row 0, column 5
}

TEST_F(Forge, AnXorReachesTheGoal) {
    SwizzleResult result = forge("22_coarsened", "col ^ row");
    EXPECT_EQ(32u, result.store.wavefronts);
    EXPECT_EQ(32u, result.load.wavefronts);
    EXPECT_EQ(0, result.extra_bytes());
    EXPECT_TRUE(result.correct);
    EXPECT_EQ(64, result.verified_rows);
    EXPECT_TRUE(result.reaches_goal());
    EXPECT_EQ(3 ^ 5, result.map.at(3, 5));
    // The first load of a warp is of the tile's column 0: lane 9 wants element (9, 0), which lies
    // in column 9.
    const TileAccess* load = nullptr;
    for (const TileAccess& access : result.accesses)
        if (!access.is_store && access.warp == 0 && !load) load = &access;
    ASSERT_TRUE(load);
    EXPECT_EQ(9 * 32, load->elements[9]);
    EXPECT_EQ(4u * (9 * 32 + 9), load->addresses[9]);
}

// (col + row) % 32 spreads a column as well as an XOR does; a shift by 4 rows does it in part:
// rows 0, 8, 16, 24 share a bank.
TEST_F(Forge, CountsOtherMappings) {
    NEEDS_NVRTC();
    EXPECT_TRUE(forge("22_coarsened", "(col + row) % TILE").reaches_goal());
    EXPECT_EQ(32u * 4, forge("22_coarsened", "(col + 4 * row) % 32").load.wavefronts);
    EXPECT_EQ(32u * 4, forge("22_coarsened", "col ^ (row >> 2)").load.wavefronts);
}

TEST_F(Forge, PaddingWorksAndCostsBytes) {
    SwizzleResult padded = forge("22_coarsened", "col", 1);
    EXPECT_EQ(32u, padded.load.wavefronts);
    EXPECT_EQ(32 * 4, padded.extra_bytes());
    EXPECT_TRUE(padded.correct);
    EXPECT_FALSE(padded.reaches_goal());
}

TEST_F(Forge, AMappingThatCollidesIsWrong) {
    SwizzleResult result = forge("22_coarsened", "col & row");
    EXPECT_EQ("", result.problem);
    EXPECT_EQ(ColumnFault::Kind::collision, first_fault(result.map).kind);
    EXPECT_FALSE(result.correct);
    EXPECT_GT(result.wrong, 0u);
    EXPECT_FALSE(result.reaches_goal());
}

// Into the next row, and behind the last one's end.
TEST_F(Forge, AMappingThatLeavesTheTileIsFound) {
    NEEDS_NVRTC();
    SwizzleResult result = forge("22_coarsened", "col + row");
    EXPECT_EQ(ColumnFault::Kind::outside, first_fault(result.map).kind);
    EXPECT_FALSE(result.reaches_goal());
    EXPECT_NE("", result.findings);
}

TEST_F(Forge, ErrorsStandAtTheExpressionsColumn) {
    NEEDS_NVRTC();
    SwizzleResult unknown = forge("22_coarsened", "col ^ rwo");
    EXPECT_NE(std::string::npos, unknown.problem.find("rwo")) << unknown.problem;
    EXPECT_EQ(7, unknown.problem_column);
    EXPECT_TRUE(unknown.map.columns.empty());
    SwizzleResult half = forge("22_coarsened", "col ^");
    EXPECT_NE("", half.problem);
    EXPECT_EQ(6, half.problem_column);
    EXPECT_EQ(6, forge("22_coarsened", "(col + row").problem_column - 5);
    EXPECT_EQ("A ) is missing", forge("22_coarsened", "(col + row").problem);
    EXPECT_EQ(4, forge("22_coarsened", "col) ^ row").problem_column);
    EXPECT_EQ(4, forge("22_coarsened", "col; asm").problem_column);
    EXPECT_EQ(1, forge("22_coarsened", "  ").problem_column);
    EXPECT_NE("", forge("22_coarsened", std::string(201, '1')).problem);
}

// The stages' own remedies are taken out: padding, and the mask of the swizzled tile.
TEST_F(Forge, StartsFromTheBareTile) {
    for (const char* stage : {"30_padded", "32_swizzled"}) {
        SwizzleResult plain = forge(stage, "col");
        EXPECT_EQ(32 * plain.load.wavefronts_ideal, plain.load.wavefronts) << stage;
        EXPECT_EQ(0, plain.extra_bytes()) << stage;
        EXPECT_TRUE(plain.correct) << stage;
        EXPECT_TRUE(forge(stage, "col ^ row").reaches_goal()) << stage;
    }
}

// Eight-byte elements take two wavefronts at best. Of one-byte ones a row is 8 words: element (r,
// 0) lies in byte 32 r + r, word 8 r + r / 4, so that a column goes through all 32 banks here as
// well.
TEST_F(Forge, KnowsEveryElementSize) {
    NEEDS_NVRTC();
    SwizzleResult doubles = forge("22_coarsened", "col ^ row", 0, "f64");
    EXPECT_EQ(8, doubles.element_bytes);
    EXPECT_TRUE(doubles.reaches_goal());
    EXPECT_EQ(64u, doubles.load.wavefronts);
    EXPECT_TRUE(forge("22_coarsened", "col ^ row", 0, "u8").reaches_goal());
}

// An exercise has no knobs; TILE is the tile's columns all the same.
TEST_F(Forge, TileIsANameInEveryStage) {
    EXPECT_EQ(32u, forge("105_no_padding", "(col + row) % TILE").load.wavefronts);
}

TEST(SwizzleStages, SayWhyTheirTileCannotBeForged) {
    EXPECT_EQ("", cannot_swizzle(catalogue().find("22_coarsened")));
    EXPECT_EQ("", cannot_swizzle(catalogue().find("105_no_padding")));
    for (const char* stage : {"10_naive", "42_float4_turned", "80_register_tiles", "82_async",
                              "84_tma", "86_in_place", "90_cublas", "matmul/20_shared_tiles"})
        EXPECT_NE("", cannot_swizzle(catalogue().find(stage))) << stage;
    EXPECT_THROW(try_swizzle(job_of("10_naive"), 0, {}), Error);
}

TEST_F(Forge, TravelsWhole) {
    SwizzleResult result = forge("22_coarsened", "col ^ row");
    auto back = nlohmann::json(result).get<SwizzleResult>();
    EXPECT_EQ(result.map, back.map);
    EXPECT_EQ(result.trial, back.trial);
    EXPECT_EQ(result.load, back.load);
    EXPECT_TRUE(back.reaches_goal());
    ASSERT_EQ(result.accesses.size(), back.accesses.size());
    EXPECT_EQ(result.accesses[40].addresses, back.accesses[40].addresses);
    EXPECT_EQ(result.accesses[40].elements, back.accesses[40].elements);
    EXPECT_EQ(result.source, back.source);
}

TEST_F(Forge, StopsWhenCancelled) {
    CancelFlag cancel = true;
    EXPECT_THROW(try_swizzle(job_of("22_coarsened"), 0, {"col ^ row", 0}, &cancel), Cancelled);
    EXPECT_THROW(try_swizzle(job_of("22_coarsened"), 0, {"col", 99}), Error);
}

}  // namespace
}  // namespace lanewise
