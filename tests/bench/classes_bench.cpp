// How fast the machine interprets and counts kernels of five classes that are not streams: atomics in
// shared memory, a sort, doubles, powers, and products of matrices. One thread; warp_instructions is the
// rate that matters. Each result is compared with the host's before it is timed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "../sim/run_ptx.h"
#include "trace/count/counter.h"

namespace lanewise {
namespace {

template <class T>
std::span<T> in_memory(Memory& memory, uint64_t address, size_t count) {
    auto* storage = memory.find(address, sizeof(T) * count)->storage;
    return {reinterpret_cast<T*>(storage), count};
}

struct Launch {
    LaunchShape shape;
    Arguments arguments;
    std::function<bool()> is_right;  // of a first run on fresh buffers
};

Launch histogram(Memory& memory) {
    constexpr uint32_t kCount = 1 << 20;
    uint64_t data = memory.allocate(kCount, "data"), bins = memory.allocate(1024, "bins");
    auto bytes = in_memory<uint8_t>(memory, data, kCount);
    for (uint32_t i = 0; i < kCount; ++i) bytes[i] = uint8_t(unique_word(i));
    auto is_right = [=, &memory] {
        std::vector<uint32_t> expected(256);
        for (uint8_t byte : bytes) ++expected[byte];
        return std::ranges::equal(expected, in_memory<uint32_t>(memory, bins, 256));
    };
    Arguments arguments;
    arguments.add(data).add(bins).add(kCount);
    return {{{64}, {256}}, arguments, is_right};
}

Launch bitonic(Memory& memory) {
    constexpr uint32_t kBlocks = 32;
    uint64_t keys = memory.allocate(4096 * kBlocks, "keys");
    auto words = in_memory<uint32_t>(memory, keys, 1024 * kBlocks);
    for (uint32_t i = 0; i < words.size(); ++i) words[i] = unique_word(i);
    auto is_right = [=] {
        for (uint32_t block = 0; block < kBlocks; ++block)
            if (!std::ranges::is_sorted(words.subspan(1024 * block, 1024))) return false;
        return true;
    };
    Arguments arguments;
    arguments.add(keys);
    return {{{kBlocks}, {1024}}, arguments, is_right};
}

Launch stencil_f64(Memory& memory) {
    constexpr uint32_t kSide = 1024;
    uint64_t bytes = 8ull * kSide * kSide;
    uint64_t in = memory.allocate(bytes, "in"), out = memory.allocate(bytes, "out");
    auto from = in_memory<double>(memory, in, kSide * kSide);
    auto to = in_memory<double>(memory, out, kSide * kSide);
    for (uint32_t i = 0; i < from.size(); ++i) from[i] = unique_word(i) % 1000;
    auto is_right = [=] {
        auto at = [&](uint32_t row, uint32_t col) { return from[row * kSide + col]; };
        for (uint32_t row = 1; row + 1 < kSide; row += 7)
            for (uint32_t col = 1; col + 1 < kSide; ++col) {
                double sides = at(row - 1, col) + at(row + 1, col) + at(row, col - 1) + at(row, col + 1);
                double corners = at(row - 1, col - 1) + at(row - 1, col + 1) + at(row + 1, col - 1) +
                                 at(row + 1, col + 1);
                // Of small whole numbers: exact in any order.
                if (to[row * kSide + col] != 0.25 * at(row, col) + 0.125 * sides + 0.0625 * corners)
                    return false;
            }
        return true;
    };
    Arguments arguments;
    arguments.add(in).add(out).add(kSide).add(kSide);
    return {{{kSide / 32, kSide / 8}, {32, 8}}, arguments, is_right};
}

Launch softmax(Memory& memory) {
    constexpr uint32_t kRows = 256, kCols = 1024;
    uint64_t in = memory.allocate(4 * kRows * kCols, "in");
    uint64_t out = memory.allocate(4 * kRows * kCols, "out");
    auto from = in_memory<float>(memory, in, kRows * kCols);
    auto to = in_memory<float>(memory, out, kRows * kCols);
    for (uint32_t i = 0; i < from.size(); ++i) from[i] = float(unique_word(i) % 1000) / 100;
    auto is_right = [=] {
        for (uint32_t row = 0; row < kRows; ++row) {
            auto mine = from.subspan(row * kCols, kCols);
            double largest = *std::ranges::max_element(mine), sum = 0;
            for (float value : mine) sum += std::exp(value - largest);
            for (uint32_t col = 0; col < kCols; ++col)
                if (std::abs(to[row * kCols + col] * sum / std::exp(mine[col] - largest) - 1) > 1e-4)
                    return false;
        }
        return true;
    };
    Arguments arguments;
    arguments.add(in).add(out).add(kRows).add(kCols);
    return {{{kRows / 8}, {256}}, arguments, is_right};
}

Launch products(Memory& memory) {
    constexpr uint32_t kRows = 128, kCols = 128, kInner = 256;
    uint64_t a = memory.allocate(2 * kRows * kInner, "a"), b = memory.allocate(2 * kCols * kInner, "b");
    uint64_t c = memory.allocate(4 * kRows * kCols, "c");
    // 1, 2, 3 and 4 as halves.
    constexpr uint16_t kHalves[] = {0x3c00, 0x4000, 0x4200, 0x4400};
    auto left = in_memory<uint16_t>(memory, a, kRows * kInner);
    auto right = in_memory<uint16_t>(memory, b, kCols * kInner);
    for (uint32_t i = 0; i < left.size(); ++i) left[i] = kHalves[unique_word(i) % 4];
    for (uint32_t i = 0; i < right.size(); ++i) right[i] = kHalves[unique_word(i + 99) % 4];
    auto result = in_memory<float>(memory, c, kRows * kCols);
    auto is_right = [=] {
        auto value = [&](uint16_t half) { return uint32_t(std::ranges::find(kHalves, half) - kHalves + 1); };
        for (uint32_t row = 0; row < kRows; ++row)
            for (uint32_t col = 0; col < kCols; ++col) {
                uint32_t sum = 0;
                for (uint32_t k = 0; k < kInner; ++k)
                    sum += value(left[row * kInner + k]) * value(right[col * kInner + k]);
                if (result[row * kCols + col] != float(sum)) return false;
            }
        return true;
    };
    Arguments arguments;
    arguments.add(a).add(b).add(c).add(kCols).add(kInner);
    return {{{kRows / 16 * (kCols / 8) / 4}, {128}}, arguments, is_right};
}

void interpret(benchmark::State& state, const char* name, Launch (*make)(Memory&)) {
    std::string text = read_file(std::string(TESTS_FOLDER) + "/bench/classes/" + name + ".ptx");
    ptx::Kernel kernel = ptx::parse(text).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    Launch launch = make(memory);
    uint64_t executed = 0;
    auto run = [&] {
        Counter counter(kernel);
        Observer* observers[] = {&counter};
        const Counter* results[] = {&counter};
        uint64_t count = machine.run_all(launch.shape, launch.arguments, memory, observers, {});
        benchmark::DoNotOptimize(merge(kernel, results, launch.shape, memory));
        return count;
    };
    run();
    if (!launch.is_right()) return state.SkipWithError("the result is wrong");
    for (auto _ : state) executed += run();
    state.counters["warp_instructions"] =
        benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}

#define LANEWISE_CLASS(name)                      \
    BENCHMARK_CAPTURE(interpret, name, #name, name) \
        ->Unit(benchmark::kMillisecond)           \
        ->Repetitions(5)                          \
        ->ReportAggregatesOnly()
LANEWISE_CLASS(histogram);
LANEWISE_CLASS(bitonic);
LANEWISE_CLASS(stencil_f64);
LANEWISE_CLASS(softmax);
LANEWISE_CLASS(products);

}  // namespace
}  // namespace lanewise
