// The editor: what is typed becomes the stage, errors stand at their line, the gate is of what was
// typed, and nothing that was typed is lost.
#include "ui/code/editor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../../needs.h"
#include "../frames.h"
#include "base/files.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/look/look.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

TEST(EditorText, LinesAndBytes) {
    std::string text = "a\nbc\n\nd";
    EXPECT_EQ(1, line_at(text, 0));
    EXPECT_EQ(2, line_at(text, 2));
    EXPECT_EQ(4, line_at(text, 100));
    EXPECT_EQ(0u, begin_of_line(text, 1));
    EXPECT_EQ(2u, begin_of_line(text, 2));
    EXPECT_EQ(5u, begin_of_line(text, 3));
    EXPECT_EQ(text.size(), begin_of_line(text, 9));
}

TEST(EditorText, FindingBeginsAnewAtTheTop) {
    EXPECT_EQ(4u, find_from("tile tile", "il", 2) - 2);
    EXPECT_EQ(1u, find_from("tile tile", "il", 7));
    EXPECT_EQ(std::string::npos, find_from("tile", "x", 0));
    EXPECT_EQ(std::string::npos, find_from("tile", "", 0));
}

TEST(EditorText, ANewLineIsIndentedAsTheLastOne) {
    EXPECT_EQ(0u, indent_after("a\n", 1));
    EXPECT_EQ(4u, indent_after("    a\n", 5));
    EXPECT_EQ(6u, indent_after("x\n  for () {\n", 12));
    EXPECT_EQ(0u, indent_after("\n", 0));
}

class Editor : public testing::Test {
  protected:
    Editor() {
        choose_shape(frames.app, 64, 64);
        choose_stage(frames.app, "22_coarsened");
        frames.answer();
        open_editor(frames.app);
        frames.frame(4);
    }
    void replace(const std::string& what, const std::string& by) {
        std::string text = app.editing.text;
        size_t at = text.find(what);
        ASSERT_NE(std::string::npos, at) << what;
        replace_source(app, text.replace(at, what.size(), by));
    }
    void settle() {
        settle_edit(app);
        frames.answer();
        frames.frame(2);
    }
    Frames frames{1920, 1080};
    App& app = frames.app;
};

TEST_F(Editor, TypedCharactersArriveInTheText) {
    ASSERT_TRUE(frames.click("editor"));
    frames.press(Key::home, true);  // the begin of the text
    frames.type("//x");
    EXPECT_TRUE(app.editing.text.starts_with("//x/*---")) << app.editing.text.substr(0, 20);
    EXPECT_TRUE(app.editing.changed);
    frames.press(Key::z, true);
    frames.press(Key::z, true);
    frames.press(Key::z, true);
    EXPECT_EQ(original_source(app), app.editing.text);
}

TEST_F(Editor, EscapeLeavesTheTextAsTyped) {
    ASSERT_TRUE(frames.click("editor"));
    frames.press(Key::end, true);
    frames.type("// mine");
    frames.press(Key::escape);
    EXPECT_TRUE(app.editing.text.ends_with("// mine"));
    EXPECT_TRUE(app.editing.on);
    frames.press(Key::escape);
    EXPECT_FALSE(app.editing.on);
    EXPECT_TRUE(app.edited.has_value());
}

// The stage before padding gets one more column: 32 wavefronts a column read become 1.
TEST_F(Editor, WhatIsTypedIsCounted) {
    NEEDS_NVRTC();
    uint64_t before = app.arrived.analysis->report.totals.shared_load.wavefronts;
    EXPECT_EQ(32 * app.arrived.analysis->report.totals.shared_load.instructions, before);
    replace("tile[TILE][TILE]", "tile[TILE][TILE + 1]");
    EXPECT_EQ("transpose/22_coarsened", app.stage().id);  // not before it is settled
    settle();
    EXPECT_EQ("transpose/22_coarsened (edited)", app.stage().id);
    EXPECT_EQ("transpose/22_coarsened", app.course_id());
    ASSERT_TRUE(app.arrived.analysis);
    EXPECT_EQ(before / 32, app.arrived.analysis->report.totals.shared_load.wavefronts);
    EXPECT_TRUE(app.arrived.analysis->correct);
}

TEST_F(Editor, AnErrorStandsAtItsLineUntilItIsMended) {
    NEEDS_NVRTC();
    replace("__syncthreads();", "__syncthreds();");
    int line = line_at(app.editing.text, app.editing.text.find("__syncthreds"));
    settle();
    ASSERT_TRUE(app.arrived.diagnostics.contains(line)) << app.said.error;
    EXPECT_NE(std::string::npos, app.arrived.diagnostics[line].find("__syncthreds"));
    frames.frame();
    EXPECT_TRUE(frames.click("error:" + std::to_string(line)));
    replace("__syncthreds();", "__syncthreads();");
    settle();
    EXPECT_TRUE(app.arrived.diagnostics.empty());
    EXPECT_FALSE(app.edited.has_value());
}

// Nothing compiles without the stage's head, but the text that lacks it is still there to be
// mended.
TEST_F(Editor, ABrokenHeadIsMendedWhereItWasBroken) {
    replace_source(app, "x" + original_source(app));
    settle();
    EXPECT_TRUE(frames.says("This stage cannot be used"));
    ASSERT_TRUE(frames.click("editor"));
    frames.press(Key::home, true);
    frames.press(Key::remove);
    EXPECT_EQ(original_source(app), app.editing.text);
    settle();
    EXPECT_FALSE(frames.says("This stage cannot be used"));
    EXPECT_TRUE(app.arrived.picture);
}

TEST_F(Editor, ResetCanBeTakenBack) {
    replace("__syncthreads();", "");
    settle();
    std::string mine = app.editing.text;
    ASSERT_TRUE(frames.click("edit:reset"));
    EXPECT_EQ(original_source(app), app.editing.text);
    EXPECT_FALSE(app.edited.has_value());
    frames.answer();
    frames.frame(2);
    ASSERT_TRUE(frames.click("edit:reset"));
    EXPECT_EQ(mine, app.editing.text);
}

TEST_F(Editor, EachStageKeepsItsOwnVersion) {
    replace("__syncthreads();", "/* none */");
    std::string mine = app.editing.text;
    step_stage(app, 1);  // not even settled
    EXPECT_FALSE(app.edited.has_value());
    EXPECT_EQ(original_source(app), app.editing.text);
    step_stage(app, -1);
    EXPECT_EQ(mine, app.editing.text);
    EXPECT_TRUE(app.edited.has_value());
}

TEST_F(Editor, VersionsAreKeptAsFiles) {
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("lanewise-edits-" + std::to_string(::getpid()));
    read_edits(app, folder);
    replace("__syncthreads();", "/* none */");
    settle();
    std::filesystem::path file = folder / "transpose" / "22_coarsened.cu";
    EXPECT_EQ(app.editing.text, read_file(file));
    app.editing.texts.clear();
    read_edits(app, folder);
    EXPECT_EQ(app.editing.text, app.editing.texts["transpose/22_coarsened"]);
    reset_edit(app);
    EXPECT_FALSE(std::filesystem::exists(file));
    std::filesystem::remove_all(folder);
}

TEST_F(Editor, AFolderThatCannotBeWrittenIsSaidOnceAndNothingIsLost) {
    app.editing.folder = "/dev/null/stages";
    replace("__syncthreads();", "/* none */");
    settle_edit(app);
    replace("/* none */", "/* no */");
    settle_edit(app);
    EXPECT_EQ(1, std::count_if(app.said.notices.begin(), app.said.notices.end(),
                               [](const std::string& n) {
                                   return n.find("is not saved") != std::string::npos;
                               }));
    EXPECT_NE(std::string::npos, app.stage().source.find("/* no */"));
}

// Mending the exercise in the editor passes its gate, once judgement is asked for.
TEST_F(Editor, AnExerciseIsSolvedByTyping) {
    choose_stage(app, "106_missing_barrier");
    frames.answer();
    EXPECT_FALSE(app.derived.gate_passed.has_value());
    press_judge(app);
    frames.answer();
    ASSERT_TRUE(app.derived.gate_passed.has_value());
    EXPECT_FALSE(*app.derived.gate_passed);
    replace_source(app, solved(app.lesson(), app.stage().source));
    settle();
    EXPECT_FALSE(app.derived.gate_passed.has_value()) << "of what was there before";
    press_judge(app);
    frames.answer();
    ASSERT_TRUE(app.derived.gate_passed.has_value());
    EXPECT_TRUE(*app.derived.gate_passed) << app.learner.gate.judgement->sentence;
    EXPECT_TRUE(app.saved.progress["pitfalls/106_missing_barrier"].passed);
}

TEST_F(Editor, ChangesShowWhatDiffers) {
    replace("__syncthreads();", "/* none */");
    settle();
    ASSERT_TRUE(frames.click("edit:changes"));
    frames.frame(2);
    auto shown = [](const std::string& text) {
        return std::any_of(audit().texts.begin(), audit().texts.end(), [&](const TextRecord& t) {
            return t.text.find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(shown("/* none */"));
    EXPECT_TRUE(shown("__syncthreads();"));
}

TEST_F(Editor, TwentyThousandLinesStayUsable) {
    std::string text = app.editing.text;
    for (int i = 0; i < 20'000; ++i) text += "// line " + std::to_string(i) + "\n";
    replace_source(app, text);
    app.editing.go_to_line = 15'000;
    frames.frame(6);
    EXPECT_EQ(15'000, line_at(app.editing.text, app.editing.cursor));
}

// Letters beside the open text mean the text: they are no commands, and bring the keyboard there.
TEST_F(Editor, LettersBesideItAreNoCommands) {
    release_active_item();
    frames.frame(2);
    std::string stage = app.stage().id;
    const auto theme = look().theme;
    frames.type("int");
    EXPECT_EQ(stage, app.stage().id);
    EXPECT_EQ(theme, look().theme);
    EXPECT_EQ("code", app.chosen().tab);
    EXPECT_TRUE(app.editing.on);
    std::string before = app.editing.text;
    frames.type('x');  // there now
    EXPECT_EQ(before.size() + 1, app.editing.text.size());
}

// Not at the head, which says how a stage is launched.
TEST(EditorOpens, AtTheKernelAndNotAtTheHead) {
    Frames frames;
    App& app = frames.app;
    choose_shape(app, 64, 64);
    choose_stage(app, "80_register_tiles");
    open_editor(app);
    int line = app.editing.go_to_line;
    frames.frame(8);
    std::string text = app.editing.text;
    EXPECT_EQ(text.find("__global__"), text.rfind("__global__"));
    EXPECT_EQ(line_at(text, text.find("__global__")), line);
    EXPECT_FALSE(frames.says("/*---"));
}

}  // namespace
}  // namespace lanewise::ui
