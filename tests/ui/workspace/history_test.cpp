// The history of runs, the baseline, and what differs from it.
#include "ui/desk/history.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../frames.h"
#include "base/files.h"
#include "ui/desk/keys.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

Snapshot some_run() {
    Snapshot s;
    s.when = "2026-11-21T18:40:00Z";
    s.title = "Padded tile, 128 × 128 f32";
    s.link = "lanewise://1/…";
    s.note = "before lunch";
    s.counted = s.correct = true;
    s.counts = {{"global load sectors", 2048}, {"shared load wavefronts", 512}};
    s.card = "NVIDIA H200";
    s.time_us = 100;
    s.p05_us = 98;
    s.p95_us = 103;
    s.gb_per_s = 1000;
    s.found = {{"race", "shared", "tile[0] = 1;", "Two threads.", 12, 3}};
    s.lines = {{"tile[0] = 1;", 12, 0, 0, 4, 128}};
    return s;
}

const Difference* row_of(const Differences& found, const std::string& name) {
    for (const Difference& each : found.rows)
        if (each.name == name) return &each;
    return nullptr;
}

TEST(Baseline, TellsTimesApartOnlyWhereTheirSpreadsAre) {
    Snapshot before = some_run(), now = some_run();
    now.time_us = 102;  // 98 to 103 and 100 to 105 overlap
    now.p05_us = 100;
    now.p95_us = 105;
    Differences found = differences(before, now);
    EXPECT_EQ("not told apart", row_of(found, "time")->change);
    EXPECT_EQ(Ink::text_dim, row_of(found, "time")->ink);
    now.time_us = 50;
    now.p05_us = 49;
    now.p95_us = 52;
    now.gb_per_s = 2000;
    found = differences(before, now);
    EXPECT_EQ("−50 %", row_of(found, "time")->change);
    EXPECT_EQ("100 µs", row_of(found, "time")->before);
    EXPECT_EQ("+100 %", row_of(found, "speed")->change);
    EXPECT_EQ(Ink::good, row_of(found, "speed")->ink);
    now.card = "NVIDIA A100";
    EXPECT_EQ("another card", row_of(differences(before, now), "time")->change);
}

TEST(Baseline, ListsTheCountsAndFindingsThatDiffer) {
    Snapshot before = some_run(), now = some_run();
    now.counts = {{"global load sectors", 2048},
                  {"shared load wavefronts", 16384},
                  {"shared store wavefronts", 512}};
    now.findings = {{"out_of_bounds", 3}};
    Differences found = differences(before, now);
    EXPECT_EQ(1u, found.equal);
    EXPECT_EQ("+3100 %", row_of(found, "shared load wavefronts")->change);  // 512 · 32
    EXPECT_EQ("16,384", row_of(found, "shared load wavefronts")->now);
    EXPECT_EQ("new", row_of(found, "shared store wavefronts")->change);
    EXPECT_EQ("new", row_of(found, "out of bounds")->change);
    EXPECT_EQ(Ink::bad, row_of(found, "out of bounds")->ink);
    EXPECT_EQ("gone", row_of(differences(now, before), "out of bounds")->change);
    now.counted = false;  // nothing to compare but times
    EXPECT_EQ(2u, differences(before, now).rows.size());
}

class Runs : public testing::Test {
  protected:
    Runs() {
        fs::remove_all(folder);
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        frames.answer();
        frames.frame(2);
    }
    ~Runs() override { fs::remove_all(folder); }
    fs::path folder =
        fs::path(testing::TempDir()) / ("lanewise-history-" + std::to_string(::getpid()));
    Frames frames;
    App& app = frames.app;
    History& history = app.tools->history;
};

TEST_F(Runs, PinningComparesWithWhatIsChosenThen) {
    frames.resize(1280, 2000);
    frames.type('b');
    ASSERT_TRUE(history.baseline);
    frames.frame(2);
    EXPECT_TRUE(frames.says("AGAINST THE BASELINE"));
    EXPECT_TRUE(frames.says("This is the baseline."));
    choose_knob(app, "PAD", 0);
    frames.answer();
    frames.frame(2);
    // 128 x 128 floats are 512 warps' column reads: one wavefront each with padding, 32 without.
    EXPECT_TRUE(frames.says("512 → 16,384"));
    EXPECT_TRUE(frames.says("+3100 %"));
    // And line by line: only the column read costs something else.
    ASSERT_EQ(1u, history.against.found.lines.size());
    const LineChange line = history.against.found.lines[0];
    EXPECT_EQ(1, line.before);
    EXPECT_EQ(32, line.now);
    EXPECT_EQ("wavefronts", line.unit);
    EXPECT_TRUE(line.text.find("tile[threadIdx.x]") != std::string::npos) << line.text;
    EXPECT_TRUE(frames.says("1 → 32 wavefronts"));
    EXPECT_NE(std::string::npos, everything_as_json(app).find("\"unit\": \"wavefronts\""));
    ASSERT_TRUE(frames.click("change:0"));
    EXPECT_EQ("code", app.chosen().tab);
    EXPECT_EQ(line.line, highlighted_line(app));
    ASSERT_TRUE(frames.click("baseline:show"));
    EXPECT_EQ(1, app.chosen().knobs.at("PAD"));
    frames.answer();
    frames.frame(2);
    frames.type('b');  // the same setting once more: unpinned
    EXPECT_FALSE(history.baseline);
}

TEST_F(Runs, WithoutABaselineTheRunBeforeIsComparedWith) {
    frames.resize(1280, 2000);
    keep_run(app);
    frames.frame(2);
    EXPECT_FALSE(frames.says("AGAINST"));  // it is this one
    choose_stage(app, "106_missing_barrier");
    frames.answer();
    frames.frame(2);
    EXPECT_TRUE(frames.says("AGAINST THE RUN BEFORE"));
    ASSERT_FALSE(history.against.found.findings.empty());
    EXPECT_EQ(FindingChange::Kind::appeared, history.against.found.findings[0].kind);
    EXPECT_TRUE(frames.says("new   race, line"));
    keep_run(app);
    choose_stage(app, "30_padded");
    frames.answer();
    frames.frame(2);
    EXPECT_EQ(FindingChange::Kind::gone, history.against.found.findings[0].kind);
    EXPECT_TRUE(frames.says("gone   race"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

TEST_F(Runs, AMeasurementIsKeptByItself) {
    Measurement m;
    m.stage = app.stage().id;
    m.knobs = app.chosen().knobs;
    m.type = "f32";
    m.rows = m.cols = 128;
    m.time_us = {12.5, 12.1, 13, 40};
    m.gb_per_s = 10.5;
    m.provenance.card = "NVIDIA H200";
    take_measurement(app, m);
    ASSERT_EQ(1u, history.runs.size());
    EXPECT_EQ(12.5, history.runs[0].time_us);
    EXPECT_EQ("NVIDIA H200", history.runs[0].card);
    EXPECT_FALSE(history.runs[0].recorded);
    EXPECT_TRUE(history.runs[0].counted);
}

TEST_F(Runs, WhatIsPinnedBeforeItIsCountedIsCompletedLater) {
    choose_knob(app, "PAD", 2);
    pin_baseline(app);
    keep_run(app);
    EXPECT_FALSE(history.baseline->counted);
    frames.answer();
    EXPECT_TRUE(history.baseline->counted);
    EXPECT_TRUE(history.baseline->correct);
    EXPECT_TRUE(history.runs[0].counts == history.baseline->counts);
    EXPECT_GT(history.runs[0].counts.size(), 3u);
    choose_view(app, "code");  // another place is no other setting
    EXPECT_TRUE(is_same_setting(*history.baseline, snapshot_of(app)));
}

TEST_F(Runs, ThePageKeepsNotesShowsPinsAndForgets) {
    keep_run(app);
    choose_knob(app, "PAD", 0);
    frames.answer();
    frames.type('h');
    ASSERT_TRUE(history.page_open);
    frames.frame(2);
    ASSERT_TRUE(frames.click("history:keep"));
    ASSERT_EQ(2u, history.runs.size());
    EXPECT_TRUE(frames.says("Padded tile, PAD = 0, 128 × 128 f32"));
    ASSERT_TRUE(frames.click("run:1:note"));
    frames.type("slow one");
    EXPECT_EQ("slow one", history.runs[1].note);
    ASSERT_TRUE(frames.click("run:1:pin"));
    EXPECT_TRUE(history.baseline == history.runs[1]);
    ASSERT_TRUE(frames.click("run:1:forget"));
    EXPECT_EQ(1u, history.runs.size());
    ASSERT_TRUE(frames.click("run:0:show"));
    EXPECT_FALSE(history.page_open);
    EXPECT_EQ(1, app.chosen().knobs.at("PAD"));
}

TEST_F(Runs, ThePageFitsAtEverySize) {
    keep_run(app);
    pin_baseline(app);
    choose_knob(app, "PAD", 0);
    frames.answer();
    keep_run(app);
    app.said.toast = {};
    for (bool page : {false, true})
        for (float scale : {1.f, 2.f, 3.f}) {
            history.page_open = page;
            set_scale(scale);
            focus_region(app, Region::controls);
            frames.frame(3);
            for (const std::string& fault : text_faults(audit()))
                if (!page || fault.find("lies over") == std::string::npos)
                    ADD_FAILURE() << scale << ": " << fault;
            for (const std::string& fault :
                 contrast_faults(audit(), *ImGui::GetDrawData(), look().pixels_per_point()))
                ADD_FAILURE() << scale << ": " << fault;
        }
}

TEST_F(Runs, KeepsThoseWithANoteLongest) {
    Snapshot noted = some_run();
    history.runs.assign(kMostRuns, snapshot_of(app));
    history.runs[0] = noted;
    keep_run(app);
    ASSERT_EQ(kMostRuns, history.runs.size());
    EXPECT_TRUE(history.runs[0] == noted);
}

TEST_F(Runs, AreWrittenAndReadAgain) {
    read_history(app, folder / "history.json");
    keep_run(app);
    history.runs[0].note = "\"quoted\"\nπ";
    pin_baseline(app);
    const History before = history;
    history = {};
    read_history(app, folder / "history.json");
    EXPECT_TRUE(before.runs == history.runs);
    EXPECT_TRUE(before.baseline == history.baseline);
    EXPECT_TRUE(app.said.notices.empty());
}

TEST_F(Runs, WhatCannotBeReadIsSetAsideAndSaid) {
    for (const char* text :
         {"{\"lanewise_history\": 1, \"runs\": [{}]}", "[", "", "{\"lanewise_history\": 2}"}) {
        write_file(folder / "history.json", text);
        app.said.notices.clear();
        read_history(app, folder / "history.json");
        ASSERT_EQ(1u, app.said.notices.size()) << text;
        EXPECT_NE(std::string::npos, app.said.notices[0].find("history.json.bad"))
            << app.said.notices[0];
        EXPECT_FALSE(fs::exists(folder / "history.json"));
    }
    EXPECT_EQ("{\"lanewise_history\": 2}", read_file(folder / "history.json.bad-4"));
}

TEST_F(Runs, AReadOnlyHomeIsSaidOnce) {
    write_file(folder, "a file where the folder should be");
    history.file = folder / "history.json";
    keep_run(app);
    keep_run(app);
    EXPECT_EQ(1u, app.said.notices.size());
    EXPECT_EQ(2u, history.runs.size());
}

}  // namespace
}  // namespace lanewise::ui
