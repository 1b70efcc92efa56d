// What the machine says about one run: compile, interpret, verify, count, model. Needs no GPU.
#pragma once
#include <cstdint>
#include <functional>

#include "lab/job/job.h"
#include "lab/job/results.h"

namespace lanewise {

// Throws Cancelled when `cancel` (may be null) is set.
Picture trace_block(const Job& job, uint64_t block, const CancelFlag* cancel = nullptr);

class StageLaunch;
// Is shown the memory as the launch left it.
using LookAtMemory = std::function<void(const StageLaunch&)>;
// threads: 0 = all cores. cancel may be null. blocks: of a product, how many to interpret; all
// where it is 0 or the launch has no more. Throws Error(bad_input) where some do not stand for all.
Analysis analyse(const Job& job, int threads = 0, const CancelFlag* cancel = nullptr,
                 uint64_t blocks = 0, const LookAtMemory& look = {});

// Whether the output is right, in one sentence: how many elements are not and the first of them, or
// of an operation with one result what it is instead.
std::string result_in_words(const Analysis& analysis);

// The first wrong element of the last buffer, as an expression of the kernel's: "out[5]". Of one whole
// matrix, whose place is known; else "".
std::string first_wrong_element(const Job& job, const Analysis& analysis);

// What stands for it of a library's call, of which nothing can be counted or verified: setting and
// shape alone, so that a lesson may ask about those.
Analysis nothing_counted(const Job& job);

}  // namespace lanewise
