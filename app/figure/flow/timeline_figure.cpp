#include "figure/flow/timeline_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "figure/access/life_figure.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kGutter = 58;              // for the warps' names
constexpr float kWords = 22, kBar = 9;     // the headline, and what it says as a bar
constexpr float kAxis = 24, kBetweenRows = 3;
constexpr float kRounded = 24;  // points from which a box has round corners and dashes
constexpr float kLeastRow = 9, kMostRow = 170;
constexpr float kFootRow = 20;         // of the legend, at least
constexpr float kNarrow = 2;           // segments narrower than that become one, or
constexpr size_t kMostBoxes = 3000;    // wider ones, while there are more boxes than these
constexpr float kPointed = 5;          // as wide as what can be pointed at
constexpr float kIdealHeight = 0.58f;  // of a track; what costs more takes all of it
constexpr float kFramed = 0.22f;       // strength of a store's inside
constexpr double kLeastTicks = 8;

TickWindow shown_of(const TimelineFigureInput& input) {
    const auto all = static_cast<double>(std::max<uint64_t>(1, input.timeline->ticks));
    if (input.to <= input.from) return {0, all};
    return {input.from, input.to};
}

float rows_top() { return kWords + kBar + kAxis; }

// What stands below the rows: the legend, and words that wrap in a narrow figure.
float foot_height(float width) {
    const float words = width < 420 ? 3 : width < 640 ? 2 : 1;
    return (width < 420 ? 2 : 1) * kFootRow + words * line_height(kNoteSize) + 6;
}

float row_height(const TimelineFigureInput& input) {
    const auto rows = static_cast<float>(std::max<size_t>(1, input.timeline->warps.size()));
    const float room = input.height - rows_top() - foot_height(input.width);
    return std::clamp(std::floor(room / rows), kLeastRow + kBetweenRows, kMostRow);
}

struct Track {
    float seam = 0, height = 0;
    bool shared = false;
    Box box(float x0, float x1, float part) const {
        const float high = std::max(1.f, height * part);
        return {x0, shared ? seam + 0.5f : seam - 0.5f - high, x1 - x0, high};
    }
};

// Narrow segments that share a column: how many ticks of each kind.
struct Column {
    double good[2] = {0, 0}, bad[2] = {0, 0};  // global, shared
    bool is_empty() const { return good[0] + good[1] + bad[0] + bad[1] == 0; }
    // The share of ticks in vain in quarters, so that neighbours become one; -1: nothing there.
    int quarters(bool shared) const {
        const double all = good[shared] + bad[shared];
        return all == 0 ? -1 : static_cast<int>(std::lround(4 * bad[shared] / all));
    }
    bool looks_like(const Column& other) const {
        return quarters(false) == other.quarters(false) && quarters(true) == other.quarters(true);
    }
};

class TimelineFigure {
  public:
    TimelineFigure(const TimelineFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure), shown_(shown_of(input)), row_(row_height(input)) {
        figure_.width = in_.width;
        while (boxes_at(narrow_) > kMostBoxes) narrow_ *= 2;
    }

    Drawing draw() {
        draw_waste(waste_of(*in_.timeline));
        draw_axis();
        for (uint32_t warp = 0; warp < in_.timeline->warps.size(); ++warp) draw_row(warp);
        draw_chosen();
        draw_legend();
        return std::move(figure_);
    }

  private:
    float row_top(uint32_t warp) const { return rows_top() + row_ * static_cast<float>(warp); }
    float rows_bottom() const { return row_top(static_cast<uint32_t>(in_.timeline->warps.size())); }
    Track track(uint32_t warp, bool shared) const {
        const float inner = row_ - kBetweenRows;
        return {row_top(warp) + inner / 2, inner / 2 - 0.5f, shared};
    }
    float room() const { return in_.width - kGutter - 1; }
    // How many segments in sight are at least so wide.
    size_t boxes_at(float least) const {
        size_t count = 0;
        for (const auto& segments : in_.timeline->warps)
            for (const TimelineSegment& each : segments)
                count += x_of(static_cast<double>(each.end)) -
                             x_of(static_cast<double>(each.begin)) >=
                         least;
        return count;
    }
    float x_of(double tick) const {
        const double part = (tick - shown_.from) / (shown_.to - shown_.from);
        return kGutter + room() * static_cast<float>(std::clamp(part, 0.0, 1.0));
    }

    // ---- above: in words, and as a bar as long as the ticks of all accesses
    void draw_waste(const TimelineWaste& waste) {
        const bool bad = waste.in_vain() > 0;
        std::string words = words_of(waste);
        if (measure_(words, kBodySize, Font::bold) > in_.width)
            words = words.substr(0, words.find(':'));  // what the line does is told below
        figure_.text({0, 0, in_.width, kWords - 2},
                     shortened(words, in_.width, kBodySize, Font::bold, measure_), kBodySize,
                     Fill::of(bad ? Ink::warn : Ink::good), Align::left, Font::bold);
        if (bad && waste.index >= 0)
            figure_.hit({0, 0, in_.width, kWords}, "Shows it: " + words_of(waste.worst),
                        fmt::format("worst:{}:{}", waste.warp, waste.index));
        if (waste.ticks == 0) return;
        const auto all = static_cast<float>(waste.ticks);
        const float needed = in_.width * static_cast<float>(waste.ideal) / all;
        figure_.rect({0, kWords, needed, kBar - 2}, Fill::of(Ink::load));
        if (!bad) return;
        const Box vain{needed, kWords, in_.width - needed, kBar - 2};
        figure_.rect(vain, Fill::of(Ink::warn));
        hatch(figure_, vain, Fill::of(Ink::background, 0.5f), 5);
        figure_.hit({0, kWords, in_.width, kBar - 2},
                    fmt::format("{} ticks are needed, {} are wasted", with_thousands(waste.ideal),
                                with_thousands(waste.in_vain())));
    }

    void draw_axis() {
        const double step = axis_step();
        const float y = rows_top() - 4;
        figure_.text({0, y - 16, kGutter - 6, 14}, "ticks", kNoteSize, Fill::of(Ink::text_dim));
        for (double tick = std::ceil(shown_.from / step) * step; tick <= shown_.to; tick += step) {
            const float x = x_of(tick);
            figure_.line({x, y}, {x, rows_bottom() - kBetweenRows}, Fill::of(Ink::grid));
            const std::string words = with_thousands(static_cast<uint64_t>(std::max(0.0, tick)));
            const float half = measure_(words, kNoteSize, Font::mono) / 2 + 1;
            const float left = std::clamp(x - half, kGutter - 4, in_.width - 2 * half);
            figure_.text({left, y - 16, 2 * half, 14}, words, kNoteSize, Fill::of(Ink::text_dim),
                         Align::center, Font::mono);
        }
    }
    // 1, 2 or 5 times a power of ten, whole ticks, with room for the numbers.
    double axis_step() const {
        const double least = std::max(1.0, (shown_.to - shown_.from) * 64 / std::max(1.f, room()));
        const double power = std::pow(10.0, std::floor(std::log10(least)));
        for (double times : {1.0, 2.0, 5.0})
            if (power * times >= least) return power * times;
        return power * 10;
    }

    // ---- a warp
    void draw_row(uint32_t warp) {
        const Track global = track(warp, false);
        const float inner = row_ - kBetweenRows, y = row_top(warp);
        figure_.rect({kGutter, y, room(), inner}, Fill::of(Ink::panel), Fill::none(), 2);
        figure_.line({kGutter, global.seam}, {kGutter + room(), global.seam},
                     Fill::of(Ink::border, 0.7f));
        draw_name(warp, y, inner);
        const auto& segments = in_.timeline->warps[warp];
        const TimelineSegment* first = segment_at(*in_.timeline, warp, std::max(0.0, shown_.from));
        if (!first) return;
        for (auto i = static_cast<size_t>(first - segments.data()); i < segments.size(); ++i) {
            const TimelineSegment& each = segments[i];
            if (static_cast<double>(each.begin) >= shown_.to) break;
            const float x0 = x_of(static_cast<double>(each.begin)),
                        x1 = x_of(static_cast<double>(each.end));
            if (x1 - x0 < narrow_ && each.step.access >= 0) {
                gather(warp, each, (x0 + x1) / 2);
                continue;
            }
            flush(warp);
            draw_segment(warp, each, x0, x1);
        }
        flush(warp);
    }

    void draw_name(uint32_t warp, float y, float inner) {
        if (inner >= kSmallest)
            figure_.text({0, y, kGutter - 6, inner}, fmt::format("warp {}", warp),
                         std::min(kNoteSize, inner),
                         Fill::of(warp == in_.warp && in_.index >= 0 ? Ink::accent : Ink::text_dim),
                         Align::left, Font::mono);
        figure_.hit({0, y, kGutter - 6, inner}, fmt::format("Warp {}", warp),
                    fmt::format("warp:{}", warp));
    }

    // ---- narrow segments, column by column
    void gather(uint32_t warp, const TimelineSegment& each, float x) {
        const int column = static_cast<int>(x / narrow_);
        if (column != column_) end_column(warp);
        column_ = column;
        const bool shared = each.step.is_shared();
        const int vain = std::max(0, each.step.cost - each.step.ideal);
        gathered_.bad[shared] += vain;
        gathered_.good[shared] += std::max(1, each.step.cost) - vain;
    }
    void end_column(uint32_t warp) {
        if (gathered_.is_empty()) return;
        const float x0 = static_cast<float>(column_) * narrow_;
        const bool joins =
            run_to_ > run_from_ && std::abs(run_to_ - x0) < 0.01f && run_.looks_like(gathered_);
        if (!joins) {
            draw_run(warp);
            run_ = gathered_;
            run_from_ = x0;
        }
        run_to_ = x0 + narrow_;
        gathered_ = {};
    }
    void flush(uint32_t warp) {
        end_column(warp);
        draw_run(warp);
    }
    // The warning part lies at the seam's far side, so that a skyline of it remains.
    void draw_run(uint32_t warp) {
        if (run_to_ <= run_from_) return;
        const float x0 = std::max(kGutter, run_from_), x1 = std::min(kGutter + room(), run_to_);
        run_from_ = run_to_ = 0;
        for (bool shared : {false, true}) {
            const int quarters = run_.quarters(shared);
            if (quarters < 0 || x1 <= x0) continue;
            const Track at = track(warp, shared);
            const float part = static_cast<float>(quarters) / 4;
            figure_.rect(at.box(x0, x1, kIdealHeight + (1 - kIdealHeight) * part),
                         Fill::of(quarters == 4 ? Ink::warn : Ink::load));
            if (quarters == 0 || quarters == 4) continue;
            const float high = at.height * part,
                        from = at.height * (kIdealHeight + (1 - kIdealHeight) * part) - high;
            figure_.rect(
                {x0, shared ? at.seam + 0.5f + from : at.seam - 0.5f - from - high, x1 - x0, high},
                Fill::of(Ink::warn));
        }
    }

    // ---- those that are wide enough
    void draw_segment(uint32_t warp, const TimelineSegment& each, float x0, float x1) {
        if (each.step.moment == Moment::barrier)
            draw_wait(warp, each, x0, x1);
        else if (each.step.moment == Moment::other)
            draw_other(warp, each, x0, x1);
        else
            draw_access(warp, each, x0, x1);
        if (x1 - x0 < kPointed) return;
        figure_.hit({x0, row_top(warp), x1 - x0, row_ - kBetweenRows}, words_of(each, warp),
                    fmt::format("moment:{}:{}", warp, each.index));
    }

    void draw_access(uint32_t warp, const TimelineSegment& each, float x0, float x1) {
        const bool bad = each.is_wasteful();
        const bool stores =
            each.step.moment == Moment::store || each.step.moment == Moment::shared_store;
        const Track at = track(warp, each.step.is_shared());
        const float gap = x1 - x0 >= 6 ? 1.f : 0.4f;
        const Box box = at.box(x0 + gap / 2, x1 - gap / 2, bad ? 1 : kIdealHeight);
        const Ink ink = bad ? Ink::warn : Ink::load;
        // A rounded corner costs a window dozens of vertices, and there may be thousands of boxes.
        const bool framed = stores && box.w >= 8 && box.h >= 4, rounded = box.w >= kRounded;
        if (framed) {
            const Box inner{box.x + 0.5f, box.y + 0.5f, box.w - 1, box.h - 1};
            figure_.rect(inner, Fill::of(ink, kFramed), Fill::of(ink), rounded ? 1.f : 0);
        } else {
            figure_.rect(box, Fill::of(ink), Fill::none(), rounded ? 1.5f : 0);
        }
        const Fill text = Fill::of(framed ? Ink::text : Ink::background);
        constexpr float kLeastForWords = 10;
        if (!in_.with_words || box.h < kLeastForWords) return;
        for (const std::string& words :
             {words_of(each.step), fmt::format("{} ×{}", name_of(each.step), each.step.cost),
              std::to_string(each.step.cost)})
            if (text_if_it_fits(figure_, {box.x + 3, box.y, box.w - 6, box.h}, words,
                                std::min(kNoteSize, box.h * 0.8f), text, measure_, Align::left,
                                Font::text))
                break;
    }

    // A line from the warp's coming to its going on, and a bar there.
    void draw_wait(uint32_t warp, const TimelineSegment& each, float x0, float x1) {
        const Track at = track(warp, false);
        const Fill ink = Fill::of(Ink::text_dim);
        if (x1 - x0 > 3)
            figure_.line({x0, at.seam}, {x1, at.seam}, ink, 1.5f).dashed = x1 - x0 >= kRounded;
        const bool in_sight = static_cast<double>(each.end) <= shown_.to;
        const float width = std::min(2.f, std::max(1.f, x1 - x0));
        if (in_sight)
            figure_.rect({x1 - width, row_top(warp), width, row_ - kBetweenRows},
                         Fill::of(Ink::text));
    }

    void draw_other(uint32_t warp, const TimelineSegment& each, float x0, float x1) {
        const float inner = row_ - kBetweenRows, high = std::max(2.f, inner * 0.4f);
        const Box box{x0 + 0.5f, row_top(warp) + (inner - high) / 2, std::max(1.f, x1 - x0 - 1),
                      high};
        const bool copy = each.step.copy >= 0 && each.step.mark != TracedMark::Kind::copy_done;
        const Ink ink = copy ? Ink::load : Ink::text_dim;
        const bool wide = box.w >= kRounded;
        figure_.rect(box, Fill::of(ink, 0.3f), Fill::of(ink), wide ? 1.f : 0).dashed =
            !copy && wide;
        text_if_it_fits(figure_, {box.x + 3, box.y, box.w - 6, box.h}, name_of(each.step),
                        std::min(kNoteSize, box.h), Fill::of(Ink::text), measure_, Align::left,
                        Font::text);
    }

    void draw_chosen() {
        if (in_.index < 0 || in_.warp >= in_.timeline->warps.size()) return;
        const auto& segments = in_.timeline->warps[in_.warp];
        if (static_cast<size_t>(in_.index) >= segments.size()) return;
        const TimelineSegment& each = segments[static_cast<size_t>(in_.index)];
        const auto begin = static_cast<double>(each.begin), end = static_cast<double>(each.end);
        if (end <= shown_.from || begin >= shown_.to) return;
        const float x0 = x_of(begin), x1 = std::max(x_of(end), x0 + 3);
        Shape& frame = figure_.rect({x0 + 1, row_top(in_.warp) + 1, std::min(x1, in_.width) - x0 - 2,
                                     row_ - kBetweenRows - 2},
                                    Fill::none(), Fill::of(Ink::accent), 2);
        frame.stroke_width = 2;
    }

    void draw_legend() {
        const Fill fill = Fill::of(Ink::load);
        float y = legend(figure_, {0, rows_bottom() + 4}, in_.width,
                         {{fill, Fill::none(), false, "load"},
                          {Fill::of(Ink::load, kFramed), fill, false, "store"},
                          {Fill::of(Ink::warn), Fill::none(), false, "costs more than it must"},
                          {Fill::of(Ink::text), Fill::none(), false, "end of a wait at a barrier"}},
                         measure_);
        y = paragraph(figure_, {0, y}, in_.width,
                      "Global memory above the line, shared memory below it. A tick is one sector "
                      "or wavefront of the warp; waiting for memory takes none.",
                      kNoteSize, Fill::of(Ink::text_dim), measure_);
        figure_.height = y + 1;
    }

    const TimelineFigureInput& in_;
    const Measure& measure_;
    TickWindow shown_;
    float narrow_ = kNarrow;
    float row_;
    Drawing figure_;
    int column_ = -1;
    Column gathered_, run_;
    float run_from_ = 0, run_to_ = 0;
};

TickWindow kept_within(const BlockTimeline& timeline, double from, double span) {
    const auto all = static_cast<double>(std::max<uint64_t>(1, timeline.ticks));
    span = std::min(span, all);
    from = std::clamp(from, 0.0, all - span);
    return {from, from + span};
}

}  // namespace

TimelineSpot timeline_at(const TimelineFigureInput& input, Point point) {
    TimelineSpot spot;
    if (!input.timeline || input.timeline->warps.empty()) return spot;
    const TickWindow shown = shown_of(input);
    spot.tick = shown.from + ticks_per_point(input) * static_cast<double>(point.x - kGutter);
    const float row = row_height(input), y = point.y - rows_top();
    const auto warp = static_cast<int>(std::floor(y / row));
    const bool inside = point.x >= kGutter && point.x < input.width && y >= 0 &&
                        y - row * static_cast<float>(warp) < row - kBetweenRows;
    if (!inside || warp >= static_cast<int>(input.timeline->warps.size())) return spot;
    spot.warp = warp;
    spot.segment = segment_at(*input.timeline, static_cast<uint32_t>(warp), spot.tick);
    return spot;
}

double ticks_per_point(const TimelineFigureInput& input) {
    const TickWindow shown = shown_of(input);
    return (shown.to - shown.from) / static_cast<double>(std::max(1.f, input.width - kGutter - 1));
}

TickWindow zoomed(const BlockTimeline& timeline, TickWindow shown, double at, double factor) {
    const auto all = static_cast<double>(std::max<uint64_t>(1, timeline.ticks));
    const double before = shown.to > shown.from ? shown.to - shown.from : all;
    const double span = std::clamp(before * factor, std::min(all, kLeastTicks), all);
    return kept_within(timeline, at - (at - shown.from) * span / before, span);
}

TickWindow dragged(const BlockTimeline& timeline, TickWindow shown, double ticks) {
    return kept_within(timeline, shown.from - ticks, shown.to - shown.from);
}

std::string words_of(const TimelineSegment& segment, uint32_t warp) {
    std::string words = fmt::format("warp {}: {}", warp, words_of(segment.step));
    if (segment.step.moment == Moment::barrier)
        words += fmt::format(": waits {}", counted(segment.ticks(), "tick"));
    return words;
}

std::string words_of(const TimelineWaste& waste) {
    if (waste.ticks == 0) return "This block makes no access that is drawn here.";
    if (waste.in_vain() == 0) return "Every access of this block costs as little as it can.";
    const double share = 100.0 * static_cast<double>(waste.in_vain()) / double(waste.ticks);
    std::string words = fmt::format("{:.0f} % of the ticks are wasted", std::max(1.0, share));
    if (waste.line > 0)
        words += fmt::format(", most of them in line {}: {} takes {} where {} would do", waste.line,
                             name_of(waste.worst),
                             counted(static_cast<uint64_t>(waste.worst.cost),
                                     waste.worst.is_shared() ? "wavefront" : "sector"),
                             waste.worst.ideal);
    return words + ".";
}

Drawing timeline_figure(const TimelineFigureInput& input, const Measure& measure) {
    if (!input.timeline || input.timeline->ticks == 0)
        return words_only("No warp of this block touches memory or waits at a barrier.",
                          input.width, measure);
    return TimelineFigure(input, measure).draw();
}

}  // namespace lanewise
