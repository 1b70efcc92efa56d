// The code view: source, PTX and SASS linked by line, and one selection with the other views.
#include <gtest/gtest.h>

#include <algorithm>

#include "frames.h"

namespace lanewise::ui {
namespace {

class CodeView : public testing::Test {
  protected:
    CodeView() {
        choose_shape(frames.app, 128, 128);
        choose_stage(frames.app, "30_padded");
        frames.answer();
        choose_view(frames.app, "code");
        frames.frame(3);
    }
    // The source's line that holds this text.
    int line_with(const std::string& text) const {
        for (size_t i = 0; i < app.derived.source.lines.size(); ++i)
            if (app.derived.source.lines[i].find(text) != std::string::npos)
                return static_cast<int>(i) + 1;
        return 0;
    }
    bool shows(const std::string& widget) const {
        return std::any_of(audit().widgets.begin(), audit().widgets.end(),
                           [&](const WidgetRecord& w) { return w.id == widget; });
    }
    Frames frames{1920, 1080};
    App& app = frames.app;
};

TEST_F(CodeView, LinksALineToItsPtxAndItsSass) {
    int store = line_with("tile[threadIdx.x][");
    ASSERT_GT(store, 0);
    const LineCode& code = app.derived.code_of.at(store);
    // Four rows of the tile a thread: four loads from it and four stores to global memory.
    std::vector<std::string> opcodes;
    for (size_t i : code.sass) {
        const SassRow& row = app.arrived.picture->code.sass[i];
        EXPECT_EQ(store, row.source_line);
        if (row.predicate != "@!PT") opcodes.push_back(row.opcode);
    }
    EXPECT_EQ(4, std::count(opcodes.begin(), opcodes.end(), "LDS"));
    EXPECT_EQ(4, std::count(opcodes.begin(), opcodes.end(), "STG"));
    int accesses = 0;
    for (size_t i : code.ptx) accesses += app.arrived.picture->code.ptx[i].access >= 0;
    EXPECT_EQ(8, accesses);
    EXPECT_TRUE(code.notes.empty());
}

// In a narrow pane the time and one column of costs are left, and in a very narrow one that column, so
// that the code has the room; wide ones have three.
TEST_F(CodeView, TheCodeHasTheRoomInANarrowWindow) {
    auto code_begins = [&] {
        for (const TextRecord& text : audit().texts)
            if (text.text.find("__global__") == 0) return text.extent.x0;
        return -1.f;
    };
    EXPECT_TRUE(frames.says("% time"));
    frames.resize(1280, 720);
    frames.frame(4);
    EXPECT_TRUE(frames.says("% time"));
    EXPECT_TRUE(frames.says("cost / ideal"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
    set_scale(3);
    frames.frame(4);
    choose_line(app, line_with("tile[threadIdx.x]["));
    frames.frame(4);
    EXPECT_FALSE(frames.says("% time"));
    EXPECT_TRUE(frames.says("cost / ideal"));
    choose_line(app, line_with("__global__"));
    app.sight.source.shown_line = 0;
    frames.frame(4);
    // 14 points of padding, 78 and 30 of margins, and 12.
    EXPECT_GT(code_begins(), 0);
    EXPECT_LT(code_begins(), 3 * (14 + 78 + 30 + 12 + 2));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

// The head stands as one line, and is opened and closed by a click on it.
TEST_F(CodeView, TheHeadOfAStageIsFolded) {
    EXPECT_EQ(1, app.derived.source.head_first);
    EXPECT_EQ(line_with("---*/"), app.derived.source.head_last);
    EXPECT_FALSE(frames.says("[knob.PAD]"));
    ASSERT_TRUE(frames.click("head:fold"));
    EXPECT_TRUE(frames.says("[knob.PAD]"));
    ASSERT_TRUE(frames.click("head:fold"));
    EXPECT_FALSE(frames.says("[knob.PAD]"));
    Stage headless;
    headless.source = "__global__ void f() {}\n/*---\n---*/\n";
    EXPECT_EQ(0, SourceText(headless).head_last);
}

// Bars in the margin: the dearest line's is whole, and its part that is needed says what is in vain.
TEST_F(CodeView, CostsAreBarsAsLongAsWhatTheLinePays) {
    int load = line_with("= in["), store = line_with("tile[threadIdx.x][");
    const LineNote& a = app.derived.line_notes.at(load);
    EXPECT_FLOAT_EQ(1, a.cost[0].of_dearest);  // as many sectors are read as are written
    EXPECT_FLOAT_EQ(1, a.cost[0].ideal_of_dearest);
    EXPECT_GT(a.time, 0);
    choose_knob(app, "PAD", 0);
    frames.answer();
    // Each warp stores a row with one wavefront, and reads a column with 32 where one would do.
    const LineNote& read = app.derived.line_notes.at(store);
    EXPECT_FLOAT_EQ(1, read.cost[1].of_dearest);
    EXPECT_FLOAT_EQ(1.f / 32, read.cost[1].ideal_of_dearest);
    EXPECT_FLOAT_EQ(1.f / 32, app.derived.line_notes.at(load).cost[1].of_dearest);
    EXPECT_GT(read.time, app.derived.line_notes.at(load).time);
    EXPECT_LE(read.time + app.derived.line_notes.at(load).time, 1.0001f);
}

TEST_F(CodeView, AChosenLineIsTheOtherViewsAccess) {
    int load = line_with("= in["), store = line_with("tile[threadIdx.x][");
    ASSERT_TRUE(frames.click("line:" + std::to_string(load)));
    EXPECT_EQ(load, highlighted_line(app));
    EXPECT_EQ(load,
              app.derived.rows_of[0][static_cast<size_t>(chosen_row(app, Space::global))].line);
    EXPECT_EQ(load,
              app.derived.rows_of[1][static_cast<size_t>(chosen_row(app, Space::shared))].line);
    // And the reverse: an access chosen in the microscope moves the line.
    choose_view(app, "access");
    choose_access(app, Space::global, 1 << 30);
    choose_view(app, "code");
    EXPECT_EQ(store, highlighted_line(app));
}

TEST_F(CodeView, PtxAndSassChooseTheirLine) {
    int load = line_with("= in[");
    const LineCode code = app.derived.code_of.at(load);
    choose_line(app, line_with("tile[threadIdx.x]["));
    frames.frame(2);
    choose_line(app, load);
    frames.frame(3);
    const SassRow sass = app.arrived.picture->code.sass[code.sass.front()];
    char id[32];
    std::snprintf(id, sizeof id, "sass:%x", sass.address);
    choose_end_line(app, true);
    app.sight.source.shown_sass_for = app.chosen().line;  // keep the list where it is
    frames.frame();
    ASSERT_TRUE(frames.click(id));
    EXPECT_EQ(load, app.chosen().line);
    // The operation's own access, not just the line's first.
    int chosen = chosen_instruction(app, load);
    auto ptx =
        std::find_if(app.arrived.picture->code.ptx.begin(), app.arrived.picture->code.ptx.end(),
                     [&](const PtxRow& row) { return row.line == sass.ptx_line; });
    EXPECT_TRUE(ptx->access == chosen ||
                app.arrived.picture->report.instructions[static_cast<size_t>(ptx->access)].space ==
                    Space::shared);
    frames.frame();
    ASSERT_TRUE(frames.click("ptx:" + std::to_string(ptx->line)));
    EXPECT_EQ(load, app.chosen().line);
}

TEST_F(CodeView, HoveringMarksTheLineEverywhere) {
    int load = line_with("= in[");
    for (const WidgetRecord& widget : audit().widgets)
        if (widget.id == "line:" + std::to_string(load))
            send_pointer({widget.box.x0 + 20, widget.box.y0 + 4});
    frames.frame(3);
    EXPECT_EQ(load, app.sight.hovered_line);
    send_pointer({1, 1});
    frames.frame(3);
    EXPECT_EQ(0, app.sight.hovered_line);
}

TEST_F(CodeView, ArrowsMoveOverTheLinesThatBecameCode) {
    frames.press(Key::home);
    EXPECT_EQ(app.derived.code_of.begin()->first, app.chosen().line);
    frames.press(Key::up);
    EXPECT_EQ(app.derived.code_of.begin()->first, app.chosen().line);
    frames.press(Key::down);
    EXPECT_EQ(std::next(app.derived.code_of.begin())->first, app.chosen().line);
    frames.press(Key::end);
    EXPECT_EQ(app.derived.code_of.rbegin()->first, app.chosen().line);
    frames.press(Key::down);
    EXPECT_EQ(app.derived.code_of.rbegin()->first, app.chosen().line);
}

TEST_F(CodeView, SmallWindowsShowTwoRowsOrOnePane) {
    EXPECT_TRUE(shows("ptx:" + std::to_string(app.arrived.picture->code.ptx.front().line)) ||
                app.sight.source.shown_ptx_for > 0);
    frames.resize(1280, 720);
    frames.frame(3);
    EXPECT_FALSE(shows("pane:ptx"));  // no tabs: two rows
    frames.resize(900, 420);
    frames.frame(3);
    ASSERT_TRUE(shows("pane:sass"));
    ASSERT_TRUE(frames.click("pane:sass"));
    EXPECT_EQ(2, app.open.code_pane);
    char id[32];
    std::snprintf(id, sizeof id, "sass:%x", app.arrived.picture->code.sass.front().address);
    EXPECT_TRUE(shows(id));
}

TEST_F(CodeView, TheMicroscopeShowsTheAccessesCode) {
    frames.resize(1920, 1080);
    choose_view(app, "access");
    frames.frame(3);
    EXPECT_TRUE(shows("to code"));
    ASSERT_TRUE(frames.click("to code"));
    EXPECT_EQ("code", app.chosen().tab);
    send_pointer({1, 1});  // no tooltip
    frames.resize(1280, 720);
    choose_view(app, "access");
    frames.frame(3);
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

}  // namespace
}  // namespace lanewise::ui
