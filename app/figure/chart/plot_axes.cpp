// The axes of a plot: where they begin and end, where a value lies, which values are named.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "figure/chart/plot_figure.h"

namespace lanewise {
namespace {

constexpr double kSteps[] = {1, 2, 5, 10};

// The next of 1, 2, 5 times a power of ten; `up`: not below `value`, else not above it.
double round_step(double value, bool up) {
    double power = std::pow(10, std::floor(std::log10(value)));
    double found = up ? 10 * power : power;
    for (double step : kSteps) {
        // Sums of powers of ten are not exact.
        bool fits = up ? step * power >= value * (1 - 1e-9) : step * power <= value * (1 + 1e-9);
        if (!fits) continue;
        found = step * power;
        if (up) break;
    }
    return found;
}

// 4000 -> "4,000", 0.5 -> "0.5".
std::string tick_label(double value) {
    if (value >= 1000 && value < 1e15) return with_thousands(static_cast<uint64_t>(value + 0.5));
    return fmt::format("{:.6g}", value);
}

std::vector<PlotTick> log_ticks(std::pair<double, double> range, int most) {
    auto within = [&](double v) {
        return v >= range.first * (1 - 1e-9) && v <= range.second * (1 + 1e-9);
    };
    int first = static_cast<int>(std::floor(std::log10(range.first)));
    int last = static_cast<int>(std::ceil(std::log10(range.second)));
    // With 2 and 5; then powers of ten alone; then every second, third … of them.
    for (int every = 0; every <= last - first + 1; ++every) {
        std::vector<PlotTick> ticks;
        for (int power = first; power <= last; ++power)
            for (double step : {1.0, 2.0, 5.0}) {
                bool wanted = every == 0 || (step == 1.0 && (power - first) % every == 0);
                double value = step * std::pow(10, power);
                if (wanted && within(value)) ticks.push_back({value, tick_label(value)});
            }
        if (static_cast<int>(ticks.size()) <= most) return ticks;
    }
    return {};
}

}  // namespace

std::pair<double, double> axis_range(const PlotAxis& axis, const std::vector<double>& values) {
    if (axis.to > axis.from) return {axis.from, axis.to};
    double low = 0, high = 0;
    for (double value : values) {
        if (!std::isfinite(value) || (axis.log && value <= 0)) continue;
        low = low == 0 ? value : std::min(low, value);
        high = std::max(high, value);
    }
    if (high <= 0) return axis.log ? std::pair{1.0, 10.0} : std::pair{0.0, 1.0};
    if (!axis.log) return {0, high * 1.05};
    low = round_step(low, false), high = round_step(high, true);
    return low < high ? std::pair{low, high} : std::pair{low, 10 * low};
}

double share_of(const PlotAxis& axis, std::pair<double, double> range, double value) {
    if (!axis.log) return (value - range.first) / (range.second - range.first);
    return std::log(value / range.first) / std::log(range.second / range.first);
}

std::vector<PlotTick> round_ticks(const PlotAxis& axis, std::pair<double, double> range, int most) {
    most = std::max(most, 2);
    // A short piece of a logarithmic axis is named like a linear one.
    if (axis.log && range.second > 5 * range.first) return log_ticks(range, most);
    double step = round_step((range.second - range.first) / most, true);
    std::vector<PlotTick> ticks;
    for (double i = std::ceil(range.first / step - 1e-9); i * step <= range.second * (1 + 1e-9);
         ++i)
        ticks.push_back({i * step + 0.0, tick_label(i * step + 0.0)});  // -0 becomes 0
    return ticks;
}

}  // namespace lanewise
