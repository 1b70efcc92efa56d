// What a learner hands in for a stage: the source as it comes, as its lesson solves it, and each task
// in code as it begins and as it is solved. And the sixty shapes that may be on screen meanwhile.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../case_name.h"
#include "../shipped_stages.h"
#include "course/catalogue.h"
#include "course/gate_cases.h"
#include "course/lesson_lint.h"
#include "course/operation.h"
#include "lab/analysis/analysis.h"
#include "lab/grade/judgement.h"
#include "lab/job/needs.h"

namespace lanewise {

// `inner`: K of a product.
struct GateShape {
    int64_t rows, cols, inner;
};

// One element, rows, columns, around the widths of warps, tiles and sectors, tall and wide.
inline std::vector<GateShape> sixty_shapes() {
    std::vector<GateShape> shapes = {{1, 1, 1},      {1, 4096, 16},  {4096, 1, 16}, {256, 256, 64},
                                     {20, 30, 16},   {64, 1, 3},     {256, 32, 16}, {32, 32, 500},
                                     {1000, 50, 30}, {50, 1000, 30}, {33, 65, 97}};
    const int64_t sides[] = {1, 7, 16, 31, 32, 33, 64, 100};
    for (int64_t rows : sides)
        for (int64_t cols : sides)
            if (shapes.size() < 60 && (rows != 1 || cols != 1))
                shapes.push_back({rows, cols, (rows * 5 + cols) % 61 + 1});
    return shapes;
}

inline Job at_shape(Job job, const GateShape& shape) {
    job.rows = shape.rows;
    job.cols = shape.cols;
    job.inner = shape.inner;
    return job;
}

// By stage; skipped where this machine cannot interpret it.
class HandedIn : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        start_ = shipped_stages().find(GetParam());
        lesson_ = read_lesson(lesson_path(shipped_stages(), start_), start_.id);
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
    Job with_source(const std::string& source) const {
        Job job = start();
        job.stage = parse_stage(source, start_);
        return job;
    }
    Job solution() const {
        const Gate& gate = lesson_.gate;
        Job job = gate.solution.empty() ? start() : with_source(solved(lesson_, start_.source));
        job.knobs = knobs_at(start_, gate.solved_at);
        if (!gate.solved_at.type.empty()) job.type = gate.solved_at.type;
        return job;
    }
    Job begun(const WriteTask& write) const {
        return with_source(write_start(lesson_, write, start_.source));
    }
    Job written() const { return with_source(write_solution(lesson_, start_.source)); }
    GateTask task() const { return task_of(lesson_.gate, start_); }
    bool is_offered(const GateShape& shape) const {
        return !is_in_place(start_) || shape.rows == shape.cols;
    }

    Stage start_;
    Lesson lesson_;
};

inline std::string name_of_stage(const testing::TestParamInfo<std::string>& id) {
    return case_name(std::string(id.param));
}

}  // namespace lanewise
