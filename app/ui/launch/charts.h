// The charts view's state: which chart is shown, how closely, what it is made of, and where
// pictures of it are saved.
#pragma once
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "figure/chart/chart.h"
#include "lab/chart/charts.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct Command;  // ui/desk/commands.h

// One per chart, in the order in which they are offered: those of lab/chart/charts.h, and those of
// what the window has besides.
struct ChartKind {
    const char *id, *title;
    const char* what;  // in one sentence
    std::function<ChartInput(const App&)> make;
    bool needs_traffic = false;  // of every stage: the engine counts them while it is shown
};
std::span<const ChartKind> chart_kinds();

enum class ChartFormat { png, svg, csv };

// What can be saved: what the middle column shows (a chart, the forge, the data flow, a product's
// picture), the blocks' walk below the data flow, the map of a wrong result.
enum class PictureOf { view, blocks, mismatch };

struct Charts {
    size_t chosen = 0;
    std::map<std::string, PlotWindow> windows;  // by chart: what is shown of it
    // ---- the chosen chart as it stands, laid out for one view
    ChartInput input;
    DrawnChart drawn;
    std::string drawn_id;
    uint64_t drawn_revision = 0;
    PlotWindow drawn_window;
    float width = -1, height = -1, scale = 0;
    bool wide = false;  // over all columns
    // ---- counted for the roofline
    std::map<std::string, StageTraffic> traffic;  // by stage; no sectors: it could not be counted
    std::string traffic_for;                      // the shape and type
    std::string surveyed;                         // the stage that is being counted
    // ---- saving
    bool save_open = false;
    PictureOf save_of = PictureOf::view;  // below which picture the panel is open
    std::string folder;                   // as typed
    std::optional<ChartFormat> save_wanted;
    PictureOf wanted_of = PictureOf::view;
};

// The app's, made with the first use.
Charts& charts(App& app);
// Whether the charts are what the middle column shows.
bool charts_shown(const App& app);
// Whether they take the whole window.
bool charts_are_wide(const App& app);

// Both throw Error(bad_input) with the closest name.
void check_chart(const std::string& id);
void choose_chart(App& app, const std::string& id);
void step_chart(App& app, int by);
void zoom_chart(App& app, double factor);       // around the middle of what is shown
void move_chart(App& app, double x, double y);  // by shares of what is shown
void reset_chart(App& app);                     // all of it
void toggle_save(App& app, PictureOf of = PictureOf::view);
// chart_keys.cpp; true: the key is used up, and means nothing else.
bool handle_chart_keys(App& app);
// A click in a chart: "stage:…", "set:TILE=32,ROWS=8", both with a ";" between them.
void follow_chart(App& app, const std::string& action);

// What the charts are made of now; valid while the app does not change.
ChartFacts chart_facts(const App& app);
// The figures of the model, of the chosen setting (chart_model_figures.cpp).
WaterfallFigureInput waterfall_of(const App& app);
OccupancyFigureInput occupancy_of(const App& app);

// ---- the engine counts the stages that the roofline needs, one at a time (shell/engine_requests.cpp)
std::optional<Job> next_survey(App& app);  // nothing where none is needed
void take_survey(App& app, const Job& job, const Analysis* analysis);  // null: it failed

// ---- saving (chart_save.cpp)
// Where files go unless the user says otherwise: the system's folder of pictures, else the current
// one.
std::filesystem::path pictures_folder();
std::string chart_title(const App& app);  // "GB/s by size, Padded tile"
// Of pictures other than charts (saved_pictures.cpp): what a file of it is called and holds.
struct SavedPicture {
    std::string id, title;  // "flow"; "Data flow: Padded tile, 4,096 × 4,096 f32, block 0"
    std::function<Drawing(const Measure&)> draw;
    std::function<std::string()> csv;
};
std::optional<SavedPicture> saved_picture(const App& app, PictureOf of);  // of what is shown now
// Why there is nothing to save, in one sentence; "" where there is.
std::string nothing_to_save(const App& app, PictureOf of);
std::string picture_text(const App& app, PictureOf of, ChartFormat format);  // SVG or CSV
std::string chart_text(const App& app, ChartFormat format);
// Writes the shown picture into the folder under a name of its own and says where, or why not.
void save_picture(App& app, PictureOf of, ChartFormat format);
void copy_picture(App& app, PictureOf of, ChartFormat format);  // SVG or CSV, to the clipboard
void add_picture_commands(const App& app, std::vector<Command>& all);
void save_chart(App& app, ChartFormat format);
void copy_chart(App& app, ChartFormat format);
// "Save …" with the panel below it while it is open (view_save.cpp). `id`: of the button.
void draw_save_button(App& app, PictureOf of, const char* id);
void draw_save_panel(App& app, PictureOf of);
// A picture waits until its frame is finished: fonts are baked anew for it.
void save_pending_chart(App& app);

}  // namespace lanewise::ui
