// What lies over the window: one thing at a time, and all around it dimmed.
#include <gtest/gtest.h>

#include "../frames.h"
#include "ui/desk/commands.h"
#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

size_t open_overlays(const App& app) {
    return size_t{app.open.help} + app.open.chooser.open + (app.open.settings != nullptr) +
           app.open.compare + app.tools->welcome.open + app.tools->progress.open +
           app.tools->history.page_open + app.tools->files.open + app.tools->palette.open +
           app.tools->words.page_open + app.tools->ending.open +
           (app.tools->words.pinned != nullptr);
}

TEST(Overlays, EachClosesTheOneBefore) {
    Frames frames;
    App& app = frames.app;
    const char* commands[] = {"help",    "settings", "compare", "progress", "history",
                              "welcome", "glossary", "palette", "open",     "help"};
    for (const char* id : commands) {
        act(app, find_command(app, id));
        frames.frame(3);
        EXPECT_EQ(1u, open_overlays(app)) << id;
    }
    EXPECT_TRUE(app.open.help);
    frames.press(Key::escape);
    frames.frame(2);
    EXPECT_EQ(0u, open_overlays(app));
}

// The pixels are the renderer's; that something is drawn over the whole window is seen here.
TEST(Overlays, DimWhatLiesBelow) {
    Frames frames;
    frames.frame(2);
    auto shades = [] {
        size_t found = 0;
        const ImDrawData& drawn = *ImGui::GetDrawData();
        for (int i = 0; i < drawn.CmdListsCount; ++i)
            for (const ImDrawVert& vertex : drawn.CmdLists[i]->VtxBuffer)
                found += vertex.col == IM_COL32(0, 0, 0, 110);
        return found;
    };
    EXPECT_EQ(0u, shades());
    frames.app.open.help = true;
    frames.frame(3);
    EXPECT_EQ(16u, shades()) << "four rectangles around the sheet";
}

}  // namespace
}  // namespace lanewise::ui
