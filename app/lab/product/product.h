// C = A * B: the data it is given, what C must be, and how far it may be from that. A is M x K, B
// is K x N, C is M x N, all row by row; A and B are float or half, C is float.
//
// The reference is summed in doubles, whose own error is some 2^-29 of what is allowed here. An
// element may be off by
//     per_sum * (|A| |B|)ij + absolute,
// which is certain whatever the data, in whatever order a kernel adds:
//   float   gamma(K + 2), with gamma(n) = n u / (1 - n u) and u = 2^-24: K roundings, one for the
//           last scaling, one for its sum (Higham, Accuracy and Stability of Numerical Algorithms,
//           2nd ed., section 3.5: |C - AB| <= gamma(K) |A| |B|). absolute is K * 2^-149, for what
//           underflows.
//   half    gamma(4 K + 8): products of halves are exact in a float, but tensor cores truncate
//           where they add, and align the terms of a step to the largest of them (Blanchard,
//           Higham, Lopez, Mary, Pranesh, SIAM J. Sci. Comput. 42(3), 2020; Fasi, Higham, Mikaitis,
//           Pranesh, PeerJ Comput. Sci. 7:e330, 2021).
//   TF32    2^-9 more than half's: each factor is cut to 11 bits. absolute is K * 2^-136.
// That bound grows with K as fast as the worst case and would let a wrong type pass. So random data
// have to keep ||C - ref|| / ||ref|| (Frobenius) below `norm` as well:
//   float   4 sqrt(K) u: roundings of independent data add up like a random walk (Higham, Mary,
//           SIAM J. Sci. Comput. 41(5), 2019), whose mean is some 0.4 sqrt(K) u here
//   half    (4 sqrt(K) + K / 4) u: truncation always errs to the same side
//   TF32    2^-9 more than half's
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/job/job.h"
#include "lab/job/results.h"

namespace lanewise {

// The sets of input data, as `--input` names them:
//   random        in [-1, 1), from a fixed seed
//   cancellation  the second half of every sum takes away nearly all of the first
//   denormals     A is so small that it, and in float every product, is denormal
//   special       some rows of A and columns of B hold NaN or infinity, one row 65,504, the largest
//                 half: all of it has to arrive in C
// and besides those four
//   zeros:90      random, but 90 % of A's elements are zero, here and there; any number to 100
std::vector<std::string> product_inputs();  // the four
bool is_product_input(const std::string& name);

// Whether the stage multiplies two matrices. Of lab's own: whoever stands above asks the stage's
// operation for what matters there (course/operation.h).
bool is_product(const Stage& stage);

// How a stage adds; with its type that decides the bound.
enum class SumKind { floats, halves, tf32 };

struct Product {
    int64_t m = 0, n = 0, k = 0;
    std::string type = "f32";  // of A and B
    std::string input = "random";
    SumKind sum = SumKind::floats;
    double zero_share = 0;  // of A's elements; of "zeros:90" 0.9

    int element_bytes() const { return type == "f16" ? 2 : 4; }
    uint64_t a_bytes() const { return elements(m, k) * static_cast<uint64_t>(element_bytes()); }
    uint64_t b_bytes() const { return elements(k, n) * static_cast<uint64_t>(element_bytes()); }
    uint64_t c_bytes() const { return elements(m, n) * 4; }
    static uint64_t elements(int64_t rows, int64_t cols) {
        return static_cast<uint64_t>(rows) * static_cast<uint64_t>(cols);
    }
};
// The job's, which validate() has seen. A knob TF32 that is set says that TF32 sums; a knob ZEROS
// says how many of random data are none.
Product product_of(const Job& job);

// 2 M N K: one multiplication and one addition per element of a row and a column.
double flops_of(int64_t m, int64_t n, int64_t k);
// Why the window does not interpret the whole launch of such a product, but only some of its blocks
// (two cores do 8192 x 8192 x 8192 in one minute to a hundred, by the stage: expected_time.h), and
// draws no map of it, in one sentence; empty where it does.
std::string too_long_to_interpret(int64_t m, int64_t n, int64_t k);
std::string too_long_to_interpret(const Job& job);  // empty for what is no product

// What a block of its launch may take before it counts as one that never ends
// (Machine::Limits::instructions_per_block): more than others where few blocks do all of a large
// product. Side by side the machine does 64 multiplications for one that it counts.
uint64_t most_instructions_of_block(int64_t m, int64_t n, int64_t k, uint64_t blocks);

// Each element of A and B read once and each of C written once.
double bytes_once(int64_t m, int64_t n, int64_t k, int element_bytes);

struct ProductBound {
    double per_sum = 0, absolute = 0, norm = 0;  // norm is 0 where the data are not random
};
ProductBound bound_of(const Product& product);

// An element of A or of B; exact in the product's type.
double a_element(const Product& product, int64_t row, int64_t col);
double b_element(const Product& product, int64_t row, int64_t col);
// The operands as the kernel reads them. `to` is as long as a_bytes(), b_bytes(). Throw Cancelled.
void fill_a(std::span<std::byte> to, const Product& product, int threads,
            const CancelFlag* cancel = nullptr);
void fill_b(std::span<std::byte> to, const Product& product, int threads,
            const CancelFlag* cancel = nullptr);

// What C holds before a launch: finite, and beyond what any of these sums can be, so that an
// element that is never written is wrong whatever it should have been.
inline constexpr uint32_t kProductPoison = 0x7f7f7f7f;
void poison_product(std::span<std::byte> c);

// A * B and |A| |B| in doubles, row by row: product_reference.cpp. Throws Cancelled.
struct ProductReference {
    std::vector<double> value, magnitude;
};
// Of these rows and columns alone, which may be any.
ProductReference product_reference(const Product& product, std::span<const int64_t> rows,
                                   std::span<const int64_t> cols, int threads,
                                   const CancelFlag* cancel = nullptr);
ProductReference product_reference(const Product& product, int threads,
                                   const CancelFlag* cancel = nullptr);
uint64_t product_reference_bytes(const Product& product);  // while it is computed

// Whether one element is right: within the bound; or NaN, or the same infinity, where the reference
// is.
bool is_right(float actual, double value, double magnitude, const ProductBound& bound);

// Looks at elements of C one after the other. The mismatch that it names is the first that is no
// number where it should be, else the first.
class ProductJudge {
  public:
    ProductJudge(const ProductBound& bound, int64_t n) : bound_(bound), n_(n) {}
    void look(uint64_t index, float actual, double value, double magnitude);
    const Mismatch& mismatch() const { return mismatch_; }
    ProductError error() const;

  private:
    ProductBound bound_;
    int64_t n_;
    Mismatch mismatch_;
    double off_ = 0, all_ = 0, worst_ = 0;  // the first two are sums of squares
    bool told_no_number_ = false;
};

// All of C, M x N: fills in `error` and gives the elements beyond the bound.
Mismatch judge_product(std::span<const std::byte> c, const ProductReference& reference,
                       const ProductBound& bound, int64_t n, ProductError& error);

// What is wrong with a result beside its elements, or what they have in common, in one sentence
// each; "" where nothing is.
std::string sentence_on(const Mismatch& mismatch, const ProductError& error,
                        const Product& product);

// Fills in correct and, where something is wrong, a note, of the analysis's mismatch and error.
void conclude(Analysis& analysis, const Product& product);

// "1.23e-05", as figures of a product are written everywhere.
std::string number_text(double value);

}  // namespace lanewise
