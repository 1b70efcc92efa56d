// Every gate judges the source: no stage or exercise passes as it comes, whatever shape is on
// screen; each solution passes, is right at sixty shapes, and each gate names what it catches.
#include <gtest/gtest.h>

#include <algorithm>

#include "../case_name.h"
#include "../needs.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "course/gate_cases.h"
#include "course/lesson_lint.h"
#include "course/operation.h"
#include "lab/analysis/analysis.h"
#include "lab/grade/judgement.h"
#include "lab/job/needs.h"

namespace lanewise {
namespace {

const Catalogue& catalogue() {
    static const Catalogue loaded = Catalogue::load(CONTENT_FOLDER);
    return loaded;
}

// Sixty shapes that a learner may have on screen: one element, rows, columns, around the widths of
// warps, tiles and sectors, tall and wide. `inner`: K of a product.
struct Shape {
    int64_t rows, cols, inner;
};
std::vector<Shape> sixty_shapes() {
    std::vector<Shape> shapes = {{1, 1, 1},      {1, 4096, 16},  {4096, 1, 16}, {256, 256, 64},
                                 {20, 30, 16},   {64, 1, 3},     {256, 32, 16}, {32, 32, 500},
                                 {1000, 50, 30}, {50, 1000, 30}, {33, 65, 97}};
    const int64_t sides[] = {1, 7, 16, 31, 32, 33, 64, 100};
    for (int64_t rows : sides)
        for (int64_t cols : sides)
            if (shapes.size() < 60 && (rows != 1 || cols != 1))
                shapes.push_back({rows, cols, (rows * 5 + cols) % 61 + 1});
    return shapes;
}

class Gates : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        start_ = catalogue().find(GetParam());
        lesson_ = read_lesson(lesson_path(catalogue(), start_), start_.id);
        if (is_library_call(start_)) return;
        if (std::string why = cannot_interpret(start_); !why.empty()) GTEST_SKIP() << why;
    }
    Job start() const {
        Job job;
        job.stage = start_;
        job.type = start_.types.front();
        job.arch = "sm_90";
        return job;
    }
    Job solution() const {
        Job job = start();
        const Gate& gate = lesson_.gate;
        if (!gate.solution.empty()) job.stage = parse_stage(solved(lesson_, start_.source), start_);
        job.knobs = knobs_at(start_, gate.solved_at);
        if (!gate.solved_at.type.empty()) job.type = gate.solved_at.type;
        return job;
    }
    GateTask task() const { return task_of(lesson_.gate, start_); }

    Stage start_;
    Lesson lesson_;
};

TEST_P(Gates, AreNotPassedByTheStartAtAnyShape) {
    Judgement judgement = judge(start(), task());
    EXPECT_FALSE(judgement.passed()) << "passed as it came";
    EXPECT_NE("", judgement.sentence);
    // Nor at another shape: where it is judged does not depend on what is on screen.
    std::vector<Shape> shapes = sixty_shapes();
    ASSERT_EQ(60u, shapes.size());
    for (const Shape& shape : shapes) {
        Job other = start();
        other.rows = shape.rows;
        other.cols = shape.cols;
        other.inner = shape.inner;
        other.batch = 3;
        for (const GateCase& one : task().cases) {
            Job here = job_at(start(), one), there = job_at(other, one);
            ASSERT_TRUE(here.rows == there.rows && here.cols == there.cols &&
                        here.inner == there.inner && here.batch == there.batch);
        }
    }
}

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
        Job job = start();
        job.stage = parse_stage(write_start(lesson_, write, start_.source), start_);
        ASSERT_EQ("", job.stage.error);
        EXPECT_FALSE(judge(job, all).passed());
        for (const GateCase& one : all.cases) {
            if (one.at.rows * one.at.cols == 1) continue;
            if (!write.gate.expect.empty() && one.expect.empty()) continue;
            GateTask alone = all;
            alone.cases = {one};
            EXPECT_FALSE(judge(job, alone).passed()) << one.at.rows << " x " << one.at.cols;
        }
        job.stage = parse_stage(write_solution(lesson_, start_.source), start_);
        Judgement judgement = judge(job, all);
        EXPECT_TRUE(judgement.passed()) << judgement.sentence;
        EXPECT_EQ(judgement.cases, judgement.held);
    }
}

// Not only where the gate looks.
TEST_P(Gates, HaveSolutionsThatAreRightAtSixtyShapes) {
    if (is_library_call(start_)) return;
    if (!lesson_.gate.solution.empty()) NEEDS_NVRTC();
    for (const Shape& shape : sixty_shapes()) {
        if (is_in_place(start_) && shape.rows != shape.cols) continue;
        if (!is_of_shape(lesson_.gate, start_, {shape.rows, shape.cols, shape.inner})) continue;
        Job job = solution();
        job.rows = shape.rows;
        job.cols = shape.cols;
        job.inner = shape.inner;
        Analysis analysis = analyse(job, 1);
        ASSERT_TRUE(analysis.correct && analysis.report.findings.empty())
            << shape.rows << " x " << shape.cols << " x " << shape.inner;
    }
}

// Two of which one is the other's, or none, would say nothing of either.
TEST_P(Gates, NameWhatTheyCatch) {
    EXPECT_LE(20u, lesson_.gate.catches.size());
    EXPECT_TRUE(lesson_.gate.catches.ends_with("."));
}

std::vector<std::string> stage_ids() {
    std::vector<std::string> ids;
    for (const Stage& stage : catalogue().stages()) ids.push_back(stage.id);
    return ids;
}
INSTANTIATE_TEST_SUITE_P(Of, Gates, testing::ValuesIn(stage_ids()),
                         [](const testing::TestParamInfo<std::string>& id) {
                             return case_name(std::string(id.param));
                         });

}  // namespace
}  // namespace lanewise
