// Sums: a launch adds all elements of a matrix up, or leaves one sum for each block.
#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "lab/analysis/prediction.h"
#include "lab/machine/sums.h"
#include "lab/measure/copy_bench.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/operation/table.h"

namespace lanewise {

namespace {

// An int counts them, with room for a stride beyond the end.
constexpr int64_t kMostElements = int64_t{1} << 30;

// ---- on a GPU

// What all jobs of one rig share: the input, kept on the card, and its sum.
struct KeptInput {
    GpuBuffer bytes;
    int64_t sum = 0;
};

class ReductionRunner final : public CopyRunner {
  public:
    LoadedStage loaded;
    GpuBuffer left;  // more, of a small matrix, than the rig's output
    std::vector<std::byte> arguments;
    std::shared_ptr<const KeptInput> input;

    void launch(Rig& rig) const override {
        rig.gpu().launch(loaded.kernel, loaded.shape, arguments);
    }
    void fill(Rig& rig) override {
        rig.gpu().copy_on_device(rig.in(), input->bytes, input->bytes.bytes());
    }
    Mismatch check(Rig& rig, const std::function<void()>& launch, double limit_s) override {
        fill(rig);
        std::vector<std::byte> sums(left.bytes());
        prepare_sums(sums, sums_left(job.stage));
        rig.gpu().upload(left, sums);
        launch();
        rig.wait(limit_s);
        rig.gpu().download(sums, left);
        return judge_sums(sums, input->sum);
    }
    // The input once; the sums are next to nothing.
    double useful_bytes(const Rig& rig) const override {
        return static_cast<double>(rig.matrix().bytes());
    }
};

std::shared_ptr<const KeptInput> keep_input(const std::string& type, Rig& rig) {
    auto kept = std::make_shared<KeptInput>();
    std::vector<std::byte> bytes(rig.matrix().bytes());
    fill_with_odd_numbers(bytes, type, core_count(), rig.cancel());
    kept->sum = sum_of_odd_numbers(rig.matrix().elements(), core_count(), rig.cancel());
    kept->bytes = rig.gpu().allocate(rig.in().bytes());
    rig.gpu().upload(kept->bytes, bytes);
    return kept;
}

// (in, out, n).
std::vector<std::byte> packed(uint64_t in, uint64_t out, int64_t n) {
    std::vector<std::byte> bytes(2 * sizeof in + sizeof(int32_t));
    auto count = static_cast<int32_t>(n);
    std::memcpy(bytes.data(), &in, sizeof in);
    std::memcpy(bytes.data() + sizeof in, &out, sizeof out);
    std::memcpy(bytes.data() + 2 * sizeof in, &count, sizeof count);
    return bytes;
}

MakeRunner runner_maker() {
    return [kept = std::shared_ptr<const KeptInput>()](
               Job job, Rig& rig) mutable -> std::unique_ptr<CopyRunner> {
        if (!kept) kept = keep_input(job.type, rig);
        auto runner = std::make_unique<ReductionRunner>();
        runner->loaded = load_stage(job, rig);
        runner->program = runner->loaded.program;
        runner->left =
            rig.gpu().allocate(static_cast<uint64_t>(count_of_sums(job)) * sizeof(float));
        runner->arguments = packed(rig.in().address(), runner->left.address(), job.rows * job.cols);
        runner->input = kept;
        runner->job = std::move(job);
        return runner;
    };
}

// ---- the operation

class ReductionCode final : public OperationCode {
  public:
    std::vector<KernelBuffer> buffers(const Job& job) const override {
        using Role = KernelBuffer::Role;
        // A kernel that adds to its output reads it as well.
        Role out = sums_left(job.stage) == SumsLeft::one ? Role::both : Role::output;
        return {{"in", job.rows, job.cols, job.type, Role::input},
                {"out", 1, count_of_sums(job), "f32", out}};
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
                    fmt::format("{} x {} is more than the {} elements that these kernels can "
                                "count; choose fewer rows or columns",
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
        prepare_sums(launch.output(), sums_left(job.stage));
    }

    void judge(StageLaunch& launch, const Job& job, int threads, const CancelFlag* cancel,
               Analysis& analysis) const override {
        auto count = static_cast<uint64_t>(job.rows * job.cols);
        analysis.mismatch = judge_sums(launch.output(), sum_of_odd_numbers(count, threads, cancel));
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
        return measure_beside_copy(std::move(jobs), runner_maker(), options, progress, cancel);
    }

    CounterReading count(const Job& job, double time_limit_s,
                         const CancelFlag* cancel) const override {
        return count_beside_copy(job, runner_maker(), time_limit_s, cancel);
    }
};

}  // namespace

const OperationCode& reduction_code() {
    static const ReductionCode code;
    return code;
}

}  // namespace lanewise
