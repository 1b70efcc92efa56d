// The runs so far, with notes, and the one that others are compared with: the baseline. A run that
// is worth keeping is kept by itself (every one on the GPU) or by command, also where there is no
// GPU: its counts and findings then.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"
#include "ui/part/changes.h"

namespace lanewise::ui {

struct App;

// What was known of one setting at one moment.
struct Snapshot {
    std::string when;   // ISO 8601, UTC
    std::string title;  // setting_in_words
    std::string link;   // restores it (share.h)
    std::string note;   // the user's own words
    bool counted = false, correct = false;
    std::vector<std::pair<std::string, uint64_t>> counts;  // "global load sectors" …
    std::map<std::string, uint64_t> findings;              // how often, by kind
    std::vector<KeptFinding> found;                        // one by one
    std::vector<KeptLine> lines;                           // what each line costs
    std::string card;       // that it was timed on; empty: it was not
    bool recorded = false;  // not here and now
    double time_us = 0, p05_us = 0, p95_us = 0, gb_per_s = 0;
    bool operator==(const Snapshot&) const = default;
};

// What differs, one row each; rows that are equal are only counted.
struct Difference {
    std::string name, before, now;
    std::string change;       // "−50 %", "new", "gone", "not told apart"
    Ink ink = Ink::text_dim;  // good, bad, or neither
};
struct Differences {
    std::vector<Difference> rows;  // time first, then counts, then findings
    size_t equal = 0;              // counts that are the same
    std::vector<LineChange> lines;
    std::vector<FindingChange> findings;
};
struct History {
    std::vector<Snapshot> runs;  // the latest last
    std::optional<Snapshot> baseline;
    std::filesystem::path file;  // where they are kept; empty: in memory
    // What is shown against the baseline, computed once for each change.
    struct {
        uint64_t revision = ~uint64_t{0};  // App's, that it is of
        Snapshot before, now;
        bool pinned = false;  // before is the baseline, else the run before this setting
        Differences found;
    } against;
    bool page_open = false, focus_wanted = false;
};

inline constexpr size_t kMostRuns = 200;  // older ones are forgotten, those with a note last

Snapshot snapshot_of(const App& app);

Differences differences(const Snapshot& before, const Snapshot& now);
// Fills in History::against where it is not up to date; false where there is nothing to compare
// with: neither a baseline nor a run of another setting.
bool compare_with_before(const App& app);

void keep_run(App& app);      // what is shown now, as the latest run
void note_run(App& app);      // the same, quietly: a measurement has just arrived
void pin_baseline(App& app);  // what is shown now; a second time for the same: unpin
void unpin_baseline(App& app);
void complete_runs(App& app);  // the counts have arrived of what was kept before they had
bool is_same_setting(const Snapshot& a, const Snapshot& b);  // but for the place in it
void show_run(App& app, const Snapshot& run);
void history_changed(App& app);  // writes the file; what goes wrong becomes a notice, once

// Merges the file's runs into app's; a corrupt or a newer version's file is set aside and said.
void read_history(App& app, const std::filesystem::path& file);

void draw_history(App& app);   // view_history.cpp: the page over the window
void draw_baseline(App& app);  // view_baseline.cpp: the card in the right column

// As JSON text (workspace_json.cpp). parse throws Error(bad_input), one sentence.
std::string history_text(const History& history);
History parse_history(const std::string& text);

}  // namespace lanewise::ui
