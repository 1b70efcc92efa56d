// The buttons of the top bar: what a mouse finds, in every width.
#include <gtest/gtest.h>

#include "../frames.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

class TopBar : public testing::Test {
  protected:
    TopBar() {
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        frames.answer();
        frames.frame(3);
    }
    bool has(const std::string& id) const {
        return std::any_of(audit().widgets.begin(), audit().widgets.end(),
                           [&](const WidgetRecord& widget) { return widget.id == id; });
    }
    Frames frames;
    App& app = frames.app;
    Tools& tools = *app.tools;
};

TEST_F(TopBar, OpensWhatAlsoHasAKey) {
    ASSERT_TRUE(frames.click("bar:commands"));
    EXPECT_TRUE(tools.palette.open);
    frames.press(Key::escape);
    ASSERT_TRUE(frames.click("bar:history"));
    EXPECT_TRUE(tools.history.page_open);
    frames.press(Key::escape);
    ASSERT_TRUE(frames.click("bar:progress"));
    EXPECT_TRUE(tools.progress.open);
    frames.press(Key::escape);
    ASSERT_TRUE(frames.click("help"));
    EXPECT_TRUE(app.open.help);
    frames.press(Key::escape);
    ASSERT_TRUE(frames.click("bar:present"));
    EXPECT_TRUE(tools.presenter.on);
    stop_presenting(app);
}

TEST_F(TopBar, SaysItsKeysUnderThePointer) {
    const WidgetRecord* button = nullptr;
    for (const WidgetRecord& widget : audit().widgets)
        if (widget.id == "bar:commands") button = &widget;
    ASSERT_TRUE(button);
    send_pointer({(button->box.x0 + button->box.x1) / 2, (button->box.y0 + button->box.y1) / 2});
    frames.frame(3);
    EXPECT_TRUE(frames.says("Everything that the window can do  (Ctrl Shift P)"));
}

TEST_F(TopBar, KeepsTheCommandsInEveryWidth) {
    for (float scale : {1.f, 2.f, 3.f})
        for (int width : {1280, 1440, 2560, 3840}) {
            set_scale(scale);
            frames.resize(width, 720);
            frames.frame(4);
            for (const char* id : {"bar:commands", "help", "settings"})
                EXPECT_TRUE(has(id)) << id << " at " << width << " x " << scale;
            float end = 0;  // none over the one before it
            for (const WidgetRecord& widget : audit().widgets) {
                if (widget.box.y0 > 30 * scale || widget.id.starts_with("region:") ||
                    widget.id.starts_with("mode:") || widget.id.starts_with("stage:") ||
                    widget.id.starts_with("path:"))  // those have scrolled away below it
                    continue;
                EXPECT_GE(widget.box.x0, end) << widget.id << " at " << width << " x " << scale;
                end = widget.box.x1;
            }
            EXPECT_LE(end, static_cast<float>(width));
        }
    set_scale(1);
}

}  // namespace
}  // namespace lanewise::ui
