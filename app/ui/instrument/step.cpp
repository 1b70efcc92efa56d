#include "ui/instrument/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "lab/json/json.h"
#include "lab/step/step_words.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/path/predict_first.h"

namespace lanewise::ui {
namespace {

constexpr size_t kMostWishes = 16;

const StepTool* step_tool(const App& app) {
    return app.tools ? app.tools->on_demand.step.get() : nullptr;
}

// Whether it is drawn anywhere.
bool is_in_sight(const App& app) {
    const Panes& panes = app.saved.panes;
    return stepping_shown(app) ||
           (!is_learning(app) &&
            (panes.beside == "step" || panes.below == "step" || panes.apart == "step"));
}

std::pair<uint64_t, uint32_t> chosen_place(const App& app) {
    return {app.chosen().block, app.chosen().warp};
}

bool has_moved_away(const App& app, const StepTool& tool) {
    return tool.shown && is_in_sight(app) && chosen_place(app) != tool.followed;
}

const char* word_of(StepBy by) {
    constexpr const char* kWords[] = {"line", "step", "barrier"};
    return kWords[static_cast<size_t>(by)];
}

std::string break_text(const SetBreak& each) {
    std::string_view condition = trimmed(each.condition);
    return condition.empty() ? std::to_string(each.line)
                             : fmt::format("{} if {}", each.line, condition);
}

// ---- what an answer becomes

std::string line_words(int line) { return line > 0 ? fmt::format("line {}", line) : "the end"; }

std::string headline_of(const StepPlace& place) {
    const std::string who = fmt::format("Warp {} of block {}", place.warp, place.block);
    if (place.look.state == WarpLook::State::finished) return who + " has returned.";
    if (place.look.state == WarpLook::State::at_barrier)
        return fmt::format("{} waits at the barrier before {}.", who, line_words(place.line));
    const int lanes = std::popcount(place.look.lanes);
    std::string text = fmt::format(
        "{}: {} next.", who,
        lanes == 1    ? fmt::format("lane {} executes {}", std::countr_zero(place.look.lanes),
                                    line_words(place.line))
        : lanes == 32 ? "all 32 lanes execute " + line_words(place.line)
                      : fmt::format("{} of 32 lanes execute {}", lanes, line_words(place.line)));
    return place.is_turn ? text : text + " Another warp runs first.";
}

// "Lanes 0 to 3", "All lanes".
std::string lanes_first(uint32_t lanes) {
    std::string words = lanes_in_words(lanes);
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
    return words;
}

std::string verb(uint32_t lanes, const char* one, const char* several) {
    return std::popcount(lanes) == 1 ? one : several;
}

std::vector<std::string> paths_of(const StepPlace& place) {
    const WarpLook& look = place.look;
    std::vector<std::string> words;
    if (look.state == WarpLook::State::finished || look.lanes == 0) return words;
    std::string present =
        fmt::format("{} {} {}", lanes_first(look.lanes), verb(look.lanes, "executes", "execute"),
                    line_words(place.line));
    if (look.lanes != look.live)
        present += fmt::format(" and {} the others at {}", verb(look.lanes, "meets", "meet"),
                               line_words(place.meets_line));
    words.push_back(present + ".");
    if (look.executing != look.lanes)
        words.push_back(look.executing == 0
                            ? "The next instruction's guard lets none of them on."
                            : fmt::format("The next instruction's guard lets only {} on.",
                                          lanes_in_words(look.executing)));
    for (size_t i = 0; i < look.paths.size(); ++i) {
        const uint32_t lanes = look.paths[i].lanes;
        // Where a path splits, all of it goes on together behind the place where its parts meet.
        const bool together = (lanes & look.lanes) != 0;
        words.push_back(fmt::format("{} {} at {}.", lanes_first(lanes),
                                    together ? "go on together" : verb(lanes, "waits", "wait"),
                                    line_words(place.path_lines[i].first)));
    }
    if (look.live != kEveryLane)
        words.push_back(fmt::format("{} {} returned, or {} not exist.", lanes_first(~look.live),
                                    verb(~look.live, "has", "have"),
                                    verb(~look.live, "does", "do")));
    return words;
}

std::vector<std::string> remarks_of(const StepShown& shown) {
    const StepPlace& place = *shown.reply.place;
    std::vector<std::string> remarks;
    if (!shown.reply.error.empty()) remarks.push_back(error_in_words(shown.reply.error));
    if (place.why == StepStop::Why::returned)
        remarks.push_back("Go back, or choose another warp or block.");
    else if (std::string why = why_in_words(place); !why.empty())
        remarks.push_back(std::move(why));
    for (const std::string& note : shown.reply.notes)  // the fault has a card of its own
        if (!shown.wrong || note != shown.wrong->words) remarks.push_back(note);
    if (shown.first_block > 0)
        remarks.push_back(
            fmt::format("The recording begins with block {}: the blocks before it did not run.",
                        shown.first_block));
    if (shown.earliest > StepMoment{place.at.block, 0})
        remarks.push_back(
            "The recording is full, so its first moments are not kept. Going back to them executes "
            "the launch again and takes longer.");
    if (shown.steps == 0 && place.why != StepStop::Why::never_ends)
        remarks.push_back(
            "This block is too long to be recorded as a whole, or never ends. Step on, or run to a "
            "breakpoint.");
    return remarks;
}

// Whether all that is known is one value.
bool is_uniform(const LaneValues& values) {
    const auto first = static_cast<size_t>(std::countr_zero(values.known));
    for (size_t lane = first; lane < 32; ++lane)
        if (values.is_known(lane) && values.bits[lane] != values.bits[first]) return false;
    return true;
}

uint32_t changed_lanes(const LaneValues& now, const NamedValues* before) {
    if (!before) return 0;
    uint32_t lanes = 0;
    for (size_t lane = 0; lane < 32; ++lane)
        if (now.is_known(lane) &&
            (!before->values.is_known(lane) || before->values.bits[lane] != now.bits[lane]))
            lanes |= 1u << lane;
    return lanes;
}

std::string about(const NamedValues& named) {
    constexpr const char* kTypes[] = {"i32", "u32", "i64", "u64", "f32", "f64"};
    const std::string& element = named.values.pointee.element;
    std::string type =
        element.empty() ? kTypes[static_cast<size_t>(named.values.type)] : "points to " + element;
    return named.from.empty() ? type : fmt::format("{}, from {}", type, named.from);
}

StepCells cells_of(const NamedValues& named, const NamedValues* before, bool is_watch) {
    StepCells cells;
    cells.name = named.name;
    cells.about = about(named);
    cells.known = named.values.known;
    cells.changed = changed_lanes(named.values, before);
    cells.is_watch = is_watch;
    if (cells.known == 0) {
        cells.words = named.from.empty() ? "no value yet" : named.from;
        return cells;
    }
    for (size_t lane = 0; lane < 32; ++lane) {
        cells.texts[lane] = lane_text(named.values, lane);
        cells.widest = std::max(cells.widest, cells.texts[lane].size());
    }
    if (!is_uniform(named.values)) return cells;
    const std::string& value = cells.texts[static_cast<size_t>(std::countr_zero(cells.known))];
    cells.words = cells.known == kEveryLane
                      ? value + " in all lanes"
                      : fmt::format("{} in {}", value, lanes_in_words(cells.known));
    return cells;
}

const NamedValues* named(const std::vector<NamedValues>* list, const std::string& name) {
    if (!list) return nullptr;
    for (const NamedValues& each : *list)
        if (each.name == name) return &each;
    return nullptr;
}

void show(StepTool& tool, StepShown shown) {
    const StepPlace& place = *shown.reply.place;
    // Of another warp nothing has changed.
    const bool same_warp = tool.shown && tool.shown->reply.place->warp == place.warp &&
                           tool.shown->reply.place->at.block == place.at.block;
    const StepReply* before = same_warp ? &tool.shown->reply : nullptr;
    std::vector<StepCells> cells;
    for (const NamedValues& each : shown.reply.values)
        cells.push_back(
            cells_of(each, named(before ? &before->values : nullptr, each.name), false));
    for (const NamedValues& each : shown.reply.watches)
        cells.push_back(
            cells_of(each, named(before ? &before->watches : nullptr, each.name), true));
    tool.cells = std::move(cells);
    tool.headline = headline_of(place);
    tool.remarks = remarks_of(shown);
    tool.paths = paths_of(place);
    if (shown.reply.written) tool.written = shown.reply.written;
    tool.at = {place.at, place.warp};
    tool.shown = std::make_shared<StepShown>(std::move(shown));
}

void forget(StepTool& tool) {
    tool.of.clear();
    tool.wishes.clear();
    tool.is_asked = false;
    tool.shown.reset();
    tool.cells.clear();
    tool.written.reset();
}

}  // namespace

StepTool& step_of(App& app) {
    if (!app.tools->on_demand.step) app.tools->on_demand.step = std::make_shared<StepTool>();
    return *app.tools->on_demand.step;
}

bool stepping_shown(const App& app) { return app.chosen().tab == "step"; }

std::string step_key(const Json& job) {
    return job.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string step_job(const App& app) { return step_key(Json(job_of(app))); }

// ---- wishing

void record_steps(App& app) {
    StepTool& tool = step_of(app);
    forget(tool);
    tool.of = step_job(app);
    tool.has_changed = false;
    tool.problem.clear();
    tool.at = {{static_cast<uint32_t>(app.chosen().block), 0}, app.chosen().warp};
    tool.followed = chosen_place(app);
    tool.wishes.push_back({});
}

void wish_step(App& app, StepWish wish) {
    StepTool& tool = step_of(app);
    if (tool.of.empty() || answer_is_hidden(app)) return;
    // A slider that is dragged wants to be where it is now.
    const bool replaces = wish.to && wish.command.empty() && !tool.wishes.empty() &&
                          tool.wishes.back().to && tool.wishes.back().command.empty();
    if (replaces) tool.wishes.pop_back();
    if (tool.wishes.size() < kMostWishes) tool.wishes.push_back(std::move(wish));
}

void move_step(App& app, StepBy by, bool back) {
    constexpr const char* kForward[] = {"next", "step", "barrier"};
    wish_step(app, {back ? fmt::format("back {}", word_of(by))
                         : std::string(kForward[static_cast<size_t>(by)]),
                    {}});
}

void run_steps(App& app, bool back) { wish_step(app, {back ? "back run" : "run", {}}); }

void go_to_step(App& app, uint64_t step) {
    const StepTool& tool = step_of(app);
    wish_step(app, {"", StepPosition{{tool.at.at.block, step}, tool.at.warp}});
}

void step_source_line(App& app, bool back) {
    if (!is_in_sight(app)) return choose_view(app, "step");
    move_step(app, StepBy::line, back);
}

void show_how(App& app, const std::string& at) {
    choose_view(app, "step");
    if (StepTool& tool = step_of(app); tool.of.empty() || tool.of != step_job(app))
        record_steps(app);
    wish_step(app, {"at " + at, {}});
}

void step_to_line(App& app, int line) {
    const Selection& now = app.chosen();
    uint32_t lanes = 0;  // that the shown access has
    if (const LifeStep* moment = shown_moment(app); moment && moment->access >= 0)
        lanes = app.arrived.picture->block.accesses[static_cast<size_t>(moment->access)].mask;
    const int lane = now.lane >= 0 ? now.lane : lanes ? std::countr_zero(lanes) : 0;
    show_how(app, fmt::format("block {} thread {} line {}", now.block,
                              now.warp * 32 + static_cast<uint32_t>(lane), line));
}

std::vector<SetBreak>& breaks_of(App& app) { return step_of(app).breaks[app.stage().id]; }

void toggle_break(App& app, int line) {
    std::vector<SetBreak>& breaks = breaks_of(app);
    if (std::erase_if(breaks, [&](const SetBreak& each) { return each.line == line; }) == 0)
        breaks.push_back({line, {}});
    wish_step(app, {});
}

void toggle_break_here(App& app) {
    const StepTool& tool = step_of(app);
    const int line = tool.shown && tool.shown->reply.place ? tool.shown->reply.place->line : 0;
    if (line > 0) toggle_break(app, line);
}

void remove_break(App& app, size_t index) {
    std::vector<SetBreak>& breaks = breaks_of(app);
    if (index >= breaks.size()) return;
    breaks.erase(breaks.begin() + static_cast<std::ptrdiff_t>(index));
    wish_step(app, {});
}

void add_watch(App& app) {
    StepTool& tool = step_of(app);
    if (trimmed(tool.watch).empty()) return;
    tool.watches.emplace_back(trimmed(tool.watch));
    tool.watch.clear();
    wish_step(app, {});
}

void remove_watch(App& app, size_t index) {
    StepTool& tool = step_of(app);
    if (index >= tool.watches.size()) return;
    tool.watches.erase(tool.watches.begin() + static_cast<std::ptrdiff_t>(index));
    wish_step(app, {});
}

void ask_who(App& app) {
    StepTool& tool = step_of(app);
    if (trimmed(tool.who).empty()) return;
    tool.written.reset();
    wish_step(app, {"who " + std::string(trimmed(tool.who)), {}});
}

void handle_step_keys(App& app) {
    const StepTool& tool = step_of(app);
    if (!tool.shown || ImGui::GetIO().KeyShift) return;
    if (pressed(Key::right)) move_step(app, tool.by, false);
    if (pressed(Key::left)) move_step(app, tool.by, true);
    if (pressed(Key::space)) run_steps(app, false);
    if (pressed(Key::home)) go_to_step(app, 0);
    if (pressed(Key::end) && tool.shown->steps > 0) go_to_step(app, tool.shown->steps);
}

// ---- asking and arriving

bool step_due(const App& app) {
    const StepTool* tool = step_tool(app);
    if (!tool || tool->of.empty() || tool->is_asked) return false;
    return !tool->wishes.empty() || has_moved_away(app, *tool);
}

std::optional<StepQuestion> next_step_question(App& app) {
    if (!step_due(app)) return std::nullopt;
    StepTool& tool = step_of(app);
    StepQuestion question;
    question.from = tool.at;
    if (has_moved_away(app, tool)) {
        // Another block begins; another warp of the block is looked at in the same moment.
        auto [block, warp] = chosen_place(app);
        if (block != question.from.at.block) question.from.at = {static_cast<uint32_t>(block), 0};
        question.from.warp = warp;
        tool.followed = {block, warp};
        tool.last = {"", question.from};
    } else {
        tool.last = std::move(tool.wishes.front());
        tool.wishes.pop_front();
        if (tool.last.to) question.from = *tool.last.to;
        question.command = tool.last.command;
    }
    for (const SetBreak& each : breaks_of(app)) question.breaks.push_back(break_text(each));
    question.watches = tool.watches;
    tool.is_asked = true;
    return question;
}

void take_step(App& app, StepShown shown, const StepQuestion& asked) {
    StepTool& tool = step_of(app);
    tool.is_asked = false;
    tool.problem.clear();
    if (!shown.reply.place) return;
    const StepPosition before = tool.at;
    show(tool, std::move(shown));
    // The line before which it stands is what every other view is about.
    if (const int line = tool.shown->reply.place->line;
        line > 0 && tool.at != before && app.derived.code_of.contains(line))
        choose_line(app, line);
    // It went elsewhere by itself; what somebody has chosen meanwhile is followed with the next
    // question.
    const bool is_elsewhere =
        tool.at.at.block != asked.from.at.block || tool.at.warp != asked.from.warp ||
        asked.from.at.block != before.at.block || asked.from.warp != before.warp;
    if (!is_elsewhere) return;
    if (chosen_place(app) != tool.followed) return;
    choose_block(app, static_cast<int64_t>(tool.at.at.block));
    choose_warp(app, static_cast<int>(tool.at.warp));
    tool.followed = chosen_place(app);
}

void fail_step(App& app, const std::string& problem) {
    StepTool& tool = step_of(app);
    tool.is_asked = false;
    tool.wishes.clear();
    tool.problem = error_in_words(problem);
    if (!tool.shown) tool.of.clear();
}

void renew_step(App& app) {
    const StepTool* known = step_tool(app);
    if (!known || known->of.empty()) return;
    StepTool& tool = step_of(app);
    if (step_job(app) != tool.of) {
        forget(tool);
        tool.has_changed = true;
        tool.problem.clear();
    } else if (tool.is_asked) {
        // The engine may be another, which knows nothing of what was asked: it is asked again.
        tool.is_asked = false;
        tool.wishes.push_front(std::move(tool.last));
    }
}

}  // namespace lanewise::ui
