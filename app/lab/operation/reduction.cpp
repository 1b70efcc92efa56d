// Sums: a launch adds all elements of a matrix up, or leaves one sum for each block.
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "lab/analysis/prediction.h"
#include "lab/measure/reduction_bench.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/operation/table.h"

namespace lanewise {

namespace {

// An int counts them, with room for a stride beyond the end.
constexpr int64_t kMostElements = int64_t{1} << 30;

class ReductionCode final : public OperationCode {
  public:
    std::vector<KernelBuffer> buffers(const Job& job) const override {
        using Role = KernelBuffer::Role;
        // A kernel that adds to its output reads it as well.
        return {{"in", job.rows, job.cols, job.type, Role::input},
                {"out", 1, sums_left(job), "f32",
                 leaves_one_sum(job.stage) ? Role::both : Role::output}};
    }

    std::vector<Scalar> scalars(const Job& job) const override {
        return {{"n", job.rows * job.cols}};
    }

    std::string parameters(const Stage&) const override {
        return "(const T* in, float* out, int n)";
    }

    void check(const Job& job) const override {
        if (job.rows * job.cols <= kMostElements) return;
        throw Error(Status::bad_input,
                    fmt::format("{} x {} are more elements than these kernels count, which is {}; "
                                "choose fewer rows or columns",
                                job.rows, job.cols, with_thousands(kMostElements)));
    }

    uint64_t host_bytes(const Job& job) const override {
        MovedBytes moved = moved_bytes(job);
        return moved.read + moved.written;
    }

    std::string too_large(const Job& job, uint64_t bytes, uint64_t available) const override {
        return fmt::format(
            "{} x {} elements of {} need {} of memory, and this machine has {} free; choose fewer "
            "rows or columns",
            job.rows, job.cols, job.type, in_bytes(bytes), in_bytes(available));
    }

    void fill(StageLaunch& launch, const Job& job, int threads,
              const CancelFlag* cancel) const override {
        fill_with_odd_numbers(launch.buffer(0), job.type, threads, cancel);
        prepare_sums(launch.output(), job.stage);
    }

    // What the kernel read is still there: it is added up again.
    void judge(StageLaunch& launch, const Job& job, int threads, const CancelFlag* cancel,
               Analysis& analysis) const override {
        int64_t sum = fill_with_odd_numbers(launch.buffer(0), job.type, threads, cancel);
        analysis.mismatch = judge_sums(launch.output(), sum);
        analysis.correct = analysis.mismatch.count == 0;
    }

    std::string cannot_map(const Job&) const override {
        return "A sum is one number: there is no map of where it is wrong.";
    }

    MismatchMap map(StageLaunch&, const Job& job, int, const CancelFlag*) const override {
        throw Error(Status::bad_input, cannot_map(job));
    }

    uint64_t useful_bytes(const Job& job) const override { return buffers(job).front().bytes(); }

    Traffic traffic(const PreparedKernel& prepared, const Job& job) const override {
        return traffic_of_blocks(prepared, job);
    }

    std::vector<Measurement> measure(std::vector<Job> jobs, const MeasureOptions& options,
                                     const Progress& progress,
                                     const CancelFlag* cancel) const override {
        return measure_reductions(std::move(jobs), options, progress, cancel);
    }

    CounterReading count(const Job& job, double time_limit_s,
                         const CancelFlag* cancel) const override {
        return count_reduction_launch(job, time_limit_s, cancel);
    }
};

}  // namespace

const OperationCode& reduction_code() {
    static const ReductionCode code;
    return code;
}

}  // namespace lanewise
