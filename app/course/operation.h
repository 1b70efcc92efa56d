// An operation is what the stages of one course compute, as data. Whoever stands above asks it for
// the property that matters there (which sides a size has, whether elements are computed with, what
// speed is counted in), never which course it is. One more operation is one more row of the table
// in operation.cpp, its kernels and lessons, and its code in lab, which fills the buffers, launches
// and verifies.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "course/stage.h"

namespace lanewise {

struct Operation {
    std::string id;            // the folder of its kernels and lessons: "transpose"
    std::string name;          // "a product has …"
    std::string course;        // what stands above its stages: "PRODUCT"
    std::string course_title;  // and on what chooses it: "Products"

    // ---- what a kernel is given, and what it has to leave
    // What the output must be, as a stage's `reference`; the first where its head says nothing.
    std::vector<std::string> references;
    std::string result;                // where there is one alone: what it is, as a clause
    std::vector<std::string> buffers;  // by name, the output last
    // Its input may be chosen among sets of numbers, and a result may be off by its roundings; else
    // there is one input, and a result is compared bit for bit.
    bool computes = false;
    // Its elements are numbers for the kernel too: halves are __half. So where it computes.
    bool reads_numbers = false;
    // In the end it has one result, however many elements the launch writes; and how a result of
    // its kernels is compared, in one sentence, where it does not compute.
    bool one_result = false;
    std::string compared = {};
    std::vector<std::string> types;  // of elements; empty: all
    // The calls of libraries that a stage may be, instead of a kernel.
    struct Call {
        std::string name;                // "cublas_gemm"
        std::vector<std::string> types;  // that it takes
        // The one that it may have ("TF32"), its choices as one writes them, and the largest.
        std::string knob = {}, like = {};
        int64_t most = 0;
    };
    std::vector<Call> calls;
    bool takes_batch = false;  // whether a launch may have several at once, if the stage takes them

    // ---- its size
    struct Sides {
        std::vector<std::string> names;  // "rows", "cols"; "M", "N", "K"
        std::string title;               // "Matrix"
        std::string help;                // what each is, in one sentence
    };
    Sides sides;
    // Whether there is a side besides rows and cols, along which sums are taken.
    bool has_inner() const { return sides.names.size() == 3; }
    using Size = MatrixSize;
    struct Offer {
        std::string text;  // "4096²"
        Size size;
    };
    struct Sizes {
        Size begins_at;    // until the user says another
        Size timed_at;     // the same where it is timed alone, not interpreted
        Size mostly_at;    // where most was measured: shown where nothing was at the chosen size
        std::string like;  // a size as it is typed: "1000x50"
        std::vector<Offer> offered;  // by the window
        // Where a gate is judged (gate_cases.h): sizes at which its counts must hold, every stage
        // fitting them whole; and awkward ones, at which the result must be right all the same.
        std::vector<Size> judged_at, awkward;
    };
    Sizes sizes;

    // ---- how fast it is
    enum class Rate { bytes, operations };  // what is counted of it, as far as nothing avoids it
    Rate rate = Rate::bytes;
    const char* unit() const { return rate == Rate::bytes ? "GB/s" : "GFLOP/s"; }
    // Whether as much is written as is read: a transpose does, a sum leaves next to nothing.
    bool writes_all = true;
    // How often each element of the input goes by at least.
    int times_moved() const { return writes_all ? 2 : 1; }
    const char* counted_once() const { return writes_all ? "once in and once out" : "once in"; }
    const char* moved_are() const { return writes_all ? "Input and output are" : "The input is"; }
    std::string naive = "10_";  // what the stage begins with that speed-ups are counted from
    std::string yardstick;      // what is timed in the same rounds: "copy", "cuBLAS"

    // ---- in the window
    struct Views {
        std::string opening;           // the link to what first stands beside a lesson's name
        std::vector<std::string> own;  // which no other operation has
        std::string others;            // what another's say instead of their pictures
    };
    Views views;
};

// In the order in which they teach.
const std::vector<Operation>& all_operations();

// Of this id; of another folder's name the first.
const Operation& operation_called(const std::string& id);

// The one that has the stage's reference. Throws Error(bad_input) where none has it, as may be of a
// stage that another version of the program sent.
const Operation& operation_of(const Stage& stage);
inline bool same_operation(const Stage& a, const Stage& b) {
    return &operation_of(a) == &operation_of(b);
}

// `inner` where the stage's operation has an inner side, else kNoInner.
int64_t inner_for(const Stage& stage, int64_t inner);

// Whether the window's view `id` is of this operation: one of its own, or no other's.
bool has_view(const Operation& operation, const std::string& id);

// "M, N and K".
std::string sides_in_words(const Operation& operation);

// Why an inner side (a set of input data) cannot be chosen for this stage, behind the name of the
// option: " is for a product, which has M, N and K; transpose/30_padded has rows and cols".
std::string inner_is_for(const Stage& stage);
std::string input_is_for(const Stage& stage);

}  // namespace lanewise
