// The head of a lesson, and what is said about a malformed one.
#include "course/lesson.h"

#include <gtest/gtest.h>

#include "../case_name.h"
#include "mistake.h"

namespace lanewise {
namespace {

const std::string kGoodLesson = R"(+++
title = "Padding"
aim = "After this you can pad."
still_wrong = "Single elements."
[predict]
question = "How many?"
answer = "wavefronts_per_request load"
choices = ["1", "32"]
explain = "Because."
[gate]
task = "Do it."
expect = "PAD == 1"
+++
# Body

text
)";

TEST(Lesson, ReadsHeadAndBody) {
    Lesson lesson = parse_lesson(kGoodLesson, "transpose/30_padded");
    ASSERT_EQ("", lesson.error);
    EXPECT_EQ("transpose/30_padded", lesson.stage);
    EXPECT_EQ("Padding", lesson.title);
    EXPECT_EQ("After this you can pad.", lesson.aim);
    EXPECT_EQ("Single elements.", lesson.still_wrong);
    EXPECT_EQ("How many?", lesson.predict.question);
    EXPECT_EQ("wavefronts_per_request load", lesson.predict.answer);
    EXPECT_EQ((std::vector<std::string>{"1", "32"}), lesson.predict.choices);
    EXPECT_EQ("Because.", lesson.predict.explain);
    EXPECT_EQ("Do it.", lesson.gate.task);
    EXPECT_EQ("PAD == 1", lesson.gate.expect);
    ASSERT_EQ(2u, lesson.blocks.size());
    EXPECT_EQ(LessonBlock::Kind::heading, lesson.blocks[0].kind);
}

TEST(Lesson, ReadsASolution) {
    std::string text = kGoodLesson;
    text.insert(text.find("# Body") - 4,
                "[[gate.solution]]\nfind = '[32]'\nreplace = '[33]'\n"
                "[[gate.solution]]\nfind = ' + 1'\n");
    Lesson lesson = parse_lesson(text, "pitfalls/101_x");
    ASSERT_EQ("", lesson.error);
    ASSERT_EQ(2u, lesson.gate.solution.size());
    EXPECT_EQ("a[33] b", solved(lesson, "a[32] b + 1"));
}

TEST(Lesson, ReadsHiddenCases) {
    std::string text = kGoodLesson;
    text.replace(text.find("expect = \"PAD"), std::string("expect = \"PAD == 1\"\n").size(),
                 "catches = \"One fits all.\"\n"
                 "[[gate.case]]\nsize = \"96x160\"\nset = [\"TILE=16\"]\nexpect = \"PAD == 2\"\n"
                 "[[gate.case]]\nsize = \"33x65x97\"\ntype = \"f16\"\ninput = \"denormals\"\n");
    Lesson lesson = parse_lesson(text, "transpose/30_padded");
    ASSERT_EQ("", lesson.error);
    EXPECT_EQ("", lesson.gate.expect);
    EXPECT_EQ("One fits all.", lesson.gate.catches);
    ASSERT_EQ(2u, lesson.gate.cases.size());
    const GateCase &tile = lesson.gate.cases[0], &product = lesson.gate.cases[1];
    EXPECT_EQ((WantedSetting{{"TILE=16"}, "", 96, 160}), tile.at);
    EXPECT_EQ("PAD == 2", tile.expect);
    EXPECT_EQ((WantedSetting{{}, "f16", 33, 65, 97}), product.at);
    EXPECT_EQ("denormals", product.input);
}

TEST(Lesson, ReadsWindowsLineEnds) {
    std::string text;
    for (char c : kGoodLesson) text += c == '\n' ? "\r\n" : std::string(1, c);
    Lesson lesson = parse_lesson(text, "transpose/30_padded");
    EXPECT_EQ("", lesson.error);
    EXPECT_EQ("PAD == 1", lesson.gate.expect);
}

class LessonMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(LessonMistakes, GiveOneClearMessage) {
    std::string text = kGoodLesson;
    size_t at = text.find(GetParam().from);
    ASSERT_NE(std::string::npos, at);
    text.replace(at, std::string(GetParam().from).size(), GetParam().to);
    EXPECT_EQ(GetParam().message, parse_lesson(text, "transpose/30_padded").error);
}

INSTANTIATE_TEST_SUITE_P(
    All, LessonMistakes,
    testing::Values(
        Mistake{"+++\ntitle", "title",
                "30_padded.md:1: a lesson begins with a TOML head between two lines +++"},
        Mistake{"+++\n# Body", "# Body", "30_padded.md: the head is not closed by a line +++"},
        Mistake{"aim =", "aims =", "30_padded.md:3: unknown key \"aims\"; did you mean \"aim\"?"},
        Mistake{"\"Padding\"", "\"\"",
                "30_padded.md:2: title is missing; write it like title = \"Padding spreads the "
                "banks\""},
        Mistake{"answer =", "answr =",
                "30_padded.md:7: unknown key \"answr\"; did you mean \"answer\"?"},
        Mistake{"[\"1\", \"32\"]", "[1, 32]",
                "30_padded.md:8: choices must be a list of texts, like [\"a\", \"b\"]"},
        Mistake{"explain = \"Because.\"\n", "",
                "30_padded.md:5: explain is missing; write it like explain = \"…\" under "
                "[predict]"},
        Mistake{"expect = \"PAD == 1\"", "[[gate.case]]\nset = [\"PAD=1\"]",
                "30_padded.md:12: size is missing; write it like size = \"96x160\" under "
                "[[gate.case]]"},
        Mistake{"[gate]\ntask = \"Do it.\"\nexpect = \"PAD == 1\"\n", "",
                "30_padded.md:2: task is missing; write it like task = \"…\" under [gate]"}),
    [](const auto& test) {
        return std::to_string(test.index) + "_" + case_name(test.param.message);
    });

TEST(Lesson, SaysThatAFileIsMissing) {
    Lesson lesson =
        read_lesson(CONTENT_FOLDER "/lessons/transpose/99_none.md", "transpose/99_none");
    EXPECT_NE(std::string::npos, lesson.error.find("99_none.md"));
    EXPECT_EQ("transpose/99_none", lesson.title);
}

}  // namespace
}  // namespace lanewise
