#include "model/correction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lanewise {
namespace {

// Loads that no two launches share; what they take follows from the correction itself.
std::vector<LoadedRatio> launches_by(const Correction& correction, int count) {
    std::vector<LoadedRatio> launches;
    for (int n = 0; n < count; ++n) {
        LoadedRatio launch;
        for (size_t i = 0; i < launch.loads.size(); ++i)
            launch.loads[i] = static_cast<double>((n * (3 + 2 * i) + 7 * i) % 13) / 12;
        launch.ratio = correction.of(launch.loads);
        launches.push_back(launch);
    }
    return launches;
}

// exp(0.1 + 0.2 * 0.5 + 0.3 * 1) = exp(0.5).
TEST(Correction, GrowsWithWhatEachPartHasToDo) {
    const Correction correction{0.1, {0.2, 0, 0, 0.3, 0}};
    EXPECT_DOUBLE_EQ(std::exp(0.1), correction.of({}));
    EXPECT_DOUBLE_EQ(std::exp(0.5), correction.of({0.5, 1, 1, 1, 1}));
    EXPECT_DOUBLE_EQ(1, Correction{}.of({1, 1, 1, 1, 1}));
}

// Tensor cores count by how busy they are beside something else: exp(0.4 * 0.5 * 0.5), and not at all where they have
// nothing to wait for.
TEST(Correction, TensorCoresHinderOthersAndNotThemselves) {
    const Correction correction{0, {0, 0, 0, 0, 0, 0.4}};
    EXPECT_DOUBLE_EQ(std::exp(0.1), correction.of({0, 0, 0, 0, 0, 0.5}));
    EXPECT_DOUBLE_EQ(1, correction.of({0, 0, 0, 0, 0, 1}));
}

TEST(Correction, IsFoundAgainAndAFewFarOffDoNotBendIt) {
    const Correction was{0.05, {0.1, -0.05, 0, 0.2, 0.04}};
    std::vector<LoadedRatio> launches = launches_by(was, 60);
    for (size_t i = 0; i < launches.size(); i += 12) launches[i].ratio *= 3;
    const Correction found = correction_of(launches);
    EXPECT_NEAR(was.base, found.base, 0.01);
    for (size_t i = 0; i < was.weights.size(); ++i) EXPECT_NEAR(was.weights[i], found.weights[i], 0.015) << i;
}

TEST(Correction, IsNoneWhereFewLaunchesAreKnown) {
    const Correction was{0.3, {}};
    EXPECT_EQ(0, correction_of(launches_by(was, static_cast<int>(kEnoughForACorrection) - 1)).base);
    EXPECT_NEAR(0.3, correction_of(launches_by(was, static_cast<int>(kEnoughForACorrection))).base, 0.015);
}

// A part that none uses decides nothing, and stays without weight.
TEST(Correction, APartThatNobodyUsesHasNoWeight) {
    std::vector<LoadedRatio> launches = launches_by({0.1, {0.2, 0, 0, 0, 0}}, 60);
    for (LoadedRatio& launch : launches) launch.loads[4] = 0;
    EXPECT_NEAR(0, correction_of(launches).weights[4], 1e-9);
}

}  // namespace
}  // namespace lanewise
