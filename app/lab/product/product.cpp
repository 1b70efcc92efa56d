#include "lab/product/product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "base/text.h"
#include "base/threads.h"
#include "course/operation.h"
#include "lab/job/measurement.h"
#include "sim/memory/memory.h"
#include "sim/warp/machine.h"
#include "sim/warp/small_float.h"

namespace lanewise {

namespace {

constexpr double kUnit = 0x1p-24;  // of float: half the distance from 1 to the next number
constexpr double kLargestHalf = 65'504;

constexpr uint32_t kSeedA = 0x51ed270b, kSeedB = 0xa2f9836e;

enum class Operand { a, b };

// In [-1, 1): of as many bits as the type's numbers have, so that it is exact there.
double random_number(const Product& product, Operand operand, int64_t index) {
    uint32_t seed = operand == Operand::a ? kSeedA : kSeedB;
    uint32_t word = unique_word(static_cast<uint32_t>(index) ^ seed);
    if (product.type == "f16") return static_cast<double>(word >> 21) / 1024 - 1;
    return static_cast<double>(word >> 8) / 0x1p23 - 1;
}

double random_a(const Product& p, int64_t row, int64_t col) {
    return random_number(p, Operand::a, row * p.k + col);
}
double random_b(const Product& p, int64_t row, int64_t col) {
    return random_number(p, Operand::b, row * p.n + col);
}

// ---- zeros: random, but for the elements whose own hash is small.

constexpr uint32_t kSeedZeros = 0x3c6ef372;
constexpr std::string_view kZeros = "zeros:";

double sparse_a(const Product& p, int64_t row, int64_t col) {
    uint32_t word = unique_word(static_cast<uint32_t>(row * p.k + col) ^ kSeedZeros);
    return word < p.zero_share * 0x1p32 ? 0 : random_a(p, row, col);
}

// The share of "zeros:90"; -1 of anything else.
double zero_share_of(const std::string& input) {
    double percent = -1;
    if (!input.starts_with(kZeros)) return -1;
    const char *begin = input.data() + kZeros.size(), *end = input.data() + input.size();
    auto [rest, error] = std::from_chars(begin, end, percent);
    bool fine = error == std::errc() && rest == end && percent >= 0 && percent <= 100;
    return fine ? percent / 100 : -1;
}

// ---- cancellation: the second half of K holds A's first half negated but for a last bit or so,
// and the same rows of B again.

int64_t half_of(const Product& p, int64_t k) { return k < p.k / 2 ? k : k - p.k / 2; }

double cancelling_a(const Product& p, int64_t row, int64_t col) {
    double first = random_a(p, row, half_of(p, col));
    if (col < p.k / 2) return first;
    double rest = random_a(p, row, col);
    if (p.type == "f16") return -first + (rest > 0 ? 0x1p-10 : 0);
    return static_cast<float>(-first + rest * 0x1p-12);
}
double cancelling_b(const Product& p, int64_t row, int64_t col) {
    return random_b(p, half_of(p, row), col);
}

// ---- denormals: A's numbers are multiples of the smallest one of its type.

double denormal_a(const Product& p, int64_t row, int64_t col) {
    if (p.type == "f16") return random_a(p, row, col) * 1024 * 0x1p-24;
    return static_cast<float>(random_a(p, row, col) * 0x1p-126);
}

// ---- special: of every 16 rows of A and columns of B some hold one number that is none.

constexpr int64_t kPeriod = 16;

double special_a(const Product& p, int64_t row, int64_t col) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (row % kPeriod) {
        case 1:
            if (col == p.k / 3) return std::numeric_limits<double>::quiet_NaN();
            break;
        case 2:
            if (col == p.k / 2) return kInfinity;
            break;
        case 3:
            if (col == p.k - 1) return -kInfinity;
            break;
        case 4:
            return kLargestHalf;
    }
    return random_a(p, row, col);
}
double special_b(const Product& p, int64_t row, int64_t col) {
    if (col % kPeriod == 5 && row == 0) return std::numeric_limits<double>::quiet_NaN();
    if (col % kPeriod == 6 && row == p.k - 1) return std::numeric_limits<double>::infinity();
    return random_b(p, row, col);
}

struct InputSet {
    const char* name;
    double (*a)(const Product&, int64_t row, int64_t col);
    double (*b)(const Product&, int64_t row, int64_t col);
};
constexpr std::array<InputSet, 4> kInputs = {{{"random", random_a, random_b},
                                              {"cancellation", cancelling_a, cancelling_b},
                                              {"denormals", denormal_a, random_b},
                                              {"special", special_a, special_b}}};

constexpr InputSet kSparseInput = {"zeros", sparse_a, random_b};

const InputSet& input_set(const Product& product) {
    if (product.input.starts_with(kZeros)) return kSparseInput;
    auto named = [&](const InputSet& set) { return product.input == set.name; };
    return *std::find_if(kInputs.begin(), kInputs.end(), named);  // validate() has seen to it
}

// The bits of a half. Every element is one, so that nothing is rounded.
uint16_t half_bits(double value) { return to_small(value, kHalf, Modes::rn); }

// Calls use(row) for every row, on several threads.
void each_row(int64_t rows, int threads, const CancelFlag* cancel,
              const std::function<void(int64_t row)>& use) {
    in_ranges(static_cast<uint64_t>(rows), 4, threads, [&](int, uint64_t begin, uint64_t end) {
        if (cancel && *cancel) throw Cancelled{};
        for (uint64_t row = begin; row < end; ++row) use(static_cast<int64_t>(row));
    });
}

template <typename Element>
void fill(std::span<std::byte> to, const Product& p, int64_t rows, int64_t cols, int threads,
          const CancelFlag* cancel, Element element) {
    auto put = [&](uint64_t index, auto value) {
        std::memcpy(&to[index * sizeof value], &value, sizeof value);
    };
    each_row(rows, threads, cancel, [&](int64_t row) {
        for (int64_t col = 0; col < cols; ++col) {
            auto index = static_cast<uint64_t>(row * cols + col);
            double value = element(p, row, col);
            if (p.type == "f16")
                put(index, half_bits(value));
            else
                put(index, static_cast<float>(value));
        }
    });
}

double gamma(double n) { return n * kUnit / (1 - n * kUnit); }

}  // namespace

std::vector<std::string> product_inputs() {
    std::vector<std::string> names;
    for (const InputSet& set : kInputs) names.emplace_back(set.name);
    return names;
}

bool is_product(const Stage& stage) { return operation_of(stage).id == "matmul"; }

bool is_product_input(const std::string& name) {
    std::vector<std::string> known = product_inputs();
    return zero_share_of(name) >= 0 || std::find(known.begin(), known.end(), name) != known.end();
}

Product product_of(const Job& job) {
    Product product{job.rows, job.cols, job.inner, job.type, job.input, SumKind::floats, 0};
    auto zeros = job.knobs.find("ZEROS");
    if (zeros != job.knobs.end() && job.input == "random")
        product.input = std::string(kZeros) + std::to_string(zeros->second);
    product.zero_share = std::max(zero_share_of(product.input), 0.0);
    auto tf32 = job.knobs.find("TF32");
    if (job.type == "f16")
        product.sum = SumKind::halves;
    else if (tf32 != job.knobs.end() && tf32->second != 0)
        product.sum = SumKind::tf32;
    return product;
}

double flops_of(int64_t m, int64_t n, int64_t k) {
    return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

std::string too_long_to_interpret(int64_t m, int64_t n, int64_t k) {
    constexpr int64_t kMostSide = 2048;
    constexpr double kMost = double{kMostSide} * kMostSide * kMostSide;
    if (flops_of(m, n, k) / 2 <= kMost) return "";
    auto side = [](int64_t value) { return with_thousands(static_cast<uint64_t>(value)); };
    return fmt::format(
        "Interpreting all of {} x {} x {} would take minutes to hours. Choose sides with at most "
        "as many multiplications as {} x {} x {}, or run it on a GPU.",
        side(m), side(n), side(k), side(kMostSide), side(kMostSide), side(kMostSide));
}

std::string too_long_to_interpret(const Job& job) {
    if (job.own.is_used() || !is_product(job.stage)) return "";
    return too_long_to_interpret(job.rows, job.cols, job.inner);
}

uint64_t most_instructions_of_block(int64_t m, int64_t n, int64_t k, uint64_t blocks) {
    constexpr double kMultiplicationsOfOne = 4;  // or fewer, whatever does them
    double of_block = flops_of(m, n, k) / 2 / static_cast<double>(std::max<uint64_t>(blocks, 1));
    return Machine::Limits{}.instructions_per_block +
           static_cast<uint64_t>(of_block / kMultiplicationsOfOne);
}

double bytes_once(int64_t m, int64_t n, int64_t k, int element_bytes) {
    auto rows = static_cast<double>(m), cols = static_cast<double>(n);
    return static_cast<double>(k) * (rows + cols) * element_bytes + rows * cols * 4;
}

ProductBound bound_of(const Product& p) {
    auto k = static_cast<double>(p.k);
    ProductBound bound;
    bound.per_sum = gamma(p.sum == SumKind::floats ? k + 2 : 4 * k + 8);
    bound.absolute = k * 0x1p-149;
    bound.norm = 4 * std::sqrt(k) * kUnit;
    if (p.sum != SumKind::floats) bound.norm += k / 4 * kUnit;
    if (p.sum == SumKind::tf32) {
        bound.per_sum += 0x1p-9;
        bound.absolute = k * 0x1p-136;
        bound.norm += 0x1p-9;
    }
    if (p.input != "random" && !p.input.starts_with(kZeros)) bound.norm = 0;
    return bound;
}

double a_element(const Product& product, int64_t row, int64_t col) {
    return input_set(product).a(product, row, col);
}
double b_element(const Product& product, int64_t row, int64_t col) {
    return input_set(product).b(product, row, col);
}

void fill_a(std::span<std::byte> to, const Product& p, int threads, const CancelFlag* cancel) {
    fill(to, p, p.m, p.k, threads, cancel, input_set(p).a);
}
void fill_b(std::span<std::byte> to, const Product& p, int threads, const CancelFlag* cancel) {
    fill(to, p, p.k, p.n, threads, cancel, input_set(p).b);
}

void poison_product(std::span<std::byte> c) {
    for (size_t at = 0; at < c.size(); at += sizeof kProductPoison)
        std::memcpy(&c[at], &kProductPoison, sizeof kProductPoison);
}

bool is_right(float actual, double value, double magnitude, const ProductBound& bound) {
    if (std::isnan(value)) return std::isnan(actual);
    if (std::isinf(value)) return static_cast<double>(actual) == value;
    return std::fabs(static_cast<double>(actual) - value) <=
           bound.per_sum * magnitude + bound.absolute;  // false for a NaN
}

void ProductJudge::look(uint64_t index, float actual, double value, double magnitude) {
    if (std::isfinite(actual) && std::isfinite(value)) {
        double difference = std::fabs(static_cast<double>(actual) - value);
        off_ += difference * difference;
        all_ += value * value;
        if (magnitude > 0 && difference > bound_.absolute)
            worst_ = std::max(worst_, difference / magnitude);
    }
    if (is_right(actual, value, magnitude, bound_)) return;
    // The first one is told, but before all others one that is no number.
    bool no_number = !std::isfinite(actual) && std::isfinite(value);
    if (mismatch_.count++ > 0 && (!no_number || told_no_number_)) return;
    told_no_number_ = no_number;
    mismatch_.row = static_cast<int64_t>(index) / n_;
    mismatch_.col = static_cast<int64_t>(index) % n_;
    mismatch_.expected = fmt::format("{:.9g}", value);
    mismatch_.actual = fmt::format("{:.9g}", actual);
}

ProductError ProductJudge::error() const {
    return {all_ > 0 ? std::sqrt(off_ / all_) : 0, bound_.norm, worst_, bound_.per_sum};
}

Mismatch judge_product(std::span<const std::byte> c, const ProductReference& reference,
                       const ProductBound& bound, int64_t n, ProductError& error) {
    ProductJudge judge(bound, n);
    for (size_t i = 0; i < reference.value.size(); ++i) {
        float actual;
        std::memcpy(&actual, &c[4 * i], sizeof actual);
        judge.look(i, actual, reference.value[i], reference.magnitude[i]);
    }
    error = judge.error();
    return judge.mismatch();
}

static double gflop_at(const Measurement& m, double us) {
    if (m.inner == kNoInner || us <= 0) return 0;
    return flops_of(m.rows, m.cols, m.inner) / us / 1e3;  // per microsecond they are MFLOP/s
}

double gflop_per_s(const Measurement& m) { return gflop_at(m, m.time_us.median); }
double library_gflop_per_s(const Measurement& m) { return gflop_at(m, m.yardstick.time_us.median); }

bool is_launch_bound(double time_us, double flops) {
    constexpr double kLaunchUs =
        10;  // an empty launch takes some 2 from the CPU, more with its end
    return time_us < kLaunchUs && flops < 2 * 64.0 * 64.0 * 64.0;
}

bool is_launch_bound(const Measurement& m) {
    return m.inner != kNoInner &&
           is_launch_bound(m.time_us.median, flops_of(m.rows, m.cols, m.inner));
}

void conclude(Analysis& analysis, const Product& product) {
    analysis.correct = analysis.mismatch.count == 0 && analysis.error.is_small();
    std::string note = sentence_on(analysis.mismatch, analysis.error, product);
    if (!note.empty()) analysis.notes.push_back(note);
}

std::string number_text(double value) { return fmt::format("{:.2e}", value); }

std::string sentence_on(const Mismatch& mismatch, const ProductError& error, const Product& p) {
    bool finite_expected = mismatch.expected.find('n') == std::string::npos;  // nor inf, nor nan
    if (mismatch.count > 0 && p.type == "f16" && finite_expected &&
        mismatch.actual.find('n') != std::string::npos)
        return "C holds infinities or NaN where the sum is finite: a half ends at 65,504, so sum "
               "in "
               "float.";
    if (mismatch.count == 0 && !error.is_small())
        return fmt::format(
            "Each element is within the worst case of {} terms, but ||C - ref|| / ||ref|| is {}, "
            "and sums in float of such data keep it below {}: something here has fewer bits.",
            p.k, number_text(error.relative), number_text(error.relative_limit));
    if (p.zero_share == 1) return "A holds nothing but zeros, and so does C.";
    if (p.zero_share == 0 && zero_share_of(p.input) == 0)
        return "A holds no zeros: there is nothing to leave out, and lists of where the elements "
               "lie make it only larger.";
    if (p.k == 0) return "K is 0, so that nothing is multiplied: every element of C is 0.";
    return "";
}

}  // namespace lanewise
