// The warp microscope: 32 lanes above, the memory that one access of them touches below.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "figure/access/warp_parts.h"
#include "figure/drawing/marks.h"

namespace lanewise {

WarpFigure::WarpFigure(const WarpFigureInput& input, const Measure& measure, float stretch)
    : in_(input),
      measure_(measure),
      access_(input.block->accesses[static_cast<size_t>(input.access)]),
      instruction_(input.report->instructions[access_.instruction]),
      stretch_(stretch) {
    bool known =
        access_.buffer >= 0 && access_.buffer < static_cast<int>(input.block->buffers.size());
    TracedBuffer buffer =
        known ? input.block->buffers[static_cast<size_t>(access_.buffer)] : TracedBuffer{};
    buffer_name_ = buffer.name.empty() ? "buffer" : buffer.name;
    lines_ = touched_lines(access_, instruction_.bytes_per_lane, buffer.address);
    figure_.width = input.width;
}

Drawing WarpFigure::draw() {
    draw_title();
    draw_threads();
    draw_lanes();
    if (lines_.size() <= lines_side_by_side())
        draw_strip();
    else
        draw_columns();
    draw_traffic();
    draw_footer();
    figure_.height = y_;
    return std::move(figure_);
}

void WarpFigure::draw_title() {
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

std::string WarpFigure::verdict(bool ideal) const {
    if (ideal) return "Coalesced: it touches no more sectors than it must.";
    double times = double(access_.sectors) / std::max(1, access_.sectors_ideal);
    return fmt::format("Not coalesced: {:.3g} times the sectors that these bytes need.", times);
}

std::string WarpFigure::thread(int lane) const {
    uint32_t index = access_.warp * 32 + static_cast<uint32_t>(lane);
    uint32_t block_x = std::max(1u, in_.block_x), block_y = std::max(1u, in_.block_y);
    uint32_t z = index / block_x / block_y;
    std::string xy = fmt::format("{}, {}", index % block_x, index / block_x % block_y);
    return z ? fmt::format("({}, {})", xy, z) : fmt::format("({})", xy);
}

// One bracket per row of threads: a warp is a row of the block only where it is 32 wide.
void WarpFigure::draw_threads() {
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
            if (text_if_it_fits(figure_, box, label, kNoteSize, Fill::of(Ink::text_dim), measure_,
                                Align::center, Font::text))
                break;
        bracket(figure_, x0, x1, y_ + label_height + 2, 4, Fill::of(Ink::border));
    }
    y_ += label_height + 8;
}

std::string WarpFigure::lane_words(int lane) const {
    std::string who = fmt::format("lane {}, thread {}", lane, thread(lane));
    if (!active(lane)) return who + ": not active in this access";
    uint64_t offset = access_.addresses[static_cast<size_t>(lane)];
    uint64_t element = offset / static_cast<uint64_t>(std::max(1, in_.element_bytes));
    std::string where = fmt::format("{}: {} + {}, element {}", who, buffer_name_, hex_of(offset),
                                    with_thousands(element));
    if (in_.matrix_cols > 0) {
        auto cols = static_cast<uint64_t>(in_.matrix_cols);
        where += fmt::format(" (row {}, col {})", with_thousands(element / cols),
                             with_thousands(element % cols));
    }
    return where;
}

void WarpFigure::draw_lanes() {
    float height = std::clamp(lane_span(0).width(), 14.0f, 24.0f);
    float size = size_that_fits({0, 0, lane_span(0).width() - 3, height}, "31", kNoteSize,
                                Font::mono, measure_);
    for (int lane = 0; lane < 32; ++lane) {
        WarpSpan span = lane_span(lane);
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

// Says how the lanes' addresses lie to one another, where one rule fits all of them.
std::string WarpFigure::pattern() const {
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

// One bar: what was asked for, then what came along with it. Its length is what moves.
void WarpFigure::draw_traffic_bar(const char* name, int useful, int sectors, float per_byte) {
    constexpr float kHeight = 18, kBetween = 4;
    const float left = traffic_left();
    const int moved = sectors * kSectorBytes, vain = std::max(0, moved - useful);
    figure_.text({0, y_, left - 8, kHeight}, name, kNoteSize, Fill::of(Ink::text_dim));
    const float split = per_byte * static_cast<float>(std::min(useful, moved));
    const Box asked{left, y_, split, kHeight},
        rest{left + split, y_, per_byte * static_cast<float>(vain), kHeight};
    figure_.rect(asked, Fill::of(Ink::useful));
    text_if_it_fits(figure_, asked, fmt::format("{} asked for", in_bytes(uint64_t(useful))),
                    kNoteSize, Fill::of(Ink::text_on_fill), measure_, Align::center, Font::text);
    if (vain > 0) {
        figure_.rect(rest, Fill::of(Ink::wasted, 0.4f), Fill::of(Ink::wasted));
        hatch(figure_, {rest.x, rest.y + rest.h - 4, rest.w, 4}, Fill::of(Ink::wasted, 0.8f));
        text_if_it_fits(figure_, rest, fmt::format("{} wasted", in_bytes(uint64_t(vain))),
                        kNoteSize, Fill::of(Ink::text), measure_, Align::center, Font::text);
    }
    y_ += kHeight + kBetween;
}

// The longest: every lane in a sector of its own.
void WarpFigure::draw_traffic() {
    y_ += 8;
    const int most = std::max(32, access_.sectors);
    const float per_byte =
        (in_.width - kEdge - traffic_left()) / static_cast<float>(most * kSectorBytes);
    const int useful = useful_bytes(lines_);
    draw_traffic_bar("it moves", useful, access_.sectors, per_byte);
    if (access_.sectors > access_.sectors_ideal)
        draw_traffic_bar("would do", useful, access_.sectors_ideal, per_byte);
}

void WarpFigure::draw_footer() {
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
         fmt::format("wasted: {}", counted(uint64_t(std::max(0, moved - useful)), "byte"))},
        {Fill::none(), Fill::of(Ink::border), false, "sector not touched"}};
    y_ = legend(figure_, {kEdge, y_}, in_.width - 2 * kEdge, items, measure_) + 2;
}

Drawing warp_figure(const WarpFigureInput& input, const Measure& measure) {
    if (!has_access(input.block, input.report, input.access, Space::global))
        return words_only("This block makes no such access to global memory.", input.width,
                          measure);
    Drawing natural = WarpFigure(input, measure, 0).draw();
    if (natural.height >= input.height) return natural;
    return WarpFigure(input, measure, input.height - natural.height).draw();
}

}  // namespace lanewise
