// The picture of what four warps multiply together with wgmma (warpgroup_parts.h).
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "figure/drawing/marks.h"
#include "figure/product/fragment_parts.h"
#include "figure/product/warpgroup_parts.h"

namespace lanewise {
namespace {

constexpr float kMostBlock = 24, kSmallBlock = 16, kRoomForLarge = 540;  // room: in height
constexpr float kMostCell = 22, kPartGap = 12, kBetweenPanels = 22;
constexpr float kRoomForThree = 560;
constexpr float kFaint = 0.16f, kRead = 0.45f, kMark = 3;

std::string span(int first, int count) {
    return count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, first + count - 1);
}

class WarpgroupFigure {
  public:
    WarpgroupFigure(const FragmentFigureInput& input, const Measure& measure)
        : in_(input), map_(*input.map), measure_(measure), chosen_(map_.warp % 4) {
        figure_.width = input.width;
        columns_ = static_cast<int>(map_.b.held.size()) / kDepth;
        lying_b_.add(map_.b, 0, columns_);
        for (size_t w = 0; w < map_.group.size(); ++w) {
            lying_a_.add(map_.group[w].a, static_cast<int>(w) * kRowsOfWarp, 4 * kRowsOfWarp);
            bands_.push_back(band_of(map_.group[w].c));
        }
    }

    Drawing draw() {
        float y = heading(figure_, in_, words(), measure_);
        y = overview(y);
        figure_.height = details(y + kPartGap) + 2;
        return std::move(figure_);
    }

  private:
    static constexpr int kRowsOfWarp = 16;

    std::string words() const {
        const HeldFragment& c = map_.c;
        int held = c.registers * c.per_register;
        uint32_t first = map_.warp / 4 * 4;
        std::string who =
            in_.lane < 0 ? "Each lane" : fmt::format("Lane {} of each warp", in_.lane);
        std::string of_a =
            lying_a_.is_empty() ? fmt::format("{} of A and ", map_.a.registers * 2) : std::string();
        return fmt::format(
            "Warps {}-{} multiply 64 x {} by {} x {} elements together. {} holds {}{} of C in {} "
            "registers; {} the tensor cores read from shared memory by themselves, in core "
            "matrices of 8 x 8.",
            first, first + 3, kDepth, kDepth, columns_, who, of_a,
            counted(static_cast<uint64_t>(held), "element"), c.registers,
            of_a.empty() ? "A and B" : "B");
    }

    // ---- Above: A, B and C, block by block

    float overview(float y) {
        float note = line_height(kNoteSize);
        label_ = measure_("warp 00", kNoteSize, Font::text) + 8;
        float k_label = measure_("k 0000", kNoteSize, Font::mono) + 6;
        auto across = static_cast<float>(columns_ / kSide);
        bool is_low = in_.height > 0 && in_.height < kRoomForLarge;
        block_ = std::min(is_low ? kSmallBlock : kMostBlock,
                          (in_.width - label_ - k_label - 2) / (across + kDeep));
        Point b{label_ + kDeep * block_ + k_label, y + note};
        draw_b(b);
        Point c{b.x, b.y + kDeep * block_ + kPartGap};
        for (size_t w = 0; w < bands_.size(); ++w) {
            Point at{c.x, c.y + static_cast<float>(w) * (2 * block_ + 3)};
            draw_band(w, at);
        }
        return c.y + 4 * (2 * block_ + 3);
    }

    void name(const char* text, Point right, float width) {
        float high = line_height(kBodySize);
        figure_.text({right.x - width, right.y, width, high}, text, kBodySize, Fill::of(Ink::text),
                     Align::right, Font::bold);
    }

    void draw_b(Point at) {
        float note = line_height(kNoteSize);
        int k0 = extent_of(map_.b).row0, col0 = extent_of(map_.b).col0;
        int every = 1;
        while (block_ * static_cast<float>(every) < measure_("0000 ", kNoteSize, Font::mono))
            every *= 2;
        for (int block = 0; block < columns_ / kSide; block += every)
            text_if_it_fits(figure_,
                            {at.x + block_ * static_cast<float>(block), at.y - note,
                             block_ * static_cast<float>(every), note},
                            std::to_string(col0 + block * kSide), kNoteSize,
                            Fill::of(Ink::text_dim), measure_, Align::left);
        name("B", {at.x - 6, at.y - note}, 20);
        for (int deep = 0; deep < kDeep; ++deep) {
            figure_.text({at.x - label_, at.y + block_ * static_cast<float>(deep), label_ - 6,
                          std::max(block_, note)},
                         fmt::format("k {}", k0 + deep * kSide), kNoteSize, Fill::of(Ink::text_dim),
                         Align::right, Font::mono);
            for (int block = 0; block < columns_ / kSide; ++block)
                core_matrix("B", lying_b_, block + deep * (columns_ / kSide), 0,
                            {at.x + block_ * static_cast<float>(block),
                             at.y + block_ * static_cast<float>(deep), block_, block_});
        }
    }

    // One block of A or B.
    void core_matrix(const char* name, const LyingOperand& lying, int matrix, int looked_at,
                     Box box) {
        bool is_outside = true;
        uint32_t first = UINT32_MAX;
        HeldElement low{}, high{};
        for (const auto& [address, piece] : lying.pieces()) {
            if (piece.matrix != matrix) continue;
            first = std::min(first, address);
            if (piece.first.row < 0) continue;
            if (is_outside) low = piece.first, high = piece.last;
            low = {std::min(low.row, piece.first.row), std::min(low.col, piece.first.col)};
            high = {std::max(high.row, piece.last.row), std::max(high.col, piece.last.col)};
            is_outside = false;
        }
        figure_.rect(box, is_outside ? Fill::none() : Fill::of(Ink::load, kFaint),
                     Fill::of(Ink::grid));
        if (matrix == looked_at) outline(box);
        number(box, matrix);
        std::string place = fmt::format("core matrix {}, from byte {} of shared memory", matrix,
                                        with_thousands(first));
        figure_.hit(box, is_outside ? fmt::format("{}: zeros beyond the edge, {}", name, place)
                                    : fmt::format("{}[{}][{}]: {}", name,
                                                  span(low.row, high.row - low.row + 1),
                                                  span(low.col, high.col - low.col + 1), place));
    }

    void outline(Box box) {
        figure_
            .rect({box.x + 1, box.y + 1, box.w - 2, box.h - 2}, Fill::none(), Fill::of(Ink::accent))
            .stroke_width = 2;
    }

    void number(Box box, int value) {
        float size = size_that_fits(box, "127", kNoteSize, Font::mono, measure_);
        if (size > 0)
            text_if_it_fits(figure_, box, std::to_string(value), size, Fill::of(Ink::text),
                            measure_);
    }

    // A warp's rows of A and of C.
    void draw_band(size_t w, Point at) {
        const SumBand& band = bands_[w];
        float note = line_height(kNoteSize);
        bool is_chosen = w == chosen_;
        Box label{0, at.y, label_ - 8, note};
        figure_.text(label, fmt::format("warp {}", map_.warp / 4 * 4 + w), kNoteSize,
                     Fill::of(is_chosen ? Ink::text : Ink::text_dim), Align::left,
                     is_chosen ? Font::bold : Font::text);
        if (band.extent.rows > 0 && 2 * block_ >= 2 * note - 2)
            figure_.text({0, at.y + note - 2, label_ - 8, note},
                         span(band.extent.row0, band.extent.rows), kNoteSize,
                         Fill::of(Ink::text_dim), Align::left, Font::mono);
        if (w == 0) {
            name("A", {label_ + kDeep * block_ / 2 + 6, at.y - line_height(kBodySize)}, 20);
            name("C", {at.x - 6, at.y}, 20);
        }
        for (int row = 0; row < 2; ++row)
            for (int deep = 0; deep < kDeep; ++deep) draw_a(w, row, deep, at.y);
        for (int row = 0; row < 2; ++row)
            for (int col = 0; col < columns_ / kSide; ++col)
                block_of_c(w, row, col,
                           {at.x + block_ * static_cast<float>(col),
                            at.y + block_ * static_cast<float>(row), block_, block_});
    }

    void draw_a(size_t w, int row, int deep, float y) {
        Box box{label_ + block_ * static_cast<float>(deep), y + block_ * static_cast<float>(row),
                block_, block_};
        if (lying_a_.is_empty()) {
            figure_.rect(box, Fill::of(Ink::border, kFaint), Fill::of(Ink::grid));
            return figure_.hit(box, "A: held by the lanes, in registers");
        }
        core_matrix("A", lying_a_, static_cast<int>(w) * 2 + row + deep * 8, looked_at_of_a(), box);
    }
    int looked_at_of_a() const { return static_cast<int>(chosen_) * 2; }

    void block_of_c(size_t w, int row, int col, Box box) {
        const SumBand& band = bands_[w];
        BlockRegisters found = registers_of(band, row, col);
        if (found.last < 0) {
            figure_.rect(box, Fill::none(), Fill::of(Ink::grid));
            return figure_.hit(box, "Beyond the edge of C");
        }
        float alpha = w == chosen_ ? kRead : kFaint;
        figure_.rect(box, Fill::of(Ink::store, alpha), Fill::of(Ink::grid));
        if (in_.lane >= 0) mark_lane(band, row, col, box);
        if (w == chosen_ && row == 0 && col == 0) outline(box);
        bool is_tight = block_ < measure_("000", kSmallest, Font::mono) + 3;
        if (found.first < 100 || !is_tight || col % 2 == 0) number(box, found.first);
        int rows = std::min(kSide, band.extent.rows - row * kSide),
            cols = std::min(kSide, band.extent.cols - col * kSide);
        figure_.hit(box, fmt::format("C[{}][{}]: registers {} of warp {}",
                                     span(band.extent.row0 + row * kSide, rows),
                                     span(band.extent.col0 + col * kSide, cols),
                                     span(found.first, found.last - found.first + 1),
                                     map_.warp / 4 * 4 + w));
    }

    // Where the chosen lane's elements lie in a block.
    void mark_lane(const SumBand& band, int block_row, int block_col, Box box) {
        for (int row = 0; row < kSide; ++row)
            for (int col = 0; col < kSide; ++col) {
                int at_row = block_row * kSide + row, at_col = block_col * kSide + col;
                if (at_row >= band.extent.rows || at_col >= band.extent.cols) continue;
                if (band.at(at_row, at_col).lane != in_.lane) continue;
                float side = box.w / kSide;
                figure_.rect({box.x + side * static_cast<float>(col),
                              box.y + side * static_cast<float>(row), side, std::max(side, kMark)},
                             Fill::lane(in_.lane, 0.9f));
            }
    }

    // ---- Below: one block of each, in detail

    float details(float y) {
        bool three = in_.width >= kRoomForThree;
        float widest = 0;
        for (const LyingOperand* lying : {&lying_a_, &lying_b_})
            if (!lying->is_empty())
                widest = std::max(widest, measure_(with_thousands(lying->pieces().rbegin()->first),
                                                   kNoteSize, Font::mono));
        float label = widest + 6;
        float panels = three ? 3 : 1;
        float room = (in_.width - (panels - 1) * kBetweenPanels) / panels;
        cell_ = std::min(kMostCell, (room - label - 1) / kSide);
        float x = 0, below = y;
        auto place = [&](auto draw) {
            float end = draw(Point{x, three ? y : below});
            below = three ? std::max(below, end) : end + kPartGap;
            if (three) x += room + kBetweenPanels;
        };
        if (!lying_a_.is_empty())
            place(
                [&](Point at) { return memory("A", lying_a_, looked_at_of_a(), at, label, room); });
        place([&](Point at) { return memory("B", lying_b_, 0, at, label, room); });
        place([&](Point at) { return lanes(at, label, room); });
        return below;
    }

    static const char* sixteen_bytes(bool is_a, bool is_along_k) {
        if (is_along_k) return is_a ? "k of one row" : "k of one column";
        return is_a ? "rows of one k" : "columns of one k";
    }

    // 1,024 bytes of shared memory, a line of all banks in each row.
    float memory(const char* name, const LyingOperand& lying, int matrix, Point at, float label,
                 float room) {
        float note = line_height(kNoteSize), body = line_height(kBodySize);
        uint32_t begin = lying.window(matrix);
        figure_.text({at.x, at.y, room, body}, fmt::format("{} in shared memory", name), kBodySize,
                     Fill::of(Ink::text), Align::left, Font::bold);
        float y = at.y + body;
        text_if_it_fits(figure_, {at.x, y, label, note}, "bank", kNoteSize, Fill::of(Ink::text_dim),
                        measure_, Align::left, Font::text);
        for (int chunk = 0; chunk < kSide; ++chunk)
            text_if_it_fits(
                figure_, {at.x + label + cell_ * static_cast<float>(chunk), y, cell_, note},
                std::to_string(chunk * 4), kNoteSize, Fill::of(Ink::text_dim), measure_);
        y += note;
        for (int line = 0; line < kSide; ++line) {
            uint32_t address = begin + static_cast<uint32_t>(line) * kLine;
            float top = y + cell_ * static_cast<float>(line);
            figure_.text({at.x, top, label - 6, cell_}, with_thousands(address), kNoteSize,
                         Fill::of(Ink::text_dim), Align::right, Font::mono);
            for (int chunk = 0; chunk < kSide; ++chunk)
                piece(name, lying, address + static_cast<uint32_t>(chunk) * kChunk, matrix,
                      {at.x + label + cell_ * static_cast<float>(chunk), top, cell_, cell_});
        }
        y += cell_ * kSide + 4;
        std::string swizzle = lying.swizzle() == 0
                                  ? "Not swizzled."
                                  : fmt::format("Swizzle of {} bytes.", lying.swizzle());
        return paragraph(
            figure_, {at.x, y}, room,
            fmt::format("16 bytes are 8 {}. Core matrix {} lies in {} of 8 groups of banks. {}",
                        sixteen_bytes(name[0] == 'A', lying.is_along_k()), matrix,
                        lying.bank_groups(matrix), swizzle),
            kNoteSize, Fill::of(Ink::text_dim), measure_);
    }

    void piece(const char* name, const LyingOperand& lying, uint32_t address, int looked_at,
               Box box) {
        auto found = lying.pieces().find(address);
        if (found == lying.pieces().end()) {
            figure_.rect(box, Fill::none(), Fill::of(Ink::grid));
            return figure_.hit(
                box, fmt::format("Byte {}: not read by this product", with_thousands(address)));
        }
        const LyingPiece& p = found->second;
        bool is_looked_at = p.matrix == looked_at;
        figure_.rect(box, Fill::of(Ink::load, is_looked_at ? kRead : kFaint), Fill::of(Ink::grid));
        if (is_looked_at) outline(box);
        number(box, p.matrix);
        figure_.hit(
            box,
            p.first.row < 0
                ? fmt::format("Byte {}: zeros beyond the edge of {}", with_thousands(address), name)
                : fmt::format("Byte {}: {}[{}][{}], core matrix {}", with_thousands(address), name,
                              span(p.first.row, p.last.row - p.first.row + 1),
                              span(p.first.col, p.last.col - p.first.col + 1), p.matrix));
    }

    // The chosen warp's first block of C.
    float lanes(Point at, float label, float room) {
        const SumBand& band = bands_[chosen_];
        float note = line_height(kNoteSize), body = line_height(kBodySize);
        figure_.text({at.x, at.y, room, body}, "C in registers", kBodySize, Fill::of(Ink::text),
                     Align::left, Font::bold);
        float y = at.y + body;
        for (int col = 0; col < std::min(kSide, band.extent.cols); ++col)
            text_if_it_fits(figure_,
                            {at.x + label + cell_ * static_cast<float>(col), y, cell_, note},
                            std::to_string(band.extent.col0 + col), kNoteSize,
                            Fill::of(Ink::text_dim), measure_);
        y += note;
        for (int row = 0; row < std::min(kSide, band.extent.rows); ++row) {
            float top = y + cell_ * static_cast<float>(row);
            figure_.text({at.x, top, label - 6, cell_}, std::to_string(band.extent.row0 + row),
                         kNoteSize, Fill::of(Ink::text_dim), Align::right, Font::mono);
            for (int col = 0; col < std::min(kSide, band.extent.cols); ++col) {
                const SumHolder& holder = band.at(row, col);
                Box box{at.x + label + cell_ * static_cast<float>(col), top, cell_, cell_};
                if (holder.lane < 0) continue;
                lane_square(figure_, box, holder.lane, in_.lane, measure_);
                figure_.hit(box,
                            fmt::format("C[{}][{}]: lane {}, register {}", band.extent.row0 + row,
                                        band.extent.col0 + col, holder.lane, holder.first),
                            fmt::format("lane:{}", holder.lane));
            }
        }
        BlockRegisters found = registers_of(band, 0, 0);
        std::string others =
            are_alike(bands_)
                ? " All blocks are dealt out alike; the number above is a block's first register."
                : "";
        return paragraph(figure_, {at.x, y + cell_ * kSide + 4}, room,
                         fmt::format("Lanes, in registers {}.{}",
                                     span(found.first, found.last - found.first + 1), others),
                         kNoteSize, Fill::of(Ink::text_dim), measure_);
    }

    const FragmentFigureInput& in_;
    const FragmentMap& map_;
    const Measure& measure_;
    size_t chosen_;  // of the four warps
    int columns_ = 0;
    LyingOperand lying_a_, lying_b_;
    std::vector<SumBand> bands_;
    float label_ = 0, block_ = 0, cell_ = 0;
    Drawing figure_;
};

}  // namespace

Drawing warpgroup_figure(const FragmentFigureInput& input, const Measure& measure) {
    return WarpgroupFigure(input, measure).draw();
}

}  // namespace lanewise
