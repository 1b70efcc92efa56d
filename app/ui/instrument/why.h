// Why the launch takes as long as it does, by the model of launches: asked of the engine where the
// issues or the code are in sight, once the launch is counted. The picture never waits for it.
#pragma once
#include <memory>
#include <string>

#include "figure/chart/issues_figure.h"
#include "lab/analysis/cause_table.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct WhyTool {
    // The launch's counts that the table, or its failure, belongs to; null: it is to be asked for.
    std::shared_ptr<const Analysis> of;
    bool running = false;
    std::shared_ptr<const CauseTable> table;
    std::string failure;  // why there is none, in the engine's words
    bool stopped = false;  // by Escape: it is asked for again where somebody presses the button
    uint64_t moves = 0;    // each changes what the figure shows
};

// Of what is chosen now; null: it has not arrived.
const CauseTable* launch_causes(const App& app);
// What the loads of a source line find in the caches; null where that is not known.
const LineHits* line_hits(const App& app, int line);
bool has_line_hits(const App& app);
// How much of the warps' time passes at the line, 0 to 1; negative where that is not known, and 0 for
// a line at which nothing passes.
double line_share(const App& app, int line);
bool has_line_shares(const App& app);
bool was_stopped(const App& app);
void press_model_launch(App& app);  // again, after it was stopped
uint64_t why_moves(const App& app);
// Of the launch that was counted, which is there (App::of_launch()): of the model of launches, or of
// the bandwidth model, where that one is not to be had; which of them is said.
IssuesFigureInput issues_input(const App& app, float width);

// ---- asking and arriving (shell/engine_requests.cpp)
bool causes_due(const App& app);
bool wants_causes(App& app);  // the same, once for each launch
void take_causes(App& app, CauseTable table);
void fail_causes(App& app, const std::string& message);
void renew_causes(App& app);

}  // namespace lanewise::ui
