#include "lab/machine/sums.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>

#include "base/threads.h"

namespace lanewise {

namespace {

constexpr uint32_t kPoison = 0x7f7f7f7f;  // finite, and beyond what any of these sums can be
constexpr uint64_t kAtOnce = uint64_t{1} << 18;

// The bits of 1, 3, 5 and 7; of a float, and of a half.
constexpr uint32_t kFloats[] = {0x3f800000, 0x40400000, 0x40a00000, 0x40e00000};
constexpr uint16_t kHalves[] = {0x3c00, 0x4200, 0x4500, 0x4700};

template <typename Bits>
Bits bits_of(int number, const Bits (&positive)[4], Bits sign) {
    return number < 0 ? static_cast<Bits>(positive[-number / 2] | sign) : positive[number / 2];
}

template <typename Bits>
void fill_as(std::span<std::byte> in, const Bits (&positive)[4], Bits sign, int threads,
             const CancelFlag* cancel) {
    in_ranges(in.size() / sizeof(Bits), kAtOnce, threads, [&](int, uint64_t begin, uint64_t end) {
        if (cancel && *cancel) throw Cancelled{};
        for (uint64_t i = begin; i < end; ++i) {
            Bits bits = bits_of(odd_number(i), positive, sign);
            std::memcpy(&in[i * sizeof bits], &bits, sizeof bits);
        }
    });
}

}  // namespace

// Three bits of the index, well mixed (splitmix64: Steele, Lea, Flood, OOPSLA 2014).
int odd_number(uint64_t index) {
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return 2 * static_cast<int>((z ^ z >> 31) >> 61) - 7;
}

int64_t sum_of_odd_numbers(uint64_t count, int threads, const CancelFlag* cancel) {
    std::atomic<int64_t> sum = 0;
    in_ranges(count, kAtOnce, threads, [&](int, uint64_t begin, uint64_t end) {
        if (cancel && *cancel) throw Cancelled{};
        int64_t here = 0;
        for (uint64_t i = begin; i < end; ++i) here += odd_number(i);
        sum += here;
    });
    return sum;
}

void fill_with_odd_numbers(std::span<std::byte> in, const std::string& type, int threads,
                           const CancelFlag* cancel) {
    if (type == "f16") return fill_as<uint16_t>(in, kHalves, 0x8000, threads, cancel);
    fill_as<uint32_t>(in, kFloats, 0x80000000, threads, cancel);
}

SumsLeft sums_left(const Stage& stage) {
    return stage.reference == "sum" ? SumsLeft::one : SumsLeft::by_block;
}

int64_t count_of_sums(const Job& job) {
    if (sums_left(job.stage) == SumsLeft::one) return 1;
    LaunchShape launch = launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols);
    return static_cast<int64_t>(launch.grid.count());
}

void prepare_sums(std::span<std::byte> out, SumsLeft left) {
    uint32_t word = left == SumsLeft::one ? 0 : kPoison;
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
    mismatch.expected = std::to_string(sum);
    mismatch.actual = fmt::format("{:.9g}", left);
    return mismatch;
}

}  // namespace lanewise
