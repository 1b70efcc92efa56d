#include <gtest/gtest.h>

#include "ui/shell/shell.h"

namespace lanewise::ui {
namespace {

constexpr Region kRegions[] = {Region::course, Region::picture, Region::controls};

TEST(Layout, WideWindowsShowThreeColumns) {
    for (Region focus : kRegions) {
        Layout layout = layout_for(1280, focus, Region::controls);
        EXPECT_GE(layout.course, 300);
        EXPECT_GE(layout.picture, 560);
        EXPECT_GE(layout.controls, 300);
    }
}

TEST(Layout, MiddlingOnesShowThePictureWithTheSideLastUsed) {
    Layout layout = layout_for(960, Region::picture, Region::course);
    EXPECT_GT(layout.course, 0);
    EXPECT_GT(layout.picture, 0);
    EXPECT_EQ(0, layout.controls);
    EXPECT_GT(layout_for(960, Region::picture, Region::controls).controls, 0);
    EXPECT_GT(layout_for(960, Region::controls, Region::course).controls, 0);
}

TEST(Layout, NarrowOnesShowOnlyWhereTheKeyboardIs) {
    EXPECT_EQ(640, layout_for(640, Region::course, Region::course).course);
    EXPECT_EQ(640, layout_for(640, Region::picture, Region::course).picture);
    EXPECT_EQ(640, layout_for(640, Region::controls, Region::course).controls);
}

TEST(Layout, ColumnsNeverAddUpToMoreThanTheWindow) {
    for (float width = 320; width < 4000; width += 7)
        for (Region focus : kRegions)
            for (Region side : {Region::course, Region::controls}) {
                Layout layout = layout_for(width, focus, side);
                EXPECT_FLOAT_EQ(width, layout.course + layout.picture + layout.controls);
            }
}

}  // namespace
}  // namespace lanewise::ui
