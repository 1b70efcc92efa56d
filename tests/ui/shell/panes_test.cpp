// The workbench's rail and panes: what each opens, the named layouts, splitters, what is remembered;
// and that a knob's change moves while nothing else does.
#include "ui/instrument/panes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "../frames.h"
#include "base/error.h"
#include "ui/desk/moving.h"
#include "ui/desk/tools.h"
#include "ui/path/predict_first.h"

namespace lanewise::ui {
namespace {

TEST(PaneWidths, GiveWayToTheMiddle) {
    Panes panes;
    PaneWidths wide = pane_widths(panes, 1500);
    EXPECT_FLOAT_EQ(345, wide.side);  // 23 %
    EXPECT_FLOAT_EQ(330, wide.setting);
    EXPECT_FLOAT_EQ(1500 - 345 - 330, wide.middle);
    panes.side_width = 900;
    panes.setting_width = 400;
    wide = pane_widths(panes, 1500);  // 440 for the middle: the right gives way first, to 220
    EXPECT_FLOAT_EQ(220, wide.setting);
    EXPECT_FLOAT_EQ(840, wide.side);
    EXPECT_FLOAT_EQ(440, wide.middle);
    panes.setting = false;
    EXPECT_FLOAT_EQ(600, pane_widths(panes, 1500).middle);
    panes.side.clear();
    EXPECT_FLOAT_EQ(1500, pane_widths(panes, 1500).middle);
    for (float width = 1000; width < 4000; width += 13) {
        panes.side = "files";
        panes.setting = true;
        PaneWidths each = pane_widths(panes, width);
        EXPECT_FLOAT_EQ(width, each.side + each.middle + each.setting);
        EXPECT_GE(each.middle, 0);
    }
}

class Workbench : public testing::Test {
  protected:
    void SetUp() override {
        frames.engine.unanswered.clear();  // paddings are asked for as well
        choose_shape(app, 64, 96);
        choose_stage(app, "30_padded");
        choose_knob(app, "PAD", 0);
        show();
    }
    void show() {
        frames.answer();
        frames.frame(4);
    }
    Panes& panes() { return app.saved.panes; }
    bool shows(const std::string& widget) const {
        return std::any_of(audit().widgets.begin(), audit().widgets.end(),
                           [&](const WidgetRecord& w) { return w.id == widget; });
    }
    Frames frames{1600, 1000};
    App& app = frames.app;
};

TEST_F(Workbench, TheRailOpensAndClosesTheSide) {
    EXPECT_TRUE(frames.says("COURSE"));
    ASSERT_TRUE(frames.click("rail:issues"));
    EXPECT_EQ("issues", panes().side);
    show();  // the causes are asked for where they are in sight
    EXPECT_TRUE(frames.says("32-way bank conflict"));
    EXPECT_FALSE(frames.says("COURSE"));
    // A fix that is known is tried with one click.
    EXPECT_TRUE(frames.says("Try PAD = 1"));
    ASSERT_TRUE(frames.click("fix:pad"));
    show();
    EXPECT_EQ(1, app.chosen().knobs.at("PAD"));
    EXPECT_FALSE(frames.says("bank conflict"));
    EXPECT_FALSE(frames.says("Try PAD"));
    ASSERT_TRUE(frames.click("rail:accesses"));
    EXPECT_TRUE(frames.says("ACCESSES OF THE WARP"));
    ASSERT_TRUE(frames.click("rail:accesses"));
    EXPECT_EQ("", panes().side);
    EXPECT_FALSE(frames.says("ACCESSES OF THE WARP"));
    ASSERT_TRUE(frames.click("rail:compare"));
    EXPECT_TRUE(app.open.compare);
    app.open.compare = false;
    frames.frame(2);
    ASSERT_TRUE(frames.click("rail:forge"));
    EXPECT_EQ("forge", app.chosen().tab);
}

TEST_F(Workbench, NamedLayoutsPutTheirPanesInPlace) {
    EXPECT_STREQ("teach", layout_now(app)->id);
    ASSERT_TRUE(frames.click("layout:analyse"));
    show();
    EXPECT_EQ("code", app.chosen().tab);
    EXPECT_TRUE(shows("splitter:beside"));
    EXPECT_TRUE(shows("splitter:below"));
    EXPECT_FALSE(shows("splitter:setting"));
    EXPECT_TRUE(frames.says("76 % of the ticks are wasted"));
    // The picture of the line that loses most, in the banks.
    ASSERT_TRUE(frames.click("line:" + std::to_string(app.arrived.analysis->issues.at(0).line)));
    show();
    EXPECT_EQ("banks", view_beside(app));
    EXPECT_TRUE(frames.says("32-way conflict"));
    EXPECT_EQ("code", app.chosen().tab);  // the pane beside has not become the chosen view
    ASSERT_TRUE(frames.click("close:timeline"));
    EXPECT_EQ("", panes().below);
    EXPECT_EQ(nullptr, layout_now(app));
    ASSERT_TRUE(frames.click("layout:teach"));
    EXPECT_EQ("access", app.chosen().tab);
    EXPECT_TRUE(shows("splitter:setting"));
    EXPECT_THROW(choose_layout(app, "analise"), Error);
}

// Whoever stands beside is never the view that is chosen already.
TEST_F(Workbench, NoViewStandsTwice) {
    choose_layout(app, "analyse");
    choose_view(app, "timeline");
    EXPECT_EQ("", view_below(app));
    choose_view(app, view_beside(app));
    EXPECT_EQ("", view_beside(app));
}

// A second window as the system would give one: with a context of its own and the same fonts.
struct SecondWindow {
    SecondWindow() {
        ImGui::SetCurrentContext(own);
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().DeltaTime = 0.016f;
        map_keys();
        ImGui::SetCurrentContext(first);
    }
    ~SecondWindow() { ImGui::DestroyContext(own); }
    // Its next frame, with this key going down in it.
    const Audit& frame(App& app, std::optional<Key> key = std::nullopt) {
        ImGui::SetCurrentContext(own);
        if (key) send_key(*key, true);
        const Audit* drawn = &build_apart_frame(app, 900, 600);
        if (key) send_key(*key, false);
        ImGui::SetCurrentContext(first);
        return *drawn;
    }
    bool says(const Audit& drawn, const std::string& words) const {
        return std::any_of(drawn.texts.begin(), drawn.texts.end(), [&](const TextRecord& t) {
            return t.text.find(words) != std::string::npos;
        });
    }
    ImGuiContext* first = ImGui::GetCurrentContext();
    ImGuiContext* own = ImGui::CreateContext(ImGui::GetIO().Fonts);
};

TEST_F(Workbench, APaneMovesToAWindowOfItsOwn) {
    choose_layout(app, "analyse");
    show();
    EXPECT_FALSE(shows("apart:timeline"));  // a page in a browser has one window
    EXPECT_EQ("", view_apart(app));
    app.tools->more_windows = true;
    frames.frame(2);
    ASSERT_TRUE(frames.click("apart:timeline"));
    EXPECT_EQ("timeline", view_apart(app));
    EXPECT_EQ("", view_below(app));
    EXPECT_FALSE(shows("splitter:below"));

    SecondWindow second;
    second.frame(app);
    EXPECT_TRUE(second.says(second.frame(app), "Timeline"));
    EXPECT_TRUE(second.says(second.frame(app), "64 × 96"));  // what is chosen, for a second screen
    EXPECT_FALSE(shows("pane:timeline"));
    EXPECT_TRUE(shows("rail:files"));  // the record of the first window is its own
    EXPECT_EQ("code", app.chosen().tab);

    // A key there means the view there; a view that it chooses is chosen in the first window.
    set_apart(app, "access");
    show();
    const uint32_t warp = app.chosen().warp;
    const int access = app.chosen().access[0], step = app.chosen().step;
    second.frame(app, Key::down);
    EXPECT_TRUE(access != app.chosen().access[0] || step != app.chosen().step);
    EXPECT_EQ(warp, app.chosen().warp);
    EXPECT_EQ("code", app.chosen().tab);

    set_apart(app, "");
    show();
    EXPECT_EQ("timeline", view_below(app));
    EXPECT_TRUE(shows("splitter:below"));
}

// Where an answer is hidden, it is in every window.
TEST_F(Workbench, AWindowOfItsOwnHidesTheAnswer) {
    app.tools->more_windows = true;
    set_apart(app, "banks");
    SecondWindow second;
    second.frame(app);
    EXPECT_TRUE(second.says(second.frame(app), "32-way"));
    app.learner.predicts_first = true;
    choose_mode(app, kLearn);
    choose_stage(app, "20_tiled");
    show();
    ASSERT_TRUE(answer_is_hidden(app));
    EXPECT_TRUE(second.says(second.frame(app), "It comes with your answer."));
    EXPECT_FALSE(second.says(second.frame(app), "32-way"));
}

TEST(KeptPanes, RememberTheWindowApart) {
    // A view of a newer program, or none: the pane is where it was.
    Frames frames(1600, 1000);
    App& app = frames.app;
    app.tools->more_windows = true;
    app.saved.panes.apart = "hologram";
    EXPECT_EQ("", view_apart(app));
    app.saved.panes.apart = "picture";
    EXPECT_NE("", view_apart(app));
}

TEST_F(Workbench, ASplitterIsDraggedAndRemembered) {
    Rect box{};
    for (const WidgetRecord& each : audit().widgets)
        if (each.id == "splitter:side") box = each.box;
    ASSERT_GT(box.y1, box.y0);
    const ImVec2 at((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2);
    send_pointer(at);
    frames.frame(2);
    send_button(true);
    frames.frame(2);
    send_pointer({at.x + 60, at.y});
    frames.frame(2);
    send_button(false);
    frames.frame(2);
    // 23 % of what the rail and two splitters leave of 1600, and 60 more.
    EXPECT_NEAR(0.23 * (1600 - 56 - 14) + 60, panes().side_width, 1.5);
}

// A knob moves each lane to its new bank, for a quarter of a second; the same setting drawn anew, or
// another moment, does not move.
TEST_F(Workbench, AKnobMovesThePicture) {
    choose_view(app, "banks");
    show();
    app.saved.reduce_motion = false;
    frames.frame(2);
    EXPECT_FALSE(figures_move(app));
    choose_lane(app, 3);
    frames.frame(2);
    EXPECT_FALSE(figures_move(app));
    choose_knob(app, "PAD", 1);
    frames.answer();
    frames.frame();
    EXPECT_TRUE(figures_move(app));
    frames.frame(30);  // of 16 ms
    EXPECT_FALSE(figures_move(app));
    step_life(app, 1);
    frames.frame(2);
    EXPECT_FALSE(figures_move(app));
    app.saved.reduce_motion = true;
    choose_knob(app, "PAD", 2);
    frames.answer();
    frames.frame();
    EXPECT_FALSE(figures_move(app));
}

}  // namespace
}  // namespace lanewise::ui
