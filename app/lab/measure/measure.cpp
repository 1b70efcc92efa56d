// The rig: what one size needs on the GPU, and how a launch is checked (measuring by
// transpose_bench.cpp).
#include <fmt/format.h>

#include <cstring>
#include <span>
#include <thread>

#include "base/error.h"
#include "base/round_up.h"
#include "lab/measure/bench.h"
#include "lab/measure/copy_kernel.h"
#include "lab/measure/pack.h"
#include "lab/measure/rig.h"
#include "sim/memory/memory.h"

namespace lanewise {

using Clock = std::chrono::steady_clock;

static constexpr uint32_t kThreads = 256;        // of our own loops over all elements
static constexpr uint64_t kMostBlocks = 16'384;  // a few per multiprocessor of the largest card
static constexpr double kGraceS = 2;             // for a cancelled launch to end by itself

uint64_t reference_index(const Matrix& matrix, bool reference_is_copy, uint64_t index) {
    if (reference_is_copy) return index;
    uint64_t rows = static_cast<uint64_t>(matrix.rows), cols = static_cast<uint64_t>(matrix.cols);
    uint64_t within = index % (rows * cols);
    return index - within + within % rows * cols + within / rows;
}

__extension__ using Wide = unsigned __int128;  // holds an element of any type

std::string input_element_in_hex(uint64_t index, int element_bytes, Input input) {
    Wide value = 0;
    uint64_t first = index * static_cast<uint64_t>(element_bytes);
    for (uint64_t i = static_cast<uint64_t>(element_bytes); i-- > 0;) {
        uint64_t byte = first + i;
        value = value << 8 |
                (input_word(static_cast<uint32_t>(byte / 4), input) >> (byte % 4 * 8) & 0xff);
    }
    return fmt::format("{:0{}x}", value, 2 * element_bytes);
}

static uint64_t buffer_bytes(const Matrix& matrix) { return round_up<uint64_t>(matrix.bytes(), 16); }

Rig::Rig(Gpu& gpu, const Matrix& matrix, const CancelFlag* cancel)
    : gpu_(gpu),
      matrix_(matrix),
      cancel_(cancel),
      in_(gpu.allocate(buffer_bytes(matrix))),
      out_(gpu.allocate(buffer_bytes(matrix))),
      found_(gpu.allocate(sizeof(CompareCounts))),
      done_(gpu.event()) {
    launch_over(fill_kernel(), {in_.address(), in_.bytes() / 4});
}

Rig::Arguments Rig::arguments(int parameters, Reference reference,
                              const std::vector<TensorMapBytes>& maps) const {
    struct alignas(64) Map {  // as the kernel declares it
        TensorMapBytes bytes;
    };
    Arguments all;
    auto add = [&](const auto& value) {
        pack(all.bytes, value);
        all.offsets.push_back(all.bytes.size() - sizeof value);
    };
    bool in_place = reference == Reference::in_place;
    if (!in_place) add(in_.address());
    add(out_.address());
    add(static_cast<int32_t>(matrix_.rows));
    if (!in_place) add(static_cast<int32_t>(matrix_.cols));
    if (parameters > static_cast<int>(maps.size()) + (in_place ? 2 : 4))
        add(static_cast<int32_t>(matrix_.batch));
    for (const TensorMapBytes& map : maps) add(Map{map});
    if (maps.empty()) all.offsets.clear();
    return all;
}

GpuModule& Rig::kernel(const std::string& name_expression) {
    auto [position, is_new] = kernels_.try_emplace(name_expression);
    if (is_new) {
        Program program = compile_measuring_kernel(name_expression, gpu_.description().arch);
        position->second = gpu_.load(program.gpu_code(), program.entry);
    }
    return position->second;
}

// The second argument of our kernels is the number of elements that they loop over.
void Rig::launch_over(const std::string& name_expression, const std::vector<uint64_t>& arguments) {
    std::vector<std::byte> bytes;
    for (uint64_t argument : arguments) pack(bytes, argument);
    uint64_t blocks =
        std::clamp<uint64_t>((arguments[1] + kThreads - 1) / kThreads, 1, kMostBlocks);
    LaunchShape shape;
    shape.grid.x = static_cast<uint32_t>(blocks);
    shape.block.x = kThreads;
    gpu_.launch(kernel(name_expression), shape, bytes);
}

void Rig::hold(double us) {
    std::vector<std::byte> bytes;
    pack(bytes, static_cast<uint64_t>(1000 * us));
    gpu_.launch(kernel(hold_kernel()), LaunchShape{}, bytes);
}

void Rig::flush_l2() {
    if (flush_.bytes() == 0)
        flush_ =
            gpu_.allocate(round_up(std::max<uint64_t>(2 * gpu_.description().l2_bytes, 16), 16));
    launch_over(fill_kernel(), {flush_.address(), flush_.bytes() / 4});
}

// Reading twice what the cache holds drives out what was filled, by comparing it with itself.
void Rig::flush_l2_and_settle() {
    flush_l2();
    uint64_t words = flush_.bytes() / 4;
    launch_over(compare_kernel(4, true), {flush_.address(), words, 1, words, found_.address()});
}

void Rig::wide_copy(size_t variant) {
    CopyVariant copy = copy_variants()[variant];
    uint64_t vectors = in_.bytes() / 16,
             per_block = static_cast<uint64_t>(copy.threads * copy.loads);
    std::vector<std::byte> bytes;
    pack(bytes, in_.address());
    pack(bytes, out_.address());
    pack(bytes, vectors);
    LaunchShape shape;
    shape.grid.x = static_cast<uint32_t>((vectors + per_block - 1) / per_block);
    shape.block.x = static_cast<uint32_t>(copy.threads);
    gpu_.launch(kernel(copy_kernel(copy)), shape, bytes);
}

void Rig::wait(double limit_s) {
    gpu_.record(done_);
    auto seconds_from_now = [](double s) {
        return Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
    };
    Clock::time_point deadline = seconds_from_now(limit_s);
    bool cancelled = false;
    while (!gpu_.finished(done_)) {
        if (!cancelled && cancel_ && *cancel_) {
            cancelled = true;
            deadline = std::min(deadline, seconds_from_now(kGraceS));
        }
        if (Clock::now() > deadline) {
            gpu_.abandon();
            if (cancelled) throw Cancelled{};
            throw Error(
                Status::out_of_time,
                fmt::format("the kernel did not end within {:g} s and was given up", limit_s));
        }
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    if (cancelled || (cancel_ && *cancel_)) throw Cancelled{};
}

Mismatch Rig::check(const std::function<void()>& launch, Reference reference, double limit_s,
                    Input input) {
    bool reference_is_copy = reference == Reference::copy;
    uint64_t rows = static_cast<uint64_t>(matrix_.rows), cols = static_cast<uint64_t>(matrix_.cols);
    CompareCounts counts{0, ~0ull};
    gpu_.upload(found_, std::as_bytes(std::span(&counts, 1)));
    launch_over(fill_kernel(input), {in_.address(), in_.bytes() / 4});
    if (reference == Reference::in_place)
        launch_over(fill_kernel(), {out_.address(), out_.bytes() / 4});
    else
        launch_over(poison_kernel(matrix_.element_bytes, reference_is_copy),
                    {out_.address(), matrix_.elements(), rows, cols});
    // Loaded before the launch: the driver loads nothing while a kernel runs, and this may be one
    // without end.
    std::string compare = compare_kernel(matrix_.element_bytes, reference_is_copy, input);
    kernel(compare);
    launch();
    launch_over(compare, {out_.address(), matrix_.elements(), rows, cols, found_.address()});
    wait(limit_s);
    gpu_.download(std::as_writable_bytes(std::span(&counts, 1)), found_);
    Mismatch mismatch;
    mismatch.count = counts.wrong;
    if (counts.wrong == 0) return mismatch;

    // Output coordinates: rows of the output are columns of the input, unless it is a copy.
    uint64_t out_cols = reference_is_copy ? cols : rows;
    uint64_t within = counts.first % (rows * cols);
    mismatch.row = static_cast<int64_t>(within / out_cols);
    mismatch.col = static_cast<int64_t>(within % out_cols);
    Wide actual = 0;
    uint64_t size = static_cast<uint64_t>(matrix_.element_bytes);
    gpu_.download(std::as_writable_bytes(std::span(&actual, 1)).first(size), out_,
                  counts.first * size);
    mismatch.expected = input_element_in_hex(
        reference_index(matrix_, reference_is_copy, counts.first), matrix_.element_bytes, input);
    mismatch.actual = fmt::format("{:0{}x}", actual, 2 * matrix_.element_bytes);
    return mismatch;
}

void Rig::output(std::span<std::byte> into, uint64_t first) { gpu_.download(into, out_, first); }

Measurement measure(const Job& job, const MeasureOptions& options, const Progress& progress,
                    const CancelFlag* cancel) {
    return measure_together({job}, options, progress, cancel).front();
}

}  // namespace lanewise
