// The GPU code that measuring itself needs: the tuned copy that is the ceiling, and the kernels
// that fill the input, poison the output and compare it with what it must be. Compiled by NVRTC
// like every stage.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "lab/measure/rig.h"

namespace lanewise {

// Name expressions in measuring_source(), for unsigned elements of 1, 2, 4, 8 or 16 bytes.
std::string fill_kernel(Input input = Input::words);  // (out, words)
std::string poison_kernel(int element_bytes,
                          bool reference_is_copy);  // (out, elements, rows, cols)
std::string compare_kernel(int element_bytes, bool reference_is_copy,
                           Input input = Input::words);  // the same, then (found)
std::string hold_kernel();                               // (nanoseconds)

// What compare_kernel counts into; starts as {0, UINT64_MAX}.
struct CompareCounts {
    unsigned long long wrong, first;  // elements; the lowest index of a wrong one
};

// Variants of the 16-bytes-per-thread copy; which is best depends on the card and the size.
struct CopyVariant {
    int threads, loads;  // loads: 16-byte loads that each thread starts before its first store
};
std::vector<CopyVariant> copy_variants();
std::string copy_kernel(const CopyVariant& variant);  // (in, out, vectors)

// Compiled for `arch`, from the cache where possible.
Program compile_measuring_kernel(const std::string& name_expression, const std::string& arch);

// All of them, for what is shipped (offered_programs.h): a machine with a GPU and no compiler
// measures, too.
Source measuring_source();
std::vector<std::string> measuring_kernels();

}  // namespace lanewise
