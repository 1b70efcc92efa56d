// Every gate judges the source: each solution passes and is right at sixty shapes, each task in code
// needs what was cut out, and each gate names what it catches. That nothing passes as it comes is
// cheating_learner_test.cpp's.
#include "../needs.h"
#include "compile/compiler.h"
#include "handed_in.h"

namespace lanewise {
namespace {

using Gates = HandedIn;

TEST_P(Gates, ArePassedByTheirSolution) {
    if (!lesson_.gate.solution.empty()) NEEDS_NVRTC();
    Job job = solution();
    ASSERT_EQ("", job.stage.error);
    Judgement judgement = judge(job, task());
    EXPECT_TRUE(judgement.passed()) << judgement.sentence;
    EXPECT_EQ(judgement.cases, judgement.held) << "a case cannot be chosen";
}

// Tasks in code: what was cut out is needed in each case of more than one element where the task
// asks for anything, and with it back the task is passed.
TEST_P(Gates, HaveTasksInCodeThatTheirStartFailsAndTheirSolutionPasses) {
    if (lesson_.write.empty()) return;
    NEEDS_NVRTC();
    for (const WriteTask& write : lesson_.write) {
        SCOPED_TRACE(write.size);
        GateTask all = task_of(write.gate, start_);
        const Job job = begun(write);
        ASSERT_EQ("", job.stage.error);
        for (const GateCase& one : all.cases) {
            if (one.at.rows * one.at.cols == 1) continue;
            if (!write.gate.expect.empty() && one.expect.empty()) continue;
            GateTask alone = all;
            alone.cases = {one};
            EXPECT_FALSE(judge(job, alone).passed()) << one.at.rows << " x " << one.at.cols;
        }
        Judgement judgement = judge(written(), all);
        EXPECT_TRUE(judgement.passed()) << judgement.sentence;
        EXPECT_EQ(judgement.cases, judgement.held);
    }
}

void expect_right_at(const Job& job, const Gate& gate, const Stage& stage) {
    for (const GateShape& shape : sixty_shapes()) {
        if (is_in_place(stage) && shape.rows != shape.cols) continue;
        if (!is_of_shape(gate, stage, {shape.rows, shape.cols, shape.inner})) continue;
        Analysis analysis = analyse(at_shape(job, shape), 1);
        ASSERT_TRUE(analysis.correct && analysis.report.findings.empty())
            << shape.rows << " x " << shape.cols << " x " << shape.inner;
    }
}

// Not only where the gate looks.
TEST_P(Gates, HaveSolutionsThatAreRightAtSixtyShapes) {
    if (is_library_call(start_)) return;
    if (!lesson_.gate.solution.empty()) NEEDS_NVRTC();
    expect_right_at(solution(), lesson_.gate, start_);
    if (!lesson_.write.empty()) expect_right_at(written(), lesson_.write[0].gate, start_);
}

// Two of which one is the other's, or none, would say nothing of either.
TEST_P(Gates, NameWhatTheyCatch) {
    EXPECT_LE(20u, lesson_.gate.catches.size());
    EXPECT_TRUE(lesson_.gate.catches.ends_with("."));
}

INSTANTIATE_TEST_SUITE_P(Of, Gates, testing::ValuesIn(all_stage_ids()), name_of_stage);

}  // namespace
}  // namespace lanewise
