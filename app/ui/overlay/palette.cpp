// What the palette does; view_palette.cpp draws it.
#include "ui/desk/palette.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/text.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/imgui/spent_key.h"

namespace lanewise::ui {
namespace {

constexpr size_t kLately = 8;
constexpr int kRowsOfAPage = 8;

// "1000x50" or "1000 × 50" as a command of its own; nothing for any other text.
std::optional<Command> shape_command(std::string text) {
    for (size_t at = text.find("×"); at != text.npos; at = text.find("×"))
        text.replace(at, std::string("×").size(), "x");
    size_t by = text.find('x');
    int64_t rows = 0, cols = 0;
    if (by == text.npos || !parse_integer(trimmed(text.substr(0, by)), rows) ||
        !parse_integer(trimmed(text.substr(by + 1)), cols))
        return std::nullopt;
    Command command{"shape:typed", "Matrix", text, "", {}, "", false};
    command.title = std::to_string(rows) + " × " + std::to_string(cols);
    command.act = [rows, cols](App& app) {
        if (!choose_shape(app, rows, cols)) app.said.toast = {app.said.shape_problem};
        app.said.shape_problem.clear();
    };
    return command;
}

// A link that was pasted, or why it cannot be opened.
std::optional<Command> link_command(const std::string& text) {
    if (!std::string(trimmed(text)).starts_with(kLinkBegins)) return std::nullopt;
    Command command{"link:typed", "Link", "", "", {}, "", false};
    try {
        SharedState state = parse_link(text);
        command.title = "Open " + (state.stage.empty() ? state.file : state.stage);
        command.act = [state](App& app) { restore(app, state); };
    } catch (const Error& error) {
        command.title = command.problem = error.what();
        command.act = [](App&) {};
    }
    return command;
}

// With nothing typed: what was used lately, then everything in order.
int worth_of_use(const CommandPalette& palette, const Command& command) {
    auto found = std::find(palette.lately.begin(), palette.lately.end(), command.id);
    return static_cast<int>(palette.lately.end() - found);
}

}  // namespace

void open_palette(App& app) {
    CommandPalette& palette = app.tools->palette;
    palette.open = palette.focus_wanted = true;
    palette.typed.clear();
    ++palette.generation;
    palette_typed(app);
}

void close_palette(App& app) {
    app.tools->palette.open = false;
    app.keyboard.focus_wanted = true;
}

// "30  Padded tile" is called "Padded tile".
static std::string_view without_number(std::string_view title) {
    size_t at = title.find_first_not_of("0123456789");
    return at == 0 || at == title.npos ? title : title.substr(title.find_first_not_of(' ', at));
}

static bool same_letters(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) ==
               std::tolower(static_cast<unsigned char>(y));
    });
}

void palette_typed(App& app) {
    CommandPalette& palette = app.tools->palette;
    palette.all = all_commands(app);
    std::erase_if(palette.all, [](const Command& each) { return !each.act; });
    if (std::optional<Command> shape = shape_command(palette.typed))
        palette.all.push_back(std::move(*shape));
    palette.hits.clear();
    palette.selected = 0;
    palette.follow = true;
    if (std::optional<Command> link = link_command(palette.typed)) {
        palette.all = {std::move(*link)};
        palette.hits = {{0, {}, 0}};
        return;
    }
    for (size_t i = 0; i < palette.all.size(); ++i) {
        const Command& command = palette.all[i];
        bool typed_shape = command.id == "shape:typed";
        // The group is part of what is looked through, so that "theme dark" finds it.
        std::string whole = command.group + " " + command.title;
        std::optional<FuzzyMatch> match = fuzzy_match(typed_shape ? "" : palette.typed, whole);
        if (!match) continue;
        CommandPalette::Hit hit{i, {}, match->score};
        // A title that is typed whole is meant, whatever else scores.
        bool exact = same_letters(trimmed(palette.typed), without_number(command.title));
        if (typed_shape || exact) hit.score = 1 << 30;
        if (palette.typed.empty()) hit.score = worth_of_use(palette, command);
        for (size_t byte : match->bytes)
            if (byte > command.group.size()) hit.bytes.push_back(byte - command.group.size() - 1);
        palette.hits.push_back(std::move(hit));
    }
    std::stable_sort(palette.hits.begin(), palette.hits.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
}

void step_palette(App& app, int by) {
    CommandPalette& palette = app.tools->palette;
    auto last = static_cast<int>(palette.hits.size()) - 1;
    palette.selected = std::clamp(palette.selected + by, 0, std::max(last, 0));
    palette.follow = true;
}

void accept_palette(App& app, int at) {
    CommandPalette& palette = app.tools->palette;
    if (at < 0 || at >= static_cast<int>(palette.hits.size())) return;
    const Command command = palette.all[palette.hits[static_cast<size_t>(at)].command];
    close_palette(app);
    std::erase(palette.lately, command.id);
    palette.lately.insert(palette.lately.begin(), command.id);
    palette.lately.resize(std::min(palette.lately.size(), kLately));
    act(app, command);
}

void handle_palette_keys(App& app) {
    if (pressed(Key::escape)) return close_palette(app);
    if (pressed(Key::up)) step_palette(app, -1);
    if (pressed(Key::down)) step_palette(app, 1);
    if (pressed(Key::page_up)) step_palette(app, -kRowsOfAPage);
    if (pressed(Key::page_down)) step_palette(app, kRowsOfAPage);
    if (!pressed(Key::enter)) return;
    spend(Key::enter);
    accept_palette(app, app.tools->palette.selected);
}

}  // namespace lanewise::ui
