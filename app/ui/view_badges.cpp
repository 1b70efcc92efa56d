// The badges below the result: each a verdict that opens its proof. Recomputed at each change.
#include <fmt/format.h>

#include "ui/verdicts.h"
#include "ui/views.h"
#include "ui/widgets.h"

namespace lanewise::ui {
namespace {

constexpr Ink kInks[] = {Ink::good, Ink::warn, Ink::text_dim};  // by Verdict::Kind

// What was measured of another stage in the same run as `m`; null where nothing was.
const Measurement* in_run_of(const Measurement& m, const App& app, const Stage& stage) {
    auto fits = [&](const Measurement& other) {
        return other.stage == stage.id && other.knobs == default_knobs(stage) &&
               other.copy_samples_us == m.copy_samples_us && !m.copy_samples_us.empty();
    };
    for (const Measurement& other : app.live)
        if (fits(other)) return &other;
    for (const Recording& recording : app.recordings)
        if (const Measurement* other = recording.find(stage.id, default_knobs(stage), m.type,
                                                      m.rows, m.cols, m.batch, m.inner))
            if (fits(*other)) return other;
    return nullptr;
}

// Of the nearest stage before the chosen one that was measured in the same run.
const Measurement* stage_before(const App& app, const Measurement& m) {
    const std::vector<Stage>& stages = app.catalogue.stages();
    for (size_t i = app.choice.stage; i-- > 0;) {
        if (stages[i].operation != app.stage().operation || !stages[i].error.empty()) continue;
        if (const Measurement* before = in_run_of(m, app, stages[i])) return before;
    }
    return nullptr;
}

std::vector<Verdict> all_verdicts(const App& app) {
    std::vector<Verdict> all;
    if (app.analysis) all = verdicts(*app.analysis);
    if (app.own) return all;
    if (const Measurement* m = shown_measurement(app).measurement)
        for (Verdict& each : verdicts_on_time(*m, stage_before(app, *m)))
            all.push_back(std::move(each));
    return all;
}

void draw_proof(App& app, const Verdict& verdict) {
    gap(8);
    begin_card("proof", kInks[static_cast<int>(verdict.kind)]);
    paragraph(verdict.why);
    for (size_t i = 0; i < verdict.proof.size(); ++i) {
        const Verdict::Row& row = verdict.proof[i];
        gap(4);
        if (row.line == 0) {
            paragraph(row.text, kDim);
        } else if (button(fmt::format("proof:{}", i), row.text,
                          {.kind = ButtonKind::row, .tooltip = "Go to the line"})) {
            choose_line(app, row.line);
            choose_view(app, "code");
        }
    }
    end_card();
}

}  // namespace

void draw_badges(App& app) {
    std::vector<Verdict> all = all_verdicts(app);
    bool first = true;
    for (size_t i = 0; i < all.size(); ++i) {
        if (!first) flow(all[i].word + "XX");
        first = false;
        bool open = app.proof == static_cast<int>(i);
        if (badge_button("badge:" + all[i].word, all[i].word, kInks[static_cast<int>(all[i].kind)],
                         all[i].why, open))
            app.proof = open ? -1 : static_cast<int>(i);
    }
    if (app.proof >= 0 && app.proof < static_cast<int>(all.size()))
        draw_proof(app, all[static_cast<size_t>(app.proof)]);
    if (app.analysis) return;
    if (!first) gap(6);
    line(app.activity.busy() ? "Counting the whole launch …" : "Not counted.", kDim);
}

}  // namespace lanewise::ui
