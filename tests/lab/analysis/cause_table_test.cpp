// Why a launch takes as long as it does, as a table and as cards: what adds up, what travels, and what
// is said where there is no number.
#include "lab/analysis/cause_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/analysis/issues.h"
#include "lab/json/cause_table_json.h"

namespace lanewise {
namespace {

// 10 us; 4 and 3 go with one cause each, 8 with both of them; 2 are left, 1.5 of these any launch's.
CauseTable ten_us() {
    CauseTable table;
    table.card = "NVIDIA H200";
    table.holds = true;
    table.sentence = "The range comes from 20 measured launches.";
    table.time_us = 10;
    table.low_us = 8;
    table.high_us = 15;
    table.limited_by = "latency";
    table.causes = {{kConflictsCause, 4, 18, "pad the tile's rows"}, {"bytes from DRAM", 3, 15, ""}};
    table.without_us = 2;
    table.launch_us = 1.5;
    table.l1_hit = 0.5;
    table.l2_hit = 0.25;
    table.dram_read_bytes = 4096;
    table.instructions = 12288;
    table.lines = {{"own.cu", 15, 64, 0.5, 32, 0.25}};
    return table;
}

TEST(CauseTable, SaysWhatDoesNotAddUp) {
    CauseTable table = ten_us();
    EXPECT_DOUBLE_EQ(1, only_together_us(table));  // 8 without both, 7 one by one
    EXPECT_DOUBLE_EQ(0, counted_again_us(table));
    EXPECT_DOUBLE_EQ(0.5, unexplained_us(table));
    table.without_us = 5;  // 5 without both, 7 one by one
    EXPECT_DOUBLE_EQ(0, only_together_us(table));
    EXPECT_DOUBLE_EQ(2, counted_again_us(table));
    EXPECT_DOUBLE_EQ(3.5, unexplained_us(table));
}

TEST(CauseTable, TravelsWhole) {
    const CauseTable table = ten_us();
    EXPECT_EQ(table, nlohmann::json(table).get<CauseTable>());
    EXPECT_EQ(CauseTable(), nlohmann::json(CauseTable()).get<CauseTable>());
}

// The counts of line 18 say 32 wavefronts where one would do.
Report conflicting() {
    Report report;
    LineReport line;
    line.line = 18;
    line.counts.shared_load = {1, 32, 1, 128};
    report.lines = {line};
    return report;
}

TEST(CauseTable, AsIssuesHaveTheCountsOfTheirLines) {
    const std::vector<Issue> issues = issues_of(ten_us(), conflicting());
    ASSERT_EQ(2u, issues.size());
    EXPECT_EQ((Issue{"32-way bank conflict", 18, 4, 6, "Pad the tile's rows."}), issues[0]);
    EXPECT_EQ((Issue{"Bytes from DRAM", 15, 3, 7, ""}), issues[1]);
}

// What nothing helps against is no issue, and says why.
TEST(CauseTable, AsCardsSayWhyACauseStays) {
    CauseTable table = ten_us();
    table.causes = {{"bytes from DRAM", 3, 15, ""}, {kClockCause, 1, 20, ""}};
    const IssuesFigureInput input = issues_figure_of(table, conflicting());
    ASSERT_EQ(2u, input.rows.size());
    EXPECT_FALSE(input.rows[0].avoidable || input.rows[1].avoidable);
    EXPECT_NE(std::string::npos, input.rows[0].fix.find("bytes")) << input.rows[0].fix;
    EXPECT_NE(std::string::npos, input.rows[1].fix.find("clock")) << input.rows[1].fix;
    EXPECT_EQ("Tensor cores' slower clock", input.rows[1].title);
}

TEST(CauseTable, AsCardsSayTheRangeAndWhatIsLeft) {
    const IssuesFigureInput input = issues_figure_of(ten_us(), conflicting());
    EXPECT_EQ(10, input.time_us);
    EXPECT_EQ(8, input.low_us);
    EXPECT_EQ(15, input.high_us);
    EXPECT_EQ("Limited by latency. The range comes from 20 measured launches.", input.about);
    ASSERT_EQ(2u, input.rows.size());
    EXPECT_TRUE(input.rows[0].avoidable);
    EXPECT_FALSE(input.rows[1].avoidable);
    ASSERT_EQ(2u, input.below.size());
    EXPECT_EQ("Without all of them at once, 2.00 µs are left: 1.50 µs that any launch takes, and 0.50 µs "
              "that no cause explains.",
              input.below[0]);
    EXPECT_EQ("1.00 µs go only where several of them go together.", input.below[1]);
}

TEST(CauseTable, ThatDoesNotHoldIsASentence) {
    CauseTable table;
    table.sentence = "The model of time does not know wgmma.";
    const IssuesFigureInput input = issues_figure_of(table, {});
    EXPECT_EQ(table.sentence, input.instead);
    EXPECT_TRUE(input.rows.empty());
}

// Where the card is not calibrated, the bandwidth model's issues stand there, and are said to be its.
TEST(CauseTable, TheBandwidthModelSaysItsName) {
    Analysis analysis;
    analysis.prediction.time_us = 20;
    analysis.prediction.device = "Some card";
    analysis.issues = {{"Warps wait at barriers", 0, 5, 15, "Do more between two barriers."}};
    const IssuesFigureInput input = issues_figure_of(analysis, "No card has measured its operations.");
    EXPECT_EQ(20, input.time_us);
    EXPECT_EQ("Some card", input.card);
    EXPECT_EQ(1u, input.rows.size());
    EXPECT_EQ("This is the bandwidth model. No card has measured its operations. Issues overlap: what "
              "they add is no sum.",
              input.about);
}

}  // namespace
}  // namespace lanewise
