// What the window shows: what is chosen, the results that have arrived, and what follows from
// both. Choosing and arriving change it; drawing only reads it.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "course/catalogue.h"
#include "course/lesson.h"
#include "course/operation.h"
#include "figure/drawing/figures.h"
#include "lab/job/job.h"
#include "lab/job/measurement.h"
#include "lab/job/results.h"
#include "lab/measure/hardware_counts.h"
#include "lab/measure/own_run.h"
#include "lab/micro/staircase.h"
#include "lab/record/counted.h"
#include "lab/record/published.h"
#include "lab/record/recording.h"
#include "model/device_profile.h"
#include "ui/kit/highlight.h"
#include "ui/state/gate.h"
#include "ui/state/kernel_form.h"
#include "ui/state/scrub.h"
#include "ui/state/verdicts.h"
#include "ui/state/window_state.h"

namespace lanewise {
struct PadTable;  // lab/analysis/pad_table.h
}

namespace lanewise::ui {

struct SettingsPage;  // ui/state/settings.h
struct Charts;        // ui/desk/charts.h
struct Tools;         // ui/desk/tools.h
struct Products;      // ui/desk/products.h

// How near the warp microscope looks.
enum class Zoom : uint8_t { grid, block, warp, lane };

enum class Region { course, picture, controls };  // the columns, left to right

struct Choice {
    size_t stage = 0;
    KnobValues knobs;
    std::string type = "f32";
    int64_t rows = 4096, cols = 4096, batch = 1;
    int64_t inner = 256;  // of an operation that has an inner side; others leave it as it is
    const Operation* operation = &all_operations().front();   // the stage's, in the table
    std::map<const Operation*, Operation::Size> was_left_at;  // where each course was left
    uint64_t block = 0;
    uint32_t warp = 0;
    int lane = -1;
    // Place in the chosen warp's list of global and of shared accesses; -1: the most telling one.
    int access[2] = {-1, -1};
};
// With an inner side where the operation has one, else kNoInner.
Operation::Size size_of(const Choice& choice);

// One row of the list of a warp's accesses.
struct AccessRow {
    size_t access = 0;         // index into BlockTrace::accesses
    uint32_t instruction = 0;  // index into Report::instructions
    int line = 0;
    bool is_store = false;
    int cost = 0, ideal = 0;  // sectors or wavefronts
    std::string text;         // "load   in"
};

// What one source line costs per warp access; 0 accesses: none of that kind on this line.
struct LineCost {
    uint64_t accesses = 0;
    double each = 0, ideal = 0;  // sectors or wavefronts of one access
    // Of the dearest line's sectors or wavefronts: all that this line's come to, and the part of
    // them that an ideal access would need; 0 to 1. How long the bars in the margin are.
    float of_dearest = 0, ideal_of_dearest = 0;
};
// What stands in the margin of one source line.
struct LineNote {
    LineCost cost[2];  // global sectors, shared wavefronts
    float time = -1;   // share of the launch's modelled time, 0 to 1; below 0: not known
    std::string tooltip;
    bool in_block = false;
    Space space = Space::global;  // of the access that a click chooses
    size_t row = 0;               // its place in the access list
};

// What became of one source line: indices into the picture's CodeListing.
struct LineCode {
    std::vector<size_t> ptx, sass;
    std::vector<std::string> notes;  // where the two are not one to one
};

// A measured figure for the chosen setting, live or recorded.
struct Shown {
    const Measurement* measurement = nullptr;
    bool live = false;
};

// What a launch on the GPU did to the process that it ran in, in the engine's words.
struct Crash {
    std::string message;             // what happened, and where
    std::string kind;                // service/kernel_runs.h
    std::optional<Finding> finding;  // the interpreter's explanation
    int in_a_row = 0;                // crashes of this kernel without a success between
    bool offer_interpreter = false;  // so many that running it again is not worth it
};

// What a kernel printed on the GPU: the begin of it, and how much there was.
struct PrintedOnGpu {
    std::vector<std::string> lines;
    uint64_t kept = 0, bytes = 0;
};

// One line of what the machine's threads printed.
struct PrintedRow {
    std::string text, who;  // "block (0,0), thread (3,0)"
};

struct EngineState {
    bool known = false;   // whether there is a GPU
    std::string gpu;      // its name; empty where there is none
    std::string problem;  // why there is none
    std::string compiler;
    struct Gpu {
        std::string name, uuid;
    };
    std::vector<Gpu> gpus;  // all that there are
    int process_id = 0;
};

// What the window waits for, as the engine link reports it.
struct Activity {
    bool picture = false, analysis = false;
    bool measurement = false;  // anything that runs on the GPU: a run, a count, a staircase
    std::string what;          // progress in the engine's words
    double fraction = 0;
    double since = 0;  // when it began, in the window's seconds
    bool busy() const { return picture || analysis || measurement; }
};

// A figure is laid out once for its contents, width and fonts, and then only rendered.
struct LaidOut {
    uint64_t revision = 0;
    float width = -1, scale = 0, height = 0;  // height: the wish, where there is one
    Drawing drawing;
};

// What the learner wants to see beside the chosen setting.
struct CompareWith {
    enum class Kind : uint8_t { automatic, nothing, knob, stage } kind = Kind::automatic;
    std::string name = {};  // the knob, or the stage's id
    int64_t value = 0;      // of the knob
    bool operator==(const CompareWith&) const = default;
};

// Another setting in lock-step with the chosen one: what it is, and what has arrived of it.
struct Beside {
    CompareWith with;     // as chosen
    CompareWith means;    // for the chosen setting, where it is chosen automatically
    bool wanted = false;  // the rest holds
    size_t stage = 0;
    KnobValues knobs;
    std::string title;
    std::shared_ptr<const Picture> picture;
    std::vector<LifeStep> life;  // of the chosen warp there
    LaidOut figure;
    bool stale = true;
};

// A kernel from outside the catalogue, opened from its file. While there is one it stands in for
// the chosen stage.
struct OwnKernel {
    Stage stage;                 // own_stage()'s, of PTX ptx_stage()'s
    std::optional<PtxFile> ptx;  // where the file is one
    // In the source's order; of PTX as the file has them, the parameters of the chosen one alone.
    std::vector<KernelInSource> candidates;
    const KernelInSource* chosen() const;  // nullptr: the form names none
    KernelForm suggestion(
        size_t candidate) const;  // throws Error(bad_input) where PTX is unreadable
    const std::string& file() const { return ptx ? ptx->name : stage.file; }
    KernelForm form;                              // as typed
    std::map<std::string, std::string> problems;  // by field; kernel_form.h
    OwnLaunch launch;                             // of the last form without a problem
};

// "Open kernel…": a folder, what is typed, and what of the folder fits it.
struct Chooser {
    bool open = false, focus_wanted = false;
    std::filesystem::path folder;
    std::string typed;  // the begin of a name, or a path
    struct Entry {
        std::string name;  // "..", "kernels/", "turn.cu"
        std::filesystem::path path;
        bool is_folder = false;
    };
    std::vector<Entry> entries;
    int selected = 0;
    int generation = 0;  // of the folder: the text field starts anew with each
};

// A word in passing at the window's foot.
struct Toast {
    std::string text;
    double since = -1;  // when it was first drawn, in the window's seconds; -1: not yet
};
inline constexpr double kToastSeconds = 3;

// The chosen stage's source under the learner's hands (edits.h).
struct Editing {
    bool on = false;  // the code view shows the editor
    std::string text;
    bool changed = false;   // since it was last compiled
    std::string set_aside;  // the learner's version after a reset
    int generation = 0;     // another text than was typed: the text box starts anew
    std::map<std::string, std::string> texts;  // by stage: those that differ from the catalogue's
    std::filesystem::path folder;              // where they are kept; empty: in memory
    bool focus_wanted = false, show_changes = false, find_open = false;
    std::string find;
    size_t cursor = 0;   // in bytes of the text
    int go_to_line = 0;  // where the cursor is to be put, from 1; 0: nowhere
    // ---- what was typed is compiled when the hand rests
    double typed_at = -1;  // the last key that is not settled, in the window's seconds; -1: none
    std::string typed;     // the text then
    std::string checked;   // the last one that the compiler was asked about; empty: none
};

// The source of one stage, ready to draw.
struct SourceText {
    SourceText() = default;
    explicit SourceText(const Stage& stage);
    std::string of, text;  // the stage's id and source
    std::vector<std::string> lines;
    std::vector<SourceLine> spans;
    int frames_to_follow = 0;
    // The stage's head in TOML, which stands as one line until it is opened; 0: there is none.
    int head_first = 0, head_last = 0;
    bool head_open = false;
    bool folds_away(int line) const {
        return !head_open && line >= head_first && line <= head_last && head_last > 0;
    }
    int shown_line = 0;                         // the one last scrolled to
    int shown_ptx_for = 0, shown_sass_for = 0;  // likewise in the lists beside it
};

// Whoever keeps something of its own in step with the choices and the results: a tool beside the
// picture. Each is told after the app itself has changed, but for `changing`.
struct Follower {
    void (*changing)(App&) = nullptr;  // the setting is about to be another
    void (*counted)(App&) = nullptr;   // app.analysis has arrived
    void (*measured)(App&) = nullptr;  // the last of app.live has arrived
    // The learner's guess was compared with the counts.
    void (*answered)(App&, const std::string& stage, bool right) = nullptr;
};

struct App {
    std::span<const Follower> followers;  // in the order in which they are told
    // ---- content, read once
    Catalogue catalogue;
    std::vector<Lesson> lessons;  // one per stage
    std::vector<Recording> recordings;
    std::vector<CounterRecording> counter_recordings;
    std::vector<PublishedFigure> published;
    std::vector<Staircase> staircases;    // recorded ones
    std::vector<DeviceProfile> profiles;  // of every card that is known
    std::vector<std::string> notices;     // said once, can be closed
    // ---- a kernel of the user's own (app_own.cpp)
    std::optional<OwnKernel> own;
    Chooser chooser;
    Toast toast;
    std::map<int, std::string> diagnostics;  // by source line, of a kernel that does not compile
    std::map<int, int> diagnostic_columns;   // likewise, from 1, where the compiler names one
    // ---- the learner's version of the chosen stage (edits.h)
    Editing editing;
    std::optional<Stage> edited;
    // ---- chosen
    Choice choice;
    std::string view = "access";  // the one last asked for, wherever it lives
    std::string tab = "access";   // the one in the middle
    WindowState saved;
    Region region = Region::picture;  // where the keyboard is
    Region side = Region::controls;   // the side column that a narrow window shows
    bool focus_wanted = true, keyboard_used = false;
    bool help_open = false, help_focus_wanted = false;
    std::shared_ptr<SettingsPage> settings;  // the settings page; null: closed
    std::shared_ptr<Charts> charts;          // null: not yet looked at
    std::shared_ptr<Products> products;      // null: not yet looked at
    std::shared_ptr<Tools> tools;            // palette, presenter, history …; never null
    bool engine_changed = false;             // another is wanted than the one that runs
    int proof = -1;                          // the badge whose proof is shown; -1: none
    bool predicts_first = false;  // answers stay hidden until predicted (predict_first.h)
    std::set<std::string> shown_unpredicted;  // stages whose answer was asked for at once
    int confidence = 0;                       // percent, said with the next prediction; 0: not said
    size_t lesson_shown = 0;                  // the stage whose lesson was last drawn
    size_t course_shown = 0;                  // the stage that the course was scrolled to
    std::string section_shown;                // the view that the right column last scrolled to
    int chosen_line = 0;                      // of the source; 0: the chosen access's
    int hovered_line = 0;  // of the source, under the pointer in any of the code's lists
    int code_pane = 0;     // source, PTX, SASS: the one that a small window shows
    // ---- arrived
    std::shared_ptr<const Picture> picture;
    std::shared_ptr<const Analysis> analysis;
    // Of a product that is too long to interpret whole: some of its blocks. There is no analysis
    // then, and the counts on screen are the chosen block's.
    std::shared_ptr<const Analysis> sampled;
    std::vector<Measurement> live;
    std::optional<OwnMeasurement> own_measurement;    // of the kernel of the user's own, as it is
    std::optional<Crash> crash;                       // of the last run of this setting
    PrintedOnGpu printed_on_gpu;                      // by the last run of this setting
    std::optional<CounterReading> counter_reading;    // of a launch of this setting
    std::optional<Staircase> live_staircase;          // the last one taken
    bool run_all_the_same = false;                    // although it crashes again and again
    std::map<std::string, double> modelled;           // GB/s by stage, of analyses at default knobs
    std::map<std::string, double> prediction_answer;  // by stage, of asked_prediction()
    std::string error;                                // the last failure, for the banner
    Status failed = Status::fine;  // of the answer that error tells of; fine: of none
    std::string uncompiled;     // why nothing here can compile what is chosen, and what to install
    std::string shape_problem;  // why the rows or cols just entered were refused
    EngineState engine;
    Activity activity;
    std::shared_ptr<const PadTable> pads;  // of the chosen block; null where there is no padding
    // ---- follows from the above (app_derived.cpp)
    std::vector<AccessRow> rows_of[2];  // global, shared accesses of the chosen warp
    std::map<int, LineNote> line_notes;
    std::map<int, std::vector<std::string>> line_findings;  // by source line
    std::vector<PrintedRow> printed;                        // by the machine's threads
    uint64_t printed_total = 0;                  // how often they did; printed may hold fewer
    std::map<int, LineCode> code_of;             // by source line; only lines that became code
    std::map<std::string, std::string> answers;  // a lesson's {{queries}}
    std::optional<bool> gate_passed;             // what was judged last, if it is still on screen
    std::optional<bool> gate_here;  // whether the counts of this setting are as the task asks
    std::string gate_value;         // how far off they are
    std::vector<CountRow> counts;
    std::string counts_source;                   // who measured them, where somebody did
    std::string counts_compiler;                 // who compiled what was counted, and what lacks
    std::vector<CountComparison> hardware_rows;  // of counter_reading
    StaircaseFigureInput staircase;              // live or recorded; no points where neither
    LadderFigureInput ladder;
    std::vector<Verdict> verdicts;  // on the results of the chosen setting
    SourceText source;
    int list_scrolled_to[2] = {-1, -1};  // rows of the access lists already brought into sight
    std::array<Beside, 2> beside;
    bool compare_open = false, compare_focus_wanted = false;  // the sheet to choose them from
    std::string chosen_title;  // of the chosen setting, where others stand beside it
    Scrub scrub;               // where in the chosen warp's life it stands
    // ---- what must be asked anew (setting_requests.cpp clears these)
    bool picture_stale = true, analysis_stale = true, pads_stale = true;
    bool measure_wanted = false, cancel_wanted = false;
    GateState gate;                          // gate.h
    std::map<std::string, Writing> writing;  // by stage
    std::set<std::string> fix_opened;        // stages whose sections "Explain" and "Fix" are open
    bool count_wanted = false, staircase_wanted = false;
    uint64_t revision = 0;  // of everything that a figure shows
    struct {
        LaidOut access, banks, ladder, staircase, waterfall, occupancy;
    } figures;
    Zoom zoom = Zoom::warp;

    // What is known of the whole launch beside its counts: how it is modelled, what was found. Null
    // where it is not.
    const Analysis* of_launch() const { return analysis ? analysis.get() : sampled.get(); }

    const Stage& stage() const {
        return own ? own->stage : edited ? *edited : catalogue.stages()[choice.stage];
    }
    // What progress is kept under: the catalogue's name of the chosen stage, edited or not.
    const std::string& course_id() const {
        return own ? own->stage.id : catalogue.stages()[choice.stage].id;
    }
    const Lesson& lesson() const {
        static const Lesson none;
        return own ? none : lessons[choice.stage];
    }
};

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
// ---- a kernel of the user's own (app_own.cpp). What goes wrong is said in app.error.
// `typed`: the fields to begin with; null: as this file was last looked at, else suggestions.
void open_kernel(App& app, const std::filesystem::path& file, const KernelForm* typed = nullptr);
void close_kernel(App& app);   // back to the chosen stage
void reload_kernel(App& app);  // its file has changed on disk, or is gone
void form_changed(App& app);   // after each change of app.own->form
void choose_kernel(App& app, size_t candidate);
void take_diagnostics(App& app, std::map<int, std::string> diagnostics);
void open_chooser(App& app);
void chooser_typed(App& app);  // lists anew what fits app.chooser.typed
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
