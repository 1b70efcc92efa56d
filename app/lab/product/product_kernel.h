// The GPU code that checks a product: the reference in doubles, and the comparison with it.
// Compiled by NVRTC like every stage.
#pragma once
#include <string>

#include "compile/compiler.h"

namespace lanewise {

inline constexpr uint32_t kReferenceTile = 64;  // a block of reference_kernel() computes 64 x 64
inline constexpr uint32_t kReferenceThreads = 256;

// Name expressions in the source.
// (const float* A, const float* B, double* value, double* magnitude, u64 m, u64 n, u64 k):
// A * B and |A| |B|, as product_reference() has them (lab/product/product.h).
std::string reference_kernel();
// (const float* C, const double* value, const double* magnitude, u64 elements, double per_sum,
// double absolute, JudgedProduct* found): as judge_product() does it.
std::string judge_kernel();

// What judge_kernel adds up; starts as {0, UINT64_MAX, UINT64_MAX, 0, 0, 0}.
struct JudgedProduct {
    unsigned long long wrong, first;  // elements; the lowest index of a wrong one
    unsigned long long no_number;     // likewise of one that is infinite or NaN and should not be
    double off, all;                  // sums of squares: of C - reference, of the reference
    double worst;                     // the largest |C - reference| / magnitude
};

// Compiled for `arch`, from the cache where possible.
Program compile_product_kernel(const std::string& name_expression, const std::string& arch);
Source product_kernel_source();

}  // namespace lanewise
