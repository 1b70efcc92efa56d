#include "model/correction.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/least_squares.h"

namespace lanewise {
namespace {

// A part that no launch uses has no weight of its own: a little is lost by any weight.
constexpr double kPull = 1e-3;

// What each part's load costs. Tensor cores alone are as fast as calibrated: what slows them down is other work beside.
PartLoads effects_of(PartLoads loads) {
    double& products = loads[kTensorCores];
    products *= 1 - std::min(1.0, products);
    return loads;
}

Equation equation_of(const LoadedRatio& launch) {
    Equation e{{1}, std::log(launch.ratio)};
    const PartLoads effects = effects_of(launch.loads);
    e.factors.insert(e.factors.end(), effects.begin(), effects.end());
    return e;
}

double deviation(const Equation& e, const std::vector<double>& x) {
    double sum = -e.value;
    for (size_t i = 0; i < x.size(); ++i) sum += e.factors[i] * x[i];
    return std::fabs(sum);
}

}  // namespace

double Correction::of(const PartLoads& loads) const {
    double sum = base;
    const PartLoads effects = effects_of(loads);
    for (size_t i = 0; i < effects.size(); ++i) sum += weights[i] * effects[i];
    return std::exp(sum);
}

// Least squares, again and again, in which each launch weighs as much as makes its square its deviation.
Correction correction_of(std::span<const LoadedRatio> launches) {
    constexpr int kRounds = 60;
    constexpr double kLeast = 0.02;  // nearer than that, a launch has no more weight
    if (launches.size() < kEnoughForACorrection) return {};
    const size_t unknowns = 1 + kPartNames.size();
    std::vector<double> x(unknowns);
    for (int round = 0; round < kRounds; ++round) {
        std::vector<Equation> equations;
        for (size_t i = 0; i < unknowns; ++i) {
            equations.push_back({std::vector<double>(unknowns), 0});
            equations.back().factors[i] = std::sqrt(kPull);
        }
        for (const LoadedRatio& launch : launches) {
            Equation e = equation_of(launch);
            const double weight = std::sqrt(1 / std::max(kLeast, deviation(e, x)));
            for (double& factor : e.factors) factor *= weight;
            e.value *= weight;
            equations.push_back(std::move(e));
        }
        x = least_squares(equations, Residual::absolute);
    }
    Correction found{x[0], {}};
    std::copy(x.begin() + 1, x.end(), found.weights.begin());
    return found;
}

}  // namespace lanewise
