// What a student's engines have used lately, and how far they give way for it.
#include "hub/heat.h"

#include <gtest/gtest.h>

namespace lanewise {

TEST(Heat, HalfOfItIsGoneAfterTheHalfLife) {
    Heat heat;
    EXPECT_EQ(0, heat.at(1000));
    heat.add(8, 1000);
    EXPECT_DOUBLE_EQ(8, heat.at(1000));
    EXPECT_DOUBLE_EQ(4, heat.at(1000 + Heat::kHalfLife_s));
    heat.add(1, 1000 + Heat::kHalfLife_s);
    EXPECT_DOUBLE_EQ(2.5, heat.at(1000 + 2 * Heat::kHalfLife_s));
    heat.add(-3, 1000 + 2 * Heat::kHalfLife_s);  // a process that ended takes nothing back
    EXPECT_DOUBLE_EQ(2.5, heat.at(1000 + 2 * Heat::kHalfLife_s));
}

TEST(Heat, WhoHasUsedMuchGivesWayUntilItHasRested) {
    Heat heat;
    heat.add(3, 0);
    EXPECT_EQ(0, heat.nice(3, 0));  // so much is free
    heat.add(1, 0);
    EXPECT_EQ(Heat::kWarm, heat.nice(3, 0));
    heat.add(9, 0);  // 13, more than four times 3
    EXPECT_EQ(Heat::kHot, heat.nice(3, 0));
    EXPECT_EQ(Heat::kWarm, heat.nice(3, 20));  // 6.5
    EXPECT_EQ(Heat::kWarm, heat.nice(3, 60));  // 1.625: not yet half of 3
    EXPECT_EQ(0, heat.nice(3, 80));            // 0.8125
    heat.add(2, 80);
    EXPECT_EQ(0, heat.nice(3, 80));  // and then it has its 3 again
}

TEST(Heat, ItsNextEngineWaits) {
    Heat heat;
    for (int start = 0; start < 6; ++start) heat.add(Heat::kStart_s, 0);
    EXPECT_EQ(0, heat.start_wait_s(3, 0));
    heat.add(2, 0);
    EXPECT_DOUBLE_EQ(2, heat.start_wait_s(3, 0));
    heat.add(100, 0);
    EXPECT_EQ(Heat::kLongestWait_s, heat.start_wait_s(3, 0));
    EXPECT_EQ(0, heat.start_wait_s(3, 200));
}

}  // namespace lanewise
