#include "lab/measure/reduction_bench.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>

#include "base/threads.h"
#include "lab/machine/odd_numbers.h"
#include "lab/measure/copy_bench.h"

namespace lanewise {

namespace {

constexpr uint32_t kPoison = 0x7f7f7f7f;  // finite, and beyond what any of these sums can be
constexpr uint64_t kGrain = uint64_t{1} << 18;

template <typename Bits>
int64_t fill_as(std::span<std::byte> in, Bits (*bits_of)(int), int threads,
                const CancelFlag* cancel) {
    std::atomic<int64_t> sum = 0;
    in_ranges(in.size() / sizeof(Bits), kGrain, threads, [&](int, uint64_t begin, uint64_t end) {
        if (cancel && *cancel) throw Cancelled{};
        int64_t here = 0;
        for (uint64_t i = begin; i < end; ++i) {
            int number = odd_number(i);
            Bits bits = bits_of(number);
            std::memcpy(&in[i * sizeof bits], &bits, sizeof bits);
            here += number;
        }
        sum += here;
    });
    return sum;
}

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
        std::vector<std::byte> sums(static_cast<size_t>(sums_left(job)) * sizeof(float));
        prepare_sums(sums, job.stage);
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

std::shared_ptr<const KeptInput> keep_input(const Job& job, Rig& rig) {
    auto kept = std::make_shared<KeptInput>();
    std::vector<std::byte> bytes(rig.matrix().bytes());
    kept->sum = fill_with_odd_numbers(bytes, job.type, core_count(), rig.cancel());
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
        if (!kept) kept = keep_input(job, rig);
        auto runner = std::make_unique<ReductionRunner>();
        runner->loaded = load_stage(job, rig);
        runner->program = runner->loaded.program;
        runner->left = rig.gpu().allocate(static_cast<uint64_t>(sums_left(job)) * sizeof(float));
        runner->arguments = packed(rig.in().address(), runner->left.address(), job.rows * job.cols);
        runner->input = kept;
        runner->job = std::move(job);
        return runner;
    };
}

}  // namespace

bool leaves_one_sum(const Stage& stage) { return stage.reference == "sum"; }

int64_t sums_left(const Job& job) {
    if (leaves_one_sum(job.stage)) return 1;
    LaunchShape launch = launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols);
    return static_cast<int64_t>(launch.grid.count());
}

int64_t fill_with_odd_numbers(std::span<std::byte> in, const std::string& type, int threads,
                              const CancelFlag* cancel) {
    if (type == "f16") return fill_as<uint16_t>(in, odd_half, threads, cancel);
    return fill_as<uint32_t>(in, odd_float, threads, cancel);
}

void prepare_sums(std::span<std::byte> out, const Stage& stage) {
    uint32_t word = leaves_one_sum(stage) ? 0 : kPoison;
    for (size_t at = 0; at + sizeof word <= out.size(); at += sizeof word)
        std::memcpy(&out[at], &word, sizeof word);
}

Mismatch judge_sums(std::span<const std::byte> out, int64_t sum) {
    double left = 0;
    for (size_t at = 0; at + sizeof(float) <= out.size(); at += sizeof(float)) {
        float one;
        std::memcpy(&one, &out[at], sizeof one);
        left += static_cast<double>(one);
    }
    Mismatch mismatch;
    if (left == static_cast<double>(sum)) return mismatch;
    mismatch.count = 1;
    mismatch.expected = fmt::format("{}", sum);
    mismatch.actual = fmt::format("{:.9g}", left);
    return mismatch;
}

std::vector<Measurement> measure_reductions(std::vector<Job> jobs, const MeasureOptions& options,
                                            const Progress& progress, const CancelFlag* cancel) {
    return measure_beside_copy(std::move(jobs), runner_maker(), options, progress, cancel);
}

CounterReading count_reduction_launch(const Job& job, double time_limit_s,
                                      const CancelFlag* cancel) {
    return count_beside_copy(job, runner_maker(), time_limit_s, cancel);
}

}  // namespace lanewise
