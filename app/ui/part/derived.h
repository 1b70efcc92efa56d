// What follows from what is chosen and what has arrived: lists, notes, verdicts, inputs of figures.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "course/stage.h"
#include "figure/drawing/figures.h"
#include "lab/measure/hardware_counts.h"
#include "trace/record/warp_life.h"
#include "ui/part/verdicts.h"
#include "ui/plain/highlight.h"

namespace lanewise::ui {

// One row of the list of a warp's accesses.
struct AccessRow {
    size_t access = 0;         // index into BlockTrace::accesses
    uint32_t instruction = 0;  // index into Report::instructions
    int line = 0;
    bool is_store = false;
    int cost = 0, ideal = 0;  // sectors or wavefronts
    std::string text;         // "load   in"
};

// What one source line costs per warp access; 0 accesses: none of that kind on this line.
struct LineCost {
    uint64_t accesses = 0;
    double each = 0, ideal = 0;  // sectors or wavefronts of one access
    // Of the dearest line's sectors or wavefronts: all that this line's come to, and the part of
    // them that an ideal access would need; 0 to 1. How long the bars in the margin are.
    float of_dearest = 0, ideal_of_dearest = 0;
};

// What stands in the margin of one source line.
struct LineNote {
    LineCost cost[2];  // global sectors, shared wavefronts
    float time = -1;   // share of the launch's modelled time, 0 to 1; below 0: not known
    std::string tooltip;
    bool in_block = false;
    Space space = Space::global;  // of the access that a click chooses
    size_t row = 0;               // its place in the access list
};

// What became of one source line: indices into the picture's CodeListing.
struct LineCode {
    std::vector<size_t> ptx, sass;
    std::vector<std::string> notes;  // where the two are not one to one
};

// One line of what the machine's threads printed.
struct PrintedRow {
    std::string text, who;  // "block (0,0), thread (3,0)"
};

// The source of one stage, ready to draw.
struct SourceText {
    SourceText() = default;
    explicit SourceText(const Stage& stage);
    std::string of, text;  // the stage's id and source
    std::vector<std::string> lines;
    std::vector<SourceLine> spans;
    // The stage's head in TOML, which stands as one line until it is opened; 0: there is none.
    int head_first = 0, head_last = 0;
    bool head_open = false;
    bool folds_away(int line) const {
        return !head_open && line >= head_first && line <= head_last && head_last > 0;
    }
};

// What follows from what is chosen and what has arrived. derive() and what it calls compute it;
// whoever draws only reads it.
struct Derived {
    SourceText source;                  // of the chosen stage
    std::vector<AccessRow> rows_of[2];  // global, shared accesses of the chosen warp
    std::vector<LifeStep> life;         // of the chosen warp
    std::map<int, LineNote> line_notes;
    std::map<int, std::vector<std::string>> line_findings;  // by source line
    std::map<int, LineCode> code_of;             // by source line; only lines that became code
    std::vector<PrintedRow> printed;             // by the machine's threads
    uint64_t printed_total = 0;                  // how often they did; printed may hold fewer
    std::map<std::string, std::string> answers;  // a lesson's {{queries}}
    std::optional<bool> gate_passed;             // what was judged last, if it is still on screen
    std::optional<bool> gate_here;  // whether the counts of this setting are as the task asks
    std::string gate_value;         // how far off they are
    std::vector<CountRow> counts;
    std::string counts_source;                   // who measured them, where somebody did
    std::string counts_compiler;                 // who compiled what was counted, and what lacks
    std::vector<CountComparison> hardware_rows;  // of the counters' reading
    StaircaseFigureInput staircase;              // live or recorded; no points where neither
    LadderFigureInput ladder;
    std::vector<Verdict> verdicts;  // on the results of the chosen setting
    std::string chosen_title;       // of the chosen setting, where others stand beside it
};

}  // namespace lanewise::ui
