// What an operation does, as code: the other half of its row in course/operation.h. Whoever runs,
// judges or times a stage asks this, never which course it is of. One more operation is one more
// class in lab/operation/ and one more line in lab/operation/table.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/cupti_counters.h"
#include "lab/job/job.h"
#include "lab/job/measurement.h"
#include "lab/job/results.h"

namespace lanewise {

class StageLaunch;      // lab/machine/prepared.h
struct PreparedKernel;  // the same
struct MismatchMap;     // lab/mismatch/mismatch_map.h
struct Traffic;         // model/bandwidth.h

// A buffer that a stage's kernel is given, as one launch of it has it.
struct KernelBuffer {
    enum class Role { input, output, both };
    std::string name;            // "in"; as in Operation::buffers
    int64_t rows = 0, cols = 0;  // of one matrix, row by row; of `batch` of them below
    std::string type;            // of its elements
    Role role = Role::input;
    bool unique_words = false;  // computed as they are read (sim/memory/memory.h), not stored
    uint64_t bytes(int64_t batch = 1) const;
};

struct Scalar {
    std::string name;  // as the kernels call it: "rows", "K"
    int64_t value = 0;
};

// All take jobs that validate() has seen, unless they say otherwise.
class OperationCode {
  public:
    virtual ~OperationCode() = default;

    // ---- what a kernel is given, in this order; then the maps of its head's tensors
    virtual std::vector<KernelBuffer> buffers(const Job& job) const = 0;
    virtual std::vector<Scalar> scalars(const Job& job) const = 0;
    // The same for a message: "(const T* in, T* out, int rows, int cols)".
    virtual std::string parameters(const Stage& stage) const = 0;
    // Throws Error(bad_input) for what no kernel of this operation can have; the last part of
    // validate().
    virtual void check(const Job& job) const;
    // What a block may take before it counts as one that never ends; 0: as others.
    virtual uint64_t most_instructions_of_block(const Job& job, uint64_t blocks) const;

    // ---- on the machine
    // What analyse() holds in this machine's memory, and what is said where that is too much.
    virtual uint64_t host_bytes(const Job& job) const = 0;
    virtual std::string too_large(const Job& job, uint64_t bytes, uint64_t available) const = 0;
    // Gives the inputs what they hold, and makes every element of the output wrong. Throws
    // Cancelled, as the two below.
    virtual void fill(StageLaunch& launch, const Job& job, int threads,
                      const CancelFlag* cancel) const = 0;
    // Compares the output with what it must be: correct, mismatch, error and notes.
    virtual void judge(StageLaunch& launch, const Job& job, int threads, const CancelFlag* cancel,
                       Analysis& analysis) const = 0;
    // Why there is no map of wrong elements, in one sentence ("": there is one); and the map.
    virtual std::string cannot_map(const Job& job) const;
    virtual MismatchMap map(StageLaunch& launch, const Job& job, int threads,
                            const CancelFlag* cancel) const = 0;
    // The bytes that every kernel has to move, and does at best: what GB/s are counted of. Each
    // buffer once, and twice where it is read and written.
    virtual uint64_t useful_bytes(const Job& job) const;
    // What the model is told of a launch (lab/analysis/prediction.h).
    virtual Traffic traffic(const PreparedKernel& prepared, const Job& job) const = 0;

    // ---- on a GPU; see lab/measure/bench.h
    // Whether two jobs of this operation and one size can share their rounds.
    virtual bool are_comparable(const Job& a, const Job& b) const;
    virtual std::vector<Measurement> measure(std::vector<Job> jobs, const MeasureOptions& options,
                                             const Progress& progress,
                                             const CancelFlag* cancel) const = 0;
    virtual CounterReading count(const Job& job, double time_limit_s,
                                 const CancelFlag* cancel) const = 0;
};

// What a launch has to read and to write of its buffers, each once.
struct MovedBytes {
    uint64_t read = 0, written = 0;
};
MovedBytes moved_bytes(const Job& job);

// Of the stage's operation: lab/operation/table.cpp. Throws as operation_of() does.
const OperationCode& code_of(const Stage& stage);

}  // namespace lanewise
