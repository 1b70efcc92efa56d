// What follows from a choice and its results: computed once when either changes, so that drawing
// only reads.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "lab/analysis/issues.h"
#include "lab/change/pad_table.h"
#include "ui/state/app.h"

namespace lanewise::ui {
namespace {

// ---- the lists of accesses

std::string access_text(const Picture& picture, const TracedAccess& access) {
    const InstructionReport& instruction = picture.report.instructions[access.instruction];
    const char* verb = instruction.is_store ? "store" : "load";
    bool named = instruction.space == Space::global && access.buffer >= 0 &&
                 access.buffer < static_cast<int>(picture.block.buffers.size());
    std::string where =
        named ? picture.block.buffers[static_cast<size_t>(access.buffer)].name : "shared";
    if (where.empty()) where = "global";
    return fmt::format("{} {}, {} B a lane", verb, where, instruction.bytes_per_lane);
}

void list_accesses(App& app) {
    app.derived.rows_of[0].clear();
    app.derived.rows_of[1].clear();
    if (!app.arrived.picture) return;
    const Picture& picture = *app.arrived.picture;
    for (size_t i = 0; i < picture.block.accesses.size(); ++i) {
        const TracedAccess& access = picture.block.accesses[i];
        if (access.warp != app.chosen().warp) continue;
        const InstructionReport& instruction = picture.report.instructions[access.instruction];
        bool shared = instruction.space == Space::shared;
        AccessRow row;
        row.access = i;
        row.instruction = access.instruction;
        row.line = instruction.line;
        row.is_store = instruction.is_store;
        row.cost = shared ? access.wavefronts : access.sectors;
        row.ideal = shared ? access.wavefronts_ideal : access.sectors_ideal;
        row.text = access_text(picture, access);
        app.derived.rows_of[shared].push_back(std::move(row));
    }
}

// The access to show first: the most wasteful one; where none is, the last kind of the story: the
// store of a global list, the load of a shared one.
int most_telling(const std::vector<AccessRow>& rows, bool shared) {
    int best = -1;
    double worst = -1;
    for (size_t i = 0; i < rows.size(); ++i) {
        const AccessRow& row = rows[i];
        double waste = row.ideal > 0 ? double(row.cost) / row.ideal : 1;
        if (row.is_store != shared) waste += 0.01;
        if (waste > worst + 1e-9) {
            worst = waste;
            best = static_cast<int>(i);
        }
    }
    return best;
}

// ---- the margin of the source

// How long each line's bars are: by the dearest line's cost, and by the launch's modelled time.
void measure_bars(App& app, const Report& report) {
    double most[2] = {0, 0};
    auto all_of = [](const LineCost& cost) {
        return cost.each * static_cast<double>(cost.accesses);
    };
    for (const auto& [line, note] : app.derived.line_notes)
        for (int side : {0, 1}) most[side] = std::max(most[side], all_of(note.cost[side]));
    for (auto& [line, note] : app.derived.line_notes)
        for (int side : {0, 1}) {
            LineCost& cost = note.cost[side];
            if (most[side] <= 0 || cost.each <= 0) continue;
            cost.of_dearest = static_cast<float>(all_of(cost) / most[side]);
            cost.ideal_of_dearest =
                cost.of_dearest * static_cast<float>(std::min(1.0, cost.ideal / cost.each));
        }
    if (!app.arrived.analysis || app.arrived.analysis->prediction.time_us <= 0) return;
    const BandwidthPrediction& model = app.arrived.analysis->prediction;
    for (const LineTime& each : time_by_line(report, model))
        if (auto note = app.derived.line_notes.find(each.line); note != app.derived.line_notes.end()) {
            note->second.time = static_cast<float>(each.us / model.time_us);
            note->second.tooltip +=
                fmt::format("\n{:.3g} of {:.3g} µs, by the bandwidth model", each.us, model.time_us);
        }
}

void note_lines(App& app) {
    app.derived.line_notes.clear();
    const Report* report = app.arrived.analysis  ? &app.arrived.analysis->report
                           : app.arrived.picture ? &app.arrived.picture->report
                                                 : nullptr;
    if (!report) return;
    const char* scope = app.arrived.analysis ? "whole launch" : "this block";
    for (const LineReport& line : report->lines) {
        if (line.file != app.stage().file && !line.file.ends_with("/" + app.stage().file)) continue;
        GlobalCounts global = line.counts.global_load;
        global += line.counts.global_store;
        SharedCounts shared = line.counts.shared_load;
        shared += line.counts.shared_store;
        LineNote& note = app.derived.line_notes[line.line];
        auto add = [&](int side, uint64_t cost, uint64_t ideal, uint64_t accesses,
                       const char* unit) {
            if (accesses == 0) return;
            auto n = static_cast<double>(accesses);
            LineCost& each = note.cost[side];
            each = {accesses, static_cast<double>(cost) / n, static_cast<double>(ideal) / n};
            note.tooltip +=
                fmt::format("{}{:.4g} {} per warp access, {:.4g} at best\n{} in the {}, {} at best",
                            note.tooltip.empty() ? "" : "\n", each.each, unit, each.ideal,
                            with_thousands(cost), scope, with_thousands(ideal));
        };
        add(0, global.sectors, global.sectors_ideal, global.requests, "sectors");
        add(1, shared.wavefronts, shared.wavefronts_ideal, shared.instructions, "wavefronts");
    }
    measure_bars(app, *report);
    // A click on a line chooses its first access; of two kinds, the global one.
    for (int side : {1, 0})
        for (size_t i = app.derived.rows_of[side].size(); i-- > 0;)
            if (auto note = app.derived.line_notes.find(app.derived.rows_of[side][i].line);
                note != app.derived.line_notes.end()) {
                note->second.space = side ? Space::shared : Space::global;
                note->second.row = i;
                note->second.in_block = true;
            }
}

// ---- the counts, beside the profiler's where the same launch was counted

void list_counts(App& app) {
    app.derived.counts.clear();
    app.derived.counts_source.clear();
    app.derived.counts_compiler.clear();
    if (!app.arrived.analysis) return;
    if (const Analysis& a = *app.arrived.analysis; !a.compiler.empty())
        app.derived.counts_compiler =
            "Compiled by " + a.compiler +
            (a.occupancy.is_known()
                 ? "."
                 : ", and counted as written in PTX. Registers and occupancy are " +
                       std::string(kNotKnown) + ".");
    app.derived.counts = count_rows(app.arrived.analysis->report.totals);
    if (app.own) return;
    const Selection& c = app.chosen();
    for (const CounterRecording& recording : app.content.counter_recordings) {
        const CountedLaunch* launch =
            recording.find(app.stage(), c.knobs, c.type, c.rows, c.cols, size_of(c).inner);
        if (!launch) continue;
        add_measured(app.derived.counts, *launch);
        app.derived.counts_source = fmt::format("Measured by {} on {}, {}.", recording.tool,
                                                recording.card, recording.date);
        return;
    }
}

}  // namespace

SourceText::SourceText(const Stage& stage)
    : of(stage.id), text(stage.source), spans(highlight(stage.source, stage.file)) {
    for (std::string_view line : lines_of(stage.source)) lines.emplace_back(line);
    if (lines.empty() || !lines.front().starts_with("/*---")) return;
    for (size_t i = 1; i < lines.size() && head_last == 0; ++i)
        if (lines[i].find("---*/") != std::string::npos) {
            head_first = 1;
            head_last = static_cast<int>(i) + 1;
        }
}

void derive(App& app) {
    if (app.derived.source.of != app.stage().id || app.derived.source.text != app.stage().source) {
        app.derived.source = SourceText(app.stage());
        app.sight.source = {};
    }
    list_accesses(app);
    list_life(app);
    note_lines(app);
    link_code(app);
    list_outcome(app);
    answer_lesson(app);
    choose_comparisons(app);
    list_counts(app);
    list_hardware(app);
    build_ladder(app);
    list_verdicts(app);
    ++app.revision;
}

// ---- arriving

// An answer may come after another kernel was chosen for which nothing can be asked yet.
void take_picture(App& app, Picture picture) {
    if (picture.stage != app.stage().id) return;
    app.arrived.picture = std::make_shared<const Picture>(std::move(picture));
    app.arrived.diagnostics.clear();  // it compiles
    select(app, [&](Selection& now) {
        now.block = app.arrived.picture->block.block;
        now.warp = std::min(now.warp, std::max(app.arrived.picture->block.warps, 1u) - 1);
    });
    derive(app);
}

void take_analysis(App& app, Analysis analysis) {
    if (analysis.stage != app.stage().id) return;
    if (analysis.sample.is_used()) {
        app.arrived.sampled = std::make_shared<const Analysis>(std::move(analysis));
        derive(app);
        return;
    }
    app.arrived.analysis = std::make_shared<const Analysis>(std::move(analysis));
    if (!app.own && !app.edited) learn_prediction(app, *app.arrived.analysis);
    derive(app);
    tell(app, &Follower::counted);
}

void take_pads(App& app, PadTable pads) {
    app.arrived.pads = std::make_shared<const PadTable>(std::move(pads));
    ++app.revision;
}

void take_measurement(App& app, Measurement measurement) {
    app.arrived.live.push_back(std::move(measurement));
    app.arrived.crash.reset();
    derive(app);
    tell(app, &Follower::measured);
}

// ---- asking

Job job_of(const App& app) {
    Job job;
    job.stage = app.stage();
    job.knobs = app.chosen().knobs;
    job.type = app.chosen().type;
    job.rows = app.chosen().rows;
    job.cols = app.chosen().cols;
    job.inner = app.chosen().inner;
    job.batch = app.chosen().batch;
    if (app.own) job.own = app.own->launch;
    return job;
}

int chosen_row(const App& app, Space space) {
    bool shared = space == Space::shared;
    const std::vector<AccessRow>& rows = app.derived.rows_of[shared];
    int chosen = app.chosen().access[shared];
    if (chosen >= 0 && chosen < static_cast<int>(rows.size())) return chosen;
    return most_telling(rows, shared);
}

int highlighted_line(const App& app) {
    if (app.chosen().line > 0) return app.chosen().line;
    const LifeStep* moment = shown_moment(app);
    return moment ? moment->line : 0;
}

}  // namespace lanewise::ui
