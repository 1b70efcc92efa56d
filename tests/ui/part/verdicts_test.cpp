#include "ui/part/verdicts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../frames.h"

namespace lanewise::ui {
namespace {

using VerdictKind = Verdict::Kind;

Analysis of_a_stage() {
    Analysis a;
    a.rows = 33;
    a.cols = 65;
    a.correct = true;
    a.report.totals.global_load = {
        .instructions = 68, .requests = 68, .sectors = 272, .sectors_ideal = 272, .bytes = 8580};
    return a;
}

TEST(Verdicts, SayWhatIsProved) {
    Analysis a = of_a_stage();
    std::vector<Verdict> found = verdicts(a);
    ASSERT_EQ(2u, found.size());  // no shared memory, no word on it
    EXPECT_EQ("correct", found[0].word);
    EXPECT_EQ("All 2,145 elements of the output are right.", found[0].why);
    EXPECT_EQ("coalesced", found[1].word);
    a.correct = false;
    a.mismatch = {7, 1, 2, "", ""};
    EXPECT_EQ("wrong result", verdicts(a)[0].word);
    EXPECT_EQ(VerdictKind::bad, verdicts(a)[0].kind);
    a.report.totals.shared_store = {.instructions = 4, .wavefronts = 128, .wavefronts_ideal = 4};
    ASSERT_EQ(3u, verdicts(a).size());
    EXPECT_EQ("bank conflicts", verdicts(a)[2].word);
    EXPECT_EQ("128 wavefronts of shared memory; 4 would do.", verdicts(a)[2].why);
}

// `correct` says nothing where there was nothing to compare with.
TEST(Verdicts, AKernelWithoutAReferenceIsNeitherRightNorWrong) {
    Analysis a = of_a_stage();
    a.has_reference = false;
    a.correct = false;
    EXPECT_EQ(VerdictKind::unknown, verdicts(a)[0].kind);
    EXPECT_EQ("not verified", verdicts(a)[0].word);
    a.report.findings.resize(2);
    a.report.findings[0].message = "out-of-bounds store: out[4096] of 4096 elements";
    EXPECT_EQ(VerdictKind::bad, verdicts(a)[0].kind);
    EXPECT_EQ("2 findings", verdicts(a)[0].word);
    EXPECT_EQ("out-of-bounds store: out[4096] of 4096 elements", verdicts(a)[0].why);
}

// Nothing is said of counts, which are those of some blocks.
TEST(Verdicts, OfASampleClaimNoMore) {
    Analysis a = of_a_stage();
    a.inner = 40;
    a.sample = {4, 49, 400, 10'000};
    std::vector<Verdict> found = verdicts(a);
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ(VerdictKind::good, found[0].kind);
    EXPECT_EQ("right in a sample", found[0].word);
    EXPECT_TRUE(found[0].why.starts_with("In a sample all is right: 4 of 49 blocks"));
    a.correct = false;
    a.mismatch = {7, 1, 2, "", ""};
    EXPECT_EQ("wrong result", verdicts(a)[0].word);
    EXPECT_EQ("7 of 400 elements that were computed are wrong, first at row 1, column 2.",
              verdicts(a)[0].why);
}

TEST(Verdicts, OfASampleLeaveTheCountsToTheBlock) {
    Frames frames{1280, 800};
    App& app = frames.app;
    choose_stage(app, "matmul/10_naive_product");
    ASSERT_TRUE(choose_shape(app, 8192, 8192, 8192));  // with a GPU or without
    EXPECT_EQ("", app.said.shape_problem);
    Analysis a = of_a_stage();
    a.stage = app.stage().id;
    a.inner = 8192;
    a.sample = {64, 65'536, 65'536, 67'108'864};
    take_analysis(app, a);
    EXPECT_EQ(nullptr, app.arrived.analysis);
    ASSERT_NE(nullptr, app.arrived.sampled);
    EXPECT_TRUE(app.derived.counts.empty());
    ASSERT_FALSE(app.derived.verdicts.empty());
    EXPECT_EQ(kRightInSample, app.derived.verdicts[0].word);
    frames.frame(2);
    EXPECT_TRUE(frames.says("Too long to interpret whole"));
    choose_stage(app, "matmul/12_columns_first");
    EXPECT_EQ(nullptr, app.arrived.sampled);
}

Measurement at(double gb_per_s) {
    Measurement m;
    m.title = "Padded tile";
    m.gb_per_s = gb_per_s;
    m.yardstick.gb_per_s = 4000;
    m.yardstick.kind = "cudaMemcpy";
    m.beyond_l2 = true;
    m.time_us.median = 100;
    m.provenance.card = "NVIDIA H200";
    m.provenance.datasheet_gb_per_s = 4800;
    m.provenance.l2_bytes = 60 << 20;
    for (int i = 0; i < 40; ++i) {
        m.samples_us.push_back(100 + i % 5);
        m.yardstick.samples_us.push_back(90);
    }
    return m;
}

TEST(VerdictsOnTime, ASpeedThatTheMemoryCanHave) {
    std::vector<Verdict> found = verdicts_on_time(at(3000), nullptr);
    ASSERT_EQ(2u, found.size());
    EXPECT_EQ("below peak", found[0].word);
    EXPECT_EQ(VerdictKind::good, found[0].kind);
    ASSERT_EQ(3u, found[0].proof.size());
    EXPECT_TRUE(found[0].proof[1].text.starts_with("4,000 GB/s"));
    EXPECT_TRUE(found[0].proof[2].text.starts_with("4,800 GB/s"));
    EXPECT_EQ("out of L2", found[1].word);
    EXPECT_EQ(VerdictKind::good, found[1].kind);
    // 3,000 GB/s for 100 us: 300,000,000 bytes.
    EXPECT_EQ("Input and output are 286 MiB", found[1].proof[0].text);
}

TEST(VerdictsOnTime, FasterThanCopyIsAFaultBeyondTheCacheOnly) {
    EXPECT_EQ("above copy", verdicts_on_time(at(4100), nullptr)[0].word);
    EXPECT_EQ(VerdictKind::bad, verdicts_on_time(at(4100), nullptr)[0].kind);
    EXPECT_EQ("above peak", verdicts_on_time(at(5000), nullptr)[0].word);
    Measurement small = at(5000);
    small.beyond_l2 = false;
    EXPECT_EQ(VerdictKind::unknown, verdicts_on_time(small, nullptr)[0].kind);
    EXPECT_EQ("partly in L2", verdicts_on_time(small, nullptr)[1].word);
}

TEST(VerdictsOnTime, AreDistinguishableWhereTheRatiosRangeLeavesOneOut) {
    Measurement m = at(3000), before = at(1500);
    for (double& us : before.samples_us) us *= 2;
    std::vector<Verdict> found = verdicts_on_time(m, &before);
    ASSERT_EQ(3u, found.size());
    EXPECT_EQ("distinguishable", found[2].word);
    EXPECT_EQ("That range does not hold 1.", found[2].proof.back().text);
    // The same times, one sample later.
    before = m;
    std::rotate(before.samples_us.begin(), before.samples_us.begin() + 1, before.samples_us.end());
    EXPECT_EQ("indistinguishable", verdicts_on_time(m, &before)[2].word);
    before.yardstick.samples_us[3] = 91;  // another run
    EXPECT_EQ(2u, verdicts_on_time(m, &before).size());
    EXPECT_TRUE(verdicts_on_time(Measurement(), nullptr).empty());
}

TEST(Verdicts, TheirProofNamesTheMostWastefulLineFirst) {
    Analysis a = of_a_stage();
    LineReport clean, strided;
    clean.line = 7;
    clean.counts.global_load = {.requests = 10, .sectors = 40, .sectors_ideal = 40};
    strided.line = 9;
    strided.counts.global_store = {.requests = 10, .sectors = 320, .sectors_ideal = 40};
    a.report.lines = {clean, strided};
    std::vector<Verdict::Row> proof = verdicts(a)[1].proof;
    ASSERT_EQ(2u, proof.size());
    EXPECT_EQ(9, proof[0].line);
    EXPECT_EQ("Line 9: 320 sectors, 40 at best", proof[0].text);
    EXPECT_EQ(7, proof[1].line);
}

// By widget, in the window.
TEST(Badges, OpenTheirProof) {
    Frames frames{1280, 1400};
    App& app = frames.app;
    choose_stage(app, "30_padded");
    choose_knob(app, "PAD", 0);  // 4096 x 4096, which is recorded
    frames.answer();
    frames.frame(3);
    EXPECT_FALSE(frames.says("wavefronts of shared memory"));
    ASSERT_TRUE(frames.click("badge:bank conflicts"));
    EXPECT_TRUE(frames.says("wavefronts of shared memory"));
    ASSERT_TRUE(frames.click("proof:0"));
    EXPECT_EQ("code", app.chosen().tab);
    // The line of the column read.
    EXPECT_NE(std::string::npos,
              app.derived.source.lines[static_cast<size_t>(app.chosen().line - 1)].find(
                  "tile[threadIdx.x]"));
    frames.frame(2);
    ASSERT_TRUE(frames.click("badge:below peak"));
    EXPECT_TRUE(frames.says("the best copy"));
    ASSERT_TRUE(frames.click("badge:below peak"));
    EXPECT_EQ(-1, app.open.proof);
}

}  // namespace
}  // namespace lanewise::ui
