// The code view's links between source, PTX and SASS, and the one selection that it shares with the
// other views: a source line, and the access that the line makes.
#include <algorithm>

#include "ui/state/app.h"

namespace lanewise::ui {

void link_code(App& app) {
    app.derived.code_of.clear();
    if (!app.arrived.picture) return;
    const CodeListing& code = app.arrived.picture->code;
    for (size_t i = 0; i < code.ptx.size(); ++i)
        if (int line = code.ptx[i].source_line) app.derived.code_of[line].ptx.push_back(i);
    for (size_t i = 0; i < code.sass.size(); ++i)
        if (int line = code.sass[i].source_line) app.derived.code_of[line].sass.push_back(i);
    for (const CodeNote& note : code.notes)
        if (note.source_line) app.derived.code_of[note.source_line].notes.push_back(note.text);
}

void choose_line(App& app, int line) {
    // A line's first access of each kind becomes the one that the other views show.
    for (Space space : {Space::shared, Space::global}) {
        const std::vector<AccessRow>& rows = app.derived.rows_of[space == Space::shared];
        auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const AccessRow& r) { return r.line == line; });
        if (row != rows.end()) choose_access(app, space, static_cast<int>(row - rows.begin()));
    }
    select(app, [&](Selection& now) { now.line = line; });
    ++app.revision;
}

void choose_instruction(App& app, int access, int line) {
    choose_line(app, line);
    for (Space space : {Space::shared, Space::global}) {
        const std::vector<AccessRow>& rows = app.derived.rows_of[space == Space::shared];
        auto row = std::find_if(rows.begin(), rows.end(), [&](const AccessRow& r) {
            return static_cast<int>(r.instruction) == access;
        });
        if (row != rows.end()) choose_access(app, space, static_cast<int>(row - rows.begin()));
    }
    select(app, [&](Selection& now) { now.line = line; });
}

void step_line(App& app, int by) {
    if (app.derived.code_of.empty()) return;
    auto at = app.derived.code_of.lower_bound(highlighted_line(app));
    if (by > 0) {
        if (at != app.derived.code_of.end() && at->first == highlighted_line(app)) ++at;
        if (at == app.derived.code_of.end()) --at;
    } else if (at != app.derived.code_of.begin()) {
        --at;
    }
    choose_line(app, at->first);
}

void choose_end_line(App& app, bool last) {
    if (app.derived.code_of.empty()) return;
    choose_line(app,
                last ? app.derived.code_of.rbegin()->first : app.derived.code_of.begin()->first);
}

int chosen_instruction(const App& app, int line) {
    for (Space space : {Space::global, Space::shared}) {
        int row = chosen_row(app, space);
        if (row < 0) continue;
        const AccessRow& access =
            app.derived.rows_of[space == Space::shared][static_cast<size_t>(row)];
        if (access.line == line) return static_cast<int>(access.instruction);
    }
    return -1;
}

}  // namespace lanewise::ui
