// A window that comes to a screen of twice the density, as its system then doubles its pixels: the
// fonts are sharp, all keeps its proportions, and nothing that was typed, chosen or scrolled is
// lost.
#include "ui/look/density.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <malloc.h>

#include <cmath>
#include <map>

#include "../frames.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

class Density : public testing::Test {
  protected:
    Density() {
        choose_shape(app, 64, 64);
        choose_stage(app, "30_padded");
        frames.answer();
        frames.frame(4);
    }
    ~Density() override { look().density = 1; }
    void dense(float density) {
        frames.resize(static_cast<int>(1280 * density), static_cast<int>(720 * density));
        adopt_density(density);
        frames.frame(5);
    }
    // Those that occur once, and not within a paragraph, whose words wrap as they come.
    static std::map<std::string, Rect> placed() {
        std::map<std::string, int> count;
        for (const WidgetRecord& widget : audit().widgets) ++count[widget.id];
        std::map<std::string, Rect> boxes;
        for (const WidgetRecord& widget : audit().widgets)
            if (count[widget.id] == 1 && !widget.id.starts_with("link:"))
                boxes[widget.id] = widget.box;
        return boxes;
    }
    static ImGuiWindow* window(const std::string& name) {
        for (ImGuiWindow* each : ImGui::GetCurrentContext()->Windows)
            if (std::string(each->Name).find(name) != std::string::npos && each->WasActive)
                return each;
        return nullptr;
    }
    Frames frames{1280, 720};
    App& app = frames.app;
};

TEST_F(Density, FontsAreBakedAtTheirNewSize) {
    ASSERT_EQ(1, look().density);
    const Fonts& fonts = *look().fonts;
    std::map<int, float> before;
    for (Font kind : {Font::text, Font::bold, Font::mono})
        before[static_cast<int>(kind)] = fonts.pick(kind, 13).pixels;
    dense(2);
    for (Font kind : {Font::text, Font::bold, Font::mono}) {
        Fonts::Sized sized = fonts.pick(kind, 13);
        // Drawn pixel for pixel, not blown up: Dear ImGui's own size of the font is the one asked
        // for, twice what it was, but for the rounding of both.
        EXPECT_EQ(baked_pixels(sized.font), sized.pixels);
        EXPECT_NEAR(2 * before[static_cast<int>(kind)], sized.pixels, 1.5f);
    }
    EXPECT_FALSE(look().fonts_changed);
}

TEST_F(Density, TheLayoutKeepsItsProportions) {
    std::map<std::string, Rect> before = placed();
    ASSERT_GT(before.size(), 40u);
    dense(2);
    size_t found = 0;
    for (const auto& [id, box] : placed()) {
        auto old = before.find(id);
        if (old == before.end()) continue;
        ++found;
        if (id.starts_with("term:")) continue;  // words flow with their text
        const Rect &a = old->second, &b = box;
        // A word may be a pixel or two wider than twice its width, and the rows below move along.
        EXPECT_NEAR(2 * (a.x1 - a.x0), b.x1 - b.x0, 12) << id;
        EXPECT_NEAR(2 * a.x0, b.x0, 40) << id;
    }
    EXPECT_GT(found, before.size() * 9 / 10);
    for (const char* column : {"/course_", "/picture_", "/controls_"}) {
        ImGuiWindow* at = window(column);
        ASSERT_TRUE(at) << column;
    }
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

TEST_F(Density, WhatIsTypedChosenAndScrolledStays) {
    choose_lane(app, 5);
    open_editor(app);
    frames.frame(4);
    replace_source(app, app.editing.text + "// typed\n");
    settle_edit(app);
    frames.answer();
    frames.frame(4);
    std::string typed = app.editing.text;
    uint64_t revision = app.chosen().stage;
    std::map<std::string, float> scrolled;
    for (const char* name : {"/lesson_", "/controls_", "editor"}) {
        ImGuiWindow* at = window(name);
        ASSERT_TRUE(at) << name;
        ASSERT_GT(at->ScrollMax.y, 60) << name;
        at->Scroll.y = std::floor(at->ScrollMax.y / 2);
        scrolled[name] = at->Scroll.y;
    }
    frames.frame(2);
    for (float density : {2.f, 1.5f, 1.f}) {
        dense(density);
        for (auto [name, scroll] : scrolled)
            EXPECT_NEAR(scroll * density, window(name)->Scroll.y, 3) << name << " at " << density;
        EXPECT_EQ(typed, app.editing.text);
        EXPECT_TRUE(app.editing.on);
        EXPECT_EQ(5, app.chosen().lane);
        EXPECT_EQ(revision, app.chosen().stage);
    }
}

// The same by the user's own scale (Ctrl +), in a window that stays as it is.
TEST_F(Density, AnotherScaleKeepsThePlaceToo) {
    ImGuiWindow* lesson = window("/lesson_");
    ASSERT_TRUE(lesson);
    ASSERT_GT(lesson->ScrollMax.y, 100);
    lesson->Scroll.y = 100;
    frames.frame(2);
    set_scale(1.1f);  // still three columns
    frames.frame(5);
    EXPECT_NEAR(110, window("/lesson_")->Scroll.y, 3);
}

// Of what 40 changes need nothing is kept: one atlas at 200 % alone has some megabytes.
TEST_F(Density, TheOldAtlasIsFreed) {
    dense(2);
    dense(1);
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    int fonts = ImGui::GetIO().Fonts->Fonts.Size;
    for (int i = 0; i < 20; ++i) {
        dense(2);
        dense(1);
    }
    EXPECT_EQ(fonts, ImGui::GetIO().Fonts->Fonts.Size);
    size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    EXPECT_LT(after, before + (1u << 20));
}

}  // namespace
}  // namespace lanewise::ui
