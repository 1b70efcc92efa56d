#include "ui/mismatch.h"

#include <algorithm>

#include "lab/mismatch_map.h"
#include "ui/draw_figure.h"
#include "ui/laid_out.h"
#include "ui/tools.h"
#include "ui/widgets.h"

namespace lanewise::ui {

namespace {

MismatchPage& page_of(App& app) { return app.tools->mismatch; }

bool is_wrong(const App& app) {
    return app.analysis && app.analysis->has_reference && !app.analysis->correct;
}

}  // namespace

// The verdict on the result is the first of all.
bool mismatch_shown(const App& app) { return is_wrong(app) && app.proof == 0; }

// Before the count has arrived the badge may turn out red: it is opened all the same.
std::string no_mismatch(const App& app) {
    return is_wrong(app) || !app.analysis ? "" : "No result is known to be wrong.";
}

void show_mismatch(App& app) {
    app.proof = 0;
    app.region = Region::controls;  // where the badges are
    app.focus_wanted = true;
}

bool wants_mismatch(App& app) {
    MismatchPage& page = page_of(app);
    if (!mismatch_shown(app) || page.asked == app.analysis) return false;
    page.asked = page.of = app.analysis;
    page.map.reset();
    page.failure = cannot_map_mismatches(job_of(app));
    ++page.moves;
    return page.failure.empty();
}

void take_mismatch(App& app, MismatchMap map) {
    MismatchPage& page = page_of(app);
    if (page.asked != app.analysis) return;  // another setting's
    page.map = std::make_shared<MismatchMap>(std::move(map));
    ++page.moves;
}

void fail_mismatch(App& app, const std::string& message) {
    page_of(app).failure = message;
    if (message.empty()) page_of(app).asked.reset();  // superseded: ask again
}

void draw_mismatch(App& app) {
    MismatchPage& page = page_of(app);
    gap(8);
    bool current = page.of == app.analysis;
    if (current && !page.failure.empty()) return paragraph(page.failure, kDim);
    if (!current || !page.map) return line("Looking where it is wrong …", kDim);
    uint64_t revision = app.revision + page.moves;  // both only grow
    auto make = [&](float width) {
        return mismatch_figure({page.map.get(), std::max(220.f, width)}, window_measure());
    };
    float width = available() / look().pixels_per_point();
    draw_figure("mismatch", laid_out_at(page.figure, revision, width, 0, make));
}

}  // namespace lanewise::ui
