// Which frames a browser need not draw: those that show what stands there already, and no other.
#include "ui/imgui/shown_frame.h"

#include <gtest/gtest.h>

#include "../frames.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/texture.h"

namespace lanewise::ui {
namespace {

constexpr unsigned kAtlas = 7;

// A page with a text, and whatever `more` draws.
template <typename Draw>
const ImDrawData& frame_with(const char* text, Draw more) {
    bake_fonts_unseen();
    set_atlas_texture(kAtlas);
    ImGui::GetIO().DisplaySize = ImVec2(640, 480);
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(10, 10));
    ImGui::SetNextWindowSize(ImVec2(400, 300));
    ImGui::Begin("page");
    ImGui::TextUnformatted(text);
    more();
    ImGui::End();
    ImGui::Render();
    return *ImGui::GetDrawData();
}
const ImDrawData& frame_with(const char* text) {
    return frame_with(text, [] {});
}

TEST(ShownFrame, IsTheOneThatWasDrawnLast) {
    Frames frames;  // for its context
    ShownFrame shown;
    frame_with("32 sectors");  // its window appears
    EXPECT_FALSE(shown.is(frame_with("32 sectors"), kAtlas));
    EXPECT_TRUE(shown.is(frame_with("32 sectors"), kAtlas));
    EXPECT_TRUE(shown.is(frame_with("32 sectors"), kAtlas));
    EXPECT_FALSE(shown.is(frame_with("31 sectors"), kAtlas));  // one letter
    EXPECT_FALSE(shown.is(frame_with("32 sectors"), kAtlas));
    EXPECT_TRUE(shown.is(frame_with("32 sectors"), kAtlas));
}

TEST(ShownFrame, IsAnotherWithAnyColourOrBox) {
    Frames frames;
    ShownFrame shown;
    auto box = [](float x, ImU32 color) {
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, 40), ImVec2(90, 60), color);
    };
    auto with = [&](float x, ImU32 color) -> const ImDrawData& {
        return frame_with("", [&] { box(x, color); });
    };
    frame_with("");
    EXPECT_FALSE(shown.is(with(50, IM_COL32(200, 0, 0, 255)), kAtlas));
    EXPECT_TRUE(shown.is(with(50, IM_COL32(200, 0, 0, 255)), kAtlas));
    EXPECT_FALSE(shown.is(with(50, IM_COL32(201, 0, 0, 255)), kAtlas));
    EXPECT_FALSE(shown.is(with(51, IM_COL32(201, 0, 0, 255)), kAtlas));
    set_theme("light");  // the ground behind everything
    EXPECT_FALSE(shown.is(with(51, IM_COL32(201, 0, 0, 255)), kAtlas));
}

TEST(ShownFrame, IsForgottenWithTheFontsTexture) {
    Frames frames;
    ShownFrame shown;
    frame_with("a");
    EXPECT_FALSE(shown.is(frame_with("a"), kAtlas));
    shown.forget();
    EXPECT_FALSE(shown.is(frame_with("a"), kAtlas));
    EXPECT_TRUE(shown.is(frame_with("a"), kAtlas));
}

// The audience's picture is a texture, whose pixels change while its triangles stay.
TEST(ShownFrame, IsNeverOneWithAnotherTexture) {
    Frames frames;
    ShownFrame shown;
    auto picture = []() -> const ImDrawData& {
        return frame_with("a", [] { draw_texture(kAtlas + 1, {20, 20, 80, 80}); });
    };
    picture();
    EXPECT_FALSE(shown.is(picture(), kAtlas));
    EXPECT_FALSE(shown.is(picture(), kAtlas));
}

// After a press everything settles at once, or within a frame.
TEST(ShownFrame, IsMostOfThoseThatSettle) {
    Frames frames;
    frames.frame(3);
    ShownFrame shown;
    const unsigned atlas = 0;  // nobody has uploaded it here
    int drawn = 0;
    for (int i = 0; i < 3; ++i) {
        frames.frame();
        drawn += !shown.is(*ImGui::GetDrawData(), atlas);
    }
    EXPECT_EQ(1, drawn);
}

}  // namespace
}  // namespace lanewise::ui
