// Multiplications and additions that the hardware does as one, with one rounding.
//
// Where neither mul nor the add or sub behind it says how to round, the PTX manual lets them be
// fused (9.7.3.5), and ptxas does so wherever the product is used by nothing else. Of two products
// it takes the first: a b - c d is fma(a, b, -(c d)). Found in the machine code that NVRTC 13.0
// makes of such kernels for sm_90, in f32, f64, f16, f16x2 and bf16x2. The compiler in front of
// ptxas writes fma itself for most sums, but leaves differences and halves.
// A product that several sums share is left alone here; ptxas takes in some of those, too.
#pragma once
#include <map>

#include "ptx/instruction.h"

namespace lanewise {

// By index: what is executed in place of these additions and subtractions. The products that they
// take in are still computed, for nobody.
std::map<uint32_t, ptx::Instruction> contractions(const ptx::Kernel& kernel);

}  // namespace lanewise
