#include "ui/desk/share.h"

#include <gtest/gtest.h>

#include "../../needs.h"
#include "../frames.h"
#include "base/files.h"
#include "base/hash.h"
#include "ui/desk/tools.h"
#include "ui/launch/charts.h"
#include "ui/launch/zoom.h"

namespace lanewise::ui {
namespace {

std::string refusal(const std::string& link) {
    try {
        parse_link(link);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "not refused";
}

// With the right check, whatever stands before it.
std::string checked(const std::string& link) {
    return link + "&check=" + hex(hash(link)).substr(8);
}

SharedState some_state() {
    SharedState state;
    state.stage = "transpose/30_padded";
    state.knobs = {{"PAD", 0}, {"ROWS", 8}, {"TILE", 16}};
    state.type = "f64";
    state.rows = 1000;
    state.cols = 50;
    state.block = 17;
    state.warp = 3;
    state.lane = 5;
    state.access[0] = 2;
    state.access[1] = 7;
    state.view = "banks";
    return state;
}

TEST(Link, SaysWhatIsChosenInPlainWords) {
    std::string link = link_of(some_state());
    EXPECT_TRUE(
        link.starts_with("lanewise://1/transpose/30_padded?PAD=0&ROWS=8&TILE=16&type=f64"
                         "&size=1000x50&block=17&warp=3&lane=5&global=2&shared=7"
                         "&view=banks&check="))
        << link;
    EXPECT_TRUE(parse_link(link) == some_state());
}

TEST(Link, HoldsWhereOneLooks) {
    SharedState state = some_state();
    state.step = 9;
    state.zoom = "lane";
    state.beside = {"PAD=1", "transpose/32_swizzled"};
    state.tab = "charts:sizes";
    state.view = "counts";
    state.window = {1250, 9000, 0, 5000};
    EXPECT_TRUE(parse_link(link_of(state)) == state) << link_of(state);
    // Of a link from before there was any of this.
    SharedState old = parse_link(checked("lanewise://1/transpose/30_padded?PAD=0&view=banks"));
    EXPECT_EQ(-1, old.step);
    EXPECT_EQ("", old.zoom);
    EXPECT_TRUE(old.beside.empty());
    EXPECT_EQ(kWholeChart, old.window);
    for (const char* window : {"1,2", "5,1,0,9", "a,b,c,d"}) {
        std::string link = std::string("lanewise://1/transpose/30_padded?window=") + window;
        EXPECT_NE(std::string::npos, refusal(checked(link)).find("window")) << window;
    }
}

TEST(Link, HoldsAnOwnKernelsFormWhateverIsInIt) {
    SharedState state;
    state.file = "/home/me/100 % done & dusted/turn.cu";
    state.form = {"turn<float, 32>",
                  "8,32",
                  "32,8",
                  "1024",
                  {"f32[64]", "i32:-3", "{f32[8],{i32:1,f32:2.5}}"},
                  "/inc:/más",
                  "FAST N=4",
                  "filter=f32[25]=0.04",
                  "2,1,1"};
    EXPECT_TRUE(parse_link(link_of(state)) == state) << link_of(state);
}

TEST(Link, HoldsWhatIsTypedInTheForge) {
    SharedState state = some_state();
    for (const char* typed :
         {"col ^ row", "(col + row) % TILE", "a & b = 1%2F #?/", "<\"'>&check=0"}) {
        state.swizzle = typed;
        state.swizzle_pad = 3;
        EXPECT_TRUE(parse_link(link_of(state)) == state) << link_of(state);
    }
    // Cut within it, it is refused as any other link.
    std::string link = link_of(state);
    size_t within = link.find("swizzle=") + 12;
    EXPECT_NE(std::string::npos, refusal(link.substr(0, within)).find("cut or changed"));
    // A link from before there was any, and what nobody can type.
    auto parsed = [](const std::string& field) {
        return parse_link(checked("lanewise://1/transpose/30_padded?view=forge" + field));
    };
    EXPECT_EQ("", parsed("").swizzle);
    EXPECT_EQ("col?? row?", parsed("&swizzle=col%00%0A%20row%C3").swizzle);
    EXPECT_EQ(kLongestSwizzle + 1, parsed("&swizzle=" + std::string(5000, 'x')).swizzle.size());
    for (const char* pad : {"-1", "33", "x", "1e3"})
        EXPECT_NE(
            std::string::npos,
            refusal(checked(std::string("lanewise://1/transpose/30_padded?swizzle_pad=") + pad))
                .find("swizzle_pad"));
    // Of a kernel of one's own there is no forge.
    EXPECT_EQ("", parse_link(checked("lanewise://1/file?path=/a.cu&swizzle=col")).swizzle);
}

TEST(Link, SurvivesMailProgramsAndQuotes) {
    std::string link = link_of(some_state());
    EXPECT_TRUE(parse_link("\"" + link + "\" ") == some_state());
    EXPECT_TRUE(parse_link(link.substr(0, 40) + "\r\n  " + link.substr(40)) == some_state());
}

TEST(Link, CutAnywhereIsRefusedInOneSentence) {
    std::string link = link_of(some_state());
    for (size_t length = std::string(kLinkBegins).size(); length < link.size(); ++length)
        EXPECT_EQ("This link was cut or changed; copy it again, all of it.",
                  refusal(link.substr(0, length)));
    EXPECT_NE(std::string::npos, refusal("http://x").find("begins with lanewise://"));
    std::string changed = link;
    changed.replace(changed.find("PAD=0"), 5, "PAD=1");
    EXPECT_NE(std::string::npos, refusal(changed).find("cut or changed"));
}

TEST(Link, ANewerOneIsNamedAsThat) {
    EXPECT_EQ("This link needs a newer Lanewise.",
              refusal("lanewise://2/anything that is not known yet"));
}

TEST(Link, ValuesThatMakeNoSenseAreRefused) {
    for (const char* field : {"size=0x4", "size=4", "size=4x99999", "lane=32", "warp=-1", "block=x",
                              "PAD=many", "view=%4", "view=%zz"})
        EXPECT_NE("not refused",
                  refusal(checked(std::string("lanewise://1/transpose/30_padded?") + field)))
            << field;
    // What a later program of this version adds is left out.
    EXPECT_EQ("transpose/30_padded",
              parse_link(checked("lanewise://1/transpose/30_padded?mood=good&view=code")).stage);
    EXPECT_NE("not refused", refusal(checked("lanewise://1/file?view=code")));
}

class Sharing : public testing::Test {
  protected:
    Sharing() {
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        app.tools->undo = {};
        frames.answer();
        frames.frame(2);
    }
    Frames frames;
    App& app = frames.app;
};

TEST_F(Sharing, RestoresTheWholeState) {
    SharedState state = some_state();
    restore(app, state);
    frames.answer();
    frames.frame(2);
    EXPECT_EQ("", app.said.error);
    EXPECT_TRUE(shared_state(app) == state) << link_of(shared_state(app));
    EXPECT_EQ(17u, app.arrived.picture->block.block);
    EXPECT_EQ("banks", app.chosen().tab);
    // A block that this shape does not have: the last one. 1000 x 50 in tiles of 16 is 4 x 63.
    state.block = 4000;
    restore(app, state);
    EXPECT_EQ(251u, app.chosen().block);
}

TEST_F(Sharing, RestoresWhereOneLooked) {
    choose_view(app, "charts:sizes");
    charts(app).windows["sizes"] = {0.25, 0.5, 0, 1};
    choose_view(app, "access");
    compare_with(app, 0, {CompareWith::Kind::knob, "PAD", 3});
    compare_with(app, 1, {CompareWith::Kind::stage, "transpose/32_swizzled"});
    frames.answer();
    choose_lane(app, 7);
    choose_zoom(app, Zoom::lane);
    choose_step(app, 3);
    SharedState looked = shared_state(app);
    EXPECT_EQ((std::vector<std::string>{"PAD=3", "transpose/32_swizzled"}), looked.beside);
    // Elsewhere meanwhile; then back, by way of text.
    choose_stage(app, "10_naive");
    choose_zoom(app, Zoom::grid);
    compare_with(app, 0, {});
    compare_with(app, 1, {});
    restore(app, parse_link(link_of(looked)));
    frames.answer();
    frames.frame(2);
    EXPECT_TRUE(shared_state(app) == looked) << link_of(shared_state(app));
    EXPECT_EQ(Zoom::lane, app.chosen().zoom);
    EXPECT_EQ(3, shown_step(app));
    EXPECT_EQ(3, app.beside[0].knobs.at("PAD"));
    EXPECT_TRUE(app.beside[1].wanted);
    // A chart as closely as it was looked at, with another view's name beside it.
    choose_view(app, "charts:sizes");
    choose_view(app, "counts");
    SharedState chart = shared_state(app);
    EXPECT_EQ("charts:sizes", chart.tab);
    EXPECT_EQ("counts", chart.view);
    reset_chart(app);
    choose_view(app, "access");
    restore(app, parse_link(link_of(chart)));
    EXPECT_EQ("charts", app.chosen().tab);
    EXPECT_EQ((PlotWindow{0.25, 0.5, 0, 1}), charts(app).windows["sizes"]);
    // And the same in a workspace.
    Workspace workspace;
    workspace.state = looked;
    EXPECT_TRUE(parse_workspace(workspace_text(workspace)).state == looked);
}

TEST_F(Sharing, RestoresTheForge) {
    NEEDS_NVRTC();
    auto answer = [&] {
        frames.answer();
        frames.frame(2);
    };
    choose_stage(app, "22_coarsened");
    choose_swizzle(app, {"col ^ (row >> 1)", 0});
    answer();
    SharedState forged = shared_state(app);
    EXPECT_EQ("col ^ (row >> 1)", forged.swizzle);
    choose_swizzle(app, {"col", 2});
    EXPECT_EQ("", shared_state(app).swizzle);
    EXPECT_EQ(2, shared_state(app).swizzle_pad);
    choose_view(app, "access");
    restore(app, parse_link(link_of(forged)));
    answer();
    EXPECT_EQ((SwizzleTrial{"col ^ (row >> 1)", 0}), app.tools->forge.trial);
    ASSERT_TRUE(app.tools->forge.result);
    EXPECT_EQ((SwizzleTrial{"col ^ (row >> 1)", 0}), app.tools->forge.result->trial);
    EXPECT_TRUE(shared_state(app) == forged) << link_of(shared_state(app));
    // In a workspace too, and whatever stands there is text with the forge's own error.
    Workspace workspace;
    workspace.state = forged;
    workspace.state.swizzle = "col; } int evil() { return 0";
    restore(app, parse_workspace(workspace_text(workspace)).state);
    answer();
    EXPECT_EQ("", app.said.error);
    ASSERT_TRUE(app.tools->forge.result);
    EXPECT_EQ("Type one expression of C, without statements or comments",
              app.tools->forge.result->problem);
    EXPECT_TRUE(frames.says("Type one expression of C, without statements or comments"));
    // A link that is about something else leaves what is typed.
    restore(app, some_state());
    EXPECT_EQ("col; } int evil() { return 0", app.tools->forge.trial.expression);
}

TEST_F(Sharing, WhatCannotBeShownChangesNothing) {
    SharedState before = shared_state(app);
    for (auto spoil :
         {+[](SharedState& s) { s.stage = "transpose/31_never"; },
          +[](SharedState& s) { s.knobs["PAD"] = 99; },
          +[](SharedState& s) { s.knobs["HEIGHT"] = 1; }, +[](SharedState& s) { s.type = "f8"; },
          +[](SharedState& s) { s.view = "cinema"; }, +[](SharedState& s) { s.tab = "cinema"; },
          +[](SharedState& s) { s.zoom = "byte"; },
          +[](SharedState& s) { s.beside = {"31_never"}; },
          +[](SharedState& s) { s.beside = {"PAD=x"}; },
          +[](SharedState& s) {
              s.stage.clear();
              s.file = "/never/there.cu";
          }}) {
        SharedState state = some_state();
        spoil(state);
        EXPECT_THROW(restore(app, state), Error);
        EXPECT_TRUE(shared_state(app) == before);
        EXPECT_EQ("", app.said.error);
    }
}

TEST_F(Sharing, CopiesByKeyAndOpensFromThePalette) {
    restore(app, some_state());
    frames.answer();
    frames.frame(2);
    frames.type('l');
    std::string link = ImGui::GetClipboardText();
    EXPECT_EQ(link, link_of(some_state()));
    EXPECT_NE(std::string::npos, app.said.toast.text.find("Link copied"));
    choose_stage(app, "00_copy");
    frames.answer();
    frames.press(Key::p, true, true);
    frames.frame();  // from 1.90 on a text box has its shortcuts a frame after the keyboard
    frames.press(Key::v, true);  // pasted
    EXPECT_EQ(link, app.tools->palette.typed);
    ASSERT_EQ(1u, app.tools->palette.hits.size());
    frames.press(Key::enter);
    EXPECT_TRUE(shared_state(app) == some_state());
    // A cut one says so, and does nothing.
    frames.answer();
    app.tools->palette.typed = link.substr(0, 60);
    palette_typed(app);
    EXPECT_EQ("This link was cut or changed; copy it again, all of it.",
              app.tools->palette.all[0].title);
    accept_palette(app, 0);
    EXPECT_TRUE(shared_state(app) == some_state());
}

TEST_F(Sharing, SettingInWordsNamesWhatIsNotTheDefault) {
    choose_knob(app, "PAD", 0);
    EXPECT_EQ("Padded tile, PAD = 0, 128 × 128 f32", setting_in_words(app));
}

// ---- undo

TEST_F(Sharing, UndoGoesBackStepByStepAndForwardAgain) {
    EXPECT_NE("", cannot_undo(app));
    ASSERT_TRUE(frames.click("knob:PAD=0"));
    frames.answer();
    frames.frame(2);
    ASSERT_TRUE(frames.click("type:f64"));
    choose_shape(app, 33, 65);
    frames.press(Key::z, true);
    EXPECT_EQ(128, app.chosen().rows);
    EXPECT_EQ("f64", app.chosen().type);
    frames.press(Key::z, true);
    EXPECT_EQ("f32", app.chosen().type);
    frames.press(Key::z, true);
    EXPECT_EQ(1, app.chosen().knobs.at("PAD"));
    EXPECT_EQ("Back to Padded tile, 128 × 128 f32", app.said.toast.text);
    frames.press(Key::z, true);  // nothing left
    EXPECT_EQ(1, app.chosen().knobs.at("PAD"));
    frames.press(Key::y, true);
    EXPECT_EQ(0, app.chosen().knobs.at("PAD"));
    frames.press(Key::z, true, true);
    EXPECT_EQ("f64", app.chosen().type);
    // A change of its own ends what could be done again.
    frames.answer();
    choose_knob(app, "PAD", 2);
    EXPECT_NE("", cannot_redo(app));
}

TEST_F(Sharing, UndoOfAnotherStagesKnobGoesThere) {
    choose_knob(app, "PAD", 0);
    choose_stage(app, "20_tiled");
    undo_setting(app);
    EXPECT_EQ("transpose/30_padded", app.stage().id);
    EXPECT_EQ(1, app.chosen().knobs.at("PAD"));
}

}  // namespace
}  // namespace lanewise::ui
