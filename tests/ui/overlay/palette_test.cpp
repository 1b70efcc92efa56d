// The command palette, by keyboard alone; and the table of commands that it shares with the keys.
#include <gtest/gtest.h>

#include <set>

#include "../frames.h"
#include "ui/desk/commands.h"
#include "ui/desk/tools.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

class PaletteTest : public testing::Test {
  protected:
    PaletteTest() {
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        frames.answer();
        frames.frame(3);
    }
    void open() { frames.press(Key::p, true, true); }
    void ask(const std::string& words) {
        open();
        frames.type(words);
    }
    std::string first() const {
        return palette.hits.empty() ? "" : palette.all[palette.hits[0].command].id;
    }
    Frames frames;
    App& app = frames.app;
    CommandPalette& palette = app.tools->palette;
};

TEST_F(PaletteTest, OpensTypesAndDoes) {
    open();
    ASSERT_TRUE(palette.open);
    EXPECT_GT(palette.hits.size(), 80u);
    frames.type("shared mem");
    EXPECT_EQ("shared mem", palette.typed);
    EXPECT_EQ("view:banks", first());
    frames.press(Key::enter);
    EXPECT_FALSE(palette.open);
    EXPECT_EQ("banks", app.chosen().tab);
}

TEST_F(PaletteTest, LettersAreNotCommandsWhileItIsOpen) {
    ask("n");
    EXPECT_EQ("transpose/30_padded", app.stage().id);
    frames.press(Key::escape);
    EXPECT_FALSE(palette.open);
    frames.type('n');
    EXPECT_EQ("transpose/32_swizzled", app.stage().id);
}

// "Padded tiles" has these letters, too, and is a product.
TEST_F(PaletteTest, ATitleThatIsTypedWholeComesFirst) {
    ask("Padded tile");
    EXPECT_EQ("stage:transpose/30_padded", first());
    frames.press(Key::escape);
    ask("padded tiles");
    EXPECT_EQ("stage:matmul/22_padded_tiles", first());
}

TEST_F(PaletteTest, ArrowsChooseTheRow) {
    ask("pad");
    ASSERT_GE(palette.hits.size(), 3u);
    frames.press(Key::down);
    frames.press(Key::down);
    frames.press(Key::up);
    EXPECT_EQ(1, palette.selected);
    std::string chosen = palette.all[palette.hits[1].command].id;
    frames.press(Key::enter);
    ASSERT_EQ(1u, palette.lately.size());
    EXPECT_EQ(chosen, palette.lately[0]);
}

TEST_F(PaletteTest, SetsKnobsTypesThemesSizesAndShapes) {
    const struct {
        const char *typed, *id;
    } cases[] = {{"pad = 0", "knob:PAD=0"},
                 {"type f64", "type:f64"},
                 {"theme light", "theme:light"},
                 {"150 %", "size:150"},
                 {"swizzled tile", "stage:transpose/32_swizzled"},
                 {"33x65", "shape:typed"}};
    for (const auto& each : cases) {
        ask(each.typed);
        EXPECT_EQ(each.id, first()) << each.typed;
        frames.press(Key::enter);
    }
    EXPECT_EQ("light", look().theme);
    EXPECT_EQ(1.5f, look().scale);
    EXPECT_EQ(33, app.chosen().rows);
    EXPECT_EQ(65, app.chosen().cols);
    EXPECT_EQ("f64", app.chosen().type);
    EXPECT_EQ("transpose/32_swizzled", app.stage().id);
    ask("0x5");
    frames.press(Key::enter);
    EXPECT_EQ(33, app.chosen().rows);
    EXPECT_NE(std::string::npos, app.said.toast.text.find("65,536"));
}

TEST_F(PaletteTest, WhatCannotBeDoneSaysWhy) {
    ask("run on the gpu");
    EXPECT_EQ("run", first());
    frames.press(Key::enter);
    EXPECT_FALSE(app.wanted.measurement);
    EXPECT_EQ("There is no GPU in this test.", app.said.toast.text);
}

TEST_F(PaletteTest, OffersFirstWhatWasUsedLately) {
    ask("theme projector");
    frames.press(Key::enter);
    open();
    EXPECT_EQ("theme:projector", first());
}

TEST_F(PaletteTest, NothingFoundIsSaid) {
    ask("qqqq");
    EXPECT_TRUE(palette.hits.empty());
    EXPECT_TRUE(frames.says("Nothing is called that."));
    frames.press(Key::enter);
    EXPECT_TRUE(palette.open);
}

TEST_F(PaletteTest, ARowCanBeClicked) {
    ask("view speed");
    frames.press(Key::escape);
    ask("speed");
    ASSERT_EQ("view:speed", first());
    ASSERT_TRUE(frames.click("command:view:speed"));
    EXPECT_FALSE(palette.open);
    EXPECT_EQ("speed", app.chosen().tab);
}

TEST_F(PaletteTest, NothingIsCutAtAnySize) {
    for (float scale : {1.f, 2.f, 3.f}) {
        set_scale(scale);
        open();
        frames.frame(3);
        for (const char* theme : {"dark", "light", "projector"}) {
            set_theme(theme);
            frames.frame(2);
            for (const std::string& fault : text_faults(audit()))
                if (fault.find("lies over") == std::string::npos) ADD_FAILURE() << fault;
            for (const std::string& fault :
                 contrast_faults(audit(), *ImGui::GetDrawData(), look().pixels_per_point()))
                ADD_FAILURE() << theme << " at " << scale << ": " << fault;
        }
        frames.press(Key::escape);
    }
}

// ---- the table

TEST_F(PaletteTest, EveryCommandHasAnIdOfItsOwn) {
    std::set<std::string> ids;
    for (const Command& command : all_commands(app)) {
        EXPECT_FALSE(command.title.empty());
        EXPECT_FALSE(command.group.empty()) << command.title;
        if (!command.act) continue;
        EXPECT_TRUE(ids.insert(command.id).second) << command.id;
    }
}

TEST_F(PaletteTest, CommandsAreFoundByTheirId) {
    EXPECT_EQ("Next stage", find_command(app, "stage:next").title);
    try {
        find_command(app, "stage:nxt");
        ADD_FAILURE() << "found";
    } catch (const Error& error) {
        EXPECT_STREQ("no command \"stage:nxt\"; did you mean \"stage:next\"?", error.what());
    }
}

TEST_F(PaletteTest, TheSheetShowsEachKeyOnce) {
    std::set<std::string> keys, by_place;  // an arrow may mean another thing in another view
    for (const Command& command : all_commands(app)) {
        if (command.keys.empty()) continue;
        keys.insert(command.keys);
        EXPECT_TRUE(by_place.insert(command.group + command.keys).second) << command.keys;
    }
    for (const char* wanted : {"N", "R  F5", "Ctrl O", "Ctrl Shift P", "Tab  F6",
                               "Shift Tab  Shift F6", "1", "4", "?  F1", "Ctrl +", "Ctrl −"})
        EXPECT_TRUE(keys.contains(wanted)) << wanted;
    frames.press(Key::f1);
    frames.frame(2);
    EXPECT_TRUE(frames.says("Run on the GPU"));
    EXPECT_TRUE(frames.says("Shared memory"));
}

TEST_F(PaletteTest, DigitsGoToTheMiddleViewsInOrder) {
    char digit = '1';
    for (const View& view : views()) {
        if (view.place != Place::middle || digit > '9') continue;
        std::string before = app.chosen().tab;
        frames.type(digit++);
        bool shows = !view.problem || view.problem(app).empty();
        EXPECT_EQ(shows ? view.id : before, app.chosen().tab);
    }
}

}  // namespace
}  // namespace lanewise::ui
