// What the window shows. App's members are grouped by who may change them: what content there is,
// what is chosen, what has arrived, what follows from both. Choosing and arriving change them;
// drawing only reads.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "lab/job/job.h"
#include "ui/part/arrived.h"
#include "ui/part/beside.h"
#include "ui/part/content.h"
#include "ui/part/derived.h"
#include "ui/part/selection.h"
#include "ui/part/sight.h"
#include "ui/part/sources.h"
#include "ui/state/gate.h"
#include "ui/state/scrub.h"
#include "ui/state/window_state.h"

namespace lanewise::ui {

struct Charts;    // ui/launch/charts.h
struct Tools;     // ui/desk/tools.h
struct Products;  // ui/launch/products.h

// A measured figure for the chosen setting, live or recorded.
struct Shown {
    const Measurement* measurement = nullptr;
    bool live = false;
};

// Whoever keeps something of its own in step with the choices and the results: a tool beside the
// picture. Each is told after the app itself has changed, but for `changing`.
struct Follower {
    void (*changing)(App&) = nullptr;  // the setting is about to be another
    void (*counted)(App&) = nullptr;   // app.arrived.analysis has arrived
    void (*measured)(App&) = nullptr;  // the last of app.arrived.live has arrived
    // The learner's guess was compared with the counts.
    void (*answered)(App&, const std::string& stage, bool right) = nullptr;
};

struct App {
    std::span<const Follower> followers;  // in the order in which they are told
    Content content;                      // read once
    // ---- the state that is kept and typed
    WindowState saved;
    std::optional<OwnKernel> own;  // a kernel of the user's own (app_own.cpp)
    Editing editing;               // the learner's version of the chosen stage (edits.h)
    std::optional<Stage> edited;   // what is chosen then
    Learner learner;               // what the learner said and began (gate.h)
    // ---- the engine: who it is, what has arrived, what is to be asked for
    EngineState engine;
    Activity activity;
    Arrived arrived;
    Stale stale;
    Wanted wanted;
    // ---- what follows from choice and results
    Derived derived;
    std::array<Beside, 2> beside;
    uint64_t revision = 0;  // of everything that a figure shows
    Scrub scrub;            // how the chosen warp's life plays
    // ---- the window's own
    Keyboard keyboard;
    Open open;
    Sight sight;
    Said said;
    // ---- the tools' states (ui/launch, ui/desk)
    std::shared_ptr<Charts> charts;      // null: not yet looked at
    std::shared_ptr<Products> products;  // null: not yet looked at
    std::shared_ptr<Tools> tools;        // palette, presenter, history …; never null

    const Selection& chosen() const { return selection_; }

    // What is known of the whole launch beside its counts: how it is modelled, what was found. Null
    // where it is not.
    const Analysis* of_launch() const {
        return arrived.analysis ? arrived.analysis.get() : arrived.sampled.get();
    }
    std::shared_ptr<const Analysis> shared_launch() const {  // the same, to be kept
        return arrived.analysis ? arrived.analysis : arrived.sampled;
    }

    const Stage& stage() const {
        return own ? own->stage : edited ? *edited : content.catalogue.stages()[selection_.stage];
    }
    // What progress is kept under: the catalogue's name of the chosen stage, edited or not.
    const std::string& course_id() const {
        return own ? own->stage.id : content.catalogue.stages()[selection_.stage].id;
    }
    const Lesson& lesson() const {
        static const Lesson none;
        return own ? none : content.lessons[selection_.stage];
    }

  private:
    template <class Change>
    friend void select(App& app, const Change& change);
    Selection selection_;
};

// Changes what is chosen: `change` gets the selection to change.
template <class Change>
void select(App& app, const Change& change) {
    change(app.selection_);
}

// Whether the lesson leads: the ladder on top, the coach beside one picture. A kernel of the user's
// own always lies on the workbench.
bool is_learning(const App& app);
// "learn", "workbench". Throws Error(bad_input) for another word.
void choose_mode(App& app, const std::string& mode);

// Reads stages, lessons and recordings below `content`, and chooses the first rung. What cannot be
// read becomes a notice or the stage's own error; throws Error only where there is no stage at all.
void read_content(App& app, const std::filesystem::path& content);

// ---- choosing; each keeps what still fits and marks stale what does not
void choose_stage(App& app, size_t stage);
void choose_stage(App& app, const std::string& name);  // throws as Catalogue::find
void step_stage(App& app, int by);
void choose_knob(App& app, const std::string& name, int64_t value);  // throws Error where unknown
void choose_type(App& app, const std::string& type);
void choose_batch(App& app, int64_t batch);  // matrices at once
// False: refused, see shape_problem. inner: K of a product; left as it is where it is not given.
bool choose_shape(App& app, int64_t rows, int64_t cols, int64_t inner = kNoInner);
void choose_block(App& app, int64_t block);  // clamped to the grid
void choose_warp(App& app, int warp);        // clamped to the block
// What stands at `place` of app.beside.
void compare_with(App& app, size_t place, const CompareWith& with);
void choose_lane(App& app, int lane);                // the same lane again: none
void choose_access(App& app, Space space, int row);  // clamped
// The same, and what is shown becomes its moment where the tab is for the other kind.
void look_at_access(App& app, Space space, int row);
void choose_line(App& app, int line);  // of the source, and its accesses
// An access by its instruction (index into Report::instructions; -1: none) and its source line.
void choose_instruction(App& app, int access, int line);
void step_line(App& app, int by);                     // to the next line that became code
void choose_end_line(App& app, bool last);            // the first or the last of them
void choose_view(App& app, const std::string& view);  // throws Error where unknown
void predict(App& app, int choice);
// The form of the lesson's question that is asked, or was answered last (app_lesson.cpp).
const Prediction& asked_prediction(const App& app);
void press_run(App& app);
void press_count(App& app);      // the hardware's counters for a launch of this setting
void press_staircase(App& app);  // and what its bank conflicts cost
// ---- a kernel of the user's own (app_own.cpp). What goes wrong is said in app.said.error.
// `typed`: the fields to begin with; null: as this file was last looked at, else suggestions.
void open_kernel(App& app, const std::filesystem::path& file, const KernelForm* typed = nullptr);
void close_kernel(App& app);   // back to the chosen stage
void reload_kernel(App& app);  // its file has changed on disk, or is gone
void form_changed(App& app);   // after each change of app.own->form
void choose_kernel(App& app, size_t candidate);
void choose_proposal(App& app,
                     size_t proposal);  // the fields as a launch of the host code has them
void take_diagnostics(App& app, std::map<int, std::string> diagnostics);
void open_chooser(App& app);
void chooser_typed(App& app);  // lists anew what fits app.open.chooser.typed
void step_entry(App& app, int by);
void accept_entry(App& app, int index);  // opens the file, or goes into the folder
void accept_typed(App& app);             // the selected entry, or the path that was typed
int highlighted_line(const App& app);
// The instruction (index into Report::instructions) of the chosen access, where it is in this
// line; else -1.
int chosen_instruction(const App& app, int line);

// ---- arriving
void take_picture(App& app, Picture picture);
void take_comparison(App& app, size_t place, Picture picture);
void take_analysis(App& app, Analysis analysis);
void take_pads(App& app, PadTable pads);
void take_measurement(App& app, Measurement measurement);
void take_own_measurement(App& app, OwnMeasurement measurement);
// ---- what the hardware says of itself (app_hardware.cpp)
void take_counters(App& app, CounterReading reading);
void take_staircase(App& app, Staircase staircase);
// ---- what else came of a run (app_outcome.cpp)
void take_crash(App& app, Crash crash);
void take_printed(App& app, const std::string& text, uint64_t bytes);
void forget_outcome(App& app);  // it was another setting's

// ---- asking
Job job_of(const App& app);
Job comparison_job(const App& app, size_t place);
int chosen_row(const App& app, Space space);  // into rows_of; -1 where there is none
Shown shown_measurement(const App& app);
// The number that a lesson's query has at the chosen setting; nothing before it is counted
// (app_lesson.cpp).
std::optional<double> asked_number(const App& app, const std::string& query);
// How the learner's guess went; empty before it is known (app_lesson.cpp).
std::optional<bool> prediction_right(const App& app);
std::string cannot_run(const App& app);  // empty where Run works

// ---- following (called by the above)
template <class Function, class... What>
void tell(App& app, Function Follower::*happened, const What&... what) {
    for (const Follower& each : app.followers)
        if (each.*happened) (each.*happened)(app, what...);
}
void mark_all_stale(App& app);      // everything must be asked anew
void forget_results(App& app);      // they are another setting's
void derive(App& app);              // app_derived.cpp
void choose_comparisons(App& app);  // app_beside.cpp
void mark_comparisons_stale(App& app);
void build_ladder(App& app);                                // app_ladder.cpp
void list_verdicts(App& app);                               // app_verdicts.cpp
void link_code(App& app);                                   // app_code.cpp
void answer_lesson(App& app);                               // app_lesson.cpp: queries and gate
void learn_prediction(App& app, const Analysis& analysis);  // app_lesson.cpp
void list_outcome(App& app);     // app_outcome.cpp: findings by line, what was printed
void forget_hardware(App& app);  // but not the staircase's ladder, which is the card's
void list_hardware(App& app);    // app_hardware.cpp: counters beside counts, the staircase

}  // namespace lanewise::ui
