#include "fake_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// The measuring kernels are plain loops over all elements (app/lab/measure/copy_kernel.cpp), told apart by
// the start of their mangled names: _Z6poisonIjLb0EEvPT_yyy is poison<unsigned int, false>.
static bool starts(const std::string& entry, const char* name) { return entry.rfind(name, 0) == 0; }
static bool has(const std::string& entry, const char* part) {
    return entry.find(part) != std::string::npos;
}

template <typename T>
static T argument(const unsigned char* arguments, size_t offset) {
    T value;
    std::memcpy(&value, arguments + offset, sizeof value);
    return value;
}

static uint32_t unique_word(uint32_t index) {
    uint32_t word = index + 0x9e3779b9u;
    word = (word ^ (word >> 16)) * 0x85ebca6bu;
    word = (word ^ (word >> 13)) * 0xc2b2ae35u;
    return word ^ (word >> 16);
}

static uint32_t number_word(uint32_t index) {
    uint32_t word = unique_word(index), exponent = word >> 23 & 0xff;
    return exponent == 0 || exponent == 0xff ? word ^ 0x40000000u : word;
}

static unsigned char input_byte(uint64_t index, bool numbers) {
    auto word = static_cast<uint32_t>(index / 4);
    return static_cast<unsigned char>((numbers ? number_word(word) : unique_word(word)) >>
                                      (index % 4 * 8));
}

// The bytes of the element type with this letter in a mangled name.
static uint64_t element_size(const std::string& entry, size_t at) {
    static const std::string kLetters[] = {"h", "t", "jf", "ymd"};  // 1, 2, 4, 8 bytes
    for (uint64_t i = 0; i < 4; ++i)
        if (kLetters[i].find(entry[at]) != std::string::npos) return uint64_t{1} << i;
    std::abort();  // a kernel that this fake was never taught
}

// Calls f(output byte index, the byte that must be there).
template <typename F>
static void for_each_byte(const std::string& entry, size_t letter, uint64_t elements, uint64_t rows,
                          uint64_t cols, F f) {
    uint64_t size = element_size(entry, letter);
    bool copy = entry[letter + 3] == '1';
    bool numbers = entry.substr(letter + 4, 5) == "ELb1E";  // the next of the template's arguments
    for (uint64_t i = 0; i < elements; ++i) {
        uint64_t within = i % (rows * cols);
        uint64_t from = copy ? i : i - within + within % rows * cols + within / rows;
        for (uint64_t b = 0; b < size; ++b)
            f(i, i * size + b, input_byte(from * size + b, numbers));
    }
}

// The stages under test (stages_under_test.h): (in, out, rows, cols), and batch if they are called
// batched; _Z5rightIf…EEvPKT_PS0_ii.
static double run_stage(const std::string& entry, const unsigned char* a) {
    auto in = argument<unsigned char*>(a, 0), out = argument<unsigned char*>(a, 8);
    auto rows = static_cast<uint64_t>(argument<int32_t>(a, 16));
    auto cols = static_cast<uint64_t>(argument<int32_t>(a, 20));
    uint64_t size = element_size(entry, entry.find('I') + 1);
    uint64_t batch = has(entry, "batched") ? static_cast<uint64_t>(argument<int32_t>(a, 24)) : 1;
    double bytes = 2.0 * static_cast<double>(rows * cols * batch * size);
    if (has(entry, "writes_nothing") || has(entry, "endless")) return bytes;
    static int launches = 0;
    if (has(entry, "every_third") && ++launches % 3 == 0) bytes *= 1.5;
    static int only_once = 0;
    if (has(entry, "only_once") && ++only_once > 1) return bytes;
    if (has(entry, "spoils_input")) std::memset(in, 0, rows * cols * size);
    uint64_t moved_rows = has(entry, "quarter") ? rows / 4 : rows;
    for (uint64_t matrix = 0; matrix < batch; ++matrix) {
        for (uint64_t row = 0; row < moved_rows; ++row)
            for (uint64_t col = 0; col < cols; ++col) {
                uint64_t from = row * cols + col,
                         to = has(entry, "as_copy") ? from : col * rows + row;
                std::memcpy(out + to * size, in + from * size, size);
            }
        in += rows * cols * size;
        out += rows * cols * size;
    }
    return bytes;
}

// Kernels from outside the catalogue: (out, in, n) of floats, out[i] = 2 * in[i]. own_wrong leaves
// the sixth out; own_near gets every other one a representable value too large.
static double run_own(const std::string& entry, const unsigned char* a) {
    auto out = argument<float*>(a, 0), in = argument<float*>(a, 8);
    int n = argument<int32_t>(a, 16);
    for (int i = 0; i < n; ++i) {
        if (has(entry, "own_wrong") && i == 5) continue;
        out[i] = 2 * in[i];
        if (!has(entry, "own_near") || i % 2 == 1) continue;
        uint32_t bits = 0;
        std::memcpy(&bits, &out[i], sizeof bits);
        ++bits;
        std::memcpy(&out[i], &bits, sizeof bits);
    }
    return 8.0 * n;
}

// (offsets, clock, mask): 20 cycles an access and 2 for each lane that wants bank 0; 64 accesses
// from one look at the clock to the next of 33, and 5,000 cycles more before the second.
static void run_staircase(const unsigned char* a) {
    auto offsets = argument<uint32_t*>(a, 0);
    auto clock = argument<uint64_t*>(a, 8);
    auto mask = argument<uint32_t>(a, 16);
    uint64_t in_bank_0 = 0;
    for (int lane = 0; lane < 32; ++lane)
        in_bank_0 += (mask >> lane & 1) && offsets[lane] % 128 == 0;
    for (uint64_t look = 0; look < 33; ++look)
        clock[look] = 77 + look * 64 * (20 + 2 * in_bank_0) + (look > 0 ? 5000 : 0);
}

// The reference and the judge of products (app/lab/product/product_kernel.cpp), and the products under test
// (product_bench_test.cpp): of floats, _Z13right_productIfEvPKT_S2_Pfiii.
static void run_reference(const unsigned char* a) {
    auto of_a = argument<const float*>(a, 0), of_b = argument<const float*>(a, 8);
    auto value = argument<double*>(a, 16), magnitude = argument<double*>(a, 24);
    auto m = argument<uint64_t>(a, 32), n = argument<uint64_t>(a, 40),
         k = argument<uint64_t>(a, 48);
    for (uint64_t i = 0; i < m * n; ++i) {
        value[i] = magnitude[i] = 0;
        for (uint64_t at = 0; at < k; ++at) {
            double term = double(of_a[i / n * k + at]) * of_b[at * n + i % n];
            value[i] += term;
            magnitude[i] += std::fabs(term);
        }
    }
}

static void run_judge(const unsigned char* a) {
    auto c = argument<const float*>(a, 0);
    auto value = argument<const double*>(a, 8), magnitude = argument<const double*>(a, 16);
    auto per_sum = argument<double>(a, 32), absolute = argument<double>(a, 40);
    struct Found {
        uint64_t wrong, first, no_number;
        double off, all, worst;
    };
    auto found = argument<Found*>(a, 48);
    for (uint64_t i = 0; i < argument<uint64_t>(a, 24); ++i) {
        double off = std::fabs(c[i] - value[i]);
        found->off += off * off;
        found->all += value[i] * value[i];
        if (magnitude[i] > 0) found->worst = std::max(found->worst, off / magnitude[i]);
        if (off <= per_sum * magnitude[i] + absolute) continue;
        ++found->wrong;
        found->first = std::min(found->first, i);
    }
}

static double run_product(const std::string& entry, const unsigned char* a) {
    auto of_a = argument<const float*>(a, 0), of_b = argument<const float*>(a, 8);
    auto c = argument<float*>(a, 16);
    auto m = argument<int32_t>(a, 24), n = argument<int32_t>(a, 28), k = argument<int32_t>(a, 32);
    if (!has(entry, "idle_product"))
        for (int i = 0; i < m * n; ++i) {
            c[i] = 0;
            for (int at = 0; at < k; ++at) c[i] += of_a[i / n * k + at] * of_b[at * n + i % n];
        }
    return 2.0 * m * n * k;  // "bytes": with kernel_gb_per_s they become GFLOP/s
}

// (in, out, n) of floats, added to out[0] (reduction_bench_test.cpp); forgets_sum leaves the last out.
static double run_sum(const std::string& entry, const unsigned char* a) {
    auto in = argument<const float*>(a, 0);
    auto out = argument<float*>(a, 8);
    int n = argument<int32_t>(a, 16);
    for (int i = 0; i < n - has(entry, "forgets_sum"); ++i) *out += in[i];
    return 4.0 * n;
}

double run_fake_kernel(const std::string& entry, const unsigned char* a, size_t size) {
    if (size < 8 || starts(entry, "_Z4hold")) return 0;
    if (starts(entry, "_Z4fill") || starts(entry, "_Z12fill_numbers")) {
        auto words = argument<uint64_t>(a, 8);
        bool numbers = has(entry, "numbers");
        for (uint32_t i = 0; i < words; ++i)
            argument<uint32_t*>(a, 0)[i] = numbers ? number_word(i) : unique_word(i);
        return 0;
    }
    if (starts(entry, "_Z9staircase")) return run_staircase(a), 0;
    if (has(entry, "own_")) return run_own(entry, a);
    if (starts(entry, "_Z9reference")) return run_reference(a), 0;
    if (starts(entry, "_Z5judge")) return run_judge(a), 0;
    if (has(entry, "_product")) return run_product(entry, a);
    if (has(entry, "_sum")) return run_sum(entry, a);
    if (starts(entry, "_Z9wide_copy")) {
        auto vectors = argument<uint64_t>(a, 16);
        std::memcpy(argument<void*>(a, 8), argument<void*>(a, 0), vectors * 16);
        return 32.0 * static_cast<double>(vectors);
    }
    bool poison = starts(entry, "_Z6poisonI"), compare = starts(entry, "_Z7compareI");
    if (!poison && !compare) return size >= 24 ? run_stage(entry, a) : 0;
    auto out = argument<unsigned char*>(a, 0);
    auto found = compare ? argument<uint64_t*>(a, 32) : nullptr;
    uint64_t last_wrong = UINT64_MAX;
    for_each_byte(entry, poison ? 10 : 11, argument<uint64_t>(a, 8), argument<uint64_t>(a, 16),
                  argument<uint64_t>(a, 24),
                  [&](uint64_t element, uint64_t at, unsigned char byte) {
                      if (poison) {
                          out[at] = static_cast<unsigned char>(~byte);
                      } else if (out[at] != byte && element != last_wrong) {
                          last_wrong = element;
                          ++found[0];
                          if (element < found[1]) found[1] = element;
                      }
                  });
    return 0;
}
