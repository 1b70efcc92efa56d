// The lane debugger in the window: what is asked of it, what it has answered, and what is typed. Block
// and warp are those that every view shows; the moment is the debugger's own. What it shows is made
// once, with each answer.
#pragma once
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/step/step_session.h"
#include "ui/state/app.h"

namespace lanewise::ui {

enum class StepBy : uint8_t { line, instruction, barrier };

// A breakpoint as it stands in the window.
struct SetBreak {
    int line = 0;
    std::string condition;  // as typed; "": always
};

// The 32 values of a variable or a watch, ready to be drawn.
struct StepCells {
    std::string name, about;  // about: its type and where it comes from
    std::string words;        // the same in all lanes, or why there is none; "": each has its own
    std::array<std::string, 32> texts;
    uint32_t known = 0, changed = 0;  // changed: by the last move
    size_t widest = 0;                // of the texts, in characters
    bool is_watch = false;
};

// A way to another moment, or ("" and nothing) a look at the present one.
struct StepWish {
    std::string command;             // of step_commands()
    std::optional<StepPosition> to;  // where it begins; nothing: where the debugger stands
};

struct StepTool {
    // ---- asked
    std::string of;            // the setting that is recorded, as the engine gets it; empty: none
    bool has_changed = false;  // that setting is another one now
    std::string problem;       // why the last wish got no answer, as a sentence
    std::deque<StepWish> wishes;
    StepWish last;  // the one that is being answered
    bool is_asked = false;
    StepPosition at;                         // where the debugger stands
    std::pair<uint64_t, uint32_t> followed;  // the chosen block and warp that it has seen
    std::map<std::string, std::vector<SetBreak>> breaks;  // by stage
    std::vector<std::string> watches;
    // ---- arrived
    std::shared_ptr<const StepShown> shown;
    std::vector<StepCells> cells;
    std::string headline;              // where the warp stands, in a sentence
    std::vector<std::string> remarks;  // whole sentences
    std::vector<std::string> paths;    // which lanes execute, which wait, where they meet
    std::optional<WrittenBy> written;  // the last answer to "who wrote"
    // ---- typed, and drawn
    StepBy by = StepBy::line;
    std::string watch, who;
    int scrolled_to = 0, frames_to_follow = 0;  // of the source
};

StepTool& step_of(App& app);      // of app.tools
bool stepping_shown(const App& app);  // as the chosen view

// ---- wishing; nothing is sent before the launch is recorded
void record_steps(App& app);
void wish_step(App& app, StepWish wish);
void move_step(App& app, StepBy by, bool back);
void run_steps(App& app, bool back);
void go_to_step(App& app, uint64_t step);  // of the present block
// F10: opens the view where it is not shown, else moves by a line.
void step_source_line(App& app, bool back);
// Opens the view at a moment, as `at` takes it: "block 2,0 thread 0,0 line 4". Records where nothing
// is recorded.
void show_how(App& app, const std::string& at);
// The same, before the chosen warp first comes to the line; of the chosen lane, or of any.
void step_to_line(App& app, int line);
void toggle_break(App& app, int line);
void toggle_break_here(App& app);  // at the line before which the debugger stands
void remove_break(App& app, size_t index);
std::vector<SetBreak>& breaks_of(App& app);  // of the chosen stage
void add_watch(App& app);                    // what is typed
void remove_watch(App& app, size_t index);
void ask_who(App& app);  // who wrote what is typed
void handle_step_keys(App& app);

// ---- asking and arriving (shell/engine_requests.cpp)
std::string step_key(const nlohmann::json& job);  // as StepTool::of
std::string step_job(const App& app);             // the chosen setting, likewise
bool step_due(const App& app);
std::optional<StepQuestion> next_step_question(App& app);
void take_step(App& app, StepShown shown, const StepQuestion& asked);
void fail_step(App& app, const std::string& problem);  // "": cancelled
void renew_step(App& app);                             // the setting may be another

// ---- drawing
void draw_step(App& app);                         // view_step.cpp
void draw_step_source(App& app, StepTool& tool);  // step_source.cpp
float step_source_height(const App& app);         // likewise, of all its lines, in pixels
void draw_step_breaks(App& app, StepTool& tool);  // step_source.cpp
void draw_step_lanes(App& app, StepTool& tool);   // step_lanes.cpp

}  // namespace lanewise::ui
