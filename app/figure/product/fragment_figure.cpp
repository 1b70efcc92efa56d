#include "figure/product/fragment_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "figure/drawing/marks.h"
#include "figure/product/fragment_parts.h"

namespace lanewise {
namespace {

constexpr float kLeastApart = 4, kLargestCell = 24, kLeastCell = 10, kGap = 14;
constexpr float kBesideNumber = 6;  // of a cell, so that two lanes' numbers are not read as one
constexpr float kDim = 0.22f, kPlain = 0.4f, kStrong = 0.75f;

}  // namespace

FragmentExtent extent_of(const HeldFragment& fragment) {
    int row0 = INT32_MAX, col0 = INT32_MAX, row1 = -1, col1 = -1;
    for (HeldElement held : fragment.held) {
        if (held.row < 0) continue;
        row0 = std::min(row0, held.row), row1 = std::max(row1, held.row);
        col0 = std::min(col0, held.col), col1 = std::max(col1, held.col);
    }
    if (row1 < 0) return {};
    return {row0, col0, row1 - row0 + 1, col1 - col0 + 1};
}

float heading(Drawing& figure, const FragmentFigureInput& input, const std::string& words,
              const Measure& measure) {
    float y = 0;
    if (!input.caption.empty())
        y = paragraph(figure, {0, 0}, input.width, input.caption, kBodySize,
                      Fill::of(Ink::text_dim), measure);
    return paragraph(figure, {0, y}, input.width, words, kBodySize, Fill::of(Ink::text), measure) +
           8;
}

void lane_square(Drawing& figure, Box box, int lane, int chosen, const Measure& measure) {
    bool is_chosen = lane == chosen;
    float alpha = is_chosen ? kStrong : chosen < 0 ? kPlain : kDim;
    bool apart = box.w >= kLeastApart;  // else the lines between them would be all there is
    figure.rect(box, Fill::lane(lane, alpha), apart ? Fill::of(Ink::grid) : Fill::none());
    if (is_chosen && apart)
        figure
            .rect({box.x + 1, box.y + 1, box.w - 2, box.h - 2}, Fill::none(), Fill::of(Ink::accent))
            .stroke_width = 2;
    float size = size_that_fits(box, "31", kNoteSize, Font::mono, measure);
    if (size > 0)
        text_if_it_fits(figure, box, std::to_string(lane), size,
                        Fill::of(is_chosen || chosen < 0 ? Ink::text : Ink::text_dim), measure);
}

namespace {

class FragmentFigure {
  public:
    FragmentFigure(const FragmentFigureInput& input, const Measure& measure)
        : in_(input),
          measure_(measure),
          a_(extent_of(input.map->a)),
          b_(extent_of(input.map->b)),
          c_(extent_of(input.map->c)) {
        figure_.width = input.width;
    }

    Drawing draw() {
        // In the line that stays as it is while the pointer goes from lane to lane.
        FragmentFigureInput named = in_;
        named.caption += named.caption.empty() ? "Numbers and colours are lanes."
                                               : "; numbers and colours are lanes";
        float y = heading(figure_, named, words(), measure_);
        int across = std::max(b_.cols, c_.cols), down = std::max(a_.rows, c_.rows);
        float label = measure_("0000", kNoteSize, Font::mono) + 4;
        float room = in_.width - 2 * label - kGap - 2;
        float widest = room / static_cast<float>(a_.cols + across);
        high_ = std::min(kLargestCell, widest);
        float head = line_height(kNoteSize);
        if (in_.height > 0) {
            float rows = static_cast<float>(b_.rows + down),
                  high = in_.height - y - 2 * head - kGap - 2;
            high_ = std::min(high_, std::max(kLeastCell, high / rows));
        }
        float number = measure_("31", kNoteSize, Font::mono) + kBesideNumber;
        wide_ = std::min(widest, std::max(high_, number));
        float right = label + wide_ * static_cast<float>(a_.cols) + kGap + label;
        float below = y + head + high_ * static_cast<float>(b_.rows) + kGap + head;
        grid("B", in_.map->b, b_, {right, y + head});
        grid("A", in_.map->a, a_, {label, below});
        grid("C", in_.map->c, c_, {right, below});
        figure_.height = below + high_ * static_cast<float>(down) + 2;
        return std::move(figure_);
    }

  private:
    static int share(const HeldFragment& fragment) {
        return fragment.registers * fragment.per_register;
    }
    std::string words() const {
        std::string who = in_.lane < 0 ? "Each lane" : fmt::format("Lane {}", in_.lane);
        // words: may stand, because A, B and C are counted alike
        return fmt::format("{} holds {} of A, {} of B and {} of C: {} x {} times {} x {} elements.",
                           who, counted(static_cast<uint64_t>(share(in_.map->a)), "element"),
                           share(in_.map->b), share(in_.map->c), a_.rows, a_.cols, b_.rows,
                           b_.cols);
    }

    void grid(const char* name, const HeldFragment& fragment, const FragmentExtent& extent,
              Point at) {
        numbers(name, extent, at);
        for (int lane = 0; lane < 32; ++lane)
            for (int r = 0; r < fragment.registers; ++r)
                for (int i = 0; i < fragment.per_register; ++i) {
                    HeldElement held = fragment.at(lane, r, i);
                    if (held.row < 0) continue;
                    Box box{at.x + wide_ * static_cast<float>(held.col - extent.col0),
                            at.y + high_ * static_cast<float>(held.row - extent.row0), wide_,
                            high_};
                    lane_square(figure_, box, lane, in_.lane, measure_);
                    std::string part = fragment.per_register == 1 ? ""
                                       : i == 0                   ? ", low half"
                                                                  : ", high half";
                    figure_.hit(box,
                                fmt::format("{}[{}][{}]: lane {}, register {}{}", name, held.row,
                                            held.col, lane, r, part),
                                fmt::format("lane:{}", lane));
                }
    }

    // The matrix's name in the corner, and the numbers of its rows and columns at every eighth.
    void numbers(const char* name, const FragmentExtent& extent, Point at) {
        float height = line_height(kNoteSize), label = measure_("0000", kNoteSize, Font::mono);
        figure_.text({at.x - label - 4, at.y - height, label, height}, name, kNoteSize,
                     Fill::of(Ink::text), Align::right, Font::bold);
        int every = 8;  // columns
        while (wide_ * static_cast<float>(every) < label) every *= 2;
        for (int col = 0; col < extent.cols; col += every)
            text_if_it_fits(figure_,
                            {at.x + wide_ * static_cast<float>(col), at.y - height,
                             wide_ * static_cast<float>(every), height},
                            std::to_string(extent.col0 + col), kNoteSize, Fill::of(Ink::text_dim),
                            measure_, Align::left);
        for (int row = 0; row < extent.rows; row += 8)
            figure_.text({at.x - label - 4, at.y + high_ * static_cast<float>(row), label,
                          std::max(height, high_)},
                         std::to_string(extent.row0 + row), kNoteSize, Fill::of(Ink::text_dim),
                         Align::right, Font::mono);
    }

    const FragmentFigureInput& in_;
    const Measure& measure_;
    FragmentExtent a_, b_, c_;
    float wide_ = 0, high_ = 0;  // of a cell
    Drawing figure_;
};

std::string warps_in_words(uint32_t warps) {
    int first = std::countr_zero(warps), last = 31 - std::countl_zero(warps);
    if (first == last) return fmt::format("warp {} multiplies", first);
    if (std::popcount(warps) == last - first + 1)
        return fmt::format("warps {} to {} multiply", first, last);
    return fmt::format("{} other warps multiply", std::popcount(warps));
}

}  // namespace

std::string words_without_fragments(uint32_t multiplying, const BlockTrace& block, uint32_t warp) {
    if (multiplying == 0)
        return "This warp multiplies without tensor cores: each lane multiplies its own numbers, "
               "one pair at a time, and no element is spread over a warp. The other two pictures "
               "show what it fetches.";
    std::string others = warps_in_words(multiplying) + " with tensor cores";
    auto copies = [](uint64_t count, const char* kind) {
        return fmt::format("{} {} {}", with_thousands(count), kind, count == 1 ? "copy" : "copies");
    };
    uint64_t bulk = 0, asynchronous = 0;
    for (const TracedCopy& copy : block.copies)
        if (copy.warp == warp && copy.to_shared) ++(copy.is_bulk ? bulk : asynchronous);
    if (bulk + asynchronous > 0)
        return fmt::format(
            "This warp multiplies nothing: it fetches. It has {} made to shared memory, and {} "
            "what has arrived there.",
            bulk > 0 ? copies(bulk, "bulk") : copies(asynchronous, "asynchronous"), others);
    bool accesses = std::any_of(block.accesses.begin(), block.accesses.end(),
                                [&](const TracedAccess& access) { return access.warp == warp; });
    if (accesses)
        return fmt::format("This warp multiplies nothing: it loads and stores, and {}.", others);
    return fmt::format("This warp neither fetches nor multiplies anything in this block; {}.",
                       others);
}

Drawing fragment_figure(const FragmentFigureInput& input, const Measure& measure) {
    if (!input.map || input.map->a.held.empty() || extent_of(input.map->a).rows == 0)
        return words_only("This warp multiplies nothing with tensor cores.", input.width, measure);
    if (!input.map->group.empty()) return warpgroup_figure(input, measure);
    return FragmentFigure(input, measure).draw();
}

}  // namespace lanewise
