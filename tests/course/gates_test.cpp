// Every gate judges the source: no stage or exercise passes as it comes, whatever shape is on
// screen; each solution passes, is right at sixty shapes, and each gate names what it catches.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

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

// Gates that one chip passes, and why that is enough there. A new one has to be argued for here.
const std::map<std::string, std::string>& passed_by_one_chip() {
    static const std::map<std::string, std::string> reasons = {
        {"zero/03_grid_block_warp", "one block of five passes: the index has to be worked out"},
        {"zero/06_banks", "of the strides above 16 one passes: it asks which, and why"},
        {"transpose/00_copy",
         "a first step: which width still fills sectors of halves is what it asks"},
        {"transpose/10_naive", "one width of four passes: two conditions pull it apart"},
        {"transpose/20_tiled", "one width of three passes: conflicts and sectors pull it apart"},
        {"transpose/22_coarsened",
         "it shows that fewer threads lose no sector; Write it has the code"},
        {"transpose/32_swizzled", "it shows that the padding's exception is none here"},
        {"transpose/50_diagonal", "it asks for a counterexample, and only a conflict is one"},
        {"transpose/70_shuffle", "one type of four passes: it asks for bytes of a run"},
        {"transpose/80_register_tiles",
         "its idea is the type alone: bytes move in whole vectors, too"},
        {"transpose/86_in_place", "its idea is the type alone: bytes fill sectors, too"},
        {"transpose/88_any_shape", "one length of three passes, and a hidden odd shape judges it"},
        {"transpose/90_cublas", "a library's call has no source and no counts"},
        {"transpose/92_cute_naive", "it has two settings, of which one is the fault"},
        {"transpose/93_cute_shared",
         "it has two settings, and asks on which side the conflict goes"},
        {"matmul/10_naive_product", "one width passes: sectors of A and of B pull it apart"},
        {"matmul/12_columns_first", "one width passes: it asks which lanes share a row"},
        {"matmul/31_vectors", "one depth passes: it asks which one its padding suits"},
        {"matmul/32_double_buffered", "one depth passes: it asks how many stages are in flight"},
        {"matmul/90_cublas_product", "a library's call has no source and no counts"},
        {"matmul/92_cutlass_simt", "it has one knob, and its source is CUTLASS's"},
        {"matmul/96_cusparse_product",
         "a library's call: it asks for a sum of bytes, and not for the first chip"},
        {"reduction/00_interleaved", "one size passes: it asks for a ratio"},
        {"reduction/10_packed_threads", "one size passes: it asks where conflicts come from"},
        {"reduction/20_sequential", "one size passes: it asks for a ratio"},
        {"reduction/30_first_add", "one depth passes: it asks for a ratio"},
        {"reduction/40_shuffle", "one depth passes: it asks for a ratio"},
        {"reduction/60_atomics", "one size passes: it asks for a ratio"},
        {"reduction/90_cub", "one size passes, and its source is CUB's"},
    };
    return reasons;
}

// Whoever presses one chip after the other until the gate gives way has understood nothing.
TEST_P(Gates, AreNotPassedByOneChip) {
    std::vector<std::pair<std::string, Job>> chips;
    for (const Knob& knob : start_.knobs)
        for (int64_t choice : knob.choices) {
            Job job = start();
            job.knobs = default_knobs(start_);
            if (job.knobs[knob.name] == choice) continue;
            job.knobs[knob.name] = choice;
            if (knob_problem(start_, job.knobs, job.type).empty())
                chips.emplace_back(knob.name + "=" + std::to_string(choice), job);
        }
    for (size_t i = 1; i < start_.types.size(); ++i) {
        Job job = start();
        job.type = start_.types[i];
        if (knob_problem(start_, default_knobs(start_), job.type).empty())
            chips.emplace_back(job.type, job);
    }
    std::string passing;
    for (const auto& [name, job] : chips)
        if (judge(job, task()).passed()) passing += " " + name;
    EXPECT_EQ(passed_by_one_chip().contains(start_.id), !passing.empty()) << passing;
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
