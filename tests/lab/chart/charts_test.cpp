// The charts of hand-made recordings: what lies where, what is said of it, and of what is missing.
#include "lab/chart/charts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "lab/chart/chart_sparse.h"
#include "lab/record/recording.h"

namespace lanewise {
namespace {

Stage stage(const std::string& stem, const std::string& title, std::vector<Knob> knobs = {}) {
    Stage made;
    made.id = "transpose/" + stem;
    made.operation = "transpose";
    made.title = title;
    made.types = {"f32"};
    made.knobs = std::move(knobs);
    return made;
}

Measurement measured(const std::string& stem, int64_t side, double gb_per_s, double predicted,
                     KnobValues knobs = {}) {
    Measurement m;
    m.stage = "transpose/" + stem;
    m.type = "f32";
    m.rows = m.cols = side;
    m.knobs = std::move(knobs);
    m.correct = true;
    m.gb_per_s = gb_per_s;
    m.predicted_gb_per_s = predicted;
    m.yardstick.gb_per_s = 4000;
    m.yardstick.kind = "cudaMemcpy";
    double bytes = 8.0 * static_cast<double>(side * side);
    m.time_us = {bytes / gb_per_s / 1e3, 0.8 * bytes / gb_per_s / 1e3,
                 1.25 * bytes / gb_per_s / 1e3, 40};
    m.yardstick.time_us = {bytes / 4000 / 1e3, 0, 0, 40};
    m.provenance.card = "NVIDIA Test";
    m.provenance.date = "2026-11-21T10:00:00Z";
    m.provenance.datasheet_gb_per_s = 5000;
    return m;
}

DeviceProfile card() {
    DeviceProfile device;
    device.name = "NVIDIA Test";
    device.sm_clock_mhz = 1000;
    device.l2_bytes = 32e6;
    device.datasheet_gb_per_s = 5000;
    device.copy_gb_per_s = 4000;
    device.launch_us = 0.5;  // 2 MB at 4,000 GB/s
    // 128 bytes in 0.02 + 4 · 0.01 = 0.06 clocks, either way: 256 bytes in 0.12 ns.
    device.costs.l2_read_line_clocks = device.costs.l2_write_line_clocks = 0.02;
    device.costs.l2_read_sector_clocks = device.costs.l2_write_sector_clocks = 0.01;
    device.costs.l2_write_part_clocks = 0.04;
    return device;
}

class Charts : public testing::Test {
  protected:
    Charts() {
        stages = {
            stage("00_copy", "Copy"), stage("10_naive", "Naive"),
            stage("30_padded", "Padded", {{"TILE", {16, 32}, 32, ""}, {"ROWS", {4, 8}, 8, ""}})};
        KnobValues knobs = {{"TILE", 32}, {"ROWS", 8}};
        recordings.resize(1);
        recordings[0].card = "NVIDIA Test";
        recordings[0].date = "2026-11-21T10:00:00Z";
        recordings[0].measurements = {
            measured("00_copy", 1024, 4400, 4000),
            measured("10_naive", 1024, 800, 1000),
            measured("30_padded", 1024, 2000, 2200, knobs),
            measured("30_padded", 4096, 3000, 3000, knobs),
            measured("30_padded", 4096, 1500, 1500, {{"TILE", 16}, {"ROWS", 8}}),
            measured("30_padded", 4096, 3200, 3300, {{"TILE", 32}, {"ROWS", 4}})};
        profiles = {card()};
        facts.stages = stages;
        facts.recordings = recordings;
        facts.profiles = profiles;
        facts.stage = "transpose/30_padded";
        facts.knobs = knobs;
    }
    static const PlotSeries& called(const PlotFigureInput& chart, const std::string& name) {
        for (const PlotSeries& series : chart.series)
            if (series.name == name) return series;
        throw Error(Status::bad_input, "no series " + name);
    }
    std::vector<Stage> stages;
    std::vector<Recording> recordings;
    std::vector<DeviceProfile> profiles;
    std::vector<PublishedFigure> published;
    std::vector<Measurement> live;
    ChartFacts facts;
};

}  // namespace

TEST_F(Charts, SizesLieAtTheirBytesWithSpreadAndSource) {
    PlotFigureInput chart = size_chart(facts);
    const PlotSeries& padded = called(chart, "Padded");
    EXPECT_TRUE(padded.strong);
    ASSERT_EQ(2u, padded.points.size());  // the default setting's alone
    EXPECT_EQ(8.0 * 1024 * 1024, padded.points[0].x);
    EXPECT_EQ(8.0 * 4096 * 4096, padded.points[1].x);
    EXPECT_NEAR(3000, padded.points[1].y, 1e-6);
    EXPECT_NEAR(2400, padded.points[1].low, 1e-6);   // 1 of 1.25
    EXPECT_NEAR(3750, padded.points[1].high, 1e-6);  // 1 of 0.8
    EXPECT_EQ("recorded on NVIDIA Test, 2026-11-21, median of 40 samples", padded.points[1].source);
    EXPECT_NE(std::string::npos, padded.points[1].words.find("75.0 % of the copy"));
    EXPECT_FALSE(padded.points[1].filled);
    EXPECT_EQ("stage:transpose/10_naive", called(chart, "Naive").action);
    EXPECT_NEAR(4000, called(chart, "best copy").points[0].y, 1e-6);
    EXPECT_EQ(2200, called(chart, "model of Padded").points[0].y);
    ASSERT_EQ(2u, chart.x.ticks.size());
    EXPECT_EQ("1024²", chart.x.ticks[0].label);
    EXPECT_EQ("Recorded on NVIDIA Test, 2026-11-21", chart.caption);
}

TEST_F(Charts, RegionsEndWhereTheCardSaysSo) {
    recordings[0].measurements.push_back(measured("10_naive", 256, 100, 0));
    PlotFigureInput chart = size_chart(facts);
    ASSERT_EQ(4u, chart.regions.size());
    EXPECT_NEAR(2e6, chart.regions[0].to, 1);  // 0.5 µs of 4,000 GB/s
    EXPECT_NEAR(32e6, chart.regions[1].to, 1);
    EXPECT_NEAR(128e6, chart.regions[2].to, 1);
    EXPECT_EQ("memory", chart.regions[3].name);
    EXPECT_EQ(5000, chart.references.at(0).y);
    profiles.clear();  // a card that nobody calibrated
    facts.profiles = profiles;
    EXPECT_TRUE(size_chart(facts).regions.empty());
}

TEST_F(Charts, AMeasurementOfNowReplacesTheRecordedOne) {
    live = {measured("30_padded", 4096, 3333, 0, facts.knobs)};
    live[0].provenance.card = "NVIDIA Mine";
    facts.live = live;
    const PlotFigureInput chart = size_chart(facts);
    const PlotSeries& padded = called(chart, "Padded");
    ASSERT_EQ(2u, padded.points.size());
    EXPECT_NEAR(3333, padded.points[1].y, 1e-6);
    EXPECT_TRUE(padded.points[1].filled);
    EXPECT_TRUE(padded.points[1].source.starts_with("measured on NVIDIA Mine"));
    EXPECT_EQ("Recorded on NVIDIA Test, 2026-11-21; filled: measured now on NVIDIA Mine",
              chart.caption);
}

// 8 · 1024² bytes at 800 GB/s are 10.486 µs; at 2,000 they are 2.5 times as few.
TEST_F(Charts, TimesAndSpeedUpsAreOfTheSameRuns) {
    PlotFigureInput times = time_chart(facts), speedups = speedup_chart(facts);
    EXPECT_NEAR(10.486, called(times, "Naive").points.at(0).y, 0.001);
    EXPECT_NEAR(4.194, called(times, "Padded").points.at(0).y, 0.001);
    EXPECT_TRUE(times.y.log);
    EXPECT_TRUE(times.references.empty());
    EXPECT_EQ("times as fast as Naive", speedups.y.title);
    ASSERT_EQ(1u, called(speedups, "Padded").points.size());  // naive is not known at 4096
    EXPECT_NEAR(2.5, called(speedups, "Padded").points[0].y, 1e-9);
    EXPECT_NEAR(1, called(speedups, "Naive").points.at(0).y, 1e-9);
    EXPECT_NEAR(5, called(speedups, "best copy").points.at(0).y, 1e-9);
}

class Products : public testing::Test {
  protected:
    static Stage product(const std::string& stem, const std::string& title,
                         const std::string& type) {
        Stage made;
        made.id = "matmul/" + stem;
        made.operation = "matmul";
        made.title = title;
        made.reference = "matmul";
        made.types = {type};
        return made;
    }
    static Measurement run(const std::string& stem, const std::string& type, int64_t side,
                           double time_us) {
        Measurement m = measured(stem, side, 1, 0);
        m.stage = "matmul/" + stem;
        m.type = type;
        m.inner = side;
        m.time_us = {time_us, time_us, time_us, 40};
        m.yardstick.time_us = {time_us / 2, 0, 0, 40};
        m.yardstick.kind = "cuBLAS";
        m.arithmetic.unit = type == "f16" ? "FP16 tensor cores" : "FP32";
        m.arithmetic.datasheet_gflop_per_s = type == "f16" ? 1000000 : 60000;
        return m;
    }
    Products() {
        stages = {product("10_naive_product", "Naive", "f32"),
                  product("40_wmma", "Tensor cores", "f16")};
        recordings.resize(1);
        recordings[0].card = "NVIDIA Test";
        recordings[0].date = "2026-11-21";
        // 2 · 1000³ operations: 2,000 GFLOP/s in a millisecond.
        recordings[0].measurements = {run("10_naive_product", "f32", 1000, 1000),
                                      run("10_naive_product", "f32", 32, 3),
                                      run("40_wmma", "f16", 1000, 20)};
        profiles = {card()};
        facts.stages = stages;
        facts.recordings = recordings;
        facts.profiles = profiles;
        facts.operation = "matmul";
        facts.stage = "matmul/40_wmma";
    }
    std::vector<Stage> stages;
    std::vector<Recording> recordings;
    std::vector<DeviceProfile> profiles;
    std::vector<PublishedFigure> published;
    ChartFacts facts;
};

TEST_F(Products, AreToldInGflopsExceptWhereTheLaunchDecides) {
    PlotFigureInput chart = size_chart(facts);
    ASSERT_EQ(1u, chart.series.at(0).points.size());  // 32³ is bound by its launch
    EXPECT_NEAR(2000, chart.series[0].points[0].y, 1e-6);
    EXPECT_EQ(2e9, chart.series[0].points[0].x);
    EXPECT_NEAR(100000, chart.series.at(1).points.at(0).y, 1e-6);  // in its own type
    EXPECT_EQ("1000³", chart.x.ticks.back().label);
    ASSERT_EQ(2u, chart.references.size());
    EXPECT_EQ(1000000, chart.references[0].y);
    EXPECT_EQ("FP32 datasheet", chart.references[1].name);
    EXPECT_TRUE(chart.regions.empty());
    EXPECT_EQ(2u, time_chart(facts).series.at(0).points.size());  // the time is told all the same
    EXPECT_NEAR(50, speedup_chart(facts).series.at(1).points.at(0).y, 1e-9);
}

TEST_F(Products, SayWhichTypesTheyAreOf) {
    facts.type = "f16";
    const std::string both =
        "Recorded on NVIDIA Test, 2026-11-21; f16, or f32 where a stage has no f16";
    EXPECT_EQ(both, size_chart(facts).caption);
    EXPECT_EQ(both, roofline_chart(facts).caption);
    stages.erase(stages.begin());
    facts.stages = stages;
    EXPECT_EQ("Recorded on NVIDIA Test, 2026-11-21", size_chart(facts).caption);
}

// Sparse takes 4 times as long at 50 %, a quarter at 90 %: the logarithm passes 0 half way.
TEST_F(Products, SparseAndDenseChangePlaces) {
    EXPECT_EQ(nullptr, sparse_stage(facts));
    EXPECT_EQ("No sparse product has been measured.", sparse_chart(facts).nothing);
    stages.push_back(product("96_cusparse_product", "Sparse", "f32"));
    stages.back().knobs = {{"ZEROS", {50, 90}, 50, ""}};
    facts.stages = stages;
    ASSERT_NE(nullptr, sparse_stage(facts));
    EXPECT_TRUE(sparse_chart(facts).series.empty());
    for (auto [zeros, time] : {std::pair{90, 25.0}, std::pair{50, 400.0}}) {
        Measurement m = run("96_cusparse_product", "f32", 1000, time);
        m.knobs = {{"ZEROS", zeros}};
        m.yardstick.time_us = {100, 99, 101, 40};
        recordings[0].measurements.push_back(m);
    }
    PublishedFigure figure;
    figure.operation = "matmul";
    figure.stage = "matmul/96_cusparse_product";
    figure.unit = "% zeros";
    figure.value = 90;
    published = {figure};
    facts.published = published;
    PlotFigureInput chart = sparse_chart(facts);
    ASSERT_EQ(3u, chart.series.size());
    EXPECT_EQ("dense, cuBLAS", chart.series[0].name);
    ASSERT_EQ(2u, chart.series[1].points.size());
    EXPECT_EQ(50, chart.series[1].points[0].x);  // in rising order
    EXPECT_EQ(400, chart.series[1].points[0].y);
    EXPECT_NEAR(70, chart.regions.at(1).from, 1e-9);
    EXPECT_NE(std::string::npos, chart.notes[0].find("at 70.0 % zeros")) << chart.notes[0];
    EXPECT_EQ(90, chart.series[2].points.at(0).x);
    EXPECT_EQ(100, chart.series[2].points[0].y);
    PairsFigureInput pairs = published_chart(facts);
    ASSERT_EQ(1u, pairs.rows.size());
    EXPECT_NEAR(70, pairs.rows[0].ours, 1e-9);
    EXPECT_EQ("70 % zeros", pairs.rows[0].ours_words);
    recordings[0].measurements.back().time_us.median = 90;  // faster at every share
    EXPECT_TRUE(sparse_chart(facts).regions.empty());
}

// Its speed by size is that of one share of zeros, which its line names.
TEST_F(Products, SayOfHowManyZerosASparseLineIs) {
    stages.push_back(product("96_cusparse_product", "cuSPARSE, zeros left out", "f32"));
    stages.push_back(product("97_other", "Sparse", "f32"));
    for (size_t i : {stages.size() - 2, stages.size() - 1}) {
        stages[i].knobs = {{"ZEROS", {50, 90}, 50, ""}};
        Measurement m = run(stages[i].file, "f32", 1000, 400);
        m.stage = stages[i].id;
        m.knobs = {{"ZEROS", 50}};
        recordings[0].measurements.push_back(m);
    }
    facts.stages = stages;
    PlotFigureInput chart = size_chart(facts);
    auto has = [&](const std::string& name) {
        return std::any_of(chart.series.begin(), chart.series.end(),
                           [&](const PlotSeries& series) { return series.name == name; });
    };
    EXPECT_TRUE(has("cuSPARSE, 50 % zeros"));
    EXPECT_TRUE(has("Sparse, 50 % zeros"));
    EXPECT_FALSE(has("cuSPARSE, zeros left out"));
}

// 2 · 1000³ operations over 4 · 3 · 1000² bytes are 166.7; over (2 + 2 + 4) · 1000² of halves 250.
TEST_F(Products, StandUnderTheRoofsOfTheirUnits) {
    PlotFigureInput chart = roofline_chart(facts);
    EXPECT_NEAR(500.0 / 3, chart.series.at(0).points.at(0).x, 1e-6);
    EXPECT_NEAR(250, chart.series.at(1).points.at(0).x, 1e-6);
    const PlotSeries& roof = chart.series.at(3);
    EXPECT_EQ("FP32", roof.name);
    EXPECT_EQ(0u,
              chart.notes.at(0).find("Dashed: the datasheet's 5,000 GB/s and its units' peaks."))
        << chart.notes[0];
    EXPECT_EQ(60000, roof.points.back().y);
    for (const PlotPoint& point : roof.points)
        EXPECT_NEAR(std::min(60000.0, 5000 * point.x), point.y, 1e-6);
}

TEST_F(Products, StandBesideWhatOthersPublishedInItsUnit) {
    PublishedFigure figure{"NVIDIA A100",
                           1555,
                           "A paper",
                           "somebody",
                           "Tensor cores over naive",
                           "matmul/40_wmma",
                           "matmul",
                           "f32",
                           1000,
                           1000,
                           1500,
                           "times naive",
                           "Half against single precision.",
                           1000};
    published = {figure};
    facts.published = published;
    PairsFigureInput pairs = published_chart(facts);
    ASSERT_EQ(1u, pairs.rows.size());
    EXPECT_EQ(1500, pairs.rows[0].published);
    EXPECT_NEAR(50, pairs.rows[0].ours, 1e-9);
    EXPECT_EQ("50 times naive", pairs.rows[0].ours_words);
    EXPECT_EQ("NVIDIA A100, 1,000 × 1,000 × 1,000 f32 · Tensor cores over naive", pairs.rows[0].of);
    EXPECT_EQ(std::vector<std::string>{"Published in “A paper” (somebody): NVIDIA A100."},
              pairs.notes);
    EXPECT_TRUE(pairs.rows[0].doubtful);
    const PlotFigureInput speedups = speedup_chart(facts);
    const PlotSeries& marks = speedups.series.back();
    EXPECT_EQ("published, other cards", marks.name);
    EXPECT_EQ(1500, marks.points.at(0).y);
    EXPECT_EQ(2e9, marks.points.at(0).x);
    EXPECT_NE("published, other cards", size_chart(facts).series.back().name);
}

// Halves are looked at; what was published is of floats.
TEST_F(Products, StandBesideWhatOthersPublishedInItsType) {
    stages[0].types = {"f32", "f16"};
    recordings[0].measurements.push_back(run("10_naive_product", "f16", 1000, 250));
    facts.stages = stages;
    facts.type = "f16";
    PublishedFigure figure;
    figure.operation = "matmul";
    figure.stage = "matmul/10_naive_product";
    figure.type = "f32";
    figure.rows = figure.cols = figure.inner = 1000;
    figure.unit = "ms";
    figure.value = 1000;
    published = {figure};
    facts.published = published;
    PairsFigureInput pairs = published_chart(facts);
    ASSERT_EQ(1u, pairs.rows.size());
    EXPECT_EQ("1 ms", pairs.rows[0].ours_words);  // not 0.25
}

// 2 · 2000³ operations in 200 us are 80,000 GFLOP/s, 2 · 1024³ in 20 us 107,374: a tenth of the
// unit's million. A figure without a size is a line across the sizes.
TEST_F(Products, WithoutASizeStandBesideOursOverAllSizes) {
    recordings[0].measurements.push_back(run("40_wmma", "f16", 2000, 200));
    recordings[0].measurements.push_back(run("40_wmma", "f16", 1024, 20));
    PublishedFigure figure;
    figure.operation = "matmul";
    figure.stage = "matmul/40_wmma";
    figure.name = "upper end";
    figure.value = 4000;
    figure.unit = "GFLOP/s";
    published = {figure, figure};
    published[1].unit = "% of peak";
    published[1].value = 60;
    facts.published = published;
    PairsFigureInput pairs = published_chart(facts);
    ASSERT_EQ(2u, pairs.rows.size());
    EXPECT_NEAR(107'374.2, pairs.rows[0].ours, 0.1);
    EXPECT_EQ("107,374 GFLOP/s", pairs.rows[0].ours_words);
    EXPECT_NE(std::string::npos, pairs.rows[0].tooltip.find("Here 80,000 GFLOP/s to 107,374"));
    EXPECT_NEAR(10.74, pairs.rows[1].ours, 0.01);
    PlotFigureInput sizes = size_chart(facts);
    ASSERT_EQ(3u, sizes.references.size());  // two units, and one figure in GFLOP/s
    EXPECT_EQ("published: upper end", sizes.references[2].name);
    EXPECT_EQ(4000, sizes.references[2].y);
}

TEST_F(Charts, AWrongResultIsNoSpeed) {
    for (Measurement& m : recordings[0].measurements) m.correct = false;
    EXPECT_TRUE(size_chart(facts).series.empty());
    EXPECT_TRUE(model_chart(facts).series.empty());
    EXPECT_TRUE(sweep_chart(facts).cells.empty());
}

// Errors in per cent: -9.1, 25, 10, 0, 0, 3.1. Three of six are at most 3.1; nine of ten of six
// are six: 25.
TEST_F(Charts, TheModelsBandHoldsNineOfTen) {
    PlotFigureInput chart = model_chart(facts);
    EXPECT_EQ(4u, called(chart, "Padded").points.size());
    ASSERT_EQ(1u, chart.areas.size());
    EXPECT_EQ("band: within 25 %", chart.areas[0].name);
    auto [x, low] = chart.areas[0].corners[0];
    EXPECT_NEAR(1 / 1.25, low / x, 1e-9);
    EXPECT_NEAR(1 / 0.75, chart.areas[0].corners[3].second / x, 1e-9);
    ASSERT_EQ(1u, chart.notes.size());
    EXPECT_TRUE(chart.notes[0].starts_with("6 runs")) << chart.notes[0];
    EXPECT_NE(std::string::npos, chart.notes[0].find("within 3.1 %")) << chart.notes[0];
    EXPECT_NE(std::string::npos, chart.notes[0].find("The furthest: Naive")) << chart.notes[0];
    EXPECT_EQ(chart.x.from, chart.y.from);
    EXPECT_EQ(chart.x.to, chart.y.to);
}

TEST_F(Charts, ASweepHasACellForEachSettingAndGoesThere) {
    SweepFigureInput chart = sweep_chart(facts);
    EXPECT_EQ("TILE", chart.across);
    EXPECT_EQ("ROWS", chart.down);
    EXPECT_EQ("", chart.map);
    ASSERT_EQ(3u, chart.cells.size());
    EXPECT_EQ(32, chart.chosen_across);
    EXPECT_EQ(8, chart.chosen_down);
    EXPECT_EQ(4000, chart.copy_gb_per_s);
    EXPECT_EQ("set:ROWS=8,TILE=16", chart.cells[1].action);
    facts.stage = "transpose/10_naive";  // which was not swept
    facts.knobs.clear();
    chart = sweep_chart(facts);
    ASSERT_EQ(3u, chart.cells.size());
    EXPECT_EQ("stage:transpose/30_padded;set:ROWS=8,TILE=16", chart.cells[1].action);
    EXPECT_TRUE(chart.caption.starts_with("The chosen stage was not swept. Padded"))
        << chart.caption;
}

TEST_F(Charts, TheRooflineIsTheMemorysOrL2s) {
    facts.rows = facts.cols = 1024;
    facts.traffic["transpose/30_padded"] = {262144, 8388608};  // each byte once
    facts.traffic["transpose/10_naive"] = {1048576, 8388608};  // four times as many sectors
    PlotFigureInput chart = roofline_chart(facts);
    EXPECT_EQ(1, called(chart, "Padded").points.at(0).x);
    EXPECT_EQ(0.25, called(chart, "Naive").points.at(0).x);
    EXPECT_EQ(800, called(chart, "Naive").points.at(0).y);
    // 256 bytes in 0.12 ns are 2,133 GB/s: below the copy's 4,000, so L2's roof goes all the way.
    const PlotSeries& roof = called(chart, "L2, whole lines, and copy");
    EXPECT_NEAR(256 / 0.12, roof.points.back().y, 0.01);
    EXPECT_EQ(1, roof.points.back().x);
    // A sector of each line: 64 bytes in 0.02 + 0.01 + 0.02 + 0.01 + 0.04 ns.
    EXPECT_NEAR(64 / 0.1, called(chart, "L2, a word of each line").points.back().y, 0.01);
    EXPECT_EQ("Measured, but not counted: Copy.", chart.notes.back());
    facts.traffic.clear();
    EXPECT_TRUE(roofline_chart(facts).series.empty());
}

TEST_F(Charts, PublishedFiguresAreSharesOfTheirOwnCard) {
    PublishedFigure a100{"NVIDIA A100",
                         2000,
                         "An article",
                         "somebody",
                         "V3",
                         "transpose/30_padded",
                         "transpose",
                         "f32",
                         4096,
                         4096,
                         1700,
                         "GB/s",
                         ""};
    PublishedFigure nameless = a100;
    nameless.card = "a card without a name";
    nameless.datasheet_gb_per_s = 0;
    nameless.caveat = "no card";
    nameless.rows = nameless.cols = 512;
    PublishedFigure elsewhere = a100;
    elsewhere.stage = "transpose/99_none";
    published = {a100, nameless, elsewhere};
    facts.published = published;
    PairsFigureInput chart = published_chart(facts);
    ASSERT_EQ(2u, chart.rows.size());
    EXPECT_EQ(85, chart.rows[0].published);
    EXPECT_EQ(60, chart.rows[0].ours);  // 3,000 of 5,000
    EXPECT_FALSE(chart.rows[0].doubtful);
    EXPECT_EQ("3,000 GB/s", chart.rows[0].ours_words);
    EXPECT_EQ(0, chart.rows[1].published);
    EXPECT_TRUE(chart.rows[1].doubtful);
    EXPECT_EQ("not measured", chart.rows[1].ours_words);
    // Why one has no diamond, and where the figures stand: each source once.
    ASSERT_EQ(2u, chart.notes.size());
    EXPECT_EQ("Published in “An article” (somebody): NVIDIA A100, a card without a name.",
              chart.notes[1]);
}

// Everything recorded, drawn at the sizes of a window and of a page.
TEST(ChartsOfTheRecordings, AreWholeAtEverySize) {
    const Catalogue& catalogue = shipped_stages();
    std::vector<std::string> problems;
    std::filesystem::path folder = std::filesystem::path(CONTENT_FOLDER) / "assets/recordings";
    std::vector<Recording> recordings = read_recordings(folder, problems);
    std::vector<PublishedFigure> published = read_all_published(folder / "published", problems);
    std::vector<DeviceProfile> profiles = device_profiles(CONTENT_FOLDER);
    ChartFacts facts;
    facts.stages = catalogue.stages();
    facts.recordings = recordings;
    facts.published = published;
    facts.profiles = profiles;
    facts.stage = "transpose/30_padded";
    facts.knobs = default_knobs(catalogue.find("30_padded"));
    PlotFigureInput sizes = size_chart(facts), model = model_chart(facts);
    SweepFigureInput sweep = sweep_chart(facts);
    PairsFigureInput pairs = published_chart(facts);
    EXPECT_GT(sizes.series.size(), 20u);
    EXPECT_EQ("PAD", sweep.map);
    EXPECT_GT(pairs.rows.size(), 20u);
    for (float width : {360.0f, 600.0f, 900.0f, 1600.0f}) {
        sizes.width = model.width = sweep.width = pairs.width = width;
        for (const Drawing& drawing :
             {plot_figure(sizes, measure_approximately), plot_figure(model, measure_approximately),
              sweep_figure(sweep, measure_approximately),
              pairs_figure(pairs, measure_approximately)})
            EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
    }
}

}  // namespace lanewise
