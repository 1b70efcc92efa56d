// What became of findings and of lines' costs, by hand.
#include "ui/part/changes.h"

#include <gtest/gtest.h>

#include "trace/report.h"

namespace lanewise::ui {
namespace {

using ChangeKind = FindingChange::Kind;

KeptFinding finding(const std::string& kind, int line, const std::string& text) {
    return {kind, "shared", text, "It is wrong.", line, 1};
}

TEST(FindingChanges, AreToldApart) {
    std::vector<KeptFinding> before = {finding("race", 10, "a = tile[x];"),
                                       finding("race", 20, "b = tile[y];"),
                                       finding("out_of_bounds", 30, "out[i] = a;")};
    std::vector<KeptFinding> now = {finding("race", 10, "a = tile[x];"),
                                    finding("race", 23, "b = tile[y];"),
                                    finding("misaligned", 30, "out[i] = a;")};
    std::vector<FindingChange> found = finding_changes(before, now);
    ASSERT_EQ(4u, found.size());
    EXPECT_EQ(ChangeKind::appeared, found[0].kind);
    EXPECT_EQ("misaligned", found[0].now.kind);
    EXPECT_EQ(ChangeKind::gone, found[1].kind);
    EXPECT_EQ("out_of_bounds", found[1].before.kind);
    EXPECT_EQ(ChangeKind::moved, found[2].kind);
    EXPECT_EQ(20, found[2].before.line);
    EXPECT_EQ(23, found[2].now.line);
    EXPECT_EQ(ChangeKind::same, found[3].kind);
    EXPECT_STREQ("new", word_of(ChangeKind::appeared));
    EXPECT_STREQ("unchanged", word_of(ChangeKind::same));
    EXPECT_TRUE(finding_changes({}, {}).empty());
}

TEST(FindingChanges, KnowALineThatWasEditedInItsPlace) {
    auto found = finding_changes({finding("race", 10, "a = tile[x];")},
                                 {finding("race", 10, "a = tile[x + 1];")});
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ(ChangeKind::same, found[0].kind);
    // Of two lines with one text, each keeps the nearer one.
    found = finding_changes({finding("race", 10, "f();"), finding("race", 20, "f();")},
                            {finding("race", 21, "f();"), finding("race", 11, "f();")});
    ASSERT_EQ(2u, found.size());
    EXPECT_EQ(20, found[0].before.line);
    EXPECT_EQ(10, found[1].before.line);
}

TEST(LineChanges, AreOfOneAccess) {
    std::vector<KeptLine> before = {
        {"load", 5, 100, 400, 0, 0}, {"read", 9, 0, 0, 50, 1600}, {"old", 12, 10, 320, 0, 0}};
    std::vector<KeptLine> now = {
        {"load", 5, 200, 800, 0, 0}, {"read", 8, 0, 0, 50, 50}, {"fresh", 20, 4, 16, 4, 8}};
    std::vector<LineChange> found = line_changes(before, now);
    // The load asks twice as often, each time for as much: that is no change of the line.
    ASSERT_EQ(4u, found.size());
    EXPECT_EQ(8, found[0].line);
    EXPECT_EQ(9, found[0].line_before);
    EXPECT_EQ("wavefronts", found[0].unit);
    EXPECT_EQ(32, found[0].before);
    EXPECT_EQ(1, found[0].now);
    EXPECT_EQ("fresh", found[1].text);
    EXPECT_EQ(0, found[1].before);
    EXPECT_EQ(4, found[1].now);
    EXPECT_EQ("wavefronts", found[2].unit);
    EXPECT_EQ(2, found[2].now);
    EXPECT_EQ("old", found[3].text);
    EXPECT_EQ(0, found[3].line);
    EXPECT_EQ(32, found[3].before);
}

TEST(Kept, IsOfTheKernelsOwnFile) {
    Report report;
    report.lines.resize(2);
    report.lines[0] = {"turn.cu", 2, {}};
    report.lines[0].counts.global_load = {1, 4, 16, 16, 512};
    report.lines[1] = {"cute.hpp", 2, {}};
    report.lines[1].counts.global_load = {1, 4, 16, 16, 512};
    report.findings = {{"race", "shared", "/a/turn.cu", 2, 1, "(0,0)", "(1,0)", 3, "Two."}};
    std::string source = "first\n  second;  \n";
    std::vector<KeptLine> lines = kept_lines(report, "turn.cu", source);
    ASSERT_EQ(1u, lines.size());
    EXPECT_EQ((KeptLine{"second;", 2, 4, 16, 0, 0}), lines[0]);
    std::vector<KeptFinding> findings = kept_findings(report, "turn.cu", source);
    ASSERT_EQ(1u, findings.size());
    EXPECT_EQ((KeptFinding{"race", "shared", "second;", "Two.", 2, 3}), findings[0]);
}

}  // namespace
}  // namespace lanewise::ui
