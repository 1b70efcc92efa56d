// What is asked of the machine or of a GPU: one setting of one stage, or one launch of a kernel from
// outside the catalogue.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "course/operation.h"
#include "course/stage.h"
#include "lab/job/setting.h"
#include "sim/warp/machine.h"

namespace lanewise {

// A launch of a kernel from outside the catalogue (lab/kernel/own_kernel.h).
struct OwnLaunch {
    std::string kernel;  // a name expression: "saxpy", "tile::copy<float, 32>"; "" = a stage's job
    LaunchShape shape;
    std::vector<std::string> arguments;  // as kernel_arguments.h reads them: "f32[1024]", "i32:4"
    std::vector<std::string> include_folders;  // beside the file's own, which is always searched
    std::vector<std::string> defines;          // "NAME" or "NAME=VALUE"
    // Values of the module's variables, "NAME=ARGUMENT" (module_variables.h).
    std::vector<std::string> variables = {};
    // Buffers that are there before the launch, "NAME=f32[64]=0": an argument may be a NAME, also
    // NAME+16 for its 17th element. So it may name what a parameter of an earlier launch has.
    std::vector<std::string> buffers = {};
    // The launches before this one, in the same memory; they have none before them themselves.
    std::vector<OwnLaunch> before = {};
    // PTX to take as it is instead of compiling the source, which is only shown (ptx_file.h), and
    // the name of its file; "": there is none.
    std::string ptx = {}, ptx_file = {};
    bool is_used() const { return !kernel.empty(); }
};

// One setting of one stage: all that a job needs to know. The same for analyse() and measure().
struct Job : MatrixSize {
    Job() : MatrixSize{4096, 4096, 256} {}
    // Where the size says no inner side, it is the default's.
    Job(Stage of, KnobValues set, std::string elements, const MatrixSize& size, std::string for_arch)
        : Job() {
        int64_t usual = inner;
        static_cast<MatrixSize&>(*this) = size;
        if (inner == kNoInner) inner = usual;
        stage = std::move(of);
        knobs = std::move(set);
        type = std::move(elements);
        arch = std::move(for_arch);
    }
    Stage stage;       // by value: a remote engine needs no content folder
    KnobValues knobs;  // missing knobs take their defaults
    std::string type = "f32";
    std::string arch;  // "" = the GPU's own where there is one, else sm_90
    // A kernel from outside the catalogue: stage is then own_stage()'s, and knobs, type and shape
    // are not looked at.
    OwnLaunch own = {};
    // Of a product: which of product_inputs() (lab/product/product.h) A and B hold.
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

// As every result of the job repeats it: an Analysis, a Picture or a Measurement.
StageSetting setting_of(const Job& job);
inline void take_setting(StageSetting& result, const Job& job) { result = setting_of(job); }

}  // namespace lanewise
