// The picture has most of the window's height in Learn, whatever the window's size and the scale.
#include <gtest/gtest.h>

#include <algorithm>

#include "../frames.h"
#include "ui/look/look.h"

namespace lanewise::ui {
namespace {

struct Window {
    int width, height;
    float scale, share;  // of the height that the picture has at least
};
constexpr Window kWindows[] = {{1280, 720, 1, 0.55f},  {1280, 720, 1.5f, 0.55f},
                               {1280, 720, 2, 0.55f},  {1600, 1000, 3, 0.45f},
                               {3840, 2160, 1, 0.55f}, {3840, 2160, 2, 0.55f}};

// What can be seen of the largest figure, as a share of the window's height.
float seen(const Window& window) {
    const WidgetRecord* main = nullptr;
    for (const WidgetRecord& each : audit().figures)
        if (!main || area_of(each.box) > area_of(main->box)) main = &each;
    return main ? (main->box.y1 - main->box.y0) / static_cast<float>(window.height) : 0;
}

TEST(Heights, ThePictureHasMostOfTheWindowInLearn) {
    Frames frames;
    choose_shape(frames.app, 128, 128);
    choose_stage(frames.app, "30_padded");
    choose_mode(frames.app, kLearn);
    for (const char* view : {"access", "banks", "timeline", "bytes", "machine"}) {
        choose_view(frames.app, view);
        for (const Window& window : kWindows) {
            frames.resize(window.width, window.height);
            set_scale(window.scale);
            frames.answer();
            frames.frame(4);
            EXPECT_GE(seen(window), window.share) << view << " at " << window.width << "x"
                                                  << window.height << ", scale " << window.scale;
        }
    }
    set_scale(1);
}

// A large workbench is not left empty: the picture grows, and the access's code stands below it.
TEST(Heights, ThePictureGrowsOnALargeWorkbench) {
    Frames frames(3840, 2160);
    choose_shape(frames.app, 128, 128);
    choose_stage(frames.app, "30_padded");
    choose_mode(frames.app, kWorkbench);
    set_scale(1);
    for (const char* view : {"access", "banks"}) {
        choose_view(frames.app, view);
        frames.answer();
        frames.frame(4);
        EXPECT_GE(seen({3840, 2160, 1, 0}), 0.5f) << view;
        if (view == std::string("access")) {
            EXPECT_TRUE(frames.says("WHAT IT BECOMES"));
        }
    }
}

}  // namespace
}  // namespace lanewise::ui
