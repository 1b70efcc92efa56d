// Three charts over the size of the matrices: how fast, how long, how much faster than naive.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "lab/analysis/rate.h"
#include "lab/chart/chart_parts.h"
#include "lab/product/product.h"

namespace lanewise {
namespace {

// A cache of which a quarter can hold all there is says nothing of the memory behind it.
constexpr double kBeyondL2 = 4;

enum class Quantity { rate, time, speedup };

bool is_product(const Measurement& m) { return m.inner != kNoInner; }

// What the horizontal axis counts: operations of a product, bytes of all else.
double work_of(const Measurement& m) {
    return is_product(m) ? flops_of(m.rows, m.cols, m.inner)
                         : static_cast<double>(useful_bytes_of(m));
}

// Squares and cubes lie on a line; other shapes end their tiles elsewhere.
bool is_regular(const Measurement& m) {
    return m.rows == m.cols && m.batch == 1 && (!is_product(m) || m.inner == m.rows);
}

// "3,185 GB/s", "64.9 µs", "12.3 times as fast".
std::string in_words(Quantity quantity, bool product, double value) {
    std::string number = in_three_digits(value);
    if (quantity == Quantity::time) return number + " µs";
    if (quantity == Quantity::speedup) return number + " times as fast as naive";
    return number + (product ? " GFLOP/s" : " GB/s");
}

// A sparse product is as fast as its matrix is empty, so that its name says how empty that is.
std::string name_of(const Stage& stage, const Measurement& m) {
    auto zeros = m.knobs.find("ZEROS");
    if (zeros == m.knobs.end()) return stage.title;
    // "cuSPARSE, zeros left out" -> "cuSPARSE, 50 % zeros"
    return fmt::format("{}, {} % zeros", stage.title.substr(0, stage.title.find(',')),
                       zeros->second);
}

class SizeChart {
  public:
    SizeChart(const ChartFacts& facts, Quantity quantity)
        : facts_(facts),
          operation_(operation_called(facts.operation)),
          quantity_(quantity),
          product_(are_products(facts)) {
        for (const Stage* stage : rungs(facts))
            if (!naive_ && stage->id.starts_with(facts.operation + "/" + operation_.naive))
                naive_ = stage;
    }

    PlotFigureInput make() {
        chart_.caption = caption_of(facts_) + types_in_words(facts_);
        chart_.nothing = "No size was measured in this type.";
        name_axes();
        for (const Stage* stage : rungs(facts_)) chart_.series.push_back(line_of(*stage));
        chart_.series.push_back(ceilings());
        for (const Stage* stage : rungs(facts_))
            if (stage->id == facts_.stage) {
                chart_.series.push_back(other_shapes_of(*stage));
                if (quantity_ == Quantity::rate) chart_.series.push_back(model_of(*stage));
            }
        if (product_) chart_.series.push_back(published());
        std::erase_if(chart_.series, [](const PlotSeries& s) { return s.points.empty(); });
        if (ticks_.empty()) return std::move(chart_);
        for (const auto& [work, label] : ticks_) chart_.x.ticks.push_back({work, label});
        chart_.x.from = ticks_.begin()->first / 1.4;
        chart_.x.to = ticks_.rbegin()->first * 1.4;
        add_card();
        return std::move(chart_);
    }

  private:
    void name_axes() {
        chart_.x.log = true;
        chart_.x.csv = product_ ? "flop" : "bytes";
        chart_.x.title = product_ ? "side of three square matrices (placed by the operations)"
                         : operation_.writes_all
                             ? "side of the square matrix (placed by the bytes of input and output)"
                             : "side of the square matrix (placed by the bytes of the input)";
        chart_.y.log = product_ || quantity_ != Quantity::rate;
        if (quantity_ == Quantity::time) {
            chart_.y.title = "microseconds of one launch";
            chart_.y.csv = "us";
        } else if (quantity_ == Quantity::speedup) {
            chart_.y.title = "times as fast as " + (naive_ ? naive_->title : std::string("naive"));
            chart_.y.csv = "speedup";
        } else {
            chart_.y.title =
                product_ ? "GFLOP/s, 2 M N K over the median time"
                         : std::string("GB/s, each byte counted ") + operation_.counted_once();
            chart_.y.csv = product_ ? "gflop_per_s" : "gb_per_s";
        }
    }

    // ---- one measurement

    // Of a launch that takes so long; 0 where there is none to tell.
    double value_for(const Measurement& m, double time_us) const {
        if (time_us <= 0) return 0;
        if (quantity_ == Quantity::time) return time_us;
        if (quantity_ == Quantity::speedup) {
            double naive = naive_time(m);
            return naive / time_us;
        }
        if (is_product(m)) return is_launch_bound(m) ? 0 : work_of(m) / time_us / 1e3;
        return work_of(m) / time_us / 1e3;
    }

    double naive_time(const Measurement& m) const {
        if (!naive_) return 0;
        for (const Charted& each : measurements_of(facts_, *naive_)) {
            const Measurement& naive = *each.measurement;
            if (same_shape(naive, m) && naive.knobs == default_knobs(*naive_))
                return naive.time_us.median;
        }
        return 0;
    }

    PlotPoint point_for(const Charted& charted, const std::string& name, const Spread& time) const {
        const Measurement& m = *charted.measurement;
        PlotPoint point;
        point.x = work_of(m);
        point.y = value_for(m, time.median);
        point.words =
            fmt::format("{}, {}: {}", name, shape_words(m), in_words(quantity_, product_, point.y));
        if (quantity_ != Quantity::speedup && time.p05 > 0 && time.p95 > 0) {
            point.low = value_for(m, time.p05), point.high = value_for(m, time.p95);
            if (point.low > point.high) std::swap(point.low, point.high);
            point.words +=
                fmt::format(" (5 to 95 %: {} to {})", in_words(quantity_, product_, point.low),
                            in_words(quantity_, product_, point.high));
        }
        point.source = source_of(charted);
        point.filled = charted.live;
        return point;
    }

    PlotPoint point_for(const Charted& charted, const Stage& stage) const {
        const Measurement& m = *charted.measurement;
        PlotPoint point = point_for(charted, name_of(stage, m), m.time_us);
        if (m.yardstick.time_us.median > 0)
            point.words +=
                fmt::format(", {:.1f} % of {}", 100 * m.yardstick.time_us.median / m.time_us.median,
                            product_ ? m.yardstick.kind : "the copy");
        return point;
    }

    // ---- one stage

    // Of the looked-at knobs; where none of them was measured, of the defaults.
    std::vector<Charted> sizes_of(const Stage& stage) const {
        std::vector<Charted> all = measurements_of(facts_, stage);
        for (const KnobValues& knobs : {knobs_looked_at(facts_, stage), default_knobs(stage)}) {
            std::vector<Charted> kept;
            for (const Charted& each : all)
                if (each.measurement->knobs == knobs) kept.push_back(each);
            if (kept.empty()) continue;
            std::stable_sort(kept.begin(), kept.end(), [](const Charted& a, const Charted& b) {
                return work_of(*a.measurement) < work_of(*b.measurement);
            });
            return kept;
        }
        return {};
    }

    void add(PlotSeries& series, PlotPoint point) {
        if (point.y > 0) series.points.push_back(std::move(point));
    }

    PlotSeries line_of(const Stage& stage) {
        PlotSeries series;
        series.name = stage.title;
        series.action = "stage:" + stage.id;
        series.strong = stage.id == facts_.stage;
        series.ink = series.strong ? Ink::accent : Ink::recorded;
        series.mark = series.strong ? PlotMark::diamond : PlotMark::dot;
        for (const Charted& each : sizes_of(stage)) {
            const Measurement& m = *each.measurement;
            if (!is_regular(m)) continue;
            series.name = name_of(stage, m);
            add(series, point_for(each, stage));
            ticks_[work_of(m)] = std::to_string(m.rows) + (product_ ? "³" : "²");
        }
        return series;
    }

    PlotSeries other_shapes_of(const Stage& stage) {
        PlotSeries series;
        series.name = "squares: " + stage.title + ", other shapes";
        series.ink = Ink::accent;
        series.mark = PlotMark::square;
        series.joined = series.named = false;
        series.in_legend = true;
        for (const Charted& each : sizes_of(stage))
            if (!is_regular(*each.measurement)) add(series, point_for(each, stage));
        return series;
    }

    PlotSeries model_of(const Stage& stage) {
        PlotSeries series;
        series.name = "model of " + stage.title;
        series.ink = Ink::model;
        series.mark = PlotMark::cross;
        series.dashed = true;
        series.named = false;
        series.in_legend = true;
        for (const Charted& each : sizes_of(stage)) {
            const Measurement& m = *each.measurement;
            if (!is_regular(m) || m.predicted_gb_per_s <= 0 || is_product(m)) continue;
            PlotPoint point;
            point.x = work_of(m);
            point.y = m.predicted_gb_per_s;
            point.words = fmt::format("Model of {}, {}: {}, {:+.1f} % from the measurement",
                                      stage.title, shape_words(m), gb_words(point.y),
                                      100 * (m.predicted_gb_per_s / m.gb_per_s - 1));
            point.source = "computed for " + m.provenance.card +
                           " from counts and micro-benchmarks, not from this measurement";
            add(series, std::move(point));
        }
        return series;
    }

    // ---- what stands above all stages: the best copy, or the library, of each size

    PlotSeries ceilings() {
        std::map<double, Charted> best;
        for (const Stage* stage : rungs(facts_))
            for (const Charted& each : measurements_of(facts_, *stage)) {
                const Measurement& m = *each.measurement;
                if (!is_regular(m) || m.yardstick.time_us.median <= 0) continue;
                // Halves are multiplied faster than floats, and are another library call.
                if (product_ && m.type != facts_.type) continue;
                Charted& kept = best[work_of(m)];
                if (!kept.measurement ||
                    m.yardstick.time_us.median < kept.measurement->yardstick.time_us.median)
                    kept = each;
            }
        PlotSeries series;
        series.name = product_ ? "cuBLAS, " + facts_.type : "best copy";
        series.ink = Ink::copy;
        series.mark = PlotMark::square;
        for (const auto& [work, charted] : best) {
            const Measurement& m = *charted.measurement;
            add(series,
                point_for(charted, (product_ ? "" : "Copy of the same bytes, ") + m.yardstick.kind,
                          m.yardstick.time_us));
        }
        return series;
    }

    // ---- what others published, as far as it is of this quantity and says its sizes

    // In the chart's unit; 0 where it is of another quantity.
    double value_of(const PublishedFigure& figure) const {
        if (quantity_ == Quantity::rate) return figure.unit == "GFLOP/s" ? figure.value : 0;
        if (quantity_ == Quantity::speedup) return figure.unit == "times naive" ? figure.value : 0;
        return figure.unit == "ms" ? 1000 * figure.value : figure.unit == "us" ? figure.value : 0;
    }

    PlotSeries published() {
        PlotSeries series;
        series.name = "published, other cards";
        series.ink = Ink::published;
        series.mark = PlotMark::diamond;
        series.joined = series.named = false;
        series.in_legend = true;
        for (const PublishedFigure& figure : facts_.published) {
            double value = value_of(figure);
            if (figure.operation != facts_.operation || value <= 0 || figure.inner <= 0) continue;
            PlotPoint point;
            point.x = flops_of(figure.rows, figure.cols, figure.inner);
            point.y = value;
            point.words = title_of(facts_, figure.stage) + ": " + lanewise::in_words(figure);
            point.source = "published as “" + figure.name + "”";
            point.action = "stage:" + figure.stage;
            point.filled = false;
            series.points.push_back(std::move(point));
            ticks_.try_emplace(series.points.back().x,
                               figure.rows == figure.cols && figure.cols == figure.inner
                                   ? std::to_string(figure.rows) + "³"
                                   : "");
        }
        std::erase_if(ticks_, [](const auto& tick) { return tick.second.empty(); });
        return series;
    }

    // ---- the card

    void add_card() {
        if (product_ && quantity_ == Quantity::rate) {
            add_units();
            return add_sizeless();
        }
        const Recording* recording = recording_of(facts_);
        const DeviceProfile* card = recording ? profile_of(facts_, recording->card) : nullptr;
        if (!card || product_) return;
        add_regions(*card);
        if (quantity_ == Quantity::rate)
            chart_.references.push_back(
                {card->datasheet_gb_per_s, "datasheet " + gb_words(card->datasheet_gb_per_s),
                 card->name + "'s peak as its maker states it", Ink::datasheet, true});
    }

    // What the maker says of each unit that some stage uses.
    void add_units() {
        std::map<std::string, double> units;
        for (const Stage* stage : rungs(facts_))
            for (const Charted& each : measurements_of(facts_, *stage))
                if (each.measurement->arithmetic.datasheet_gflop_per_s > 0)
                    units[each.measurement->arithmetic.unit] = each.measurement->arithmetic.datasheet_gflop_per_s;
        for (const auto& [unit, peak] : units)
            chart_.references.push_back({peak, unit + " datasheet",
                                         in_words(Quantity::rate, true, peak) +
                                             ", the peak of this unit as the maker states it",
                                         Ink::datasheet, true});
    }

    // What others published without saying of which size.
    void add_sizeless() {
        for (const PublishedFigure& figure : facts_.published) {
            double value = value_of(figure);
            if (figure.operation != facts_.operation || value <= 0 || figure.inner > 0) continue;
            chart_.references.push_back(
                {value, "published: " + figure.name,
                 title_of(facts_, figure.stage) + ": " + lanewise::in_words(figure), Ink::published,
                 true});
        }
    }

    void add_regions(const DeviceProfile& card) {
        double launch = card.launch_us * 1e3 * achievable_gb_per_s(card);  // bytes
        double fits = card.l2_bytes, beyond = kBeyondL2 * card.l2_bytes;
        double from = chart_.x.from, to = chart_.x.to;
        std::string l2 = in_bytes(static_cast<uint64_t>(card.l2_bytes));
        PlotRegion all[] = {
            {from, launch, "launch bound",
             fmt::format("An empty launch takes {:.2f} µs; fewer bytes than {} take less than that "
                         "at the copy's {}.",
                         card.launch_us, in_bytes(static_cast<uint64_t>(launch)),
                         gb_words(achievable_gb_per_s(card)))},
            {launch, fits, "L2",
             "Both matrices fit into the " + l2 + " of L2: this is not the memory."},
            {fits, beyond, "L2 and memory",
             "Larger than the " + l2 + " of L2, but part of it is still there from before."},
            {beyond, to, "memory",
             fmt::format("More than {:.0f} times the {} of L2: only here may a share of the "
                         "memory's peak be said.",
                         kBeyondL2, l2)}};
        for (PlotRegion& each : all) {
            each.from = std::max(each.from, from);
            each.to = std::min(each.to, to);
            if (each.from < each.to) chart_.regions.push_back(each);
        }
    }

    const ChartFacts& facts_;
    const Operation& operation_;
    Quantity quantity_;
    bool product_;
    const Stage* naive_ = nullptr;
    std::map<double, std::string> ticks_;  // by work: what was measured names the axis
    PlotFigureInput chart_;
};

}  // namespace

PlotFigureInput size_chart(const ChartFacts& facts) {
    return SizeChart(facts, Quantity::rate).make();
}
PlotFigureInput time_chart(const ChartFacts& facts) {
    return SizeChart(facts, Quantity::time).make();
}
PlotFigureInput speedup_chart(const ChartFacts& facts) {
    return SizeChart(facts, Quantity::speedup).make();
}

}  // namespace lanewise
