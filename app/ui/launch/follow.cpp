#include "ui/launch/follow.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "course/named_access.h"
#include "ui/launch/mismatch.h"

namespace lanewise::ui {

// Lessons quote source text, never a line's number.
static void point_at_quote(App& app, const std::string& quote) {
    const std::string& source = app.stage().source;
    size_t at = source.find(quote);
    if (at == std::string::npos) return;
    auto end = source.begin() + static_cast<std::ptrdiff_t>(at);
    auto line = 1 + static_cast<int>(std::count(source.begin(), end, '\n'));
    select(app, [&](Selection& now) { now.line = line; });
    choose_view(app, "code");
}

std::optional<Space> choose_named(App& app, const std::string& at) {
    if (!app.arrived.picture || app.stale.picture) return std::nullopt;
    const Picture& picture = *app.arrived.picture;
    NamedAccess named = named_access(at, app.stage().source, picture.report, picture.block);
    if (!named.problem.empty()) return std::nullopt;
    choose_instruction(app, static_cast<int>(named.instructions[0]), named.text.line);
    // The access is what is shown, wherever that is.
    select(app, [&](Selection& now) { now.line = 0; });
    return named.space;
}

void follow_link(App& app, const std::string& target) {
    size_t colon = target.find(':');
    std::string kind = target.substr(0, colon);
    std::string what = colon == std::string::npos ? "" : target.substr(colon + 1);
    try {
        if (kind == "view") return choose_view(app, what);
        if (kind == "stage" || kind == "lesson") return choose_stage(app, what);
        if (kind == "code") return point_at_quote(app, what);
        if (kind == "at") {
            std::optional<Space> space = choose_named(app, what);
            return space ? choose_view(app, *space == Space::shared ? "banks" : "access")
                         : point_at_quote(app, what);
        }
        if (kind == "proof") return show_mismatch(app);
        size_t equals = what.find('=');
        int64_t value = 0;
        if (kind == "set" && equals != std::string::npos &&
            parse_integer(what.substr(equals + 1), value))
            choose_knob(app, what.substr(0, equals), value);
    } catch (const Error& error) {
        app.said.error = error.what();
    }
}

void follow_figure(App& app, const std::string& action) {
    int64_t number = 0;
    if (action.starts_with("lane:") && parse_integer(action.substr(5), number))
        choose_lane(app, static_cast<int>(number));
    if (action.starts_with("block:") && parse_integer(action.substr(6), number))
        choose_block(app, number);
    if (action.starts_with("warp:") && parse_integer(action.substr(5), number))
        choose_warp(app, static_cast<int>(number));
    if (action.starts_with("stage:")) follow_link(app, action);
    if (action.starts_with("line:") && parse_integer(action.substr(5), number)) {
        choose_line(app, static_cast<int>(number));
        choose_view(app, "code");
    }
}

}  // namespace lanewise::ui
