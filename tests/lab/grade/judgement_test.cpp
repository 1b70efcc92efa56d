// A source judged at hidden cases: what fails first, and in which words.
#include "lab/grade/judgement.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "base/error.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "course/gate_cases.h"
#include "course/lesson_lint.h"

namespace lanewise {
namespace {

const Catalogue& catalogue() {
    return shipped_stages();
}
Lesson lesson_of(const Stage& stage) {
    return read_lesson(lesson_path(catalogue(), stage), stage.id);
}
Gate gate_of(const Stage& stage) { return lesson_of(stage).gate; }
Job job_of(const Stage& stage) {
    Job job;
    job.stage = stage;
    job.type = stage.types.front();
    job.arch = "sm_90";
    return job;
}
Judgement judged(const std::string& name, const KnobValues& knobs = {}) {
    const Stage& stage = catalogue().find(name);
    Job job = job_of(stage);
    job.knobs = knobs;
    return judge(job, task_of(gate_of(stage), stage));
}

// out[col * cols + row]: at 128 x 384 the first element that is not right is (1, 0), in whose place
// a square matrix would have it.
TEST(Judgement, SaysWhereItWasRightAndWhereItIsWrong) {
    Judgement judgement = judged("103_wrong_stride");
    EXPECT_FALSE(judgement.passed());
    EXPECT_EQ(Judgement::Why::result, judgement.why);
    EXPECT_EQ(0u, judgement.sentence.find("Right at 256 x 256, wrong at 128 x 384: "))
        << judgement.sentence;
    EXPECT_NE(std::string::npos, judgement.sentence.find("the first at (1, 0)"));
    EXPECT_EQ(1u, judgement.held);
    EXPECT_TRUE(judgement.has_case);
    EXPECT_EQ(128, judgement.rows);
    EXPECT_EQ(384, judgement.cols);
}

TEST(Judgement, NamesTheFindingThatExplainsAWrongResult) {
    Judgement judgement = judged("106_missing_barrier");
    EXPECT_NE(std::string::npos, judgement.sentence.find("the checker finds: race at line 24"))
        << judgement.sentence;
    ASSERT_FALSE(judgement.findings.empty());
    EXPECT_EQ("race", judgement.findings[0].kind);
}

TEST(Judgement, SaysHowFarTheCountsAreFromWhatIsAsked) {
    EXPECT_EQ(
        "Right at 256 x 256, but the task asks for more there: TILE == 16: now 32, must be "
        "16.",
        judged("transpose/30_padded").sentence);
    // a tile of 16 with a padding of one: the misconception that the gate is to catch
    Judgement one = judged("transpose/30_padded", {{"TILE", 16}, {"PAD", 1}});
    EXPECT_EQ(Judgement::Why::count, one.why);
    EXPECT_NE(std::string::npos, one.sentence.find("shared_load.wavefronts")) << one.sentence;
    EXPECT_EQ("", one.mismatch.actual);
}

TEST(Judgement, PassesWhatHoldsInEachCase) {
    Judgement judgement = judged("transpose/30_padded", {{"TILE", 16}, {"PAD", 2}});
    EXPECT_TRUE(judgement.passed()) << judgement.sentence;
    EXPECT_EQ(judgement.cases, judgement.held);
    EXPECT_FALSE(judgement.has_case);
}

// 111 is right wherever a float can number the elements.
TEST(Judgement, LooksAtTheAuthorsOwnCases) {
    Judgement judgement = judged("111_float_index");
    EXPECT_EQ(4100, judgement.rows);
    EXPECT_EQ(judgement.cases - 1, judgement.held);
}

TEST(Judgement, NeverLooksAtTheShapeOnScreen) {
    const Stage& stage = catalogue().find("103_wrong_stride");
    for (int64_t side : {1, 64, 4096}) {
        Job job = job_of(stage);
        job.rows = job.cols = side;
        EXPECT_EQ(128, judge(job, task_of(gate_of(stage), stage)).rows) << side;
    }
}

TEST(Judgement, RefusesAHeadThatAsksForAnotherResult) {
    Stage stage = catalogue().find("103_wrong_stride");
    GateTask task = task_of(gate_of(stage), stage);
    Job job = job_of(stage);
    job.stage.reference = "copy";
    Judgement judgement = judge(job, task);
    EXPECT_EQ(Judgement::Why::head, judgement.why);
    EXPECT_NE(std::string::npos, judgement.sentence.find("reference = \"copy\""));
}

TEST(Judgement, FailsAKnobThatTheSourceNoLongerHas) {
    const Stage& stage = catalogue().find("transpose/30_padded");
    Job job = job_of(stage);
    GateTask task = task_of({.task = "t", .expect = "WIDE == 1"}, stage);
    Judgement judgement = judge(job, task);
    EXPECT_FALSE(judgement.passed());
    EXPECT_NE(std::string::npos,
              judgement.sentence.find("WIDE == 1, which cannot be counted here: unknown name"))
        << judgement.sentence;
}

// Its settings alone are judged, and those that nobody names are its own.
TEST(Judgement, OfALibrarysCallSaysWhichSettingIsWanted) {
    Judgement judgement = judged("matmul/90_cublas_product");
    EXPECT_EQ(Judgement::Why::setting, judgement.why);
    EXPECT_EQ("The task asks for TF32 == 1: now 0, must be 1.", judgement.sentence);
    EXPECT_TRUE(judged("matmul/90_cublas_product", {{"TF32", 1}}).passed());
}

TEST(Judgement, RefusesASettingThatThereIsNot) {
    EXPECT_THROW(judged("transpose/30_padded", {{"TILE", 17}}), Error);
}

TEST(Judgement, StopsWhereItIsCancelled) {
    const Stage& stage = catalogue().find("transpose/30_padded");
    CancelFlag cancel{true};
    EXPECT_THROW(judge(job_of(stage), task_of(gate_of(stage), stage), &cancel), Cancelled);
}

// Of a library's call there is no source: its settings are what is judged.
TEST(Judgement, AsksALibrarysCallForItsSettings) {
    EXPECT_EQ(Judgement::Why::setting, judged("matmul/90_cublas_product").why);
    EXPECT_TRUE(judged("matmul/90_cublas_product", {{"TF32", 1}}).passed());
}

TEST(Judgement, TravelsAsJson) {
    Judgement judgement = judged("106_missing_barrier");
    Judgement back = nlohmann::json(judgement).get<Judgement>();
    EXPECT_EQ(judgement.why, back.why);
    EXPECT_EQ(judgement.sentence, back.sentence);
    EXPECT_EQ(judgement.rows, back.rows);
    EXPECT_EQ(judgement.findings.size(), back.findings.size());
    const Stage& stage = catalogue().find("transpose/88_any_shape");
    GateTask task = task_of(gate_of(stage), stage);
    EXPECT_EQ(task.cases, nlohmann::json(task).get<GateTask>().cases);
}

// What is edited, and so needs a compiler.
class Edited : public testing::Test {
  protected:
    void SetUp() override { NEEDS_NVRTC(); }
    static Judgement judge_with(const std::string& name, const std::string& find,
                                const std::string& replace) {
        const Stage& stage = catalogue().find(name);
        std::string text = stage.source;
        text.replace(text.find(find), find.size(), replace);
        return judge(job_of(parse_stage(text, stage)), task_of(gate_of(stage), stage));
    }
};

// Nobody passes by writing the shape that the window begins with into the source.
TEST_F(Edited, ASolutionForOneShapeIsNone) {
    Judgement judgement = judge_with("103_wrong_stride", "size_t(col) * cols", "size_t(col) * 256");
    EXPECT_EQ(0u, judgement.sentence.find("Right at 256 x 256, wrong at 128 x 384: "))
        << judgement.sentence;
}

TEST_F(Edited, AnotherTypeIsTriedAsWell) {
    Judgement judgement = judge_with("transpose/30_padded", "tile[TILE][TILE + PAD]",
                                     "tile[TILE][TILE + PAD + (sizeof(T) == 2 ? -TILE : 0)]");
    EXPECT_FALSE(judgement.passed());
}

// A grid has at most 65,535 blocks along y: at 4096 x 1 this is none.
TEST_F(Edited, AGridThatIsNoneAtSomeShapeIsSaid) {
    const Stage& stage = catalogue().find("112_warm_l2");
    Gate gate{.task = "t"};
    std::string text = solved(lesson_of(stage), stage.source);
    const std::string find = "ceil_div(rows, 32)";
    text.replace(text.find(find), find.size(), "rows * 32");
    Judgement judgement = judge(job_of(parse_stage(text, stage)), task_of(gate, stage));
    EXPECT_EQ(Judgement::Why::launch, judgement.why) << judgement.sentence;
    EXPECT_EQ(4096, judgement.rows);
    EXPECT_NE(std::string::npos, judgement.sentence.find("it cannot be launched at 4096 x 1: "))
        << judgement.sentence;
}

TEST_F(Edited, WhatDoesNotCompileIsNotJudged) {
    EXPECT_THROW(judge_with("103_wrong_stride", "size_t(col)", "sizet(col)"), CompileError);
}

}  // namespace
}  // namespace lanewise
