#include "lab/change/pad_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

Job job_with(const std::string& stage, KnobValues knobs, const std::string& type) {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    job.stage = catalogue.find(stage);
    job.knobs = std::move(knobs);
    job.type = type;
    job.rows = job.cols = 64;
    return job;
}

class Table : public testing::Test {};

// A column of 32 floats at a pitch of 32 + p words: lane i lies in bank i * p mod 32, so that
// gcd(p, 32) lanes share each bank (32 for p = 0).
TEST_F(Table, OfAColumnOfFloatsIsTheGreatestCommonDivisor) {
    PadTable table = pad_table(job_with("30_padded", {{"TILE", 32}, {"ROWS", 8}}, "f32"), 0);
    EXPECT_EQ("transpose/30_padded", table.stage);
    constexpr int kWavefronts[] = {32, 1, 2, 1, 4, 1, 2, 1, 8};
    ASSERT_EQ(9u, table.rows.size());
    for (const PadRow& row : table.rows) {
        EXPECT_EQ("", row.problem);
        EXPECT_EQ(row.pad <= 4, row.offered);
        ASSERT_EQ(8u, row.warps.size());
        ASSERT_EQ(8u, row.warps[0].size());  // four stores of a row, then four loads of a column
        EXPECT_EQ((PadCost{1, 1}), row.warps[0][0]);
        EXPECT_EQ((PadCost{kWavefronts[row.pad], 1}), row.warps[7][7]) << row.pad;
    }
}

TEST_F(Table, TravelsWhole) {
    PadTable table = pad_table(job_with("30_padded", {{"TILE", 16}, {"ROWS", 16}}, "f64"), 3);
    auto back = nlohmann::json(table).get<PadTable>();
    EXPECT_EQ(table.stage, back.stage);
    EXPECT_EQ(3u, back.block);
    ASSERT_EQ(table.rows.size(), back.rows.size());
    for (size_t i = 0; i < back.rows.size(); ++i) {
        EXPECT_EQ(table.rows[i].offered, back.rows[i].offered);
        EXPECT_TRUE(table.rows[i].warps == back.rows[i].warps);
    }
}

// 16-byte accesses need rows that begin at a multiple of 16 bytes, which the stage says.
TEST_F(Table, ARequirementOfTheStageIsARowsProblem) {
    PadTable table = pad_table(job_with("40_float4", {}, "f32"), 0);
    int problems = 0;
    for (const PadRow& row : table.rows) {
        EXPECT_EQ(row.problem.empty(), !row.warps.empty()) << row.pad;
        problems += !row.problem.empty();
    }
    EXPECT_LT(problems, 9);
}

TEST_F(Table, OfAStageWithoutPaddingIsRefused) {
    Job job = job_with("20_tiled", {}, "f32");
    EXPECT_FALSE(has_padding(job.stage));
    EXPECT_THROW(pad_table(job, 0), Error);
}

TEST_F(Table, StopsWhenCancelled) {
    CancelFlag cancel = true;
    EXPECT_THROW(pad_table(job_with("30_padded", {}, "f32"), 0, &cancel), Cancelled);
}

}  // namespace
}  // namespace lanewise
