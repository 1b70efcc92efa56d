// Transposes, copies and transposes in place: every element is moved once, and compared bit for bit.
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "lab/analysis/prediction.h"
#include "lab/machine/expected.h"
#include "lab/measure/transpose_bench.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/operation/table.h"

namespace lanewise {

namespace {

bool is_copy(const Job& job) { return job.stage.reference == "copy"; }

ExpectedOutput expected_output(const Job& job) {
    return {job.rows, job.cols, job.batch, element_bytes(job.type), is_copy(job)};
}

class TransposeCode final : public OperationCode {
  public:
    std::vector<KernelBuffer> buffers(const Job& job) const override {
        using Role = KernelBuffer::Role;
        int64_t rows = job.rows, cols = job.cols;
        if (is_in_place(job.stage)) return {{"matrix", rows, cols, job.type, Role::both}};
        KernelBuffer in{"in", rows, cols, job.type, Role::input, true};
        if (is_copy(job)) return {in, {"out", rows, cols, job.type, Role::output}};
        return {in, {"out", cols, rows, job.type, Role::output}};
    }

    std::vector<Scalar> scalars(const Job& job) const override {
        if (is_in_place(job.stage)) return {{"side", job.rows}};
        return {{"rows", job.rows}, {"cols", job.cols}};
    }

    std::string parameters(const Stage& stage) const override {
        return is_in_place(stage) ? "(T* matrix, int side)"
                                  : "(const T* in, T* out, int rows, int cols)";
    }

    void check(const Job& job) const override {
        if (!is_in_place(job.stage) || job.rows == job.cols) return;
        throw Error(Status::bad_input,
                    fmt::format("{} turns a matrix where it lies, which must be square; choose as "
                                "many columns as rows ({} x {})",
                                job.stage.id, job.rows, job.rows));
    }

    // The output alone is held in memory: the input is computed as it is read.
    uint64_t host_bytes(const Job& job) const override { return expected_output(job).bytes(); }

    std::string too_large(const Job& job, uint64_t bytes, uint64_t available) const override {
        return fmt::format(
            "{} x {} x {} elements of {} need {} of memory for the output, but this machine has {} "
            "free. Choose fewer rows or columns",
            job.batch, job.rows, job.cols, job.type, in_bytes(bytes), in_bytes(available));
    }

    void fill(StageLaunch& launch, const Job& job, int threads,
              const CancelFlag* cancel) const override {
        if (is_in_place(job.stage))
            fill_with_unique_words(launch.memory.buffers().back(), threads);
        else
            poison(launch.output(), expected_output(job), threads, cancel);
    }

    void judge(StageLaunch& launch, const Job& job, int threads, const CancelFlag* cancel,
               Analysis& analysis) const override {
        analysis.mismatch = compare(launch.output(), expected_output(job), threads, cancel);
        analysis.correct = analysis.mismatch.count == 0;
    }

    MismatchMap map(StageLaunch& launch, const Job& job, int threads,
                    const CancelFlag* cancel) const override {
        TileShape tile{};
        if (job.stage.has_tile) tile = tile_shape(job.stage, job.knobs, job.type);
        MappedOutput of{expected_output(job), tile.rows, tile.cols, !is_in_place(job.stage)};
        return map_mismatches(launch.output(), of, threads, cancel);
    }

    Traffic traffic(const PreparedKernel& prepared, const Job& job) const override {
        return traffic_of_blocks(prepared, job);
    }

    std::vector<Measurement> measure(std::vector<Job> jobs, const MeasureOptions& options,
                                     const Progress& progress,
                                     const CancelFlag* cancel) const override {
        return measure_transposes(std::move(jobs), options, progress, cancel);
    }

    CounterReading count(const Job& job, double time_limit_s,
                         const CancelFlag* cancel) const override {
        return count_transpose_launch(job, time_limit_s, cancel);
    }
};

}  // namespace

const OperationCode& transpose_code() {
    static const TransposeCode code;
    return code;
}

}  // namespace lanewise
