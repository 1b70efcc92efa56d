#include "lab/machine/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include "base/threads.h"
#include "sim/memory/memory.h"

namespace lanewise {

namespace {

constexpr size_t kChunk = 512;  // elements made at a time; they stay in the L1 cache
constexpr uint64_t kGrain = uint64_t{1} << 18;

__extension__ using Wide = unsigned __int128;  // holds an element of any type

template <typename T>
T input_element(uint64_t index) {
    if constexpr (sizeof(T) == 16) {
        T low = input_element<uint64_t>(2 * index);
        return low | T{input_element<uint64_t>(2 * index + 1)} << 64;
    } else if constexpr (sizeof(T) == 8) {
        uint64_t low = unique_word(static_cast<uint32_t>(2 * index));
        return low | uint64_t{unique_word(static_cast<uint32_t>(2 * index + 1))} << 32;
    } else {
        constexpr uint64_t kPerWord = 4 / sizeof(T);
        uint32_t word = unique_word(static_cast<uint32_t>(index / kPerWord));
        return static_cast<T>(word >> (8 * sizeof(T) * (index % kPerWord)));
    }
}

// Calls use(first, expected elements) for chunks that cover [begin, end) of the output. A chunk
// lies within one row of the output, so that its input indices are evenly spaced.
template <typename T, typename Use>
void expected_chunks(const ExpectedOutput& e, uint64_t begin, uint64_t end, Use use) {
    auto rows = static_cast<uint64_t>(e.rows), cols = static_cast<uint64_t>(e.cols);
    uint64_t row_length = e.is_copy ? cols : rows;
    uint64_t stride = e.is_copy ? 1 : cols;
    std::array<T, kChunk> chunk;
    for (uint64_t at = begin; at < end;) {
        uint64_t matrix = at / (rows * cols), within = at % (rows * cols);
        uint64_t row = within / row_length, col = within % row_length;
        uint64_t count = std::min({row_length - col, end - at, uint64_t{kChunk}});
        uint64_t first = matrix * rows * cols + (e.is_copy ? within : col * cols + row);
        for (uint64_t i = 0; i < count; ++i) chunk[i] = input_element<T>(first + i * stride);
        use(at, std::span<T>(chunk.data(), count));
        at += count;
    }
}

// Calls work with a value of the element's type: which of the five does not matter elsewhere.
template <typename Work>
void with_element_type(int bytes, Work work) {
    switch (bytes) {
        case 1:
            return work(uint8_t{});
        case 2:
            return work(uint16_t{});
        case 4:
            return work(uint32_t{});
        case 8:
            return work(uint64_t{});
        default:
            return work(Wide{});
    }
}

}  // namespace

// As in copy_kernel.cpp: an exponent of all ones or all zeros becomes one in the middle.
uint32_t input_word(uint32_t index, Input input) {
    uint32_t word = unique_word(index), exponent = word >> 23 & 0xff;
    bool is_number = exponent != 0 && exponent != 0xff;
    return input == Input::words || is_number ? word : word ^ 0x40000000u;
}

uint64_t ExpectedOutput::bytes() const {
    return static_cast<uint64_t>(rows) * static_cast<uint64_t>(cols) *
           static_cast<uint64_t>(batch) * static_cast<uint64_t>(element_bytes);
}

void poison(std::span<std::byte> output, const ExpectedOutput& expected, int threads,
            const CancelFlag* cancel) {
    with_element_type(expected.element_bytes, [&](auto element) {
        using T = decltype(element);
        in_ranges(
            output.size() / sizeof(T), kGrain, threads, [&](int, uint64_t begin, uint64_t end) {
                if (cancel && *cancel) throw Cancelled{};
                expected_chunks<T>(expected, begin, end, [&](uint64_t at, std::span<T> right) {
                    for (T& value : right) value = static_cast<T>(~value);
                    std::memcpy(output.data() + at * sizeof(T), right.data(), right.size_bytes());
                });
            });
    });
}

namespace {

// The wrong elements of one chunk, or none.
struct WrongElements {
    uint64_t count = 0, first = ~uint64_t{0};
    Wide expected = 0, actual = 0;
    void operator+=(const WrongElements& other) {
        count += other.count;
        if (other.first >= first) return;
        first = other.first;
        expected = other.expected;
        actual = other.actual;
    }
};

template <typename T>
WrongElements wrong_elements(const std::byte* output, uint64_t at, std::span<const T> right) {
    WrongElements wrong;
    const std::byte* there = output + at * sizeof(T);
    if (std::memcmp(there, right.data(), right.size_bytes()) == 0) return wrong;
    for (uint64_t i = 0; i < right.size(); ++i) {
        T actual;
        std::memcpy(&actual, there + i * sizeof(T), sizeof(T));
        if (actual != right[i]) wrong += {1, at + i, right[i], actual};
    }
    return wrong;
}

}  // namespace

Mismatch compare(std::span<const std::byte> output, const ExpectedOutput& e, int threads,
                 const CancelFlag* cancel) {
    WrongElements wrong;
    std::mutex mutex;
    with_element_type(e.element_bytes, [&](auto element) {
        using T = decltype(element);
        in_ranges(output.size() / sizeof(T), kGrain, threads,
                  [&](int, uint64_t begin, uint64_t end) {
                      if (cancel && *cancel) throw Cancelled{};
                      WrongElements here;
                      expected_chunks<T>(e, begin, end, [&](uint64_t at, std::span<const T> right) {
                          here += wrong_elements(output.data(), at, right);
                      });
                      std::lock_guard lock(mutex);
                      wrong += here;
                  });
    });
    Mismatch result;
    if (wrong.count == 0) return result;
    uint64_t row_length = static_cast<uint64_t>(e.is_copy ? e.cols : e.rows);
    uint64_t within = wrong.first % (static_cast<uint64_t>(e.rows) * static_cast<uint64_t>(e.cols));
    result.count = wrong.count;
    result.row = static_cast<int64_t>(within / row_length);
    result.col = static_cast<int64_t>(within % row_length);
    result.expected = fmt::format("{:#0{}x}", wrong.expected, 2 + 2 * e.element_bytes);
    result.actual = fmt::format("{:#0{}x}", wrong.actual, 2 + 2 * e.element_bytes);
    return result;
}

}  // namespace lanewise
