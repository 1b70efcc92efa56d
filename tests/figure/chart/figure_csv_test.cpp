// The figures that are no charts as tables: one row for each of what they show.
#include "figure/chart/figure_csv.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace lanewise {
namespace {

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> list;
    for (std::string_view line : lines_of(text)) list.emplace_back(line);
    return list;
}

TEST(FigureCsv, OfTheForgeHasARowForEachElement) {
    ColumnMap map{2, 4, 5, {0, 1, 2, 3, 1, 0, 3, 2}};
    TileAccess access;
    access.mask = 0b11;
    access.elements.assign(32, -1);
    access.elements[0] = 0;
    access.elements[1] = 5;
    access.wavefronts = access.wavefronts_ideal = 1;
    std::vector<std::string> rows = lines(forge_csv({&map, &access, 4, -1, "col ^ row"}, "Forge"));
    ASSERT_EQ(5u + 8, rows.size());
    EXPECT_EQ("# Forge", rows[0]);
    EXPECT_EQ("# column = col ^ row", rows[1]);
    EXPECT_EQ("row,column,column_in_memory,byte,bank,lane", rows[4]);
    EXPECT_EQ("0,0,0,0,0,0", rows[5]);
    EXPECT_EQ("1,1,0,20,5,1", rows[10]);  // word 5, lane 1
    EXPECT_EQ("1,3,2,28,7,", rows[12]);
}

TEST(FigureCsv, OfTheTimelineHasARowForEachMoment) {
    BlockTimeline timeline;
    timeline.warps.resize(1);
    LifeStep read, wait;
    read.moment = Moment::shared_load;
    read.access = 0, read.line = 18, read.cost = 32, read.ideal = 1;
    wait.moment = Moment::barrier;
    wait.line = 16;
    timeline.warps[0] = {{wait, 0, 0, 5}, {read, 1, 5, 37}};
    EXPECT_EQ(
        "# Timeline\nwarp,moment,first_tick,ticks,what,line,space,cost,ideal\n"
        "0,1,0,5,sync,16,,,\n0,2,5,32,read,18,shared,32,1\n",
        timeline_csv(timeline, "Timeline"));
}

TEST(FigureCsv, OfBytesAndIssuesHaveARowForEach) {
    BytesFigureInput bytes;
    BytesPipe store;
    store.from = BytesLevel::registers, store.to = BytesLevel::l1;
    store.useful = 128, store.vain = 896, store.line = 26;
    bytes.pipes = {store};
    EXPECT_EQ(
        "# Bytes\nfrom,to,useful_bytes,wasted_bytes,at_least,line\n"
        "the registers,L1,128,896,no,26\n",
        bytes_csv(bytes, "Bytes"));
    IssuesFigureInput issues;
    issues.time_us = 27.2;
    issues.rows = {{"Warps wait", 0, 6, 21.2, "Do more, or less."}};
    EXPECT_EQ(
        "# Issues\n# 27.200 us in all, by the model\nissue,line,us,us_without,fix\n"
        "Warps wait,,6.000,21.200,\"Do more, or less.\"\n",
        issues_csv(issues, "Issues"));
}

TEST(FigureCsv, OfTheFlowHasARowForEachStep) {
    Report report;
    report.instructions.resize(1);
    BlockTrace block;
    TracedAccess access;
    access.mask = 1;
    access.buffer = 0;
    access.addresses.assign(32, 0);
    access.sectors = 2;
    access.sectors_ideal = 1;
    block.accesses = {access};
    block.marks = {{TracedMark::Kind::barrier, 0, 1, 9}};
    BlockLife life = block_life(block, report);
    FlowFigureInput input;
    input.block = &block;
    input.report = &report;
    input.life = &life;
    input.matrices = {{"in", 0, 4, 4, 4, {0, 0, 1, 1}}};
    std::vector<std::string> rows = lines(flow_csv(input, "Flow"));
    ASSERT_EQ(4u, rows.size());
    EXPECT_EQ("1,0,load,0,2,1,,,\"Warp 0 loads from in, row 0, column 0: 2 sectors, 1 at best.\"",
              rows[2]);
    EXPECT_TRUE(rows[3].starts_with("2,1,sync,9,,,,,")) << rows[3];
}

TEST(FigureCsv, OfTheBlocksOfAProductAndOfAWrongResult) {
    WalkPanel panel{"in", 64, 96, {{0, 32, 32, 64}, {}}, {"2 sectors."}};
    std::vector<std::string> rows = lines(block_order_csv({{panel}, 0, 600}, "Blocks"));
    ASSERT_EQ(4u, rows.size());
    EXPECT_EQ("# in: 2 sectors.", rows[1]);
    EXPECT_EQ("0,in,0,32,32,64", rows[3]);

    TileWalk walk;
    walk.steps = {{{0, 16}, {0, 64}, {64, 128}, 1, 2}};
    EXPECT_EQ("1,0,16,0,64,64,128,1,2", lines(walk_csv(walk, "Walk"))[3]);

    ReuseMap a{1, 2, {4, 5}, {6, 7}}, c{1, 1, {1}, {}};
    rows = lines(reuse_csv({&a, nullptr, "all", 560, &c}, "Reuse"));
    ASSERT_EQ(6u, rows.size());
    EXPECT_EQ("A,0,1,5,7", rows[4]);
    EXPECT_EQ("C,0,0,1,", rows[5]);

    FragmentMap map;
    map.a = {1, 2, {{0, 0}, {0, 1}, {1, 0}, {-1, -1}}};
    map.b = {0, 0, {{3, 4}}};
    rows = lines(fragment_csv({&map, -1, "mma"}, "Fragments"));
    ASSERT_EQ(7u, rows.size());
    EXPECT_EQ("A,0,1,0,0,1", rows[4]);
    EXPECT_EQ("A,1,0,1,0,0", rows[5]);
    EXPECT_EQ("B,3,4,,,", rows[6]);  // no lane holds it

    MismatchMap wrong;
    wrong.rows = wrong.cols = 4;
    wrong.cell_rows = wrong.cell_cols = 2;
    wrong.across = wrong.down = 2;
    wrong.cells.resize(4);
    wrong.cells[2] = {3, 1, 2, 2, 1, "0x01", "0x02", 1, 0};
    wrong.patterns = {"Below."};
    rows = lines(mismatch_csv(wrong, "Wrong"));
    ASSERT_EQ(5u, rows.size());
    EXPECT_EQ("# Below.", rows[1]);
    EXPECT_EQ("2,0,3,1,2,2,1,0x01,0x02,1,0", rows[4]);
}

}  // namespace
}  // namespace lanewise
