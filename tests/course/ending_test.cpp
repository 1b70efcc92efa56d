// What stands at the end of a course: the file, its faults, and which courses have one.
#include "course/ending.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "../shipped_stages.h"

namespace lanewise {
namespace {

const std::string kGoodEndings = R"([[course]]
course = "transpose"
learned = ["You count sectors.", "You pad."]
beware = "Not alone."
[[course.not_worth]]
says = "More padding."
stage = "30_padded"
set = ["PAD=4"]
than = "transpose/32_swizzled"
[[course]]
course = "zero"
learned = ["You know warps."]
)";

std::string fault_with(std::string text, const std::string& old, const std::string& by) {
    const size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    text.replace(at, old.size(), by);
    const Endings endings = parse_endings(text, "endings.toml", shipped_stages());
    EXPECT_TRUE(endings.all.empty());
    return endings.error;
}

TEST(Ending, ReadsWhatWasLearnedAndWhatWasNotWorthIt) {
    const Endings endings = parse_endings(kGoodEndings, "endings.toml", shipped_stages());
    ASSERT_EQ("", endings.error);
    ASSERT_EQ(2u, endings.all.size());
    const Ending* ending = endings.of("transpose");
    ASSERT_NE(nullptr, ending);
    EXPECT_EQ((std::vector<std::string>{"You count sectors.", "You pad."}), ending->learned);
    EXPECT_EQ("Not alone.", ending->beware);
    ASSERT_EQ(1u, ending->not_worth.size());
    const NotWorth& row = ending->not_worth[0];
    EXPECT_EQ("transpose/30_padded", row.tried.stage);
    EXPECT_EQ("f32", row.tried.type);
    EXPECT_EQ(4, row.tried.knobs.at("PAD"));
    EXPECT_EQ(32, row.tried.knobs.at("TILE"));  // the stage's own
    EXPECT_EQ("transpose/32_swizzled", row.than.stage);
    EXPECT_EQ(nullptr, endings.of("matmul"));
}

TEST(Ending, NamesTheLineOfAFault) {
    EXPECT_EQ("endings.toml:2: no lesson is of a course \"transpos\"; did you mean \"transpose\"?",
              fault_with(kGoodEndings, "course = \"transpose\"", "course = \"transpos\""));
    EXPECT_EQ("endings.toml:7: no stage \"30_paded\"; did you mean \"30_padded\"?",
              fault_with(kGoodEndings, "30_padded", "30_paded"));
    EXPECT_NE(std::string::npos, fault_with(kGoodEndings, "PAD=4", "PAD=99").find("endings.toml:8: "));
    EXPECT_NE(std::string::npos, fault_with(kGoodEndings, "PAD=4", "PAD").find("write it as \"PAD=1\""));
    EXPECT_EQ("endings.toml:11: \"transpose\" is there already; say it once",
              fault_with(kGoodEndings, "course = \"zero\"", "course = \"transpose\""));
    EXPECT_NE(std::string::npos, fault_with(kGoodEndings, "says", "say").find("did you mean \"says\"?"));
}

TEST(Ending, AStageIsNotComparedWithItself) {
    EXPECT_NE(std::string::npos, fault_with(kGoodEndings, "than = \"transpose/32_swizzled\"",
                                            "than = \"30_padded\"\nthan_set = [\"PAD=4\"]")
                                     .find("compared with itself"));
}

TEST(Ending, AFileThatIsMissingIsSaid) {
    const Endings endings = read_endings(Catalogue{});
    EXPECT_TRUE(endings.all.empty());
    EXPECT_NE("", endings.error);
}

TEST(Ending, EachCourseOfTheCoreHasOne) {
    const Endings endings = read_endings(shipped_stages());
    ASSERT_EQ("", endings.error);
    const Path path = read_path(path_file(shipped_stages().content()), shipped_stages().stages());
    ASSERT_EQ("", path.error);
    std::set<std::string> courses;
    for (const Stage& stage : shipped_stages().stages())
        if (core_lesson(path, stage.id) && !stage.id.starts_with("pitfalls/"))
            courses.insert(stage.operation);
    EXPECT_EQ((std::set<std::string>{"matmul", "reduction", "transpose", "zero"}), courses);
    for (const std::string& course : courses) EXPECT_NE(nullptr, endings.of(course)) << course;
    EXPECT_EQ(courses.size(), endings.all.size());
}

// Figures are the recordings' to say.
TEST(Ending, SaysNoPercentageAndNoTimes) {
    for (const Ending& ending : read_endings(shipped_stages()).all)
        for (const NotWorth& row : ending.not_worth)
            for (const char* word : {"%", "per cent", "GB/s", "times as", "µs"})
                EXPECT_EQ(std::string::npos, row.says.find(word)) << row.says;
}

TEST(Ending, TheCoreOfACourseIsInThePathsOrder) {
    const std::vector<Stage>& stages = shipped_stages().stages();
    const Path path = parse_path(R"([[section]]
title = "A"
lessons = [{ stage = "transpose/30_padded", minutes = 5 }, { all = "zero/*", minutes = 3 },
           { stage = "transpose/10_naive", minutes = 5 },
           { stage = "pitfalls/106_missing_barrier", minutes = 5 }]
)",
                                 "path.toml", stages);
    ASSERT_EQ("", path.error);
    std::vector<std::string> ids;
    for (size_t place : core_of_course(path, stages, "transpose")) ids.push_back(stages[place].id);
    EXPECT_EQ((std::vector<std::string>{"transpose/30_padded", "transpose/10_naive"}), ids);
}

}  // namespace
}  // namespace lanewise
