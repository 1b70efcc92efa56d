#include "lab/machine/expected.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/threads.h"
#include "sim/memory/memory.h"

namespace lanewise {

namespace {

template <typename T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
    return std::as_writable_bytes(std::span(values));
}

}  // namespace

TEST(Expected, ATransposeOfWords) {  // 2 x 3: in = w0 w1 w2 / w3 w4 w5
    ExpectedOutput expected{2, 3, 1, 4, false};
    auto w = [](uint32_t i) { return unique_word(i); };
    std::vector<uint32_t> output = {w(0), w(3), w(1), w(4), w(2), w(5)};
    EXPECT_EQ(24u, expected.bytes());
    EXPECT_EQ(0u, compare(bytes_of(output), expected, 1).count);

    output[3] = 0xdeadbeef;
    output[5] = 0;
    Mismatch wrong = compare(bytes_of(output), expected, 2);
    EXPECT_EQ(2u, wrong.count);
    EXPECT_EQ(1, wrong.row);  // the output has 3 rows of 2
    EXPECT_EQ(1, wrong.col);
    EXPECT_EQ("0xdeadbeef", wrong.actual);
}

TEST(Expected, ACopyOfWords) {
    ExpectedOutput expected{2, 3, 1, 4, true};
    std::vector<uint32_t> output;
    for (uint32_t i = 0; i < 6; ++i) output.push_back(unique_word(i));
    EXPECT_EQ(0u, compare(bytes_of(output), expected, 1).count);
    output[4] ^= 1;
    Mismatch wrong = compare(bytes_of(output), expected, 1);
    EXPECT_EQ(1u, wrong.count);
    EXPECT_EQ(1, wrong.row);
    EXPECT_EQ(1, wrong.col);
}

TEST(Expected, OtherElementSizesAreTheLittleEndianWordStream) {
    // 2 x 2, so that the transpose swaps elements 1 and 2 of the stream.
    uint32_t words[4];
    for (uint32_t i = 0; i < 4; ++i) words[i] = unique_word(i);

    uint8_t bytes[4];
    std::memcpy(bytes, words, sizeof bytes);
    std::vector<uint8_t> u8 = {bytes[0], bytes[2], bytes[1], bytes[3]};
    EXPECT_EQ(0u, compare(bytes_of(u8), {2, 2, 1, 1, false}, 1).count);

    uint16_t halves[4];
    std::memcpy(halves, words, sizeof halves);
    std::vector<uint16_t> f16 = {halves[0], halves[2], halves[1], halves[3]};
    EXPECT_EQ(0u, compare(bytes_of(f16), {2, 2, 1, 2, false}, 1).count);

    auto pair = [](uint32_t i) {
        return uint64_t{unique_word(2 * i)} | uint64_t{unique_word(2 * i + 1)} << 32;
    };
    std::vector<uint64_t> f64 = {pair(0), pair(2), pair(1), pair(3)};
    EXPECT_EQ(0u, compare(bytes_of(f64), {2, 2, 1, 8, false}, 1).count);
}

TEST(Expected, SixteenBytesAreFourWords) {  // 1 x 2 becomes 2 x 1: nothing moves
    std::vector<uint32_t> words;
    for (uint32_t i = 0; i < 8; ++i) words.push_back(unique_word(i));
    EXPECT_EQ(0u, compare(bytes_of(words), {1, 2, 1, 16, false}, 1).count);

    words[6] ^= 1;  // the third word of the second element
    Mismatch wrong = compare(bytes_of(words), {1, 2, 1, 16, false}, 1);
    EXPECT_EQ(1u, wrong.count);
    EXPECT_EQ(1, wrong.row);
    EXPECT_EQ(34u, wrong.actual.size());  // 0x and 32 digits
    EXPECT_NE(wrong.expected, wrong.actual);
}

TEST(Expected, BatchesFollowEachOther) {  // two 1 x 2 matrices: each becomes 2 x 1
    std::vector<uint32_t> output;
    for (uint32_t i = 0; i < 4; ++i) output.push_back(unique_word(i));
    EXPECT_EQ(0u, compare(bytes_of(output), {1, 2, 2, 4, false}, 1).count);
    output[3] ^= 1;
    Mismatch wrong = compare(bytes_of(output), {1, 2, 2, 4, false}, 1);
    EXPECT_EQ(1, wrong.row);  // within its matrix
    EXPECT_EQ(0, wrong.col);
}

TEST(Expected, PoisonIsWrongEverywhere) {
    for (int element_bytes : {1, 2, 4, 8, 16})
        for (bool is_copy : {false, true}) {
            ExpectedOutput expected{33, 1000, 1, element_bytes, is_copy};
            std::vector<std::byte> output(expected.bytes());
            poison(output, expected, 2);
            EXPECT_EQ(33'000u, compare(output, expected, 2).count) << element_bytes;
        }
}

TEST(Expected, CancelStops) {
    ExpectedOutput expected{64, 64, 1, 4, false};
    std::vector<std::byte> output(expected.bytes());
    CancelFlag cancel = true;
    EXPECT_THROW(poison(output, expected, 2, &cancel), Cancelled);
    EXPECT_THROW(compare(output, expected, 2, &cancel), Cancelled);
}

TEST(Threads, RangesCoverEverythingOnce) {
    for (uint64_t count : {0, 1, 7, 64, 1000}) {
        std::vector<std::atomic<int>> seen(count);
        in_ranges(count, 7, 3, [&](int thread, uint64_t begin, uint64_t end) {
            EXPECT_TRUE(thread >= 0 && thread < 3);
            for (uint64_t i = begin; i < end; ++i) ++seen[i];
        });
        for (auto& times : seen) EXPECT_EQ(1, times);
    }
}

TEST(Threads, TheFirstExceptionArrives) {
    auto fail = [](int, uint64_t begin, uint64_t) {
        if (begin == 10) throw Error(Status::bad_input, "ten");
    };
    EXPECT_THROW(in_ranges(1000, 1, 2, fail), Error);
}

}  // namespace lanewise
