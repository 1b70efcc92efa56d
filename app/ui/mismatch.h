// The map of a wrong result, below the badge that says so.
#pragma once
#include <memory>
#include <string>

#include "figure/mismatch_figure.h"
#include "ui/app.h"

namespace lanewise::ui {

struct MismatchPage {
    std::shared_ptr<const MismatchMap> map;
    std::shared_ptr<const Analysis> of;     // the analysis that the map, or its failure, belongs to
    std::shared_ptr<const Analysis> asked;  // likewise, of what was asked for
    std::string failure;
    uint64_t moves = 0;
    LaidOut figure;
};

// Whether the open proof is of a wrong result.
bool mismatch_shown(const App& app);
void show_mismatch(App& app);             // opens it
std::string no_mismatch(const App& app);  // why that cannot be; "" where it can

// ---- asking and arriving (requests.cpp)
bool wants_mismatch(App& app);  // once for each result
void take_mismatch(App& app, MismatchMap map);
void fail_mismatch(App& app, const std::string& message);

void draw_mismatch(App& app);  // in the proof's card

}  // namespace lanewise::ui
