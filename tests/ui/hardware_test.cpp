// The hardware's counters beside the machine's counts, and the staircase, live or recorded.
#include <gtest/gtest.h>

#include "frames.h"
#include "lab/micro/staircase.h"
#include "ui/launch/follow.h"

namespace lanewise::ui {
namespace {

constexpr const char* kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr const char* kDramRead = "dram__bytes_read.sum";

class Hardware : public testing::Test {
  protected:
    void SetUp() override {
        choose_shape(app, 128, 96);
        choose_stage(app, "30_padded");
        frames.answer();
        frames.frame(3);
    }
    const CountComparison* row(const std::string& name) const {
        for (const CountComparison& each : app.derived.hardware_rows)
            if (each.name == name) return &each;
        return nullptr;
    }
    void expect_whole_texts() {
        for (auto [width, height] : {std::pair{1280, 2400}, std::pair{640, 2400}}) {
            frames.resize(width, height);
            frames.frame(3);
            for (const std::string& fault : text_faults(audit()))
                ADD_FAILURE() << width << ": " << fault;
        }
    }
    Frames frames{1280, 2400};
    App& app = frames.app;
};

// 128 × 96 floats are 49,152 bytes, 1,536 sectors.
TEST_F(Hardware, CountersStandBesideTheCountsWithWhatMakesThemDiffer) {
    app.engine.gpu = "NVIDIA H200";
    CounterReading reading;
    reading.values = {{kLoadSectors, 1536}, {kStoreSectors, 1540}, {kDramRead, 61440}};
    reading.unknown = {"lts__t_bytes.sum"};
    reading.passes = 3;
    take_counters(app, reading);
    using Verdict = CountComparison::Verdict;
    ASSERT_TRUE(row("global load sectors"));
    EXPECT_EQ(Verdict::equal, row("global load sectors")->verdict);
    EXPECT_EQ(Verdict::differs, row("global store sectors")->verdict);
    EXPECT_EQ(Verdict::explained, row("DRAM read")->verdict);
    EXPECT_EQ(49152u, row("DRAM read")->machine);
    frames.frame(3);
    EXPECT_TRUE(frames.says("COUNTED ON NVIDIA H200"));
    EXPECT_TRUE(frames.says("1,540"));
    EXPECT_TRUE(frames.says("machine 1,536; differs"));
    EXPECT_TRUE(frames.says("25.0 %"));  // 61,440 / 49,152
    EXPECT_TRUE(frames.says("lts__t_bytes.sum"));
    expect_whole_texts();
    choose_knob(app, "PAD", 0);  // another setting
    EXPECT_TRUE(app.derived.hardware_rows.empty());
    EXPECT_FALSE(app.arrived.counter_reading.has_value());
}

TEST_F(Hardware, AMissingPermissionIsSaidAndEverythingElseGoesOn) {
    CounterReading reading;
    reading.problem = "the driver keeps the counters for administrators";
    take_counters(app, reading);
    frames.frame(3);
    EXPECT_TRUE(frames.says("No hardware counters: the driver keeps"));
    EXPECT_FALSE(frames.says("COUNTED ON"));
    EXPECT_FALSE(app.derived.counts.empty());
    expect_whole_texts();
}

TEST_F(Hardware, ItsButtonsNeedAGpu) {
    choose_view(app, "speed");
    frames.frame(3);
    ASSERT_TRUE(frames.click("count"));
    ASSERT_TRUE(frames.click("staircase"));
    EXPECT_FALSE(app.wanted.count || app.wanted.staircase);
    app.engine.gpu = "NVIDIA H200";
    app.engine.problem.clear();
    frames.frame(2);
    ASSERT_TRUE(frames.click("count"));
    EXPECT_TRUE(app.wanted.count);
    ASSERT_TRUE(frames.click("staircase"));
    EXPECT_TRUE(app.wanted.staircase);
}

Staircase live_one() {
    Staircase staircase;
    staircase.stage = "transpose/30_padded";
    staircase.type = "f32";
    staircase.provenance.card = "NVIDIA Test";
    staircase.provenance.date = "2026-11-21T12:00:00Z";
    for (int wavefronts : {1, 2, 3, 2}) {
        StaircaseStep step;
        step.access.wavefronts = wavefronts;
        step.access.of_stage = staircase.steps.size() == 3;
        step.access.line = step.access.of_stage ? 28 : 0;
        step.samples = {25.0 + 2 * wavefronts};
        staircase.steps.push_back(step);
    }
    fit_staircase(staircase);
    return staircase;
}

TEST_F(Hardware, TheStaircaseIsARecordedOneUntilThisCardHasTakenItsOwn) {
    choose_view(app, "speed");
    frames.frame(3);
    ASSERT_FALSE(app.content.staircases.empty());
    EXPECT_TRUE(frames.says("Recorded on NVIDIA H200"));
    take_staircase(app, live_one());
    frames.frame(3);
    EXPECT_TRUE(frames.says("Measured on NVIDIA Test"));
    EXPECT_EQ(std::string::npos, app.derived.staircase.caption.find("Recorded"))
        << app.derived.staircase.caption;
    ASSERT_EQ(4u, app.derived.staircase.points.size());
    EXPECT_TRUE(app.derived.staircase.points[3].of_stage);
    EXPECT_EQ(29, app.derived.staircase.points[3].cycles);  // 25 + 2 · 2
    expect_whole_texts();
    follow_figure(app, "line:28");
    EXPECT_EQ(28, app.chosen().line);
    EXPECT_EQ("code", app.chosen().tab);
    // Its own accesses are another setting's then; the card's steps stay.
    choose_knob(app, "PAD", 0);
    EXPECT_EQ(3u, app.derived.staircase.points.size());
}

}  // namespace
}  // namespace lanewise::ui
