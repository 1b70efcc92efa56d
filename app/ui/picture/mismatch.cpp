#include "ui/launch/mismatch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "course/stage.h"
#include "lab/analysis/analysis.h"
#include "lab/mismatch/mismatch_map.h"
#include "ui/desk/tools.h"
#include "ui/instrument/step.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/charts.h"
#include "ui/part/verdicts.h"
#include "ui/state/laid_out.h"

namespace lanewise::ui {

namespace {

constexpr const char* kNotMapped =
    "The run came without a map, from an engine of an older version. Run it again.";

MismatchPage& page_of(App& app) { return app.tools->mismatch; }

const MismatchPage& page_of(const App& app) { return app.tools->mismatch; }

bool is_wrong(const App& app) {
    return app.arrived.analysis && app.arrived.analysis->has_reference &&
           !app.arrived.analysis->correct;
}

// The chosen setting's run here, where it was wrong; else null.
const Measurement* wrong_run(const App& app) {
    if (app.own) return nullptr;
    Shown shown = shown_measurement(app);
    bool wrong = shown.live && !shown.measurement->correct && shown.measurement->mismatch.count > 0;
    return wrong ? shown.measurement : nullptr;
}

int badge_of(const App& app, std::string_view word) {
    for (size_t i = 0; i < app.derived.verdicts.size(); ++i)
        if (app.derived.verdicts[i].word == word) return static_cast<int>(i);
    return -1;
}

}  // namespace

// The verdict on the result is the first of all.
bool mismatch_shown(const App& app) {
    return (is_wrong(app) && app.open.proof == 0) || presents_proof(app);
}

bool gpu_mismatch_shown(const App& app) {
    return !presents_proof(app) && app.open.proof > 0 &&
           app.open.proof == badge_of(app, kWrongOnGpu) && wrong_run(app);
}

std::shared_ptr<const MismatchMap> shown_mismatch(const App& app) {
    if (gpu_mismatch_shown(app)) return wrong_run(app)->mismatch_map;
    const MismatchPage& page = page_of(app);
    return mismatch_shown(app) && page.of == app.arrived.analysis ? page.map : nullptr;
}

// Before the count has arrived the badge may turn out red: it is opened all the same.
std::string no_mismatch(const App& app) {
    if (is_wrong(app) || wrong_run(app)) return "";
    if (app.arrived.sampled) return cannot_map_mismatches(job_of(app));
    return !app.arrived.analysis ? "" : "No result is known to be wrong.";
}

void show_mismatch(App& app) {
    int on_gpu = badge_of(app, kWrongOnGpu);
    app.open.proof = !is_wrong(app) && on_gpu >= 0 ? on_gpu : 0;
    app.keyboard.region = Region::controls;  // where the badges are
    app.keyboard.focus_wanted = true;
    bring_mismatch_into_view(app);
}

// The card grows over some frames: when it opens, and when the map arrives.
void bring_mismatch_into_view(App& app) {
    constexpr int kFrames = 4;
    page_of(app).scroll = kFrames;
}

// Of an exercise that nobody has touched it is no news.
static void tell_of_mismatch(App& app, uint64_t wrong, const char* where) {
    if (wrong == 0 || (is_exercise(app.stage()) && !app.edited)) return;
    app.said.toast = {
        fmt::format("Wrong result{}: {}. X shows where", where, counted(wrong, "element"))};
}

void tell_of_wrong_result(App& app) {
    if (is_wrong(app)) tell_of_mismatch(app, app.arrived.analysis->mismatch.count, "");
}

void tell_of_wrong_run(App& app) {
    const Measurement& made = app.arrived.live.back();
    if (!made.correct) tell_of_mismatch(app, made.mismatch.count, " on the GPU");
}

bool mismatch_due(const App& app) {
    return mismatch_shown(app) && page_of(app).asked != app.arrived.analysis;
}

bool wants_mismatch(App& app) {
    MismatchPage& page = page_of(app);
    if (!mismatch_due(app)) return false;
    page.asked = page.of = app.arrived.analysis;
    page.map.reset();
    page.failure = cannot_map_mismatches(job_of(app));
    ++page.moves;
    return page.failure.empty();
}

void take_mismatch(App& app, MismatchMap map) {
    MismatchPage& page = page_of(app);
    if (page.asked != app.arrived.analysis) return;  // another setting's
    page.map = std::make_shared<MismatchMap>(std::move(map));
    ++page.moves;
    bring_mismatch_into_view(app);
}

void fail_mismatch(App& app, const std::string& message) {
    page_of(app).failure = message;
    if (message.empty()) page_of(app).asked.reset();  // superseded: ask again
}

namespace {

// Null where there is none, and it has been said why.
std::shared_ptr<const MismatchMap> map_or_words(App& app, TextStyle style) {
    MismatchPage& page = page_of(app);
    std::shared_ptr<const MismatchMap> map = shown_mismatch(app);
    if (map) return map;
    if (gpu_mismatch_shown(app))
        paragraph(kNotMapped, style);
    else if (page.of == app.arrived.analysis && !page.failure.empty())
        paragraph(page.failure, style);
    else
        line("Looking where it is wrong …", style);
    return nullptr;
}

void draw_map(App& app, const std::shared_ptr<const MismatchMap>& map, float height) {
    MismatchPage& page = page_of(app);
    uint64_t revision = app.revision + page.moves;
    if (page.drawn != map) page.figure = {};
    page.drawn = map;
    auto make = [&](float width) {
        return mismatch_figure({map.get(), std::max(220.f, width), height}, window_measure());
    };
    float width = available() / look().pixels_per_point();
    draw_figure("mismatch", laid_out_at(page.figure, revision, width, height, make));
}

}  // namespace

void draw_mismatch(App& app) {
    gap(8);
    std::shared_ptr<const MismatchMap> map = map_or_words(app, kDim);
    if (!map) return;
    draw_map(app, map, 0);
    gap(6);
    draw_save_button(app, PictureOf::mismatch, "mismatch:save");
    draw_save_panel(app, PictureOf::mismatch);
    gap(4);
    if (gpu_mismatch_shown(app)) return;  // that launch was another one
    const std::string element = first_wrong_element(job_of(app), *app.arrived.analysis);
    if (!element.empty() &&
        button("mismatch:how", "How did this come about?",
               {.tooltip = "Steps to the moment before the first wrong element is written"}))
        show_how(app, "wrote " + element);
    gap(4);
}

void draw_presented_proof(App& app) {
    constexpr TextStyle kWaiting{16, Ink::text_dim, Font::text};
    if (!presents_proof(app))
        return line(app.activity.busy() ? "Counting the whole launch …" : "Not counted.", kWaiting);
    if (std::shared_ptr<const MismatchMap> map = map_or_words(app, kWaiting))
        draw_map(app, map, ImGui::GetContentRegionAvail().y / look().pixels_per_point());
}

}  // namespace lanewise::ui
