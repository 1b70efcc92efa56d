#include "ui/verdicts.h"

#include <gtest/gtest.h>

namespace lanewise::ui {
namespace {

using Kind = Verdict::Kind;

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
    EXPECT_EQ(Kind::bad, verdicts(a)[0].kind);
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
    EXPECT_EQ(Kind::unknown, verdicts(a)[0].kind);
    EXPECT_EQ("not verified", verdicts(a)[0].word);
    a.report.findings.resize(2);
    a.report.findings[0].message = "out-of-bounds store: out[4096] of 4096 elements";
    EXPECT_EQ(Kind::bad, verdicts(a)[0].kind);
    EXPECT_EQ("2 findings", verdicts(a)[0].word);
    EXPECT_EQ("out-of-bounds store: out[4096] of 4096 elements", verdicts(a)[0].why);
}

}  // namespace
}  // namespace lanewise::ui
