// What else comes of a run: findings on their lines, printed text, crashes, and the times of a
// kernel of the user's own.
#include <gtest/gtest.h>
#include <unistd.h>

#include "../needs.h"
#include "base/files.h"
#include "base/hash.h"
#include "frames.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

// 64 threads write 63 words; the first two of each block print two lines.
const char* kTalking =
    "// Writes one word too many.\n"
    "__global__ void talking(float* out) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (threadIdx.x < 2) printf(\"thread %d\\nhere\\n\", i);\n"
    "    out[i + 1] = 1.0f;\n"
    "}\n";

class Outcome : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_NVRTC();
        fs::remove_all(folder);
        fs::create_directories(folder);
        write_file(file, kTalking);
        KernelForm form;
        form.kernel = "talking";
        form.grid = "2";
        form.block = "32";
        form.arguments = {"f32[64]"};
        open_kernel(app, file, &form);
        frames.answer();
        frames.frame(3);
    }
    void TearDown() override { fs::remove_all(folder); }
    Crash crash(int in_a_row) const {
        Crash it;
        it.message = "the kernel made an illegal access (while timing).\ntalking.cu:5:5: out of it";
        it.kind = "illegal_access";
        it.finding = app.arrived.analysis->report.findings.at(0);
        it.in_a_row = in_a_row;
        it.offer_interpreter = in_a_row >= 3;
        return it;
    }
    fs::path folder =
        fs::path(testing::TempDir()) / ("lanewise-outcome-" + std::to_string(::getpid()));
    fs::path file = folder / "talking.cu";
    Frames frames{1600, 1600};
    App& app = frames.app;
};

TEST_F(Outcome, PrintedTextIsShownWithWhoPrintedIt) {
    ASSERT_EQ(8u, app.derived.printed.size());  // 4 threads, 2 lines each
    EXPECT_EQ("thread 0", app.derived.printed[0].text);
    EXPECT_EQ("here", app.derived.printed[1].text);
    EXPECT_EQ("thread 33", app.derived.printed[6].text);
    EXPECT_EQ("block (1,0), thread (1,0)", app.derived.printed[7].who);
    EXPECT_TRUE(frames.says("PRINTED"));
    EXPECT_TRUE(frames.says("thread 33"));
    EXPECT_TRUE(frames.says("4 printfs of the whole launch"));
}

TEST_F(Outcome, WhatTheGpuPrintedSaysHowMuchIsMissing) {
    take_printed(app, "first\nsecond\n", 3'000'000);
    frames.frame(2);
    EXPECT_TRUE(frames.says("PRINTED ON THE GPU"));
    EXPECT_TRUE(frames.says("second"));
    EXPECT_TRUE(frames.says("2.9"));
    choose_shape(app, 64, 64);  // another setting
    EXPECT_TRUE(app.arrived.printed_on_gpu.lines.empty());
}

TEST_F(Outcome, AFindingStandsBelowItsLine) {
    ASSERT_EQ(1u, app.derived.line_findings.count(5));
    choose_view(app, "code");
    frames.resize(2600, 1600);  // the sentence stands in one line
    frames.frame(3);
    EXPECT_TRUE(frames.says("first in block (1,0), thread (31,0)"));
}

TEST_F(Outcome, ACrashSaysWhatHappenedAndOnWhichLine) {
    take_crash(app, crash(1));
    frames.frame(3);
    EXPECT_TRUE(frames.says("THE LAST RUN ON THE GPU"));
    EXPECT_TRUE(frames.says("The kernel made an illegal access"));
    EXPECT_FALSE(frames.says("in a row"));
    choose_view(app, "access");
    ASSERT_TRUE(frames.click("crash:line"));
    EXPECT_EQ("code", app.chosen().tab);
    EXPECT_EQ(5, app.chosen().line);
    app.engine.gpu = "NVIDIA H200";
    EXPECT_EQ("", cannot_run(app));  // once is no habit
}

TEST_F(Outcome, AfterThreeCrashesTheInterpreterIsOffered) {
    app.engine.gpu = "NVIDIA H200";
    take_crash(app, crash(3));
    frames.frame(3);
    EXPECT_TRUE(frames.says("It has failed 3 times in a row."));
    EXPECT_NE(std::string::npos, cannot_run(app).find("interpreter"));
    press_run(app);
    EXPECT_FALSE(app.wanted.measurement);
    ASSERT_TRUE(frames.click("crash:interpret"));
    EXPECT_EQ("code", app.chosen().tab);
    EXPECT_EQ(5, app.chosen().line);
    EXPECT_EQ("", app.said.error);
    ASSERT_TRUE(frames.click("crash:run"));
    press_run(app);
    EXPECT_TRUE(app.wanted.measurement);
    // Another kernel starts with a clean record.
    app.own->form.grid = "1";
    form_changed(app);
    EXPECT_FALSE(app.arrived.crash.has_value());
}

TEST_F(Outcome, AnOwnKernelsTimeStandsWithItsBuffers) {
    OwnMeasurement m;
    m.file = "talking.cu";
    m.kernel = "talking";
    m.launch = app.own->launch.shape;
    m.arguments = {"f32[64]"};
    m.before = {{"out", "f32", 64, 2, 1, 7, "3f800001", "3f800000"}};
    m.after = m.before;
    m.time_us = {12.5, 12.25, 13, 40};
    m.provenance.card = "NVIDIA H200";
    m.provenance.date = "2026-11-21T12:00:00Z";
    m.provenance.source_hash = hex(hash(app.stage().source));
    take_own_measurement(app, m);
    frames.frame(3);
    EXPECT_TRUE(frames.says("12.5\u00a0µs"));
    EXPECT_TRUE(frames.says("out: differs"));
    EXPECT_TRUE(frames.says("2 of 64 elements differ"));
    EXPECT_FALSE(frames.says("after timing"));  // as before it
    EXPECT_FALSE(frames.says("clusters"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
    m.cluster = {2, 1, 1};
    take_own_measurement(app, m);
    frames.frame(3);
    EXPECT_TRUE(frames.says("a launch in clusters of 2 blocks"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
    // A run of the source as it was before is not shown beside the new one.
    m.provenance.source_hash = "0";
    app.arrived.own_measurement.reset();
    take_own_measurement(app, m);
    EXPECT_FALSE(app.arrived.own_measurement.has_value());
    EXPECT_NE("", app.said.toast.text);
}

TEST_F(Outcome, ABlockWithTooManyAccessesSaysSo) {
    Picture picture = *app.arrived.picture;
    picture.block.left_out = 1234;
    take_picture(app, picture);
    choose_view(app, "access");
    frames.frame(3);
    EXPECT_TRUE(frames.says("1,234 accesses more than can be listed"));
}

}  // namespace
}  // namespace lanewise::ui
