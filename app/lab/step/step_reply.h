// What one command of the debugger answers, as plain data: for the terminal, as JSON, and for the
// window.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lab/step/debugger.h"

namespace lanewise {

// Where the warp stands.
struct StepPlace {
    StepMoment at;
    std::string block;  // "(1,0)"
    uint32_t warp = 0;
    WarpLook look;
    bool is_turn = true;  // whether its instruction is the next of the block
    StepStop::Why why = StepStop::Why::moved;
    int breakpoint = 0;
    uint32_t lanes = 0;  // for which it stopped there; 0: no one in particular
    std::string file;
    int line = 0, column = 0;  // of the source, from 1; 0 where unknown
    std::string source;        // that line
    std::string instruction;   // the PTX
    // The paths that wait, as `look` has them: the lines at which they stand and meet others.
    std::vector<std::pair<int, int>> path_lines;
    int meets_line = 0;              // of the present path
    std::vector<std::string> calls;  // "scale(…) at line 12", the innermost first
    uint64_t recorded_bytes = 0;     // that the recording takes
    size_t checkpoints = 0;
};

struct MemoryCell {
    uint64_t address = 0;
    std::string label;  // "local[3]"
    std::string text;   // its value; "" where nothing lies there
};
struct MemoryRows {
    std::string element;  // "u32"
    std::vector<MemoryCell> cells;
    size_t asked = 0;  // index of the one that was asked for
};

struct WrittenBy {
    std::string what;       // "local[3]"
    std::string value;      // that it holds now
    bool is_known = false;  // whether somebody has written it
    StepWrite write;
    std::string block;
    int line = 0;
    std::string source, instruction;
};

struct SourceRow {
    int line = 0;
    std::string text;
    bool has_code = false, has_breakpoint = false, is_here = false;
};

struct StepReply {
    std::string command;
    std::string error;               // where it could not be done: what to do instead
    std::vector<std::string> notes;  // whole sentences
    std::optional<StepPlace> place;  // after a move, or where it was asked for
    bool shows_instruction = false, shows_lanes = false, shows_recording = false;
    std::vector<NamedValues> assigned;  // by the line that was left
    std::vector<NamedValues> values;    // that were asked for
    std::vector<NamedValues> watches;
    std::optional<MemoryRows> memory;
    std::optional<WrittenBy> written;
    std::vector<Breakpoint> breakpoints;
    std::vector<SourceRow> source;
    bool quits = false;
};

}  // namespace lanewise
