// The warp microscope: 32 lanes above, the memory that one access of them touches below.
// Two layouts of the memory: `strip` lays few lines side by side, as memory does; `columns` stands
// many lines up under their lanes, four sectors high, so that ribbons stay short and never tangle.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/text.h"
#include "figure/figures.h"
#include "figure/marks.h"
#include "figure/warp_lines.h"
#include "trace/rules.h"

namespace lanewise {
namespace {

constexpr int kSectorsPerLine = kLineBytes / kSectorBytes;
constexpr float kSectorGap = 2;
constexpr float kEdge = 1;  // keeps strokes of the outermost cells inside the drawing

struct Span {
    float x0 = 0, x1 = 0;
    float width() const { return x1 - x0; }
};

class WarpFigure {
  public:
    WarpFigure(const WarpFigureInput& input, const Measure& measure)
        : in_(input),
          measure_(measure),
          access_(input.block->accesses[static_cast<size_t>(input.access)]),
          instruction_(input.report->instructions[access_.instruction]) {
        bool known =
            access_.buffer >= 0 && access_.buffer < static_cast<int>(input.block->buffers.size());
        TracedBuffer buffer =
            known ? input.block->buffers[static_cast<size_t>(access_.buffer)] : TracedBuffer{};
        buffer_name_ = buffer.name.empty() ? "buffer" : buffer.name;
        lines_ = touched_lines(access_, instruction_.bytes_per_lane, buffer.address);
        figure_.width = input.width;
    }

    Drawing draw() {
        draw_title();
        draw_threads();
        draw_lanes();
        if (lines_.size() <= lines_side_by_side())
            draw_strip();
        else
            draw_columns();
        draw_footer();
        figure_.height = y_;
        return std::move(figure_);
    }

  private:
    // ---- words

    void draw_title() {
        std::string verb = instruction_.is_store ? "stores" : "loads";
        std::string title =
            fmt::format("Warp {} {} {} a lane {} {}", access_.warp, verb,
                        counted(static_cast<uint64_t>(instruction_.bytes_per_lane), "byte"),
                        instruction_.is_store ? "to" : "from", buffer_name_);
        y_ = paragraph(figure_, {0, 0}, in_.width, title, kTitleSize, Fill::of(Ink::text), measure_,
                       Font::bold);
        bool ideal = access_.sectors <= access_.sectors_ideal;
        std::string sum =
            fmt::format("{} · {} · {} of {} useful · ideal {}",
                        counted(static_cast<uint64_t>(access_.requests), "request"),
                        counted(static_cast<uint64_t>(access_.sectors), "sector"),
                        with_thousands(static_cast<uint64_t>(useful_bytes(lines_))),
                        counted(static_cast<uint64_t>(access_.sectors) * kSectorBytes, "byte"),
                        access_.sectors_ideal);
        y_ = paragraph(figure_, {0, y_}, in_.width, sum, kBodySize, Fill::of(Ink::text), measure_);
        y_ = paragraph(figure_, {0, y_}, in_.width, verdict(ideal), kBodySize,
                       Fill::of(ideal ? Ink::good : Ink::warn), measure_);
        y_ += 8;
    }

    std::string verdict(bool ideal) const {
        if (ideal) return "Coalesced: no sector moves in vain.";
        double times = double(access_.sectors) / std::max(1, access_.sectors_ideal);
        return fmt::format("Not coalesced: {:.3g} times the sectors that these bytes need.", times);
    }

    // ---- which threads these lanes are

    std::string thread(int lane) const {
        uint32_t index = access_.warp * 32 + static_cast<uint32_t>(lane);
        uint32_t block_x = std::max(1u, in_.block_x), block_y = std::max(1u, in_.block_y);
        uint32_t z = index / block_x / block_y;
        std::string xy = fmt::format("{}, {}", index % block_x, index / block_x % block_y);
        return z ? fmt::format("({}, {})", xy, z) : fmt::format("({})", xy);
    }

    // One bracket per row of threads: a warp is a row of the block only where it is 32 wide.
    void draw_threads() {
        float label_height = line_height(kNoteSize);
        int first = 0;
        std::vector<std::pair<int, int>> rows;
        for (int lane = 1; lane <= 32; ++lane)
            if (lane == 32 || (access_.warp * 32 + uint32_t(lane)) % std::max(1u, in_.block_x) == 0)
                rows.emplace_back(first, lane - 1), first = lane;
        if (rows.size() > 8) {  // too many to bracket one by one
            rows = {{0, 31}};
        }
        for (auto [from, to] : rows) {
            float x0 = lane_span(from).x0 + 1, x1 = lane_span(to).x1 - 1;
            Box box{x0, y_, x1 - x0, label_height};
            const std::string labels[] = {fmt::format("threads {} to {}", thread(from), thread(to)),
                                          fmt::format("{} to {}", thread(from), thread(to)),
                                          thread(from)};
            for (const std::string& label : labels)
                if (text_if_it_fits(figure_, box, label, kNoteSize, Fill::of(Ink::text_dim),
                                    measure_, Align::center, Font::text))
                    break;
            bracket(figure_, x0, x1, y_ + label_height + 2, 4, Fill::of(Ink::border));
        }
        y_ += label_height + 8;
    }

    // ---- lanes

    Span lane_span(int lane) const {
        float cell = (in_.width - 2 * kEdge) / 32;
        return {kEdge + cell * static_cast<float>(lane),
                kEdge + cell * static_cast<float>(lane + 1)};
    }

    bool active(int lane) const { return access_.mask >> lane & 1; }

    std::string lane_words(int lane) const {
        std::string who = fmt::format("lane {}, thread {}", lane, thread(lane));
        if (!active(lane)) return who + ": not active in this access";
        uint64_t offset = access_.addresses[static_cast<size_t>(lane)];
        uint64_t element = offset / static_cast<uint64_t>(std::max(1, in_.element_bytes));
        std::string where = fmt::format("{}: {} + {}, element {}", who, buffer_name_,
                                        hex_of(offset), with_thousands(element));
        if (in_.matrix_cols > 0) {
            auto cols = static_cast<uint64_t>(in_.matrix_cols);
            where += fmt::format(" (row {}, col {})", with_thousands(element / cols),
                                 with_thousands(element % cols));
        }
        return where;
    }

    void draw_lanes() {
        float height = std::clamp(lane_span(0).width(), 14.0f, 24.0f);
        float size = size_that_fits({0, 0, lane_span(0).width() - 3, height}, "31", kNoteSize,
                                    Font::mono, measure_);
        for (int lane = 0; lane < 32; ++lane) {
            Span span = lane_span(lane);
            Box box{span.x0 + 0.5f, y_, span.width() - 1, height};
            Shape& cell = figure_.rect(box, active(lane) ? Fill::lane(lane) : Fill::none(),
                                       active(lane) ? Fill::none() : Fill::of(Ink::border), 2);
            cell.dashed = !active(lane);
            Fill ink = Fill::of(active(lane) ? Ink::text_on_fill : Ink::text_dim);
            text_if_it_fits(figure_, box, std::to_string(lane), size, ink, measure_);
            if (lane == in_.lane)
                figure_.rect(box, Fill::none(), Fill::of(Ink::accent), 2).stroke_width = 2;
            figure_.hit({span.x0, y_, span.width(), height}, lane_words(lane),
                        fmt::format("lane:{}", lane));
        }
        y_ += height;
    }

    void ribbon(int lane, float top, float bottom, Span target) {
        Span from = lane_span(lane);
        from = {from.x0 + 1, from.x1 - 1};
        bool chosen = lane == in_.lane;
        float alpha = chosen ? 0.7f : in_.lane >= 0 ? 0.13f : 0.32f;
        figure_.polygon({{from.x0, top}, {from.x1, top}, {target.x1, bottom}, {target.x0, bottom}},
                        Fill::lane(lane, alpha));
        if (!chosen) return;
        for (auto [a, b] : {std::pair{from.x0, target.x0}, {from.x1, target.x1}})
            figure_.line({a, top}, {b, bottom}, Fill::of(Ink::accent));
    }

    // ---- memory, few lines: side by side

    size_t lines_side_by_side() const {
        return std::clamp<size_t>(static_cast<size_t>(in_.width / 112), 4, 8);
    }

    // Whether lines i-1 and i are neighbours in memory; else a gap says so.
    bool adjoins(size_t i) const { return lines_[i].offset == lines_[i - 1].offset + kLineBytes; }

    void draw_strip() {
        constexpr float near = 6, far = 26;
        float gaps = 0;
        for (size_t i = 1; i < lines_.size(); ++i) gaps += adjoins(i) ? near : far;
        float width = (in_.width - 2 * kEdge - gaps) / static_cast<float>(lines_.size());
        Strip strip{{kEdge, y_ + 64, width, 34}, y_, 0, 0};
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

    struct Strip {  // one line of it, and where its ribbons begin
        Box box;
        float ribbons_from, per_byte, number_size;
        Box bytes(int first, int count) const {
            auto gaps = static_cast<float>(first / kSectorBytes);
            return {box.x + per_byte * static_cast<float>(first) + kSectorGap * gaps, box.y,
                    per_byte * static_cast<float>(count), box.h};
        }
    };

    // All bytes carry their lanes' numbers, at one size, or none does.
    float common_number_size(float per_byte, float height) const {
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

    void draw_strip_line(const Strip& strip, const TouchedLine& line) {
        for (const ByteRun& run : line.runs()) {
            Box box = strip.bytes(run.first, run.count);
            for (int lane = 0; lane < 32; ++lane)
                if (run.lanes >> lane & 1)
                    ribbon(lane, strip.ribbons_from, box.y,
                           at_least_visible({box.x, box.x + box.w}));
        }
        for (int sector = 0; sector < kSectorsPerLine; ++sector)
            draw_sector(strip.bytes(sector * kSectorBytes, kSectorBytes), line, sector);
        for (const ByteRun& run : line.runs())
            if (run.lanes)
                draw_bytes(strip.bytes(run.first, run.count), run.lanes, strip.number_size);
        if (strip.number_size <= 0)
            for (int sector = 0; sector < kSectorsPerLine; ++sector)
                name_lanes_of_sector(strip, line, sector);
        draw_line_labels(
            {strip.box.x, strip.box.y + strip.box.h + 3, strip.box.w, line_height(kNoteSize)},
            line);
    }

    // "8–15" over a sector whose bytes are too narrow for a number each.
    void name_lanes_of_sector(const Strip& strip, const TouchedLine& line, int sector) {
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
                        lanes_of(sector_lanes(line, sector)), kNoteSize,
                        Fill::of(Ink::text_on_fill), measure_, Align::center, Font::bold);
    }

    static Span at_least_visible(Span span) {
        float missing = std::max(0.0f, 1.5f - span.width()) / 2;
        return {span.x0 - missing, span.x1 + missing};
    }

    void draw_sector(Box box, const TouchedLine& line, int sector) {
        bool touched = line.has_sector(sector);
        int useful = 0;
        for (int i = 0; i < kSectorBytes; ++i)
            useful += line.owners[static_cast<size_t>(sector * kSectorBytes + i)] != 0;
        if (touched && useful < kSectorBytes) {
            figure_.rect(box, Fill::of(Ink::wasted, 0.22f));
            hatch(figure_, box, Fill::of(Ink::wasted, 0.8f));
        }
        figure_.rect(box, Fill::none(), Fill::of(touched ? Ink::border : Ink::grid)).dashed =
            !touched;
        std::string where = offset_words(line.offset + sector * kSectorBytes);
        if (touched)
            figure_.hit(box,
                        fmt::format("sector at {}: {} of {} bytes useful, for lanes {}", where,
                                    useful, kSectorBytes, lanes_of(sector_lanes(line, sector))),
                        fmt::format("sector:{}", sector_number_++));
        else
            figure_.hit(box, fmt::format("sector at {}: not touched", where));
    }

    static uint32_t sector_lanes(const TouchedLine& line, int sector) {
        uint32_t lanes = 0;
        for (int i = 0; i < kSectorBytes; ++i)
            lanes |= line.owners[static_cast<size_t>(sector * kSectorBytes + i)];
        return lanes;
    }

    // Bytes that somebody asked for: that lane's hue and number.
    void draw_bytes(Box box, uint32_t lanes, float number_size) {
        int lane = std::countr_zero(lanes);
        bool chosen = in_.lane >= 0 && (lanes >> in_.lane & 1);
        figure_.rect(box, Fill::lane(chosen ? in_.lane : lane));
        if (box.w > 4) figure_.rect(box, Fill::none(), Fill::of(Ink::background, 0.6f));
        if (chosen) figure_.rect(box, Fill::none(), Fill::of(Ink::accent)).stroke_width = 2;
        text_if_it_fits(figure_, box, lanes_of(lanes), number_size, Fill::of(Ink::text_on_fill),
                        measure_);
        figure_.hit(box, lane_words(chosen ? in_.lane : lane),
                    fmt::format("lane:{}", chosen ? in_.lane : lane));
    }

    // "in + 0x80", or "in - 0x20" for a line that begins before its buffer.
    std::string offset_words(int64_t offset) const {
        return offset < 0 ? fmt::format("{} - {}", buffer_name_, hex_of(uint64_t(-offset)))
                          : fmt::format("{} + {}", buffer_name_, hex_of(uint64_t(offset)));
    }

    void draw_line_labels(Box box, const TouchedLine& line) {
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

    // ---- memory, many lines: one column each

    Span column_span(size_t i) const {
        float cell = (in_.width - 2 * kEdge) / static_cast<float>(lines_.size());
        return {kEdge + cell * static_cast<float>(i), kEdge + cell * static_cast<float>(i + 1)};
    }

    void draw_columns() {
        constexpr float sector_height = 32;
        float top = y_, y = y_ + 40;
        for (size_t i = 0; i < lines_.size(); ++i) {
            const TouchedLine& line = lines_[i];
            Span span = column_span(i);
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
    void draw_column_ribbons(uint32_t lanes, float top, float bottom, Span span) {
        float share = span.width() / static_cast<float>(std::popcount(lanes));
        float x = span.x0;
        for (int lane = 0; lane < 32; ++lane)
            if (lanes >> lane & 1) {
                ribbon(lane, top, bottom, {x, x + share});
                x += share;
            }
    }

    // Every column's address where there is room, else every second's, every fourth's …
    void draw_column_addresses() {
        float height = line_height(kNoteSize), widest = 0;
        auto label = [&](size_t i) {
            return i == 0 ? offset_words(lines_[i].offset)
                          : hex_of(static_cast<uint64_t>(lines_[i].offset));
        };
        for (size_t i = 0; i < lines_.size(); ++i)
            widest = std::max(widest, measure_(label(i), kNoteSize, Font::mono));
        size_t step = 1;
        while (step < lines_.size() && widest + 10 > column_span(0).width() * float(step))
            step *= 2;
        for (size_t i = 0; i < lines_.size(); i += step) {
            float x = column_span(i).x0 + 1;
            if (i > 0 && x + widest > in_.width) break;
            figure_.line({x, y_ - 1}, {x, y_ + 4}, Fill::of(Ink::border));
            figure_.text({x, y_ + 4, widest + 1, height}, label(i), kNoteSize,
                         Fill::of(Ink::text_dim), Align::left, Font::mono);
        }
        y_ += 4 + height;
    }

    // ---- below

    // Says how the lanes' addresses lie to one another, where one rule fits all of them.
    std::string pattern() const {
        std::vector<int> lanes;
        for (int lane = 0; lane < 32; ++lane)
            if (active(lane)) lanes.push_back(lane);
        if (lanes.size() < 2) return "One lane is active.";
        auto at = [&](size_t i) {
            return static_cast<int64_t>(access_.addresses[static_cast<size_t>(lanes[i])]);
        };
        int64_t step = at(1) - at(0);
        for (size_t i = 1; i < lanes.size(); ++i)
            if (lanes[i] != lanes[i - 1] + 1 || at(i) - at(i - 1) != step)
                return "Lanes keep their number and hue from above to below.";
        if (step == 0) return "All lanes ask for the same bytes.";
        if (step == instruction_.bytes_per_lane)
            return "Each lane's bytes follow those of the lane before it.";
        return fmt::format("Each lane lies {} {} the lane before it.",
                           counted(static_cast<uint64_t>(std::abs(step)), "byte"),
                           step > 0 ? "after" : "before");
    }

    void draw_footer() {
        y_ += 8;
        std::string words = pattern();
        if (lines_.size() > lines_side_by_side())
            words += " Each column is a 128-byte line of four sectors.";
        if (in_.lane >= 0 && in_.lane < 32) words = lane_words(in_.lane);
        words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
        Fill ink = Fill::of(in_.lane >= 0 ? Ink::accent : Ink::text);
        y_ = paragraph(figure_, {0, y_}, in_.width, words, kBodySize, ink, measure_) + 4;
        int useful = useful_bytes(lines_), moved = access_.sectors * kSectorBytes;
        std::vector<LegendItem> items = {
            {Fill::lane(4), Fill::none(), false,
             fmt::format("asked for by a lane: {}", counted(uint64_t(useful), "byte"))},
            {Fill::of(Ink::wasted, 0.22f), Fill::of(Ink::wasted), true,
             fmt::format("moved in vain: {}",
                         counted(uint64_t(std::max(0, moved - useful)), "byte"))},
            {Fill::none(), Fill::of(Ink::border), false, "sector not touched"}};
        y_ = legend(figure_, {kEdge, y_}, in_.width - 2 * kEdge, items, measure_) + 2;
    }

    const WarpFigureInput& in_;
    const Measure& measure_;
    const TracedAccess& access_;
    const InstructionReport& instruction_;
    std::string buffer_name_;
    std::vector<TouchedLine> lines_;
    Drawing figure_;
    float y_ = 0;
    int sector_number_ = 0;
};

}  // namespace

Drawing warp_figure(const WarpFigureInput& input, const Measure& measure) {
    if (!has_access(input.block, input.report, input.access, Space::global))
        return words_only("This block makes no such access to global memory.", input.width,
                          measure);
    return WarpFigure(input, measure).draw();
}

}  // namespace lanewise
