#include <algorithm>

#include "lab/job/measurement.h"

namespace lanewise {

// Linear between the two samples around the rank, as in most statistics programs (Hyndman and
// Fan's type 7).
static double quantile(const std::vector<double>& sorted, double fraction) {
    double rank = fraction * static_cast<double>(sorted.size() - 1);
    size_t below = static_cast<size_t>(rank);
    size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Spread spread_of(std::vector<double> samples) {
    if (samples.empty()) return {};
    std::sort(samples.begin(), samples.end());
    return {quantile(samples, 0.5), quantile(samples, 0.05), quantile(samples, 0.95),
            static_cast<int>(samples.size())};
}

}  // namespace lanewise
