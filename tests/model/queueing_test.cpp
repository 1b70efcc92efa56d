// Mean value analysis against networks that can be worked out by hand.
#include "model/queueing.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

// Nobody to wait for: 1 at the centre, 3 elsewhere.
TEST(MeanValueAnalysis, OneCustomerNeverWaits) {
    const Centre centres[] = {{1}, {3, 1, true}};
    Rounds rounds = mean_value_analysis(centres, 1);
    EXPECT_DOUBLE_EQ(4, rounds.time);
    EXPECT_DOUBLE_EQ(0.25, rounds.rate);
    EXPECT_DOUBLE_EQ(0.25, rounds.busy[0]);
    EXPECT_DOUBLE_EQ(0.75, rounds.busy[1]);
}

// The second customer finds 1/4 of one ahead of it: 1.25 at the centre, 4.25 a round.
TEST(MeanValueAnalysis, TheSecondWaitsForTheFirst) {
    const Centre centres[] = {{1}, {3, 1, true}};
    Rounds rounds = mean_value_analysis(centres, 2);
    EXPECT_DOUBLE_EQ(1.25, rounds.residence[0]);
    EXPECT_DOUBLE_EQ(3, rounds.residence[1]);
    EXPECT_DOUBLE_EQ(2 / 4.25, rounds.rate);
    EXPECT_DOUBLE_EQ(2 / 4.25, rounds.busy[0]);
}

// M balanced centres and N customers: rate = N / (service * (N + M - 1)).
TEST(MeanValueAnalysis, EqualsTheFormulaOfBalancedNetworks) {
    for (int customers : {1, 2, 5, 40}) {
        const Centre centres[] = {{0.5}, {0.5}, {0.5}};
        EXPECT_NEAR(customers / (0.5 * (customers + 2)),
                    mean_value_analysis(centres, customers).rate, 1e-12);
    }
}

// Two copies with service 1 are two centres of which each sees half of the rounds.
TEST(MeanValueAnalysis, SpreadsCustomersOverCopies) {
    const Centre together[] = {{1, 2}, {0.7, 1, true}};
    const Centre apart[] = {{0.5}, {0.5}, {0.7, 1, true}};
    for (int customers : {1, 2, 7}) {
        Rounds one = mean_value_analysis(together, customers);
        Rounds two = mean_value_analysis(apart, customers);
        EXPECT_NEAR(two.rate, one.rate, 1e-12);
        EXPECT_NEAR(two.busy[0], one.busy[0], 1e-12);
    }
}

// Many customers keep the slowest centre busy all the time.
TEST(MeanValueAnalysis, ComesToTheSlowestCentresRate) {
    const Centre centres[] = {{2}, {1}, {10, 1, true}};
    Rounds rounds = mean_value_analysis(centres, 200);
    EXPECT_NEAR(0.5, rounds.rate, 1e-9);
    EXPECT_NEAR(1, rounds.busy[0], 1e-9);
    EXPECT_NEAR(0.5, rounds.busy[1], 1e-9);
}

}  // namespace
}  // namespace lanewise
