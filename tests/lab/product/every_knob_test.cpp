// Every stage, for every element type and every offered combination of knobs, interpreted,
// verified and searched for faults at awkward shapes. One test per stage and type, which ctest
// spreads over cores.
#include <gtest/gtest.h>

#include "../../shipped_stages.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/job/needs.h"
#include "lab/product/product.h"
#include "stage_and_type.h"

namespace lanewise {

namespace {

std::vector<StageAndType> kernels_and_types() {
    std::vector<StageAndType> all;
    const Catalogue& catalogue = shipped_stages();
    for (const Stage& stage : catalogue.stages()) {
        if (is_exercise(stage)) continue;  // wrong on purpose; tests/course/exercises_test.cpp
        if (is_library_call(stage)) continue;  // it has no kernel that could be interpreted
        // A malformed one stays in, so that its test fails and names it.
        if (stage.types.empty()) all.push_back({stage, "malformed"});
        for (const std::string& type : stage.types) all.push_back({stage, type});
    }
    return all;
}

std::string text_of(const KnobValues& knobs) {
    std::string text;
    for (const auto& [name, value] : knobs) text += name + "=" + std::to_string(value) + " ";
    return text;
}

struct Shape {
    int64_t rows, cols, inner = 0;  // inner: K of a product
};

// One element; one row and one column of many blocks, whole in any vectors; and ragged edges in both directions, of
// less than a tile and of several. Larger ones, at the defaults: below, and in record/golden_test.cpp.
std::vector<Shape> shapes_of(const Stage& stage) {
    if (is_product(stage)) return {{1, 1, 1}, {32, 32, 32}, {33, 65, 97}};
    if (is_in_place(stage)) return {{1, 1}, {33, 33}, {130, 130}, {255, 255}};
    return {{1, 1}, {1, 1024}, {1024, 1}, {33, 65}, {200, 50}};
}

Job job_of(const Stage& stage, const KnobValues& knobs, const std::string& type, Shape shape) {
    Job job{stage, knobs, type, {shape.rows, shape.cols}, "sm_90"};
    job.inner = shape.inner;
    return job;
}

void expect_correct(const Job& job) {
    Analysis analysis = analyse(job, 1);
    ASSERT_TRUE(analysis.correct) << text_of(job.knobs) << job.batch << " x " << job.rows << " x "
                                  << job.cols << ": " << analysis.mismatch.count
                                  << " wrong, first at row " << analysis.mismatch.row << ", column "
                                  << analysis.mismatch.col;
    ASSERT_TRUE(analysis.report.findings.empty())
        << text_of(job.knobs) << job.rows << " x " << job.cols << ": "
        << analysis.report.findings[0].kind << ", " << analysis.report.findings[0].message;
    // Every one of them was searched for races and uninitialized reads.
    ASSERT_EQ(analysis.launch.grid.count(), analysis.report.checked_blocks) << job.rows;
}

}  // namespace

class EveryKnob : public testing::TestWithParam<StageAndType> {};

TEST_P(EveryKnob, IsCorrectAtAwkwardShapes) {
    const auto& [stage, type] = GetParam();
    ASSERT_EQ("", stage.error);
    if (!cannot_interpret(stage).empty()) GTEST_SKIP() << cannot_interpret(stage);
    auto combinations = knob_combinations(stage, type);
    ASSERT_FALSE(combinations.empty());
    for (const KnobValues& knobs : combinations)
        for (Shape shape : shapes_of(stage))
            ASSERT_NO_FATAL_FAILURE(expect_correct(job_of(stage, knobs, type, shape)));
}

// Once at the defaults: rows longer than a grid is wide, and several matrices at a time.
TEST_P(EveryKnob, IsCorrectWithLongRowsAndInABatch) {
    const auto& [stage, type] = GetParam();
    ASSERT_EQ("", stage.error);
    if (!cannot_interpret(stage).empty()) GTEST_SKIP() << cannot_interpret(stage);
    if (is_product(stage)) {  // and all that their article measures but the largest
        for (Shape shape : {Shape{5, 300, 1000}, {1000, 50, 200}, {3, 2, 0}})
            ASSERT_NO_FATAL_FAILURE(expect_correct(job_of(stage, {}, type, shape)));
    } else if (!is_in_place(stage)) {
        // The first steps have small blocks, and only so many are searched whole.
        const int64_t cols = is_first_step(stage) ? 2051 : 4099;
        ASSERT_NO_FATAL_FAILURE(expect_correct(Job{stage, {}, type, {97, cols}, "sm_90"}));
    }
    if (!takes_batch(stage)) return;
    int64_t rows = 50, cols = is_in_place(stage) ? 50 : 30;
    ASSERT_NO_FATAL_FAILURE(expect_correct(Job{stage, {}, type, {rows, cols, kNoInner, 3}, "sm_90"}));
}

INSTANTIATE_TEST_SUITE_P(Stages, EveryKnob, testing::ValuesIn(kernels_and_types()), stage_and_type_name);

}  // namespace lanewise
