// One matrix size on the GPU: its input and output, and the honest check of one launch.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "lab/job/job.h"
#include "lab/job/results.h"
#include "lab/machine/expected.h"

namespace lanewise {

struct Matrix {
    int64_t rows = 0, cols = 0, batch = 1;
    int element_bytes = 4;
    uint64_t elements() const {
        return static_cast<uint64_t>(rows) * static_cast<uint64_t>(cols) *
               static_cast<uint64_t>(batch);
    }
    uint64_t bytes() const { return elements() * static_cast<uint64_t>(element_bytes); }
};

// Input element `index` as hexadecimal digits, most significant first.
std::string input_element_in_hex(uint64_t index, int element_bytes, Input input = Input::words);

// The input element that output element `index` must equal.
uint64_t reference_index(const Matrix& matrix, bool reference_is_copy, uint64_t index);

// What a launch must leave in the output.
enum class Reference { transpose, copy, in_place };

class Rig {
  public:
    // Allocates input and output, rounded up to 16 bytes, and fills the input.
    // Throws Error(bad_input) where the card has too little memory.
    Rig(Gpu& gpu, const Matrix& matrix, const CancelFlag* cancel);

    const Matrix& matrix() const { return matrix_; }
    Gpu& gpu() { return gpu_; }
    GpuBuffer& in() { return in_; }
    GpuBuffer& out() { return out_; }

    // (in, out, rows, cols[, batch]), or (out, rows[, batch]) for a stage that works in place,
    // packed for a kernel of `parameters` parameters, the last of which are `maps`.
    struct Arguments {
        std::vector<std::byte> bytes;
        std::vector<size_t> offsets;  // of each parameter, for Gpu::launch; none without maps
    };
    Arguments arguments(int parameters, Reference reference,
                        const std::vector<TensorMapBytes>& maps = {}) const;

    // Fills the input anew with `input`, makes every output element wrong (or equal to the input,
    // in place), launches, and compares all elements bit for bit with what they must be. Waits at
    // most limit_s for the launch (see wait).
    Mismatch check(const std::function<void()>& launch, Reference reference, double limit_s,
                   Input input = Input::words);

    // What the last check's launch has left in the output, from this byte on.
    void output(std::span<std::byte> into, uint64_t first);
    const CancelFlag* cancel() const { return cancel_; }

    // Launches a kernel that keeps the stream busy for so long (at least).
    void hold(double us);
    // Leaves the L2 cache full of bytes that are no matrix's and not yet written to memory.
    void flush_l2();
    // The same, but memory holds those bytes already: nothing of them is written later.
    void flush_l2_and_settle();
    // One launch of the 16-bytes-per-thread copy from in to out; of copy_variants()[variant].
    void wide_copy(size_t variant);

    // Waits for everything asked of the GPU so far. Throws Cancelled when `cancel` is set, and
    // Error(out_of_time) after limit_s; where the GPU does not come to an end, gives it up
    // (Gpu::lost).
    void wait(double limit_s);

  private:
    // Compiled and loaded at its first use.
    GpuModule& kernel(const std::string& name_expression);
    void launch_over(const std::string& name_expression, const std::vector<uint64_t>& arguments);

    Gpu& gpu_;
    Matrix matrix_;
    const CancelFlag* cancel_;
    GpuBuffer in_, out_, found_;
    GpuBuffer flush_;  // twice the L2 cache, allocated at its first use
    GpuEvent done_;
    std::map<std::string, GpuModule> kernels_;
};

}  // namespace lanewise
