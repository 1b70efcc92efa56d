// A stage: one .cu file with a TOML head, found under kernels/<operation>/, plus its lesson.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "course/expression.h"
#include "course/matrix_size.h"
#include "sim/warp/machine.h"

namespace lanewise {

struct Knob {
    std::string name;              // a template parameter, e.g. "TILE"
    std::vector<int64_t> choices;  // as offered, ascending
    int64_t value = 0;             // the template's own default
    std::string help;              // one line, may be empty
    bool operator==(const Knob&) const = default;
};

using KnobValues = std::map<std::string, int64_t>;

// How the shared array is laid out, for drawing it as a grid; expressions over knobs.
// Element (row, col) lies at element index row * pitch + col.
struct TileLayout {
    std::string array;              // its name in the source, e.g. "tile"
    std::string rows, cols, pitch;  // cols are the columns that hold data, pitch >= cols
    bool operator==(const TileLayout&) const = default;
};

struct Stage {
    std::string id;         // "transpose/30_padded"
    std::string operation;  // "transpose"
    std::string title;      // "Padded tile"
    std::string file;       // "30_padded.cu"
    std::filesystem::path path;
    std::string source;  // the whole file, head included, so that line numbers fit
    std::string kernel;  // "transpose_padded"
    std::vector<Knob> knobs;
    std::vector<std::string> types;                // offered element types, first is the default
    std::map<std::string, std::string> without;    // why another type is not offered, a sentence
    std::vector<std::string> template_parameters;  // in order: "T", "TILE", …
    std::vector<std::string> grid, block;          // launch expressions, 1 to 3 each
    std::string dynamic_shared;  // the same for bytes of `extern __shared__` memory; "" for none
    // What the output must be, one of an operation's (operation.h): "transpose" or "copy" of in, or
    // "in_place": the transpose of a square matrix in the buffer that held it; or "matmul":
    // C = A * B, where A is M x K, B is K x N and C is M x N, all row by row. Then rows is M, cols
    // is N, inner is K; types are those of A and B, and C is float.
    std::string reference = "transpose";
    struct Requirement {
        std::string expression;  // over knob_names(); must be non-zero
        std::string reason;      // a sentence for the user
        bool operator==(const Requirement&) const = default;
    };
    std::vector<Requirement> requirements;
    bool has_tile = false;
    TileLayout tile;
    std::string compare;  // stem of the stage to show beside this one in the shared-memory view;
                          // may be empty
    // What a stage may need beyond a card and a compiler; "" and empty for most.
    std::string library;  // "cublas_geam", "cublas_gemm": a library's call, which `source` shows;
                          // then there is no kernel or launch, and nothing to interpret
    std::string
        headers;       // "cutlass" or "cub": what the source includes beyond the toolkit's headers
    std::string arch;  // "sm_90": the oldest architecture that has what the kernel uses;
                       // "sm_90a": the only one
    // Maps for the tensor memory accelerator, which the kernel takes by value behind its other
    // parameters: what one copy takes of the matrix `of`.
    struct Tensor {
        std::string of;                  // "in" or "out"; of a product "A", "B" or "C"
        std::string box_rows, box_cols;  // elements; expressions over knobs and element_bytes
        std::string swizzle = "none";    // or "32B", "64B", "128B"
        bool operator==(const Tensor&) const = default;
    };
    std::vector<Tensor> tensors;
    std::string error;  // why this stage cannot be used; empty when fine

    bool operator==(const Stage&) const = default;
};

// The knobs' defaults, for every knob of the stage.
KnobValues default_knobs(const Stage& stage);

// Every combination of choices that satisfies the stage's requirements for this element type.
std::vector<KnobValues> knob_combinations(const Stage& stage, const std::string& type);

// Why these values cannot be used: an unknown knob (with the closest name), a value outside its
// choices (with the choices), or a requirement's reason. Empty when they can.
std::string knob_problem(const Stage& stage, const KnobValues& values, const std::string& type);

// "transpose_padded<float, 32, 8, 1>".
std::string name_expression(const Stage& stage, const KnobValues& values, const std::string& type);

// What a stage's launch expressions may name: its knobs, rows, cols, batch and element_bytes, and
// where the size has an inner side also M, N and K, which are rows, cols and inner.
NameLookup launch_names(const KnobValues& values, const std::string& type, int64_t rows,
                        int64_t cols, int64_t batch, int64_t inner = kNoInner);
// What its requirements and its tile may name: the knobs, element_bytes and what a multiprocessor
// has room for (card_limits.h).
NameLookup knob_names(const KnobValues& values, const std::string& type);

// The launch for these values; missing knobs take their defaults. Throws Error(bad_input) where an
// expression is wrong or the grid is beyond the hardware's limits, or for batch > 1 where the stage
// does not take a batch. `inner` is looked at where the operation has such a side.
LaunchShape launch_shape(const Stage& stage, const KnobValues& values, const std::string& type,
                         int64_t rows, int64_t cols, int64_t batch = 1, int64_t inner = 0);

// Whether the stage's kernel takes one buffer, (T* matrix, int side), instead of in and out.
bool is_in_place(const Stage& stage);

// Whether the stage is a library's call: it can be timed, and there is no kernel of ours to
// compile, to interpret or to count.
bool is_library_call(const Stage& stage);
// What the window and `trace` then say, in one sentence.
std::string nothing_to_interpret(const Stage& stage);

// The architecture to compile the stage for where `arch` is wanted: the newer of the two. An
// "sm_80" cannot even be interpreted where the kernel needs "sm_90".
std::string arch_for(const Stage& stage, const std::string& arch);
// Whether a card of this architecture can run the stage.
bool runs_on(const Stage& stage, const std::string& arch);

// Whether the stage is of kernels/pitfalls: a kernel with a fault to find and to mend, no rung of a
// ladder. Left out wherever all stages are measured, reported or expected to be right.
bool is_exercise(const Stage& stage);
// Whether it is of kernels/zero: one of the first steps, of no ladder either. It shows what a GPU
// is; nobody measures it, and no speed is said of it.
inline constexpr const char* kFirstSteps = "zero";
bool is_first_step(const Stage& stage);
// Whether it is neither: a rung of its course's ladder.
bool is_rung(const Stage& stage);

// Whether the stage moves `batch` matrices at once: one of its launch expressions names batch.
bool takes_batch(const Stage& stage);
// Why it takes one matrix at a time, in one sentence; "" where it takes many.
std::string why_no_batch(const Stage& stage);

// The tile's layout in elements for these values. Requires has_tile.
struct TileShape {
    int rows = 0, cols = 0, pitch = 0;
};
TileShape tile_shape(const Stage& stage, const KnobValues& values, const std::string& type);

// f32, f64, f16, u8, f32x4 -> bytes; 0 for an unknown name.
int element_bytes(const std::string& type);
// f32, f64, f16, u8, f32x4, in that order.
std::vector<std::string> element_types();
// f32 -> "float", f64 -> "double", f16 -> "unsigned short" (a transpose moves bits: 16-bit words
// stand for half without its header), u8 -> "unsigned char", f32x4 -> "float4", moved as one.
std::string cuda_type(const std::string& type);
// The same for this stage: a product computes with its halves, so there f16 is "__half".
std::string cuda_type(const Stage& stage, const std::string& type);

}  // namespace lanewise
