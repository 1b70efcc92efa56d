// The swizzle forge: a stage's own kernel in which element (row, col) of the tile lies in another
// column, as an expression of C says. Compiled, interpreted, verified and counted as any kernel.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "lab/job/job.h"
#include "trace/record/column_map.h"
#include "trace/report.h"

namespace lanewise {

// What is tried: the column of element (row, col), and elements added to the end of each row.
struct SwizzleTrial {
    std::string expression = "col";  // over row, col, the stage's knobs, and TILE: cols
    int64_t pad = 0;                 // 0 to kMostSwizzlePad
    bool operator==(const SwizzleTrial&) const = default;
};
inline constexpr int64_t kMostSwizzlePad = 32;
inline constexpr size_t kLongestSwizzle = 200;  // characters

// Those that the forge offers at a click.
struct SwizzlePreset {
    const char *id, *label, *hint;
    SwizzleTrial trial;
};
const std::vector<SwizzlePreset>& swizzle_presets();

struct SwizzleResult {
    std::string stage;
    SwizzleTrial trial;
    // Why the expression cannot be tried, in the compiler's words or ours, and where in it (from 1;
    // 0: nowhere in particular). The rest is then empty.
    std::string problem;
    int problem_column = 0;
    ColumnMap map;
    int element_bytes = 4;
    std::vector<TileAccess> accesses;  // of one block, in its order
    SharedCounts store, load;          // of that block
    // Every element of a whole launch compared, of a matrix of at most a few tiles.
    int64_t verified_rows = 0, verified_cols = 0;
    bool correct = false;
    uint64_t wrong = 0;    // elements
    std::string findings;  // what else the machine found, a sentence; "" for nothing
    std::string source;    // the kernel as it was compiled

    int64_t extra_bytes() const { return int64_t{map.pitch - map.cols} * map.rows * element_bytes; }
    // The goal: right, as few wavefronts as can be on both sides, not a byte more.
    bool reaches_goal() const;
};

// Why this stage's tile cannot be forged, in one sentence; "" where it can: it is a transpose whose
// source names the tile as tile[row][col] wherever it uses it.
std::string cannot_swizzle(const Stage& stage);

// The stage with the trial in its source. What it does against conflicts itself (PAD, MASK) is
// taken out. Needs cannot_swizzle() to be empty. Throws Error(bad_input) for an expression that is
// not one, with `column` set to where.
Job swizzled_job(const Job& job, const SwizzleTrial& trial, int& column);

// How job's own source is compiled to learn where each element lies.
CompileOptions column_map_options(const Job& job);

// A fault of the expression is the result's problem; throws as trace_block() does for all else, and
// Error(bad_input) where cannot_swizzle() is not empty, and Cancelled.
SwizzleResult try_swizzle(const Job& job, uint64_t block, const SwizzleTrial& trial,
                          const CancelFlag* cancel = nullptr);

void to_json(nlohmann::json&, const SwizzleTrial&);
void from_json(const nlohmann::json&, SwizzleTrial&);
void to_json(nlohmann::json&, const SwizzleResult&);
void from_json(const nlohmann::json&, SwizzleResult&);

}  // namespace lanewise
