// What a lesson says is still wrong, held to the model: its largest loss at the stage's default
// setting and the size at which the stage is timed, on the profile of the H200.
#include <gtest/gtest.h>

#include <algorithm>

#include "../case_name.h"
#include "../shipped_stages.h"
#include "course/catalogue.h"
#include "course/lesson_lint.h"
#include "course/operation.h"
#include "lab/analysis/prediction.h"
#include "lab/job/devices.h"
#include "lab/job/needs.h"

namespace lanewise {
namespace {

class StillWrong : public testing::TestWithParam<std::string> {
  protected:
    const Stage& stage() const { return shipped_stages().find(GetParam()); }
    Lesson lesson() const { return read_lesson(lesson_path(shipped_stages(), stage()), stage().id); }
};

TEST_P(StillWrong, NamesTheModelsLargestLoss) {
    const Lesson said = lesson();
    if (is_library_call(stage())) {  // of which there is no model
        EXPECT_EQ("", said.still_wrong_term);
        EXPECT_NE("", said.still_wrong_is);
        return;
    }
    if (std::string why = cannot_interpret(stage()); !why.empty()) GTEST_SKIP() << why;
    ASSERT_EQ(kModelledCard, device_in_use().name);
    const Operation::Size at = operation_of(stage()).sizes.timed_at;
    Job job;
    job.stage = stage();
    job.type = stage().types.front();
    job.knobs = default_knobs(stage());
    job.arch = "sm_90";
    job.rows = at.rows;
    job.cols = at.cols;
    job.inner = inner_for(stage(), at.inner);
    const std::string largest = largest_loss(predict(job));
    EXPECT_EQ(largest, said.still_wrong_term) << said.still_wrong;
    // Where the model has nothing to name, the sentence says of itself what it is.
    EXPECT_EQ(largest.empty(), !said.still_wrong_is.empty()) << said.still_wrong;
}

std::vector<std::string> rung_ids() {
    std::vector<std::string> ids;
    for (const Stage& stage : shipped_stages().stages())   // an exercise's sentence is of its fault
        if (is_rung(stage)) ids.push_back(stage.id);  // and a first step is timed by nobody
    return ids;
}
INSTANTIATE_TEST_SUITE_P(Of, StillWrong, testing::ValuesIn(rung_ids()),
                         [](const testing::TestParamInfo<std::string>& id) {
                             return case_name(std::string(id.param));
                         });

}  // namespace
}  // namespace lanewise
