// Where a product is wrong; see mismatch_map.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/text.h"
#include "base/threads.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/mismatch/wrong_places.h"

namespace lanewise {

namespace {

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
    ProductPattern(const ProductBound& bound, const ProductReference* whole, int64_t n)
        : whole_(whole), bound_(bound), n_(n) {}

    void note(int64_t row, int64_t col, float actual, double value, double magnitude) {
        unwritten_ += is_poison(actual);
        no_number_ += !std::isfinite(actual) && std::isfinite(value);
        zero_ += actual == 0;
        if (whole_) {
            auto turned = static_cast<size_t>(col * n_ + row);
            turned_ += is_right(actual, whole_->value[turned], whole_->magnitude[turned], bound_);
        }
        double allowed = bound_.per_sum * magnitude + bound_.absolute;
        if (!std::isfinite(actual) || !std::isfinite(value) || is_poison(actual)) return;
        if (allowed > 0) worst_ = std::max(worst_, std::fabs(double(actual) - value) / allowed);
        note_ratio(actual, value, allowed);
    }

    // That of another strip. Where the two have another ratio, there is none of the whole.
    void add(const ProductPattern& other) {
        unwritten_ += other.unwritten_;
        no_number_ += other.no_number_;
        zero_ += other.zero_;
        turned_ += other.turned_;
        worst_ = std::max(worst_, other.worst_);
        if (ratio_ == 0) ratio_ = other.ratio_;
        if (std::fabs(ratio_ - other.ratio_) <= 1e-3 * std::fabs(ratio_))
            same_ratio_ += other.same_ratio_;
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

    const ProductReference* whole_;  // null where C is not square, or not all of it is at hand
    const ProductBound& bound_;
    int64_t n_;
    uint64_t unwritten_ = 0, no_number_ = 0, zero_ = 0, turned_ = 0, same_ratio_ = 0;
    double ratio_ = 0, worst_ = 0;
};

}  // namespace

MismatchMap map_product(const FetchProduct& fetch, const ProductBound& bound, int64_t m, int64_t n,
                        const ProductReference* whole, int threads, const CancelFlag* cancel) {
    MismatchMap map;
    map.is_computed = true;
    map.output = "C";
    map.rows = m;
    map.cols = n;
    WrongPlaces places(map);
    ProductPattern pattern(bound, m == n ? whole : nullptr, n);
    std::vector<ProductPattern> patterns(places.strips(), pattern);
    std::vector<uint64_t> unwritten(places.strips());
    ProductRows piece;
    int64_t piece_row = 0;
    auto look = [&](size_t strip, int64_t row, int64_t first_col, int64_t end_col) {
        for (int64_t col = first_col; col < end_col; ++col) {
            auto index = static_cast<size_t>((row - piece_row) * n + col);
            float actual = piece.c[index];
            double value = piece.value[index], magnitude = piece.magnitude[index];
            if (is_right(actual, value, magnitude, bound)) continue;
            MismatchCell& cell = places.note(strip, row, col);
            cell.unwritten += is_poison(actual);
            unwritten[strip] += is_poison(actual);
            if (cell.wrong == 1) {
                double allowed = bound.per_sum * magnitude + bound.absolute;
                cell.expected = fmt::format("{:.9g} ± {:.2g}", value, allowed);
                cell.actual = fmt::format("{:.9g}", actual);
            }
            patterns[strip].note(row, col, actual, value, magnitude);
        }
    };
    auto take = [&](int64_t row, int64_t rows) {
        piece_row = row;
        piece = fetch(row, rows);
    };
    places.walk(take, look, threads, cancel);
    places.say();
    for (size_t strip = 0; strip < places.strips(); ++strip) {
        pattern.add(patterns[strip]);
        map.unwritten += unwritten[strip];
    }
    if (map.wrong)
        pattern.say(map);
    else
        map.patterns.push_back("Each element is within its own bound.");
    return map;
}

MismatchMap map_product(std::span<const std::byte> c, const ProductReference& reference,
                        const ProductBound& bound, int64_t m, int64_t n, const CancelFlag* cancel) {
    std::vector<float> floats;
    auto fetch = [&](int64_t row, int64_t rows) {
        auto first = static_cast<size_t>(row * n), count = static_cast<size_t>(rows * n);
        floats.resize(count);
        std::memcpy(floats.data(), &c[first * sizeof(float)], count * sizeof(float));
        return ProductRows{floats, std::span(reference.value).subspan(first, count),
                           std::span(reference.magnitude).subspan(first, count)};
    };
    return map_product(fetch, bound, m, n, &reference, core_count(), cancel);
}

}  // namespace lanewise
