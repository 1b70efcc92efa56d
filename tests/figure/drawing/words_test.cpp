// What the figures say in words equals the counts that they were given.
#include <gtest/gtest.h>

#include <algorithm>

#include "../drawn.h"
#include "../examples.h"
#include "figure/drawing/figures.h"

namespace lanewise {
namespace {

Drawing banks(const NamedBanks& named) {
    Example made = example(named.access);
    return bank_figure(bank_input(named, made, 900), measure_approximately);
}

Drawing warp(const std::string& name) {
    for (const NamedWarp& named : warp_examples())
        if (named.name == name) {
            Example made = example(named.access);
            return warp_figure(warp_input(named, made, 900), measure_approximately);
        }
    ADD_FAILURE() << "no example " << name;
    return {};
}

TEST(WarpWords, SumTheAccess) {
    EXPECT_TRUE(
        says(warp("contiguous"), "1 request · 4 sectors · 128 of 128 bytes useful · ideal 4"));
    EXPECT_TRUE(
        says(warp("strided"), "1 request · 32 sectors · 128 of 1,024 bytes useful · ideal 4"));
    EXPECT_TRUE(says(warp("strided"), "8 times the sectors"));
    EXPECT_TRUE(says(warp("strided"), "16,384 bytes after"));
    EXPECT_TRUE(
        says(warp("float4"), "1 request · 16 sectors · 512 of 512 bytes useful · ideal 16"));
    // 0x4014 to 0x4094 touches the sectors at 0x4000, 20, 40, 60 and 80.
    EXPECT_TRUE(
        says(warp("misaligned"), "1 request · 5 sectors · 128 of 160 bytes useful · ideal 4"));
    EXPECT_TRUE(says(warp("misaligned"), "1.25 times the sectors"));
    EXPECT_TRUE(says(warp("broadcast"), "1 request · 1 sector · 4 of 32 bytes useful · ideal 1"));
    // Lanes 0-3 and 8-15 of a float row: bytes 0-15 and 32-63, two sectors.
    EXPECT_TRUE(says(warp("partial"), "1 request · 2 sectors · 48 of 64 bytes useful · ideal 2"));
}

TEST(WarpWords, NameTheChosenLanesElement) {
    // Lane 9 of a store with stride 16,384 bytes = 4,096 floats, in a matrix of 4,096 columns.
    EXPECT_TRUE(says(warp("strided_lane"), "out + 0x24000, element 36,864 (row 9, col 0)"));
    // Warp 1 of a block 8 threads wide: lane 20 is thread 52 = (4, 6).
    EXPECT_TRUE(says(warp("four_rows"), "Lane 20, thread (4, 6)"));
}

TEST(BankWords, NameTheConflict) {
    EXPECT_TRUE(
        says(banks(tile_example(32, 0, 4, true)), "32-way conflict: 32 wavefronts, ideal 1"));
    EXPECT_TRUE(says(banks(tile_example(32, 1, 4, true)), "Conflict-free: 1 wavefront"));
    // Doubles down a column of 32: all in one pair of banks; 16 words in a bank, in two phases.
    EXPECT_TRUE(
        says(banks(tile_example(32, 0, 8, true)), "16-way conflict: 32 wavefronts, ideal 2"));
    EXPECT_TRUE(says(banks(tile_example(32, 1, 8, true)), "Conflict-free: 2 wavefronts, ideal 2"));
    // Two columns of a 16 x 17 tile at once: banks 0, 17, 2, … and 1, 18, …: they meet in pairs.
    EXPECT_TRUE(says(banks(tile_example(16, 1, 4, true)), "2-way conflict: 2 wavefronts, ideal 1"));
    EXPECT_TRUE(says(banks(tile_example(16, 2, 4, true)), "Conflict-free: 1 wavefront"));
}

TEST(BankWords, ThePaddingIsNamed) {
    EXPECT_TRUE(says(banks(tile_example(32, 1, 4, true)), "padding, never read"));
    EXPECT_FALSE(says(banks(tile_example(32, 0, 4, true)), "padding"));
    EXPECT_TRUE(says(banks(tile_example(32, 0, 4, true)), "32 of 1,024 bank slots used"));
    EXPECT_TRUE(says(banks(tile_example(32, 1, 4, true)), "32 of 32 bank slots used"));
}

TEST(LadderWords, PrintRateShareAndReferences) {
    Drawing ladder = ladder_figure(ladder_example(900), measure_approximately);
    EXPECT_TRUE(says(ladder, "3,487"));
    EXPECT_TRUE(says(ladder, "83 %"));  // of 4,203
    EXPECT_TRUE(says(ladder, "copy 4,203 GB/s"));
    EXPECT_TRUE(says(ladder, "datasheet 4,800 GB/s"));
    EXPECT_TRUE(says(ladder, "not measured"));
    EXPECT_TRUE(says(ladder, "recorded"));
    EXPECT_TRUE(says(ladder, "diamond: published, other cards"));
    EXPECT_TRUE(std::any_of(ladder.hits.begin(), ladder.hits.end(), [](const HitBox& hit) {
        return hit.tooltip == "1,710 GB/s on another card" &&
               hit.action == "stage:transpose/30_padded";
    }));
    // A bar's own round counts: its rate may come from a round at another clock than the line's.
    LadderFigureInput own_round = ladder_example(900);
    for (LadderBar& bar : own_round.bars) bar.share = 1.02;
    Drawing shares = ladder_figure(own_round, measure_approximately);
    EXPECT_TRUE(says(shares, "102 %"));
    EXPECT_FALSE(says(shares, "83 %"));
    LadderFigureInput empty = ladder_example(900);
    for (LadderBar& bar : empty.bars) bar.gb_per_s = 0;
    EXPECT_TRUE(says(ladder_figure(empty, measure_approximately), "No measurement yet"));
}

TEST(CountRows, AreThoseThatTheLaunchHas) {
    Counts counts;
    counts.global_load = {10, 10, 40, 40, 1280};
    counts.shared_store = {5, 7, 5, 640};
    std::vector<CountRow> rows = count_rows(counts);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1].name, "global load sectors");
    EXPECT_EQ(rows[1].counted, 40u);
    EXPECT_EQ(rows[2].name, "shared store wavefronts");
    EXPECT_EQ(rows[2].counted, 7u);
    EXPECT_EQ(rows[2].ideal, 5u);
}

}  // namespace
}  // namespace lanewise
