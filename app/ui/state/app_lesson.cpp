// What the chosen stage's lesson asks of the machine: the answers to its queries, whether this setting
// is as the gate asks, and how the learner's prediction went. Judgement itself is gate.h's.
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "course/query.h"
#include "lab/analysis/analysis.h"
#include "ui/state/app.h"

namespace lanewise::ui {
namespace {

int bytes_of(const App& app) {
    int64_t bytes = 4;
    knob_names({}, app.chosen().type)("element_bytes", bytes);
    return static_cast<int>(bytes);
}

NameLookup names_of(const App& app, const Analysis& analysis) {
    NameLookup counts = counts_lookup(analysis.report.totals, analysis.knobs, analysis.rows,
                                      analysis.cols, bytes_of(app), analysis.inner);
    return with_outcome(std::move(counts), analysis.mismatch.count,
                        analysis.report.findings.size());
}

// Of a library's call nothing is counted: its lesson asks about shape and type alone.
std::optional<Analysis> to_answer_with(const App& app) {
    if (app.own) return std::nullopt;
    if (!is_library_call(app.stage()))
        return app.arrived.analysis ? std::optional(*app.arrived.analysis) : std::nullopt;
    Job job;
    job.stage = app.stage();
    job.knobs = app.chosen().knobs;
    job.type = app.chosen().type;
    job.rows = app.chosen().rows;
    job.cols = app.chosen().cols;
    job.inner = app.chosen().inner;
    job.batch = app.chosen().batch;
    Analysis analysis = nothing_counted(job);
    analysis.correct = true;  // nothing speaks against it; the gate asks about the setting
    return analysis;
}

}  // namespace

void answer_lesson(App& app) {
    app.derived.answers.clear();
    app.derived.gate_passed.reset();
    if (const Judgement* judgement = judgement_of(app))
        app.derived.gate_passed = judgement->passed();
    app.derived.gate_here.reset();
    app.derived.gate_value.clear();
    std::optional<Analysis> found = to_answer_with(app);
    if (!found) return;
    const Analysis& analysis = *found;
    const DeviceProfile* card = card_of_figures(app.content.profiles, app.engine.gpu);
    for (const LessonBlock& block : app.lesson().blocks)
        for (const LessonRun& run : block.runs)
            if (!run.query.empty())
                app.derived.answers[run.query] =
                    answer_query(run.query, names_of(app, analysis), card);
    // No analysis of it will ever arrive to learn from.
    if (is_library_call(app.stage()) && !app.edited) learn_prediction(app, analysis);
    const std::string& expect = app.lesson().gate.expect;
    try {
        app.derived.gate_value = expect.empty() ? "" : unmet_part(expect, names_of(app, analysis));
        app.derived.gate_here =
            app.derived.gate_value.empty() && analysis.correct && analysis.report.findings.empty();
    } catch (const Error& error) {
        app.derived.gate_value = error.what();
    }
}

const Prediction& asked_prediction(const App& app) {
    auto progress = app.saved.progress.find(app.course_id());
    const bool second = progress != app.saved.progress.end() && progress->second.second &&
                        !app.lesson().again.question.empty();
    return second ? app.lesson().again : app.lesson().predict;
}

// The first form is of the default knobs, at any type and shape; the second of all that it names.
static bool is_asked_of(const App& app, const Analysis& analysis) {
    if (&asked_prediction(app) == &app.lesson().predict)
        return analysis.knobs == default_knobs(app.stage());
    const WantedSetting& at = app.lesson().again_at;
    return analysis.knobs == knobs_at(app.stage(), at) &&
           analysis.type == (at.type.empty() ? app.stage().types.front() : at.type) &&
           (at.rows == 0 || (analysis.rows == at.rows && analysis.cols == at.cols &&
                             (at.inner == kNoInner || analysis.inner == at.inner)));
}

void learn_prediction(App& app, const Analysis& analysis) {
    const Stage& stage = app.stage();
    bool counts_bytes = operation_of(stage).rate == Operation::Rate::bytes;
    if (counts_bytes && !is_library_call(stage) && analysis.knobs == default_knobs(stage))
        app.arrived.modelled[stage.id] = analysis.prediction.gb_per_s;
    const std::string& query = asked_prediction(app).answer;
    if (query.empty() || !is_asked_of(app, analysis)) return;
    try {  // a question in words is answered in the lesson; the number says no more than that
        const bool number = asks_for_number(asked_prediction(app));
        app.arrived.prediction_answer[stage.id] =
            number ? query_value(query, names_of(app, analysis)) : 0;
    } catch (const Error& error) {
        app.said.error = "The lesson's prediction cannot be answered: " + std::string(error.what());
        return;
    }
    WindowState::Progress& progress = app.saved.progress[stage.id];
    if (progress.guess.empty()) return;
    bool is_news = !progress.known;
    progress.right = prediction_right(app).value_or(false);
    progress.known = true;
    if (is_news) tell(app, &Follower::answered, stage.id, progress.right);
}

std::optional<double> asked_number(const App& app, const std::string& query) {
    std::optional<Analysis> found = to_answer_with(app);
    if (!found) return std::nullopt;
    try {
        return query_value(query, names_of(app, *found));
    } catch (const Error&) {
        return std::nullopt;  // this setting has nothing of it to count
    }
}

std::optional<bool> prediction_right(const App& app) {
    auto answer = app.arrived.prediction_answer.find(app.course_id());
    auto progress = app.saved.progress.find(app.course_id());
    if (answer == app.arrived.prediction_answer.end() || progress == app.saved.progress.end() ||
        progress->second.guess.empty())
        return std::nullopt;
    const Prediction& predict = asked_prediction(app);
    std::optional<size_t> right = right_choice(predict, answer->second);
    return right && predict.choices[*right] == progress->second.guess;
}

}  // namespace lanewise::ui
