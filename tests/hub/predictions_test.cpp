// Which predictions a class gets wrong: counted once a student, and without names.
#include "hub/predictions.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise {

TEST(Predictions, AStudentCountsOnceWithTheFirstAnswer) {
    Predictions class_;
    class_.note("ada", "transpose/30_padded", "32", false);
    class_.note("ada", "transpose/30_padded", "1", true);  // again, when it was shown
    class_.note("bert", "transpose/30_padded", "1", true);
    class_.note("cleo", "transpose/30_padded", "2", false);
    class_.note("dora", "transpose/30_padded", "32", false);
    const std::vector<PredictedStage> all = class_.all();
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ(4, all[0].answered);
    EXPECT_EQ(1, all[0].right);
    ASSERT_EQ(2u, all[0].wrong.size());
    EXPECT_EQ("32", all[0].wrong[0].choice);
    EXPECT_EQ(2, all[0].wrong[0].count);
    EXPECT_EQ("2", all[0].wrong[1].choice);
    EXPECT_EQ(1, all[0].wrong[1].count);
}

TEST(Predictions, TheOneThatMostGetWrongComesFirst) {
    Predictions class_;
    class_.note("ada", "a", "1", true);
    class_.note("ada", "b", "1", true);
    class_.note("bert", "b", "2", false);
    class_.note("ada", "c", "2", false);
    std::string order;
    for (const PredictedStage& stage : class_.all()) order += stage.stage;
    EXPECT_EQ("cba", order);
}

TEST(Predictions, AFloodFillsNoMemory) {
    Predictions class_;
    for (int i = 0; i < 2000; ++i) {
        class_.note("ada", "stage" + std::to_string(i), "1", false);
        class_.note("student" + std::to_string(i), "stage1", "choice" + std::to_string(i), false);
    }
    EXPECT_EQ(Predictions::kMostStages, class_.all().size());
    for (const PredictedStage& stage : class_.all())
        EXPECT_LE(stage.wrong.size(), Predictions::kMostChoices);
    EXPECT_THROW(class_.note("ada", "", "1", true), Error);
    EXPECT_THROW(class_.note("ada", "x", std::string(401, 'x'), true), Error);
}

}  // namespace lanewise
