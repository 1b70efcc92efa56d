// What an analysis proves, in a word or two each: the badges below the result.
#pragma once
#include <string>
#include <vector>

#include "lab/analysis.h"

namespace lanewise::ui {

struct Verdict {
    // unknown: nothing to compare with, so that neither of the others can be said.
    enum class Kind { good, bad, unknown } kind = Kind::unknown;
    std::string word, why;
};

// Whether the result is right, whether global accesses are coalesced and, where there are any,
// whether shared ones are free of conflicts; in this order.
std::vector<Verdict> verdicts(const Analysis& analysis);

}  // namespace lanewise::ui
