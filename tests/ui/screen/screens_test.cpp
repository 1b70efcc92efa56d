// Which screen a class gets.
#include "ui/screen/screens.h"

#include <gtest/gtest.h>

#include <vector>

namespace lanewise::ui {
namespace {

constexpr Screen kLaptop{0, 0, 1280, 800}, kProjector{1280, 0, 1920, 1080};

TEST(Screens, TheClassGetsTheOneThatTheTeacherIsNotOn) {
    const std::vector<Screen> both = {kLaptop, kProjector};
    EXPECT_EQ(1, screen_for_class(both, {100, 100, 900, 600}));
    EXPECT_EQ(0, screen_for_class(both, {1400, 100, 900, 600}));
    // Across both: 300 of 900 pixels on the laptop.
    EXPECT_EQ(0, screen_for_class(both, {980, 100, 900, 600}));
    EXPECT_EQ(1, screen_for_class(both, {780, 100, 900, 600}));  // 500 of 900
    // Where the system does not say, and where the window is on none.
    EXPECT_EQ(1, screen_for_class(both, {0, 0, 0, 0}));
    EXPECT_EQ(1, screen_for_class(both, {9000, 9000, 900, 600}));
}

TEST(Screens, OneAloneAndItsCopyAreTheTeachers) {
    EXPECT_EQ(-1, screen_for_class(std::vector<Screen>{}, {0, 0, 900, 600}));
    EXPECT_EQ(-1, screen_for_class(std::vector<Screen>{kLaptop}, {0, 0, 900, 600}));
    // A projector that shows what the laptop shows, at another size.
    const std::vector<Screen> copy = {kLaptop, {0, 0, 1920, 1080}};
    EXPECT_EQ(-1, screen_for_class(copy, {100, 100, 900, 600}));
    // And a third one beside.
    EXPECT_EQ(2, screen_for_class(std::vector<Screen>{kLaptop, {0, 0, 1024, 768}, kProjector},
                                  {0, 0, 900, 600}));
}

}  // namespace
}  // namespace lanewise::ui
