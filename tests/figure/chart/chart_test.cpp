// What all charts have in common: looking closer, and their numbers as a table.
#include "figure/chart/chart.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

void expect_window(double x0, double x1, double y0, double y1, const PlotWindow& window) {
    EXPECT_NEAR(x0, window.x0, 1e-9);
    EXPECT_NEAR(x1, window.x1, 1e-9);
    EXPECT_NEAR(y0, window.y0, 1e-9);
    EXPECT_NEAR(y1, window.y1, 1e-9);
}

PlotFigureInput plot() {
    PlotFigureInput input;
    input.caption = "Recorded on NVIDIA Test, 2026-11-21";
    input.x = {"bytes", "bytes", false, 0, 10, {}};
    input.y = {"GB/s", "gb_per_s", false, 0, 10, {}};
    PlotSeries series;
    series.name = "Cut, where the \"output\" is";
    series.points = {{2, 3.5, 3.25, 3.75, "at 2", "recorded, 40 samples"},
                     {4, 5, 0, 0, "at 4", ""}};
    input.series = {series};
    input.notes = {"A note,\nof two lines."};
    return input;
}

}  // namespace

TEST(ChartWindow, ComesCloserAroundWhatIsPointedAt) {
    PlotWindow all;
    expect_window(0.25, 0.75, 0.25, 0.75, zoomed(all, 0.5, 0.5, 2));
    expect_window(0, 0.5, 0.5, 1, zoomed(all, 0, 1, 2));
    // What stood a quarter along still does: 0.25 + 0.25 · 0.5 = 0.3125 + 0.25 · 0.25.
    PlotWindow half = zoomed(all, 0.5, 0.5, 2);
    expect_window(0.3125, 0.5625, 0.3125, 0.5625, zoomed(half, 0.25, 0.25, 2));
    expect_window(0, 1, 0, 1, zoomed(half, 0.1, 0.9, 0.5));
    expect_window(0, 1, 0, 1, zoomed(all, 0.5, 0.5, 0.01));
    PlotWindow close = zoomed(all, 0.5, 0.5, 1e9);
    EXPECT_NEAR(1.0 / 200, close.x1 - close.x0, 1e-9);
}

TEST(ChartWindow, MovesUpToTheEnds) {
    PlotWindow half{0.25, 0.75, 0.25, 0.75};
    expect_window(0.3, 0.8, 0.2, 0.7, moved(half, 0.1, -0.1));
    expect_window(0.5, 1, 0, 0.5, moved(half, 3, -3));
    expect_window(0, 1, 0, 1, moved({}, 0.5, 0.5));
}

TEST(Chart, PlotsKeepTheViewAndOthersAreStretched) {
    PlotWindow right{0.5, 1, 0, 1};
    DrawnChart drawn = draw_chart(plot(), 700, 500, right, measure_approximately);
    EXPECT_FLOAT_EQ(700, drawn.drawing.width);
    EXPECT_NEAR(500, drawn.drawing.height, 1);
    EXPECT_GT(drawn.plot.x, 0);
    EXPECT_LT(drawn.plot.x + drawn.plot.w, 700);
    LadderFigureInput ladder;
    LadderBar bar;
    bar.id = "transpose/a";
    bar.label = "A";
    bar.gb_per_s = 100;
    ladder.bars = {bar};
    drawn = draw_chart(ladder, 700, 500, right, measure_approximately);
    EXPECT_FLOAT_EQ(1400, drawn.drawing.width);
    EXPECT_FALSE(is_plot(ladder));
    EXPECT_TRUE(is_plot(plot()));
}

TEST(Chart, TheLadderMarksWhatOtherCardsReached) {
    LadderFigureInput ladder;
    ladder.width = 900;
    ladder.bars = {{"transpose/a", "A", 1000, 900, 1100, LadderBar::Source::recorded, 0, ""}};
    Drawing without = ladder_figure(ladder, measure_approximately);
    ladder.bars[0].others = {{500, "500 GB/s on an L4, recorded"}};
    Drawing drawing = ladder_figure(ladder, measure_approximately);
    ASSERT_EQ(without.hits.size() + 1, drawing.hits.size());
    const HitBox& mark = drawing.hits.back();
    EXPECT_EQ("500 GB/s on an L4, recorded", mark.tooltip);
    EXPECT_EQ("stage:transpose/a", mark.action);
    EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
}

TEST(ChartCsv, APlotHasALineForEachPoint) {
    EXPECT_EQ(
        "# By size: Padded tile\n"
        "# Recorded on NVIDIA Test, 2026-11-21\n"
        "# A note, of two lines.\n"
        "series,bytes,gb_per_s,p05,p95,what,source\n"
        "\"Cut, where the \"\"output\"\" is\",2,3.5,3.25,3.75,at 2,\"recorded, 40 samples\"\n"
        "\"Cut, where the \"\"output\"\" is\",4,5,,,at 4,\n",
        chart_csv(plot(), "By size: Padded tile"));
}

TEST(ChartCsv, OtherFiguresNameWhatTheyShow) {
    LadderFigureInput ladder;
    ladder.copy_gb_per_s = 4000;
    ladder.datasheet_gb_per_s = 4800;
    ladder.bars = {{"transpose/a", "A", 3185.5, 3000, 3200, LadderBar::Source::live, 3300,
                    "A\n3,186 GB/s, measured now"}};
    ladder.bars[0].others = {{900, "900 GB/s on an L4, recorded"}};
    ladder.bars[0].published = {{1710, "1,710 GB/s on an A100"}};
    EXPECT_EQ(
        "# t\n# copy: 4000 GB/s\n# datasheet: 4800 GB/s\n"
        "stage,kind,gb_per_s,p05,p95,source\n"
        "transpose/a,measured,3185.5,3000,3200,\"A; 3,186 GB/s, measured now\"\n"
        "transpose/a,model,3300,,,\n"
        "transpose/a,recorded elsewhere,900,,,\"900 GB/s on an L4, recorded\"\n"
        "transpose/a,published,1710,,,\"1,710 GB/s on an A100\"\n",
        chart_csv(ladder, "t"));
    SweepFigureInput sweep;
    sweep.copy_gb_per_s = 4000;
    sweep.map = "PAD";
    sweep.cells = {{32, 8, 3000, "why", "", 1}};
    EXPECT_EQ("# t\n# copy_gb_per_s: 4000\nTILE,ROWS,PAD,gb_per_s,source\n32,8,1,3000,why\n",
              chart_csv(sweep, "t"));
    PairsFigureInput pairs;
    pairs.axis = "% of the datasheet";
    pairs.rows = {{"Padded", "A100", 84, 66.5, "1,710 GB/s", "3,185 GB/s", true, "both", ""}};
    EXPECT_EQ(
        "# t\n# published and ours are % of the datasheet\n"
        "stage,of,published,ours,published_as,ours_as,source\n"
        "Padded,A100,84,66.5,\"1,710 GB/s\",\"3,185 GB/s\",both\n",
        chart_csv(pairs, "t"));
    WaterfallFigureInput waterfall;
    waterfall.peak_name = "datasheet";
    waterfall.peak_gb_per_s = 4800;
    waterfall.steps = {{"DRAM", 4200, "turning"}};
    waterfall.measured_gb_per_s = 3500;
    EXPECT_EQ(
        "# t\nstep,gb_per_s_left,because\ndatasheet,4800,\nDRAM,4200,turning\n"
        "measured,3500,\n",
        chart_csv(waterfall, "t"));
    OccupancyFigureInput occupancy;
    occupancy.bars = {{"registers", 8192, 65536, true, "", "full first"}};
    EXPECT_EQ(
        "# t\nresource,per_block,of_a_multiprocessor,limits,source\n"
        "registers,8192,65536,yes,full first\n",
        chart_csv(occupancy, "t"));
    StaircaseFigureInput staircase;
    staircase.points = {{2, 27, 26.5, 28, 4, true, true, 28, "line 28"}};
    staircase.lines = {{4, true, 23, 2, "4-byte stores", ""}};
    EXPECT_EQ(
        "# t\n# 4-byte stores: 23 + 2 cycles a wavefront\n"
        "access,bytes_per_lane,of_the_stage,wavefronts,cycles,p05,p95,source\n"
        "store,4,yes,2,27,26.5,28,line 28\n",
        chart_csv(staircase, "t"));
}

}  // namespace lanewise
