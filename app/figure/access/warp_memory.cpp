// The memory of the warp microscope. Two layouts: few lines lie side by side, as memory does; many
// stand up as columns under their lanes, four sectors high, so that ribbons stay short and never
// tangle.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "figure/access/warp_parts.h"
#include "figure/drawing/marks.h"

namespace lanewise {

void WarpFigure::ribbon(int lane, float top, float bottom, WarpSpan target) {
    WarpSpan from = lane_span(lane);
    from = {from.x0 + 1, from.x1 - 1};
    bool chosen = lane == in_.lane;
    float alpha = chosen ? 0.7f : in_.lane >= 0 ? 0.13f : 0.32f;
    figure_
        .polygon({{from.x0, top}, {from.x1, top}, {target.x1, bottom}, {target.x0, bottom}},
                 Fill::lane(lane, alpha))
        .mark = static_cast<uint32_t>(1 + lane);
    if (!chosen) return;
    for (auto [a, b] : {std::pair{from.x0, target.x0}, {from.x1, target.x1}})
        figure_.line({a, top}, {b, bottom}, Fill::of(Ink::accent));
}

size_t WarpFigure::lines_side_by_side() const {
    return std::clamp<size_t>(static_cast<size_t>(in_.width / 112), 4, 8);
}

void WarpFigure::draw_strip() {
    constexpr float near = 6, far = 26;
    float gaps = 0;
    for (size_t i = 1; i < lines_.size(); ++i) gaps += adjoins(i) ? near : far;
    // Few lines take little room, so that lanes that share them are seen to converge.
    const auto count = static_cast<float>(lines_.size());
    float width = (in_.width - 2 * kEdge - gaps) / count * std::min(1.f, (1 + count) / 4);
    const float left = (in_.width - gaps - width * count) / 2;
    Strip strip{{left, y_ + 64 + 0.7f * stretch_, width, 34 + 0.3f * stretch_}, y_, 0, 0};
    strip.per_byte = (width - (kSectorsPerLine - 1) * kSectorGap) / kLineBytes;
    strip.number_size = common_number_size(strip.per_byte, strip.box.h);
    for (size_t i = 0; i < lines_.size(); ++i) {
        if (i > 0 && !adjoins(i))
            figure_.text({strip.box.x, strip.box.y, far, strip.box.h}, "…", kBodySize,
                         Fill::of(Ink::text_dim), Align::center);
        if (i > 0) strip.box.x += adjoins(i) ? near : far;
        draw_strip_line(strip, lines_[i]);
        strip.box.x += width;
    }
    y_ = strip.box.y + strip.box.h + 3 + 2 * line_height(kNoteSize);
}

// All bytes carry their lanes' numbers, at one size, or none does.
float WarpFigure::common_number_size(float per_byte, float height) const {
    float common = kNoteSize;
    for (const TouchedLine& line : lines_)
        for (const ByteRun& run : line.runs())
            if (run.lanes)
                common = std::min(
                    common,
                    size_that_fits({0, 0, per_byte * static_cast<float>(run.count) - 2, height},
                                   lanes_of(run.lanes), kNoteSize, Font::mono, measure_));
    return common;
}

void WarpFigure::draw_strip_line(const Strip& strip, const TouchedLine& line) {
    for (const ByteRun& run : line.runs()) {
        Box box = strip.bytes(run.first, run.count);
        for (int lane = 0; lane < 32; ++lane)
            if (run.lanes >> lane & 1)
                ribbon(lane, strip.ribbons_from, box.y, at_least_visible({box.x, box.x + box.w}));
    }
    for (int sector = 0; sector < kSectorsPerLine; ++sector)
        draw_sector(strip.bytes(sector * kSectorBytes, kSectorBytes), line, sector);
    for (const ByteRun& run : line.runs())
        if (run.lanes) draw_bytes(strip.bytes(run.first, run.count), run.lanes, strip.number_size);
    if (strip.number_size <= 0)
        for (int sector = 0; sector < kSectorsPerLine; ++sector)
            name_lanes_of_sector(strip, line, sector);
    draw_line_labels(
        {strip.box.x, strip.box.y + strip.box.h + 3, strip.box.w, line_height(kNoteSize)}, line);
}

// "8–15" over a sector whose bytes are too narrow for a number each.
void WarpFigure::name_lanes_of_sector(const Strip& strip, const TouchedLine& line, int sector) {
    int first = -1, last = -1;
    for (int byte = sector * kSectorBytes; byte < (sector + 1) * kSectorBytes; ++byte)
        if (line.owners[static_cast<size_t>(byte)]) {
            if (first < 0) first = byte;
            last = byte;
        }
    if (first < 0) return;
    for (int byte = first; byte <= last; ++byte)
        if (!line.owners[static_cast<size_t>(byte)]) return;
    text_if_it_fits(figure_, strip.bytes(first, last - first + 1),
                    lanes_of(sector_lanes(line, sector)), kNoteSize, Fill::of(Ink::text_on_fill),
                    measure_, Align::center, Font::bold);
}

void WarpFigure::draw_sector(Box box, const TouchedLine& line, int sector) {
    bool touched = line.has_sector(sector);
    int useful = 0;
    for (int i = 0; i < kSectorBytes; ++i)
        useful += line.owners[static_cast<size_t>(sector * kSectorBytes + i)] != 0;
    if (touched && useful < kSectorBytes) {
        figure_.rect(box, Fill::of(Ink::wasted, 0.22f));
        hatch(figure_, box, Fill::of(Ink::wasted, 0.8f));
    }
    figure_.rect(box, Fill::none(), Fill::of(touched ? Ink::border : Ink::grid)).dashed = !touched;
    std::string where = offset_words(line.offset + sector * kSectorBytes);
    if (touched)
        figure_.hit(box,
                    fmt::format("sector at {}: {} of {} bytes useful, for lanes {}", where, useful,
                                kSectorBytes, lanes_of(sector_lanes(line, sector))),
                    fmt::format("sector:{}", sector_number_++));
    else
        figure_.hit(box, fmt::format("sector at {}: not touched", where));
}

uint32_t WarpFigure::sector_lanes(const TouchedLine& line, int sector) {
    uint32_t lanes = 0;
    for (int i = 0; i < kSectorBytes; ++i)
        lanes |= line.owners[static_cast<size_t>(sector * kSectorBytes + i)];
    return lanes;
}

// Bytes that somebody asked for: that lane's hue and number.
void WarpFigure::draw_bytes(Box box, uint32_t lanes, float number_size) {
    int lane = std::countr_zero(lanes);
    bool chosen = in_.lane >= 0 && (lanes >> in_.lane & 1);
    figure_.rect(box, Fill::lane(chosen ? in_.lane : lane)).mark =
        static_cast<uint32_t>(101 + lane);
    if (box.w > 4) figure_.rect(box, Fill::none(), Fill::of(Ink::background, 0.6f));
    if (chosen) figure_.rect(box, Fill::none(), Fill::of(Ink::accent)).stroke_width = 2;
    text_if_it_fits(figure_, box, lanes_of(lanes), number_size, Fill::of(Ink::text_on_fill),
                    measure_);
    figure_.hit(box, lane_words(chosen ? in_.lane : lane),
                fmt::format("lane:{}", chosen ? in_.lane : lane));
}

// "in + 0x80", or "in - 0x20" for a line that begins before its buffer.
std::string WarpFigure::offset_words(int64_t offset) const {
    return offset < 0 ? fmt::format("{} - {}", buffer_name_, hex_of(uint64_t(-offset)))
                      : fmt::format("{} + {}", buffer_name_, hex_of(uint64_t(offset)));
}

void WarpFigure::draw_line_labels(Box box, const TouchedLine& line) {
    const std::string addresses[] = {offset_words(line.offset), hex_of(uint64_t(line.offset))};
    for (const std::string& address : addresses)
        if (text_if_it_fits(figure_, box, address, kNoteSize, Fill::of(Ink::text_dim), measure_,
                            Align::left))
            break;
    box.y += box.h;
    const std::string fetched[] = {
        fmt::format("{} of {} sectors touched", line.sectors(), kSectorsPerLine),
        fmt::format("{} of {} sectors", line.sectors(), kSectorsPerLine),
        fmt::format("{} of {}", line.sectors(), kSectorsPerLine)};
    for (const std::string& words : fetched)
        if (text_if_it_fits(figure_, box, words, kNoteSize, Fill::of(Ink::text_dim), measure_,
                            Align::left, Font::text))
            break;
}

void WarpFigure::draw_columns() {
    const float sector_height = 32 + 0.5f * stretch_ / kSectorsPerLine;
    float top = y_, y = y_ + 40 + 0.5f * stretch_;
    for (size_t i = 0; i < lines_.size(); ++i) {
        const TouchedLine& line = lines_[i];
        WarpSpan span = column_span(i);
        span = {span.x0 + 1, span.x1 - 1};
        draw_column_ribbons(line.lanes(), top, y, span);
        for (int sector = 0; sector < kSectorsPerLine; ++sector) {
            float sector_y = y + (sector_height + kSectorGap) * static_cast<float>(sector);
            draw_sector({span.x0, sector_y, span.width(), sector_height}, line, sector);
        }
        for (const ByteRun& run : line.runs()) {
            if (!run.lanes) continue;
            int sector = run.first / kSectorBytes;
            float run_y = y + sector_height * float(run.first) / kSectorBytes +
                          kSectorGap * static_cast<float>(sector);
            draw_bytes(
                {span.x0, run_y, span.width(), sector_height * float(run.count) / kSectorBytes},
                run.lanes, kSmallest);
        }
    }
    y_ = y + (sector_height + kSectorGap) * kSectorsPerLine;
    draw_column_addresses();
}

// The lanes of one line share its column's width, in their order.
void WarpFigure::draw_column_ribbons(uint32_t lanes, float top, float bottom, WarpSpan span) {
    float share = span.width() / static_cast<float>(std::popcount(lanes));
    float x = span.x0;
    for (int lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1) {
            ribbon(lane, top, bottom, {x, x + share});
            x += share;
        }
}

// Every column's address where there is room, else every second's, every fourth's …
void WarpFigure::draw_column_addresses() {
    float height = line_height(kNoteSize), widest = 0;
    auto label = [&](size_t i) {
        return i == 0 ? offset_words(lines_[i].offset)
                      : hex_of(static_cast<uint64_t>(lines_[i].offset));
    };
    for (size_t i = 0; i < lines_.size(); ++i)
        widest = std::max(widest, measure_(label(i), kNoteSize, Font::mono));
    size_t step = 1;
    while (step < lines_.size() && widest + 10 > column_span(0).width() * float(step)) step *= 2;
    for (size_t i = 0; i < lines_.size(); i += step) {
        float x = column_span(i).x0 + 1;
        if (i > 0 && x + widest > in_.width) break;
        figure_.line({x, y_ - 1}, {x, y_ + 4}, Fill::of(Ink::border));
        figure_.text({x, y_ + 4, widest + 1, height}, label(i), kNoteSize, Fill::of(Ink::text_dim),
                     Align::left, Font::mono);
    }
    y_ += 4 + height;
}

}  // namespace lanewise
