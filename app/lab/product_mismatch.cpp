// Where a product is wrong; see mismatch_map.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/text.h"
#include "lab/mismatch_map.h"
#include "lab/wrong_places.h"

namespace lanewise {

namespace {

float element_at(std::span<const std::byte> c, int64_t index) {
    float value;
    std::memcpy(&value, &c[static_cast<size_t>(index) * sizeof value], sizeof value);
    return value;
}

// "3.5", "86,912"; beyond that only the power counts.
std::string times(double factor) {
    if (factor >= 1e9) return fmt::format("{:.1e}", factor);
    return factor < 100 ? fmt::format("{:.1f}", factor)
                        : with_thousands(static_cast<uint64_t>(factor + 0.5));
}

bool is_poison(float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    return word == kProductPoison;
}

// What the wrong elements have in common, gathered one by one.
class ProductPattern {
  public:
    ProductPattern(const ProductReference& reference, const ProductBound& bound, int64_t m,
                   int64_t n)
        : reference_(reference), bound_(bound), is_square_(m == n), n_(n) {}

    void note(int64_t row, int64_t col, float actual) {
        auto index = static_cast<size_t>(row * n_ + col);
        double value = reference_.value[index], magnitude = reference_.magnitude[index];
        unwritten_ += is_poison(actual);
        no_number_ += !std::isfinite(actual) && std::isfinite(value);
        zero_ += actual == 0;
        if (is_square_) {
            auto turned = static_cast<size_t>(col * n_ + row);
            turned_ +=
                is_right(actual, reference_.value[turned], reference_.magnitude[turned], bound_);
        }
        double allowed = bound_.per_sum * magnitude + bound_.absolute;
        if (!std::isfinite(actual) || !std::isfinite(value) || is_poison(actual)) return;
        if (allowed > 0) worst_ = std::max(worst_, std::fabs(double(actual) - value) / allowed);
        note_ratio(actual, value, allowed);
    }

    void say(MismatchMap& map) const {
        auto say = [&](std::string words) { map.patterns.push_back(std::move(words)); };
        uint64_t wrong = map.wrong;
        if (nearly_all(unwritten_, wrong)) return say("What is wrong was never written.");
        if (unwritten_ > 0)
            say(with_thousands(unwritten_) + " of the wrong elements were never written.");
        if (no_number_ > 0)
            say(with_thousands(no_number_) + " are NaN or infinite where the sum is finite.");
        if (nearly_all(zero_, wrong))
            say("Every wrong element is 0.");
        else if (nearly_all(turned_, wrong))
            say("Every wrong element holds what belongs at [col][row]: C is turned.");
        else if (nearly_all(same_ratio_, wrong))
            say(fmt::format("Every wrong element is {:.3g} times the right one.", ratio_));
        if (worst_ > 1)
            say(fmt::format("The largest error is {} times what sums in this type allow.",
                            times(worst_)));
    }

  private:
    // Within the bound of the first one's; where next to nothing is left of the sum, none is said.
    void note_ratio(double actual, double value, double allowed) {
        constexpr double kClear = 100;  // times the bound
        if (std::fabs(value) < kClear * allowed || actual == 0) return;
        double ratio = actual / value;
        if (ratio_ == 0) ratio_ = ratio;
        same_ratio_ += std::fabs(actual - ratio_ * value) <=
                       (1 + std::fabs(ratio_)) * allowed + 1e-3 * std::fabs(actual);
    }

    const ProductReference& reference_;
    const ProductBound& bound_;
    bool is_square_;
    int64_t n_;
    uint64_t unwritten_ = 0, no_number_ = 0, zero_ = 0, turned_ = 0, same_ratio_ = 0;
    double ratio_ = 0, worst_ = 0;
};

}  // namespace

MismatchMap map_product(std::span<const std::byte> c, const ProductReference& reference,
                        const ProductBound& bound, int64_t m, int64_t n, const CancelFlag* cancel) {
    MismatchMap map;
    map.is_product = true;
    map.rows = m;
    map.cols = n;
    WrongPlaces places(map);
    ProductPattern pattern(reference, bound, m, n);
    for (int64_t row = 0; row < m; ++row) {
        if (cancel && *cancel) throw Cancelled{};
        for (int64_t col = 0; col < n; ++col) {
            auto index = static_cast<size_t>(row * n + col);
            float actual = element_at(c, row * n + col);
            if (is_right(actual, reference.value[index], reference.magnitude[index], bound))
                continue;
            MismatchCell& cell = places.note(row, col);
            cell.unwritten += is_poison(actual);
            map.unwritten += is_poison(actual);
            if (cell.wrong == 1) {
                double allowed = bound.per_sum * reference.magnitude[index] + bound.absolute;
                cell.expected = fmt::format("{:.9g} ± {:.2g}", reference.value[index], allowed);
                cell.actual = fmt::format("{:.9g}", actual);
            }
            pattern.note(row, col, actual);
        }
    }
    places.say();
    if (map.wrong)
        pattern.say(map);
    else
        map.patterns.push_back("Each element is within its own bound.");
    return map;
}

}  // namespace lanewise
