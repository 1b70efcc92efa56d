// The lessons that ship: paired, clean; and the lint finds what it is for.
#include <gtest/gtest.h>

#include "../shipped_stages.h"
#include "course/lesson_lint.h"
#include "course/path.h"

namespace lanewise {
namespace {

using Problems = std::vector<std::string>;

const Problems kLessonViews = {"lesson",
                               "access",
                               "machine:workers",
                               "machine:multiprocessor",
                               "machine:launch",
                               "machine:levels",
                               "flow",
                               "banks",
                               "code",
                               "counts",
                               "ladder",
                               "speed",
                               "product:fragments",
                               "product:reuse",
                               "product:walk"};

TEST(Lessons, ArePairedWithStages) { EXPECT_EQ(Problems(), unpaired(shipped_stages())); }

TEST(Lessons, AreClean) {
    for (const Stage& stage : shipped_stages().stages()) {
        Lesson lesson = read_lesson(lesson_path(shipped_stages(), stage), stage.id);
        EXPECT_EQ(Problems(), lesson_problems(lesson, stage, shipped_stages(), kLessonViews));
        EXPECT_GE(lesson.blocks.size(), 6u) << stage.id;
    }
}

TEST(Lessons, AskAgainInAnotherForm) {
    for (const Stage& stage : shipped_stages().stages()) {
        Lesson lesson = read_lesson(lesson_path(shipped_stages(), stage), stage.id);
        EXPECT_NE("", lesson.again.question) << stage.id;
        EXPECT_NE(lesson.predict.question, lesson.again.question) << stage.id;
        EXPECT_EQ(lesson.again.choices.size() - 1, lesson.again.wrong.size()) << stage.id;
    }
}

TEST(Lessons, ExplainEachWrongChoice) {
    for (const Stage& stage : shipped_stages().stages()) {
        Lesson lesson = read_lesson(lesson_path(shipped_stages(), stage), stage.id);
        EXPECT_EQ(lesson.predict.choices.size() - 1, lesson.predict.wrong.size()) << stage.id;
        for (const Prediction::Wrong& wrong : lesson.predict.wrong)
            EXPECT_EQ(wrong.because, explanation_of(lesson.predict, wrong.choice));
    }
}

// The core path, as lessons/path.toml has it, is written in three sizes. Lesson
// zero comes before code; there an index alone is written.
TEST(Lessons, OfTheCorePathAreWritten) {
    const Path path = read_path(path_file(shipped_stages().content()), shipped_stages().stages());
    ASSERT_EQ("", path.error);
    size_t core = 0;
    for (const Stage& stage : shipped_stages().stages()) {
        if (!core_lesson(path, stage.id)) continue;
        ++core;
        const std::string& id = stage.id;
        Lesson lesson = read_lesson(lesson_path(shipped_stages(), stage), id);
        ASSERT_EQ(is_first_step(stage) ? 1u : 3u, lesson.write.size()) << id;
        for (size_t i = 0; i < lesson.write.size(); ++i) {
            EXPECT_EQ(kWriteSizes[i], lesson.write[i].size) << id;
            EXPECT_EQ(3u, lesson.write[i].gate.hints.size()) << id;
        }
    }
    EXPECT_EQ(25u, core);  // 6 of lesson zero, 10 with transposes, 5 with products, 4 with sums
}

// The one problem of the padded stage's lesson with this body, without the lesson's name.
std::string problem_of(const std::string& body, const std::string& answer = "PAD",
                       const std::string& choices = "\"1\", \"2\"",
                       const std::string& expect = "PAD == 1") {
    Lesson lesson = parse_lesson(
        "+++\ntitle = \"t\"\naim = \"a\"\nstill_wrong = \"s\"\n[predict]\n"
        "question = \"q\"\nanswer = \"" +
            answer + "\"\nchoices = [" + choices +
            "]\nexplain = \"e\"\n[gate]\ntask = \"t\"\nexpect = \"" + expect + "\"\n+++\n" + body,
        "transpose/30_padded");
    EXPECT_EQ("", lesson.error);
    Problems found = lesson_problems(lesson, shipped_stages().find("30_padded"), shipped_stages(), kLessonViews);
    if (found.empty()) return "";
    EXPECT_EQ(1u, found.size()) << found.back();
    std::string prefix = "lesson transpose/30_padded: ";
    EXPECT_TRUE(found[0].starts_with(prefix)) << found[0];
    return found[0].substr(prefix.size());
}

TEST(LessonLint, FollowsLinks) {
    EXPECT_EQ("", problem_of("[a](view:banks) [b](stage:22_coarsened) [c](lesson:20) [d](set:PAD=0)"
                             "[e](<code:tile[TILE][TILE + PAD];>)"));
    EXPECT_EQ(
        "link \"view:bank\" leads nowhere: there is no such view; did you mean \"view:banks\"?",
        problem_of("[a](view:bank)"));
    EXPECT_EQ(
        "link \"stage:31_padded\" leads nowhere: no stage \"31_padded\"; did you mean "
        "\"30_padded\"?",
        problem_of("[a](stage:31_padded)"));
    EXPECT_EQ("link \"set:PAD=9\" leads nowhere: PAD = 9 is not offered; choose 0, 1, 2, 3 or 4",
              problem_of("[a](set:PAD=9)"));
    EXPECT_EQ(
        "link \"set:PADS=1\" leads nowhere: transpose/30_padded has no knob \"PADS\"; did you "
        "mean \"PAD\"?",
        problem_of("[a](set:PADS=1)"));
    EXPECT_EQ("link \"set:PAD\" is not like set:PAD=0", problem_of("[a](set:PAD)"));
    EXPECT_EQ(
        "link \"code:for (int j\" quotes text that the source holds 2 times; quote what it "
        "holds once",
        problem_of("[a](<code:for (int j>)"));
    EXPECT_EQ(
        "link \"code:goto\" quotes text that the source holds 0 times; quote what it holds once",
        problem_of("[a](code:goto)"));
    EXPECT_EQ(
        "a link is not closed, or its quote has < or > without \\ before it: "
        "\"[a](<code:tile<4>>)\"",
        problem_of("[a](<code:tile<4>>)"));
    EXPECT_EQ(
        "link \"https://example.org\" is none of view:, stage:, lesson:, set:, code:, at:, "
        "proof:correct",
        problem_of("[a](https://example.org)"));
}

TEST(LessonLint, EvaluatesQueries) {
    EXPECT_EQ("", problem_of("{{sectors_per_request load}} {{TILE / ROWS}} {{shared_load.bytes}}"));
    EXPECT_EQ("cannot evaluate \"TILES\": unknown name \"TILES\"\n    TILES\n    ^",
              problem_of("{{TILES}}"));
    EXPECT_EQ(
        "cannot evaluate \"useful_percent\": useful_percent needs \"load\" or \"store\" after it",
        problem_of("{{useful_percent}}"));
    EXPECT_TRUE(problem_of("", "PAD +").starts_with("cannot evaluate \"PAD +\""));
    EXPECT_EQ("", problem_of("On the {{card.name}} it takes {{card.dram_latency_ns}} ns."));
    EXPECT_EQ("\"card.dram_latency_ns\" is a card's; say whose it is with {{card.name}}",
              problem_of("The {{card.name}}.\n\n## Next\n\nIt takes {{card.dram_latency_ns}} ns."));
    EXPECT_TRUE(problem_of("", "PAD", "\"1\", \"2\"", "PADS == 1").starts_with("cannot evaluate"));
}

TEST(LessonLint, WeighsChoices) {
    EXPECT_EQ("", problem_of("", "useful_percent load", "\"12.5 %\", \"100 %\""));
    EXPECT_EQ("a prediction needs at least two choices, all different",
              problem_of("", "PAD", "\"1\""));
    EXPECT_EQ("a prediction needs at least two choices, all different",
              problem_of("", "PAD", "\"1\", \"1\", \"2\""));
    EXPECT_EQ("the choice \"many\" is not a number, as the answer is",
              problem_of("", "PAD", "\"1\", \"many\""));
    EXPECT_EQ("the choice \"12.5\" is not a percentage like \"12.5 %\", as the answer is",
              problem_of("", "useful_percent load", "\"12.5\", \"100 %\""));
}

TEST(LessonLint, WantsTheAppToCount) {
    EXPECT_EQ("", problem_of("A sector is 32 bytes, there are 32 banks, and `4 sectors` is code."));
    EXPECT_EQ("\"4 sector\" is for the app to compute or measure; ask it with {{…}}",
              problem_of("It touches 4 sectors."));
    EXPECT_EQ("\"3,487 GB/s\" is for the app to compute or measure; ask it with {{…}}",
              problem_of("It reaches **3,487** GB/s."));
    EXPECT_EQ("\"32-way\" is for the app to compute or measure; ask it with {{…}}",
              problem_of("a 32-way conflict"));
    EXPECT_EQ("", problem_of("> On an A100, \"Title\" gives 1,870 GB/s."));
    EXPECT_EQ(
        "a quoted figure must name the card that it was measured on: \"It gives 1,870 GB/s.\"",
        problem_of("> It gives 1,870 GB/s."));
}

TEST(LessonLint, KnowsWhichStagesUseSharedMemory) {
    Lesson lesson = parse_lesson(
        "+++\ntitle = \"t\"\naim = \"a\"\nstill_wrong = \"{{rows}}\"\n[predict]\nquestion = \"q\"\n"
        "answer = \"wavefronts_per_request load\"\nchoices = [\"1\", \"2\"]\nexplain = \"e\"\n"
        "[gate]\ntask = \"t\"\nexpect = \"1\"\n+++\n",
        "transpose/00_copy");
    Problems found = lesson_problems(lesson, shipped_stages().find("00_copy"), shipped_stages(), kLessonViews);
    EXPECT_EQ(
        (Problems{"lesson transpose/00_copy: \"{{rows}}\" asks a {{query}}; only the body may",
                  "lesson transpose/00_copy: \"wavefronts_per_request load\" asks about shared "
                  "memory, which the stage does not use"}),
        found);
}

TEST(LessonLint, KnowsTheModelsLosses) {
    auto lesson = [](const std::string& said) {
        return parse_lesson("+++\ntitle = \"t\"\naim = \"a\"\nstill_wrong = \"s\"\n" + said +
                                "[predict]\nquestion = \"q\"\nanswer = \"PAD\"\n"
                                "choices = [\"1\", \"2\"]\nexplain = \"e\"\n"
                                "[gate]\ntask = \"t\"\nexpect = \"1\"\n+++\n",
                            "transpose/30_padded");
    };
    const Stage& stage = shipped_stages().find("30_padded");
    auto problems = [&](const std::string& said) {
        return lesson_problems(lesson(said), stage, shipped_stages(), kLessonViews);
    };
    EXPECT_EQ(Problems(), problems("still_wrong_term = \"order of blocks\"\n"));
    EXPECT_EQ((Problems{"lesson transpose/30_padded: the model has no loss \"order of block\"; did "
                        "you mean \"order of blocks\"?"}),
              problems("still_wrong_term = \"order of block\"\n"));
    EXPECT_EQ("Still wrong", still_wrong_label(lesson("")));
    EXPECT_EQ("Still wrong", still_wrong_label(lesson("still_wrong_is = \"scope\"\n")));
    EXPECT_EQ("Conjecture", still_wrong_label(lesson("still_wrong_is = \"conjecture\"\n")));
    EXPECT_EQ("Still wrong, in the model of an NVIDIA H200",
              still_wrong_label(lesson("still_wrong_term = \"last round\"\n")));
    EXPECT_NE(std::string::npos,
              lesson("still_wrong_is = \"guess\"\n").error.find("\"conjecture\", \"scope\""));
    EXPECT_NE(std::string::npos, lesson("still_wrong_is = \"scope\"\nstill_wrong_term = \"DRAM\"\n")
                                     .error.find("leave one of them out"));
}

TEST(LessonLint, PassesOnTheErrorOfWhatItCannotRead) {
    Lesson lesson = parse_lesson("no head", "transpose/30_padded");
    EXPECT_EQ(Problems{lesson.error},
              lesson_problems(lesson, shipped_stages().find("30_padded"), shipped_stages(), kLessonViews));
}

}  // namespace
}  // namespace lanewise
