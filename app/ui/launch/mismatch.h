// The map of a wrong result, below the badge that says so: of the machine's launch, asked of the
// engine, and of a GPU's, which comes with its measurement.
#pragma once
#include <memory>
#include <string>

#include "figure/product/mismatch_figure.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct MismatchPage {
    std::shared_ptr<const MismatchMap> map;
    std::shared_ptr<const Analysis> of;     // the analysis that the map, or its failure, belongs to
    std::shared_ptr<const Analysis> asked;  // likewise, of what was asked for
    std::string failure;
    std::shared_ptr<const MismatchMap> drawn;  // which `figure` is of
    uint64_t moves = 0;
    int scroll = 0;  // frames in which the badges are still to be brought to the top
    LaidOut figure;
};

// Whether the open proof is of a wrong result: the machine's, or the GPU's.
bool mismatch_shown(const App& app);
bool gpu_mismatch_shown(const App& app);
// What is drawn; null: it is not known, or nothing is open.
std::shared_ptr<const MismatchMap> shown_mismatch(const App& app);
void show_mismatch(App& app);  // opens it, and brings it into view
void bring_mismatch_into_view(App& app);
// A word in passing where what has just arrived is wrong: the machine's result, or a run's.
void tell_of_wrong_result(App& app);
void tell_of_wrong_run(App& app);
std::string no_mismatch(const App& app);  // why that cannot be; "" where it can

// ---- asking and arriving (shell/engine_requests.cpp)
bool mismatch_due(const App& app);  // whether it is to be asked for
bool wants_mismatch(App& app);      // the same, once for each result
void take_mismatch(App& app, MismatchMap map);
void fail_mismatch(App& app, const std::string& message);

void draw_mismatch(App& app);         // in the proof's card
void draw_presented_proof(App& app);  // as large as there is room (presenter.h)

}  // namespace lanewise::ui
