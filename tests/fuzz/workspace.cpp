// Any text as a workspace, as a history of runs and as a link: each is refused in a sentence, or
// read; and what was read is written and read again as the same.
#include "ui/desk/workspace.h"

#include "fuzz.h"

namespace lanewise {
void fuzz(std::string_view bytes) {
    std::string text(bytes);
    refusing([&] {
        ui::SharedState state = ui::parse_link(text);
        if (!(ui::parse_link(ui::link_of(state)) == state)) __builtin_trap();
    });
    refusing([&] { ui::parse_history(text); });
    refusing([&] {
        ui::Workspace workspace = ui::parse_workspace(text);
        std::string once = ui::workspace_text(workspace);
        if (ui::workspace_text(ui::parse_workspace(once)) != once) __builtin_trap();
    });
}

}  // namespace lanewise
