// What comes back: results as plain data, which travel between engine and window.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compile/cubin.h"
#include "course/operation.h"
#include "course/stage.h"
#include "lab/job/setting.h"
#include "model/bandwidth.h"
#include "model/occupancy.h"
#include "trace/report.h"

namespace lanewise {

// ---- The compiled code, beside the source

struct PtxRow {
    int line = 0;         // in Program::ptx, 1-based
    int source_line = 0;  // of the kernel's own file; 0 where unknown, or in another file
    int access = -1;      // index into Report::instructions; -1: no access to memory
    std::string text;     // an instruction as written, or a label with its colon
};

struct SassRow {
    uint32_t address = 0;  // from the kernel's first byte
    int ptx_line = 0, source_line = 0;
    int bytes_per_lane = 0;  // 0: not per lane
    std::string opcode;      // "LDS.64"
    std::string predicate;   // "@P0", "@!P0"; "" always, "@!PT" never executes
    // With respect to the PTX's instruction at ptx_line: "merged" (it does the work of others too),
    // "widened", "split", "copy" (one of several, as of an unrolled loop); "" as written.
    std::string relation;
};

// Where a source line's accesses are not one to one: "merged: 2 ld.shared.f32 → 1 LDS.64".
struct CodeNote {
    int source_line = 0;
    std::string text;
};

struct CodeListing {
    std::vector<PtxRow> ptx;    // the kernel's body in order, at most kMostPtxRows
    std::vector<SassRow> sass;  // by address
    std::vector<CodeNote> notes;
    std::string remark;  // why something is missing here; a whole sentence, or ""
};
inline constexpr size_t kMostPtxRows = 6000;

// ---- Right or wrong

struct Mismatch {
    uint64_t count = 0;            // wrong elements
    int64_t row = 0, col = 0;      // the first one, in the output's coordinates
    std::string expected, actual;  // as hexadecimal words; of a product as numbers
};

// How far a product is from its reference (lab/product/product.h); zeros for anything else.
struct ProductError {
    double relative = 0;        // ||C - ref|| / ||ref||, of the elements that are finite
    double relative_limit = 0;  // of random data; 0: not judged by it
    double worst = 0;           // the largest |C - ref| / (|A| |B|) of one element
    double worst_limit = 0;
    bool is_small() const { return relative_limit == 0 || relative <= relative_limit; }
};

// How much of a product was interpreted where it was not all (product_sample.h); zeros where it
// was.
struct BlockSample {
    uint64_t blocks = 0, of_blocks = 0;      // these alone are counted
    uint64_t elements = 0, of_elements = 0;  // of C; these were compared
    bool is_used() const { return blocks > 0; }
};

// ---- What the machine saw

// What is drawn for a knob change: one block, interpreted in about a millisecond.
struct Picture : StageSetting {
    LaunchShape launch;
    Report report;  // counts of this one block
    BlockTrace block;
    TileShape tile;  // zeros where the stage has no tile
    int element_bytes = 4;
    KernelResources resources;
    Occupancy occupancy;
    CodeListing code;
    std::string compiler;  // as in Program
    std::string compiled;  // "compiled by NVRTC 13.0 in 28 ms", "from the cache", …
    double compile_ms = 0, interpret_ms = 0;
};

// One thing that a launch loses, by the model (lab/analysis/issues.h).
struct Issue {
    std::string title;      // "32-way bank conflict"
    int line = 0;           // of the source; 0: it belongs to no line
    double us = 0;          // that it adds to the launch
    double us_without = 0;  // the launch's time without it
    std::string fix;        // what to do, in whole sentences; may be empty
    bool operator==(const Issue&) const = default;
};

// The whole launch, every block, or a sample of them; a stage's is verified element by element.
struct Analysis : StageSetting {
    std::string input;  // of a product, as `error` is
    ProductError error;
    LaunchShape launch;
    bool has_reference = true;  // false: a kernel of the user's own; nothing to compare with
    bool correct = false;       // all that was compared is right: of a sample, its elements
    Mismatch mismatch;
    BlockSample sample;
    std::string compiler;            // as in Program; "" of a library's call
    std::vector<std::string> notes;  // what the user should know of these figures; whole sentences
    Report report;
    KernelResources resources;
    Occupancy occupancy;
    BandwidthPrediction prediction;
    std::vector<Issue> issues;  // dearest first
    double compile_ms = 0, interpret_ms = 0;
    int threads = 1;
};

}  // namespace lanewise
