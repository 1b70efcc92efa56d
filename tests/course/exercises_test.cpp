// Exercises: their questions' answers, their scenes, their solutions' text. Whether a solution passes
// is gates_test.cpp's.
#include <gtest/gtest.h>

#include <algorithm>

#include "../shipped_stages.h"
#include "base/error.h"
#include "course/lesson_lint.h"
#include "course/operation.h"
#include "course/query.h"
#include "course/scenes.h"
#include "lab/analysis/analysis.h"

namespace lanewise {
namespace {

class Exercises : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        start_ = shipped_stages().find(GetParam());
        lesson_ = read_lesson(lesson_path(shipped_stages(), start_), start_.id);
    }
    Stage start_;
    Lesson lesson_;
};

TEST_P(Exercises, GiveThreeHints) { EXPECT_EQ(3u, lesson_.gate.hints.size()); }

// Each choice but the right one says why it is wrong.
void expect_offered_and_explained(const Prediction& asked, const std::string& right) {
    EXPECT_EQ(1, std::count(asked.choices.begin(), asked.choices.end(), right)) << right;
    EXPECT_EQ(asked.choices.size() - 1, asked.wrong.size());
    for (const Prediction::Wrong& wrong : asked.wrong) EXPECT_NE(right, wrong.choice);
}

TEST_P(Exercises, HaveTheRightAnswerAmongTheChoices) {
    for (const Prediction* asked : {&lesson_.predict, &lesson_.again})
        if (!asked->question.empty() && !asks_for_number(*asked))
            expect_offered_and_explained(*asked, asked->answer);
    if (!asks_for_number(lesson_.predict)) return;
    Job job;
    job.stage = start_;
    job.type = start_.types.front();
    job.rows = job.cols = 256;
    job.inner = 256;
    job.arch = "sm_90";
    std::string answer =
        answer_query(lesson_.predict.answer, analyse(job).report.totals, default_knobs(start_), 256,
                     256, element_bytes(job.type), inner_for(start_, job.inner));
    expect_offered_and_explained(lesson_.predict, answer);
}

// What a class is asked by a scene, at the scene's own size, as the window counts it there.
TEST_P(Exercises, HaveTheRightAnswersAmongTheirScenesChoices) {
    for (const Scene& scene : read_scenes(lesson_path(shipped_stages(), start_))) {
        if (scene.poll.choices.empty() || !asks_for_number(scene.poll)) continue;
        Job job;
        job.stage = start_;
        job.type = scene.state.type.empty() ? start_.types.front() : scene.state.type;
        job.rows = scene.state.rows ? scene.state.rows : 256;
        job.cols = scene.state.rows ? scene.state.cols : 256;
        job.inner = inner_for(start_, scene.state.rows ? scene.state.inner : 256);
        job.arch = "sm_90";
        Analysis analysis = analyse(job);
        NameLookup names =
            with_outcome(counts_lookup(analysis.report.totals, default_knobs(start_), job.rows,
                                       job.cols, element_bytes(job.type), job.inner),
                         analysis.mismatch.count, analysis.report.findings.size());
        double counted = query_value(scene.poll.answer, names);
        EXPECT_TRUE(right_choice(scene.poll, counted)) << scene.title << ": " << counted;
    }
}

// A map of a result that is right would show nothing where the words speak of a fault, and the
// other way round.
TEST_P(Exercises, HaveScenesWhosePictureIsThere) {
    for (const Scene& scene : read_scenes(lesson_path(shipped_stages(), start_))) {
        if (scene.reveal != "proof:correct") continue;
        Job job;
        job.stage = start_;
        job.type = start_.types.front();
        ASSERT_GT(scene.state.rows, 0) << scene.title;
        job.rows = scene.state.rows;
        job.cols = scene.state.cols;
        job.inner = scene.state.inner;
        job.arch = "sm_90";
        EXPECT_GT(analyse(job).mismatch.count, 0u) << scene.title;
    }
}

std::vector<std::string> exercise_ids() {
    std::vector<std::string> ids;
    for (const Stage& stage : shipped_stages().stages())
        if (is_exercise(stage)) ids.push_back(stage.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Pitfalls, Exercises, testing::ValuesIn(exercise_ids()),
                         [](const testing::TestParamInfo<std::string>& id) {
                             std::string name = id.param;
                             std::replace(name.begin(), name.end(), '/', '_');
                             return name;
                         });

TEST(Catalogue, PutsExercisesBehindAllRungs) {
    const std::vector<Stage>& stages = shipped_stages().stages();
    EXPECT_TRUE(std::is_partitioned(stages.begin(), stages.end(),
                                    [](const Stage& stage) { return !is_exercise(stage); }));
    EXPECT_FALSE(is_exercise(stages.front()));
    EXPECT_TRUE(is_exercise(stages.back()));
}

TEST(Solutions, ChangeTextThatIsThereOnce) {
    auto lesson = [](const std::string& find) {
        Lesson made;
        made.stage = "pitfalls/1";
        made.gate.solution = {{find, "x"}};
        return made;
    };
    EXPECT_EQ("a x c", solved(lesson("b"), "a b c"));
    EXPECT_THROW(solved(lesson("b"), "b b"), Error);
    EXPECT_THROW(solved(lesson("d"), "a b c"), Error);
}

}  // namespace
}  // namespace lanewise
