// What the machine says about one run: compile, interpret, verify, count, model. Needs no GPU.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/cubin.h"
#include "course/stage.h"
#include "lab/code_listing.h"
#include "lab/own_kernel.h"
#include "model/bandwidth.h"
#include "model/occupancy.h"
#include "trace/report.h"

namespace lanewise {

// One setting of one stage: all that a job needs to know. The same for analyse() and measure().
struct Job {
    Stage stage;       // by value: a remote engine needs no content folder
    KnobValues knobs;  // missing knobs take their defaults
    std::string type = "f32";
    int64_t rows = 4096, cols = 4096, batch = 1;
    std::string arch;  // "" = the GPU's own where there is one, else sm_90
    // A kernel from outside the catalogue: stage is then own_stage()'s, and knobs, type and shape
    // are not looked at.
    OwnLaunch own = {};
    // Of a product: rows is M, cols is N, inner is K; and which of product_inputs()
    // (lab/product.h) A and B hold.
    int64_t inner = 256;
    std::string input = "random";
};

inline constexpr int64_t kMaxDimension = 65'536;

// Fills in default knobs; throws Error(bad_input) with one clear sentence for a knob or shape that
// cannot be used (0, negative, above kMaxDimension, …).
void validate(Job& job);

// The shape alone; likewise.
void check_shape(int64_t rows, int64_t cols, int64_t batch = 1);
// K of a product; 0 is one, and C then all zeros.
void check_inner(int64_t inner);

// Polled by long jobs between blocks or launches; set from another thread to stop. A stopped job
// throws Cancelled.
using CancelFlag = std::atomic<bool>;
struct Cancelled {};

struct Mismatch {
    uint64_t count = 0;            // wrong elements
    int64_t row = 0, col = 0;      // the first one, in the output's coordinates
    std::string expected, actual;  // as hexadecimal words; of a product as numbers
};

// How far a product is from its reference (lab/product.h); zeros for anything else.
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

// What is drawn for a knob change: one block, interpreted in about a millisecond.
struct Picture {
    std::string stage;
    KnobValues knobs;
    std::string type;
    int64_t rows = 0, cols = 0, batch = 1;
    int64_t inner = kNoInner;  // K of a product
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
// Throws Cancelled when `cancel` (may be null) is set.
Picture trace_block(const Job& job, uint64_t block, const CancelFlag* cancel = nullptr);

// The whole launch, every block, or a sample of them; a stage's is verified element by element.
struct Analysis {
    std::string stage;
    KnobValues knobs;
    std::string type;
    int64_t rows = 0, cols = 0, batch = 1;
    int64_t inner = kNoInner;  // K of a product, for which `input` and `error` stand, too
    std::string input;
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
    double compile_ms = 0, interpret_ms = 0;
    int threads = 1;
};
class StageLaunch;
// Is shown the memory as the launch left it.
using LookAtMemory = std::function<void(const StageLaunch&)>;
// threads: 0 = all cores. cancel may be null. blocks: of a product, how many to interpret; all
// where it is 0 or the launch has no more. Throws Error(bad_input) where some do not stand for all.
Analysis analyse(const Job& job, int threads = 0, const CancelFlag* cancel = nullptr,
                 uint64_t blocks = 0, const LookAtMemory& look = {});

// What stands for it of a library's call, of which nothing can be counted or verified: setting and
// shape alone, so that a lesson may ask about those.
Analysis nothing_counted(const Job& job);

}  // namespace lanewise
