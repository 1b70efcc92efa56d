// One row per request, in the order in which they are asked for. The engine works its lanes off in
// that order, so that what is on screen comes first.
#include "ui/shell/engine_requests.h"

#include <nlohmann/json.hpp>

#include "lab/change/pad_table.h"
#include "lab/json/cause_table_json.h"
#include "lab/json/fix_table_json.h"
#include "lab/json/json.h"
#include "lab/json/step_json.h"
#include "lab/mismatch/mismatch_map.h"
#include "service/client.h"
#include "ui/desk/fixes.h"
#include "ui/desk/tools.h"
#include "ui/instrument/step.h"
#include "ui/instrument/why.h"
#include "ui/launch/charts.h"
#include "ui/launch/products.h"
#include "ui/state/setting_requests.h"

namespace lanewise::ui {
namespace {

// ---- what the tools' questions are on the wire

Parameters ask_swizzle(App& app, const RequestTurn& turn) {
    std::optional<SwizzleTrial> trial = next_swizzle(app, turn.now);
    if (!trial) return {};
    Json params = at_block(app);
    params["trial"] = *trial;
    return params;
}

double forge_due(const App& app, const RequestTurn& turn) { return swizzle_due(app, turn.now); }

Parameters ask_mismatch(App& app, const RequestTurn&) {
    if (!wants_mismatch(app)) return {};
    Json params = {{"job", job_of(app)}};
    return params;
}

double map_due(const App& app, const RequestTurn&) { return mismatch_due(app) ? 0 : -1; }

Parameters ask_judgement(App& app, const RequestTurn&) {
    if (!app.learner.gate.wanted) return {};
    app.learner.gate.wanted = false;
    Json params = {{"job", job_of(app)}, {"task", gate_task(app)}};
    return params;
}

double judgement_due(const App& app, const RequestTurn&) {
    return app.learner.gate.wanted ? 0 : -1;
}

Parameters ask_walk(App& app, const RequestTurn&) {
    if (!wants_walk(app)) return {};
    Json params = {{"job", job_of(app)}, {"blocks", kMostWalked}};
    return params;
}

Parameters ask_fixes(App& app, const RequestTurn&) {
    if (!wants_fixes(app)) return {};
    Json params = {{"job", job_of(app)}};
    return params;
}

double trial_due(const App& app, const RequestTurn&) { return fixes_due(app) ? 0 : -1; }

Parameters ask_causes(App& app, const RequestTurn&) {
    if (!wants_causes(app)) return {};
    Json params = {{"job", job_of(app)}};
    return params;
}

double why_due(const App& app, const RequestTurn&) { return causes_due(app) ? 0 : -1; }

// Only while the counts of the chosen setting are there.
Parameters ask_survey(App& app, const RequestTurn&) {
    if (app.stale.analysis) return {};
    std::optional<Job> job = next_survey(app);
    if (!job) return {};
    Json params = {{"job", *job}};
    return params;
}

void take_surveyed(App& app, const Json& result, const Json& asked) {
    Analysis counted = result.get<Analysis>();
    take_survey(app, asked.at("job").get<Job>(), &counted);
}

void fail_survey(App& app, const Answer&, const Json& asked) {
    take_survey(app, asked.at("job").get<Job>(), nullptr);
}

Parameters ask_product(App& app, const RequestTurn&) {
    std::optional<ProductQuestion> question = next_product_question(app);
    if (!question) return {};
    Json params = {{"job", question->job},
                   {"block", question->place.block},
                   {"warp", question->place.warp},
                   {"product", question->place.product},
                   {"reuse", question->with_reuse}};
    return params;
}

void fail_product(App& app, const Answer& answer, const Json&) {
    if (answer.status != Status::fine) take_product_problem(app, answer.error);
}

Parameters ask_step(App& app, const RequestTurn&) {
    std::optional<StepQuestion> question = next_step_question(app);
    if (!question) return {};
    Json params = *question;
    params["job"] = job_of(app);
    return params;
}

double step_wished(const App& app, const RequestTurn&) { return step_due(app) ? 0 : -1; }

bool is_of_recorded(App& app, const Json& asked) {
    return step_of(app).of == step_key(asked.at("job"));
}

void take_stepped(App& app, const Json& result, const Json& asked) {
    if (is_of_recorded(app, asked))
        take_step(app, result.get<StepShown>(), asked.get<StepQuestion>());
}

void fail_stepped(App& app, const Answer& answer, const Json& asked) {
    if (is_of_recorded(app, asked))
        fail_step(app, answer.status == Status::fine ? "" : answer.error);
}

// ---- one function for all of a form

template <size_t place>
Parameters ask_beside(App& app, const RequestTurn&) {
    return ask_comparison(app, place);
}

template <size_t place>
double beside_due(const App& app, const RequestTurn&) {
    return comparison_due(app, place);
}

template <size_t place>
void take_beside(App& app, const Json& result, const Json&) {
    take_comparison(app, place, result.get<Picture>());
}

template <class Result, void (*take)(App&, Result)>
void arrived(App& app, const Json& result, const Json&) {
    take(app, result.get<Result>());
}

template <void (*fail)(App&, const std::string&)>
void told(App& app, const Answer& answer, const Json&) {
    fail(app, answer.status == Status::fine ? "" : answer.error);
}

// ---- another picture is asked for

void renew_forge(App& app) { app.tools->forge.stale = true; }
void renew_walk(App& app) { app.tools->flow.walk_stale = true; }

using Row = EngineRequest;

constexpr Row comparison(Parameters (*ask)(App&, const RequestTurn&),
                         void (*take)(App&, const Json&, const Json&),
                         double (*due)(const App&, const RequestTurn&)) {
    return {.method = "picture",
            .ask = ask,
            .take = take,
            .fail = fail_beside,
            .kind = Row::comparison,
            .waits_for = Row::picture | Row::comparison,
            .outdated = Row::Outdated::forgotten,
            .due = due};
}

constexpr Row kRows[] = {
    {.method = "check", .ask = ask_check, .take = take_check, .fail = fail_check, .waits_for = 0},
    {.method = "picture",
     .ask = ask_picture,
     .take = arrived<Picture, take_picture>,
     .fail = fail_setting,
     .kind = Row::picture,
     .waits_for = 0,
     .due = picture_due},
    // One at a time: the engine drops a waiting picture for a newer one, which is right for a knob
    // that keeps turning and wrong for the parts of a comparison.
    comparison(ask_beside<0>, take_beside<0>, beside_due<0>),
    comparison(ask_beside<1>, take_beside<1>, beside_due<1>),
    {.method = "swizzle",
     .ask = ask_swizzle,
     .take = arrived<SwizzleResult, take_swizzle>,
     .fail = told<fail_swizzle>,
     .due = forge_due,
     .renew = renew_forge},
    {.method = "step",
     .ask = ask_step,
     .take = take_stepped,
     .fail = fail_stepped,
     .waits_for = 0,
     .due = step_wished,
     .renew = renew_step},
    {.method = "mismatch",
     .ask = ask_mismatch,
     .take = arrived<MismatchMap, take_mismatch>,
     .fail = told<fail_mismatch>,
     .due = map_due},
    {.method = "judge",
     .ask = ask_judgement,
     .take = arrived<Judgement, take_judgement>,
     .fail = told<fail_judgement>,
     .kind = Row::judgement,
     .waits_for = 0,
     .due = judgement_due},
    {.method = "walk",
     .ask = ask_walk,
     .take = arrived<BlockWalk, take_walk>,
     .fail = told<fail_walk>,
     .renew = renew_walk},
    {.method = "analyse",
     .ask = ask_counts,
     .take = arrived<Analysis, take_analysis>,
     .fail = fail_setting,
     .kind = Row::counts,
     .outdated = Row::Outdated::cancelled,
     .due = counts_due},
    {.method = "causes",
     .ask = ask_causes,
     .take = arrived<CauseTable, take_causes>,
     .fail = told<fail_causes>,
     .kind = Row::trial,
     .outdated = Row::Outdated::cancelled,
     .cancels_older = true,
     .due = why_due,
     .renew = renew_causes},
    {.method = "fixes",
     .ask = ask_fixes,
     .take = arrived<FixTable, take_fixes>,
     .fail = told<fail_fixes>,
     .kind = Row::trial,
     .outdated = Row::Outdated::cancelled,
     .cancels_older = true,
     .due = trial_due,
     .hear = hear_fixes},
    {.method = "pads",
     .ask = ask_pads,
     .take = arrived<PadTable, take_pads>,
     .fail = fail_beside,
     .kind = Row::pads,
     .cancels_older = true,
     .due = pads_due},
    {.method = "analyse",
     .ask = ask_survey,
     .take = take_surveyed,
     .fail = fail_survey,
     .kind = Row::survey,
     .waits_for = Row::picture | Row::counts | Row::survey},
    {.method = "product",
     .ask = ask_product,
     .take = arrived<ProductPictures, take_product>,
     .fail = fail_product,
     .cancels_older = true},
    {.method = "measure",
     .ask = ask_run,
     .take = take_run,
     .fail = fail_run,
     .kind = Row::gpu,
     .waits_for = Row::gpu,
     .due = run_due},
    {.method = "measure_own",
     .ask = ask_own_run,
     .take = take_own_run,
     .fail = fail_run,
     .kind = Row::gpu,
     .waits_for = Row::gpu,
     .due = run_due},
    {.method = "count",
     .ask = ask_count,
     .take = take_count,
     .fail = fail_count,
     .kind = Row::gpu,
     .waits_for = Row::gpu,
     .due = count_due},
    {.method = "staircase",
     .ask = ask_staircase,
     .take = take_steps,
     .fail = fail_count,
     .kind = Row::gpu,
     .waits_for = Row::gpu,
     .due = staircase_due},
};

}  // namespace

std::span<const EngineRequest> engine_requests() { return kRows; }

}  // namespace lanewise::ui
