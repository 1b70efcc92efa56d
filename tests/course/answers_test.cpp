// Lessons against the machine: the right choice is offered, of a scene's question too. Gates are
// gates_test.cpp's. Interprets small launches; needs the compiler.
#include <gtest/gtest.h>

#include <algorithm>

#include "../shipped_stages.h"
#include "course/lesson_lint.h"
#include "course/operation.h"
#include "course/query.h"
#include "course/scenes.h"
#include "lab/analysis/analysis.h"
#include "lab/job/needs.h"

namespace lanewise {
namespace {

// What every lesson is judged at. K of a product is as long as a side of C.
int64_t side_of(const Stage& stage) { return operation_of(stage).has_inner() ? 64 : 256; }
int64_t inner_of(const Stage& stage) { return inner_for(stage, side_of(stage)); }

Counts counts_of(const Stage& stage, const KnobValues& knobs, const std::string& type, int64_t rows,
                 int64_t cols) {
    if (is_library_call(stage)) return {};  // its lesson asks about shape and type alone
    Job job;
    job.stage = stage;
    job.knobs = knobs;
    job.type = type;
    job.rows = rows;
    job.cols = cols;
    job.inner = inner_of(stage);
    Analysis analysis = analyse(job);
    EXPECT_TRUE(analysis.correct) << stage.id;
    return analysis.report.totals;
}

class Answers : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (std::string why = cannot_interpret(stage()); !why.empty() && !is_library_call(stage()))
            GTEST_SKIP() << why;
        lesson_ = read_lesson(lesson_path(shipped_stages(), stage()), stage().id);
    }
    const Stage& stage() const { return shipped_stages().find(GetParam()); }
    Lesson lesson_;
};

// Each choice but the right one says why it is wrong.
void expect_explained(const Prediction& asked, size_t right) {
    EXPECT_EQ(asked.choices.size() - 1, asked.wrong.size());
    for (const Prediction::Wrong& wrong : asked.wrong)
        EXPECT_NE(asked.choices[right], wrong.choice) << wrong.because;
}

TEST_P(Answers, AreAmongTheChoices) {
    if (!asks_for_number(lesson_.predict)) {  // the lint has found the answer among them
        std::optional<size_t> right = right_choice(lesson_.predict, std::nullopt);
        ASSERT_TRUE(right);
        return expect_explained(lesson_.predict, *right);
    }
    int64_t side = side_of(stage());
    const std::string& type = stage().types.front();
    Counts totals = counts_of(stage(), default_knobs(stage()), type, side, side);
    std::string answer = answer_query(lesson_.predict.answer, totals, default_knobs(stage()), side,
                                      side, element_bytes(type), inner_of(stage()));
    const std::vector<std::string>& choices = lesson_.predict.choices;
    EXPECT_EQ(1, std::count(choices.begin(), choices.end(), answer)) << answer;
    expect_explained(
        lesson_.predict,
        static_cast<size_t>(std::find(choices.begin(), choices.end(), answer) - choices.begin()));
}

// The second form, at the setting that it names.
TEST_P(Answers, OfTheSecondFormAreAmongItsChoices) {
    const Prediction& again = lesson_.again;
    if (again.question.empty()) return;
    EXPECT_NE(lesson_.predict.question, again.question);
    const WantedSetting& at = lesson_.again_at;
    int64_t side = side_of(stage());
    int64_t rows = at.rows ? at.rows : side, cols = at.rows ? at.cols : side;
    const std::string& type = at.type.empty() ? stage().types.front() : at.type;
    KnobValues knobs = knobs_at(stage(), at);
    NameLookup names = counts_lookup(counts_of(stage(), knobs, type, rows, cols), knobs, rows, cols,
                                     element_bytes(type), inner_of(stage()));
    std::optional<double> counted;
    if (asks_for_number(again)) counted = query_value(again.answer, names);
    std::optional<size_t> right = right_choice(again, counted);
    ASSERT_TRUE(right) << counted.value_or(0);
    expect_explained(again, *right);
}

// A scene's question is about the scene's own setting.
TEST_P(Answers, AreAmongTheScenesChoices) {
    std::vector<Scene> scenes = read_scenes(lesson_path(shipped_stages(), stage()));
    for (const Scene& scene : scenes) {
        if (scene.poll.choices.empty() || !asks_for_number(scene.poll)) continue;
        int64_t side = side_of(stage());
        const SceneState& at = scene.state;
        const std::string& type = at.type.empty() ? stage().types.front() : at.type;
        int64_t rows = at.rows ? at.rows : side, cols = at.rows ? at.cols : side;
        KnobValues knobs = knobs_at(stage(), {.set = scene.set});
        NameLookup names = counts_lookup(counts_of(stage(), knobs, type, rows, cols), knobs, rows,
                                         cols, element_bytes(type), inner_of(stage()));
        double counted = query_value(scene.poll.answer, names);
        EXPECT_TRUE(right_choice(scene.poll, counted)) << scene.title << ": " << counted;
    }
}

std::vector<std::string> lesson_ids() {
    std::vector<std::string> ids;
    for (const Stage& stage : shipped_stages().stages())
        if (!is_exercise(stage)) ids.push_back(stage.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Lessons, Answers, testing::ValuesIn(lesson_ids()),
                         [](const testing::TestParamInfo<std::string>& id) {
                             std::string name = id.param;
                             std::replace(name.begin(), name.end(), '/', '_');
                             return name;
                         });

}  // namespace
}  // namespace lanewise
