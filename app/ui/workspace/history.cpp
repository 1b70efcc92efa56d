#include "ui/desk/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "lab/analysis/rate.h"
#include "ui/desk/share.h"
#include "ui/desk/tools.h"
#include "ui/plain/kept_file.h"

namespace lanewise::ui {
namespace {

std::string percent(double before, double now) {
    double change = 100 * (now - before) / before;
    const char* sign = change < 0 ? "−" : "+";
    return std::abs(change) < 10 ? fmt::format("{}{:.1f} %", sign, std::abs(change))
                                 : fmt::format("{}{:.0f} %", sign, std::abs(change));
}

// A time is another only where the middle 90 % of the samples lie apart, and on one card.
void compare_times(const Snapshot& before, const Snapshot& now, Differences& found) {
    if (before.time_us <= 0 || now.time_us <= 0) return;
    Difference row{"time", fmt::format("{:.4g} µs", before.time_us),
                   fmt::format("{:.4g} µs", now.time_us), "", Ink::text_dim};
    if (before.card != now.card) {
        row.change = "another card";
    } else if (before.p05_us <= now.p95_us && now.p05_us <= before.p95_us) {
        row.change = "not told apart";
    } else {
        row.change = percent(before.time_us, now.time_us);
        row.ink = now.time_us < before.time_us ? Ink::good : Ink::bad;
    }
    found.rows.push_back(row);
    if (before.gb_per_s <= 0 || now.gb_per_s <= 0) return;
    row.name = "speed";
    row.before = fmt::format("{:.0f} GB/s", before.gb_per_s);
    row.now = fmt::format("{:.0f} GB/s", now.gb_per_s);
    if (row.ink != Ink::text_dim) row.change = percent(before.gb_per_s, now.gb_per_s);
    found.rows.push_back(row);
}

// Less is better: every count is a cost.
void compare_numbers(const std::string& name, uint64_t before, uint64_t now, Differences& found) {
    if (before == now) {
        ++found.equal;
        return;
    }
    std::string change = before == 0 ? "new"
                         : now == 0
                             ? "gone"
                             : percent(static_cast<double>(before), static_cast<double>(now));
    found.rows.push_back({name, with_thousands(before), with_thousands(now), change,
                          now < before ? Ink::good : Ink::bad});
}

uint64_t count_in(const Snapshot& snapshot, const std::string& name) {
    for (const auto& [each, count] : snapshot.counts)
        if (each == name) return count;
    return 0;
}

std::string spaced(std::string kind) {
    std::replace(kind.begin(), kind.end(), '_', ' ');
    return kind;
}

// A turned knob leaves the old counts on screen until the new ones are there.
bool is_counted(const App& app) {
    if (!app.arrived.analysis || app.own) return app.arrived.analysis != nullptr;
    const Selection& c = app.chosen();
    const Analysis& a = *app.arrived.analysis;
    return a.knobs == c.knobs && a.type == c.type && a.rows == c.rows && a.cols == c.cols &&
           a.batch == c.batch && a.inner == size_of(c).inner;
}

void add_run(History& history, Snapshot run) {
    history.runs.push_back(std::move(run));
    while (history.runs.size() > kMostRuns) {
        auto oldest = std::find_if(history.runs.begin(), history.runs.end(),
                                   [](const Snapshot& each) { return each.note.empty(); });
        history.runs.erase(oldest == history.runs.end() ? history.runs.begin() : oldest);
    }
}

}  // namespace

bool is_same_setting(const Snapshot& a, const Snapshot& b) {
    return a.title == b.title && a.counts == b.counts && a.time_us == b.time_us;
}

void complete_runs(App& app) {
    History& history = app.tools->history;
    Snapshot now = snapshot_of(app);
    bool changed = false;
    auto complete = [&](Snapshot& run) {
        if (run.counted || run.title != now.title) return;
        run.counted = now.counted;
        run.correct = now.correct;
        run.counts = now.counts;
        run.findings = now.findings;
        run.found = now.found;
        run.lines = now.lines;
        changed = true;
    };
    if (history.baseline) complete(*history.baseline);
    if (!history.runs.empty()) complete(history.runs.back());
    if (changed) history_changed(app);
}

Snapshot snapshot_of(const App& app) {
    Snapshot s;
    s.when = date_now();
    s.title = setting_in_words(app);
    s.link = link_of(shared_state(app));
    if (is_counted(app)) {
        s.counted = true;
        s.correct = app.arrived.analysis->has_reference && app.arrived.analysis->correct;
        for (const CountRow& row : count_rows(app.arrived.analysis->report.totals))
            s.counts.emplace_back(row.name, row.counted);
        for (const Finding& finding : app.arrived.analysis->report.findings)
            s.findings[finding.kind] += finding.count;
        const Stage& stage = app.stage();
        s.found = kept_findings(app.arrived.analysis->report, stage.file, stage.source);
        s.lines = kept_lines(app.arrived.analysis->report, stage.file, stage.source);
    }
    if (app.own && app.arrived.own_measurement) {
        const OwnMeasurement& m = *app.arrived.own_measurement;
        s.card = m.provenance.card;
        s.time_us = m.time_us.median;
        s.p05_us = m.time_us.p05;
        s.p95_us = m.time_us.p95;
    }
    if (app.own) return s;
    Shown shown = shown_measurement(app);
    if (!shown.measurement) return s;
    const Measurement& m = *shown.measurement;
    s.card = m.provenance.card;
    s.recorded = !shown.live;
    s.time_us = m.time_us.median;
    s.p05_us = m.time_us.p05;
    s.p95_us = m.time_us.p95;
    if (operation_of(m).rate == Operation::Rate::bytes) s.gb_per_s = m.gb_per_s;
    return s;
}

Differences differences(const Snapshot& before, const Snapshot& now) {
    Differences found;
    compare_times(before, now, found);
    if (!before.counted || !now.counted) return found;
    std::vector<std::string> names;
    for (const Snapshot* each : {&before, &now})
        for (const auto& [name, count] : each->counts)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    for (const std::string& name : names)
        compare_numbers(name, count_in(before, name), count_in(now, name), found);
    std::map<std::string, uint64_t> kinds = before.findings;
    kinds.insert(now.findings.begin(), now.findings.end());
    for (const auto& [kind, ignored] : kinds) {
        auto of = [&kind = kind](const Snapshot& s) {
            auto at = s.findings.find(kind);
            return at == s.findings.end() ? 0 : at->second;
        };
        compare_numbers(spaced(kind), of(before), of(now), found);
    }
    // Runs that were kept before lines were say nothing about them.
    if (!before.lines.empty() && !now.lines.empty())
        found.lines = line_changes(before.lines, now.lines);
    found.findings = finding_changes(before.found, now.found);
    if (before.correct != now.correct)
        found.rows.push_back({"result", before.correct ? "right" : "wrong",
                              now.correct ? "right" : "wrong", "",
                              now.correct ? Ink::good : Ink::bad});
    return found;
}

// The baseline; where none is pinned, the latest run of another setting.
static const Snapshot* before_of(const History& history, const Snapshot& now) {
    if (history.baseline) return &*history.baseline;
    for (auto run = history.runs.rbegin(); run != history.runs.rend(); ++run)
        if (!is_same_setting(*run, now) && run->title != now.title) return &*run;
    return nullptr;
}

bool compare_with_before(const App& app) {
    History& history = app.tools->history;
    if (!history.baseline && history.runs.empty()) return false;
    auto& against = history.against;
    if (against.revision != app.revision) {
        against = {app.revision, {}, snapshot_of(app), history.baseline.has_value(), {}};
        if (const Snapshot* before = before_of(history, against.now)) {
            against.before = *before;
            against.found = differences(against.before, against.now);
        }
    }
    return !against.before.title.empty();
}

void note_run(App& app) {
    add_run(app.tools->history, snapshot_of(app));
    history_changed(app);
}

void keep_run(App& app) {
    note_run(app);
    app.said.toast = {"Kept in the history of runs"};
}

void pin_baseline(App& app) {
    History& history = app.tools->history;
    Snapshot now = snapshot_of(app);
    if (history.baseline && is_same_setting(*history.baseline, now)) return unpin_baseline(app);
    history.baseline = std::move(now);
    app.said.toast = {"Baseline: " + history.baseline->title};
    history_changed(app);
}

void unpin_baseline(App& app) {
    if (!app.tools->history.baseline) return;
    app.tools->history.baseline.reset();
    app.said.toast = {"No baseline any more"};
    history_changed(app);
}

void show_run(App& app, const Snapshot& run) {
    try {
        restore(app, parse_link(run.link));
    } catch (const Error& error) {
        app.said.error = error.what();
    }
}

void history_changed(App& app) {
    History& history = app.tools->history;
    ++app.revision;  // the comparison is another
    if (history.file.empty()) return;
    try {
        write_file(history.file, history_text(history));
    } catch (const Error& error) {
        std::string sentence = std::string("The history of runs cannot be saved: ") + error.what();
        history.file.clear();  // said once; it stays in memory
        app.said.notices.push_back(sentence);
    }
}

void read_history(App& app, const std::filesystem::path& file) {
    History& history = app.tools->history;
    history.file = file;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return;
    try {
        History read = parse_history(read_file(file));
        history.runs = std::move(read.runs);
        history.baseline = std::move(read.baseline);
    } catch (const Error& error) {
        app.said.notices.push_back(std::string(error.what()) + " It is kept as " +
                                   set_aside(file, "bad").string() +
                                   ", and the history starts afresh.");
    }
}

}  // namespace lanewise::ui
