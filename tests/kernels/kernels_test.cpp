// Every kernel of tests/golden/h200/machine compiles for each architecture and is understood; some
// are run, and their results are computed once more here.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>

#include "../needs.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "ptx/parser.h"
#include "sim/warp/machine.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<uint32_t>;

const fs::path kFolder = fs::path(TESTS_FOLDER) / "golden/h200/machine";
const char* kArchitectures[] = {"sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120"};

class Kernels : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override { NEEDS_NVRTC(); }
};

// The kernel's name stands behind --kernel in the file's head.
ptx::Kernel kernel_of(const std::string& file, const std::string& arch) {
    Source source{file, read_file((kFolder / file).string())};
    size_t at = source.text.find("--kernel ") + 9;
    char end = source.text[at] == '"' ? '"' : ' ';
    at += end == '"';
    CompileOptions options;
    options.kernel = source.text.substr(at, source.text.find(end, at) - at);
    options.arch = arch;
    std::string headers = compiler_status().include_folder;
    options.include_folders = {headers, headers + "/cccl"};
    Program program = compile(source, options);
    return ptx::parse(program.ptx, program.entry);
}

TEST_P(Kernels, AreUnderstood) {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(kFolder)) {
        if (entry.path().extension() != ".cu") continue;
        std::string file = entry.path().filename().string();
        // cooperative_groups.h takes a second to compile: once is enough
        bool is_slow = read_file(entry.path().string()).find("cccl") != std::string::npos;
        if (is_slow && GetParam() != std::string_view("sm_90")) continue;
        try {
            ptx::Kernel kernel = kernel_of(file, GetParam());
            Machine machine(kernel);
            ++count;
        } catch (const std::exception& error) {
            ADD_FAILURE() << file << ": " << error.what();
        }
    }
    EXPECT_LE(55u, count);
}
INSTANTIATE_TEST_SUITE_P(Of, Kernels, testing::ValuesIn(kArchitectures));

Words unique_words(size_t count) {
    Words words(count);
    for (size_t i = 0; i < count; ++i) words[i] = unique_word(static_cast<uint32_t>(i));
    return words;
}

struct Faults : Observer {
    void on_fault(const Fault&) override { ++count; }
    size_t count = 0;
};

// kernel(out, in) with `in_words` unique words; out is cleared.
Words run(const std::string& file, const std::string& arch, LaunchShape shape, size_t out_words,
          size_t in_words) {
    ptx::Kernel kernel = kernel_of(file, arch);
    Machine machine(kernel);
    Memory memory;
    uint64_t arguments[] = {memory.allocate(4 * out_words, "out"),
                            memory.allocate_unique_words(4 * in_words, "in")};
    Faults faults;
    machine.run(shape, std::as_bytes(std::span(arguments)), memory, 0, shape.grid.count(), faults);
    EXPECT_EQ(0u, faults.count);
    Words out(out_words);
    std::memcpy(out.data(), memory.buffers()[0].storage, 4 * out_words);
    return out;
}

TEST_P(Kernels, ScanABlock) {
    Words expected = unique_words(384);
    for (size_t i = 0; i < 384; ++i)
        if (i % 128 != 0) expected[i] += expected[i - 1];
    EXPECT_EQ(expected, run("scan_block.cu", GetParam(), {{3}, {128}}, 384, 384));
}

TEST_P(Kernels, SortABlock) {
    Words expected = unique_words(512);
    auto smaller = [](uint32_t a, uint32_t b) {
        return static_cast<int32_t>(a) < static_cast<int32_t>(b);
    };
    for (int block = 0; block < 2; ++block)
        std::sort(expected.begin() + 256 * block, expected.begin() + 256 * (block + 1), smaller);
    EXPECT_EQ(expected, run("bitonic_sort.cu", GetParam(), {{2}, {128}}, 512, 512));
}

TEST_P(Kernels, CallThroughPointers) {
    Words expected = unique_words(128);
    for (uint32_t i = 0; i < 128; ++i) {
        uint32_t v = expected[i];
        auto step = [&](uint32_t which, uint32_t b) {
            bool greater = static_cast<int32_t>(v) > static_cast<int32_t>(b);
            v = which == 0 ? v + b : which == 1 ? v - b : greater ? v : b;
        };
        for (uint32_t k = 0; k < 3; ++k) step((i + k) % 3, i);
        for (int k = 0; k < 2 && i % 5 == 0; ++k) step(i % 3, 17);
        expected[i] = v;
    }
    EXPECT_EQ(expected, run("function_pointers.cu", GetParam(), {{2}, {64}}, 128, 128));
}

TEST_P(Kernels, PassThroughNamedBarriers) {
    Words in = unique_words(512), expected(1024);
    for (size_t i = 0; i < 512; ++i) expected[i] = 3 * in[i / 64 * 64 + 63 - i % 64];
    for (size_t i = 0; i < 128; ++i) expected[512 + i] = 57;  // threads 71 to 127
    Words out = run("named_barriers.cu", GetParam(), {{2}, {128}}, 1024, 512);
    EXPECT_EQ(expected, out);
}

int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
uint32_t fibonacci(uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

TEST_P(Kernels, CallThemselvesAndEachOther) {
    Words in = unique_words(64), out = run("recursion.cu", GetParam(), {{1}, {64}}, 320, 64);
    for (uint32_t i = 0; i < 64; ++i) {
        EXPECT_EQ(ackermann(2, static_cast<int>(i % 3)), static_cast<int>(out[i])) << i;
        EXPECT_EQ(fibonacci(i % 9), out[64 + i]) << i;
        EXPECT_EQ(i % 9 % 2 == 0 ? 2u : 1u, out[128 + i]) << i;
        uint32_t sum = 0;
        for (uint32_t k = i - i % 7; k <= i; ++k) sum += in[k] & 255;
        EXPECT_EQ(sum, out[192 + i]) << i;
        // the best of all orders of four numbers: +b - a + d - c, in places of a decimal number
        int a[] = {static_cast<int>(i % 3), static_cast<int>(i % 5), static_cast<int>(i % 7), 9};
        std::sort(a, a + 4);
        int best = -1000000;
        do best = std::max(best, ((-a[0] * 10 + a[1]) * 10 - a[2]) * 10 + a[3]);
        while (std::next_permutation(a, a + 4));
        EXPECT_EQ(best, static_cast<int>(out[256 + i])) << i;
    }
}

TEST_P(Kernels, CallThemselvesThroughPointers) {
    Words in = unique_words(64), out = run("expression_tree.cu", GetParam(), {{1}, {64}}, 64, 64);
    for (int i = 0; i < 64; ++i) {
        int v = static_cast<int>(in[static_cast<size_t>(i)] % 100);
        auto one = [&](int x) { return v + x; };
        auto sum = [&](int x) { return one(x) + 7 + x + 1; };
        auto choice = [&](int x) { return x & 1 ? sum(x * 2) : -(x - 3 - i); };
        auto top = [&](int x) { return choice(x) + sum(x + 1); };
        auto other = [&](int x) { return x & 1 ? top(x * 2) : -choice(x - 3); };
        int expected = i % 3 == 0 ? top(v) : i % 3 == 1 ? other(v) : one(v);
        EXPECT_EQ(expected, static_cast<int>(out[static_cast<size_t>(i)])) << i;
    }
}

// ex2, sin, rsqrt, … each within the error that the manual states: the kernel judges.
TEST_P(Kernels, ApproximateAsWellAsTheManualStates) {
    EXPECT_EQ(Words(1664, 1), run("fast_functions.cu", GetParam(), {{2}, {64}}, 1664, 128));
}

// Products of small integers and their parts are exact in every type, so a plain loop has them.
TEST_P(Kernels, MultiplyMatricesOfEveryShape) {
    Words in = unique_words(512), out = run("wmma_shapes.cu", GetParam(), {{1}, {32}}, 1536, 512);
    auto value = [&](int which, int i) {
        return static_cast<int>(in[static_cast<size_t>(i)] >> (8 * which) & 15) - 8;
    };
    // 1 + a b of an M x 16 and a 16 x N matrix, times `unit`
    auto product = [&](int row, int col, int depth, double unit) {
        int sum = 0;
        for (int k = 0; k < depth; ++k)
            sum += value(0, row * depth + k) * value(1, col * depth + k);
        return 1 + unit * sum;
    };
    auto single = [&](int i) { return double{std::bit_cast<float>(out[static_cast<size_t>(i)])}; };
    auto whole = [&](int i) { return static_cast<int>(out[static_cast<size_t>(i)]); };
    struct Shape {
        int rows, cols;
    } shapes[] = {{32, 8}, {8, 32}, {16, 16}};
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < 256; ++i) {
            int row = i / shapes[s].cols, col = i % shapes[s].cols;
            double expected = product(row, col, 16, s == 2 ? 0.25 : 1);  // brain floats: halves
            if (s > 0) {
                EXPECT_EQ(expected, single(256 * s + i)) << s << " " << i;
            }
            EXPECT_EQ(product(row, col, 16, 1), whole(768 + 256 * ((s + 1) % 3) + i)) << s;
        }
    // tf32: the first product, read by rows of 16, and quarters; stored by columns
    for (int i = 0; i < 256; ++i) {
        int row = i % 16, col = i / 16, before = row * 16 + col;
        double c = product(before / 8, before % 8, 16, 1);
        EXPECT_EQ(c - 1 + product(row, col, 8, 1.0 / 16), single(i)) << i;
    }
}

}  // namespace
}  // namespace lanewise
