// What samples allow to be said: how sure a median is, whether two stages differ at all, and what
// about a measurement looks wrong.
#pragma once
#include <string>
#include <vector>

#include "lab/job/measurement.h"

namespace lanewise {

// Half the width of the median's 95 % confidence interval, relative to the median. The interval
// lies between order statistics (the binomial distribution in its normal approximation), so that
// nothing is assumed of how times are distributed. Infinity for fewer than 10 samples.
double relative_error_of_median(std::vector<double> samples);

// Two stages of one run, sample by sample.
struct StageComparison {
    Spread speedup;  // of a over b: b's time / a's, in the same round
    enum class Verdict { faster, slower, indistinguishable, not_comparable } verdict;
    std::string words;  // "1.26 times as fast as X (1.25 to 1.28)", "indistinguishable from X (…)"
};
// Comparable are measurements of one matrix in one run: the copy's samples are the same ones.
// Indistinguishable: the 5th to 95th percentile of the ratio holds 1.
StageComparison compare(const Measurement& a, const Measurement& b);

// "Every 3rd launch takes 1.5 times as long as the others; the median hides that." where a period
// of 2 to 8 explains most of the variance of the warm or cold samples, and "" elsewhere.
std::string what_repeats_in(const Measurement& measurement);

// What the L2 cache (provenance.l2_bytes) has to do with a figure, for a matrix that does not
// exceed it four times; "" beyond that.
std::string about_the_cache(const Measurement& measurement);

}  // namespace lanewise
