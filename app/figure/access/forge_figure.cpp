#include "figure/access/forge_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/text.h"
#include "figure/access/wavefront_rows.h"
#include "figure/drawing/marks.h"
#include "trace/count/rules.h"

namespace lanewise {
namespace {

constexpr float kLargestMapCell = 18, kGridGap = 22, kSideBySide = 540;
constexpr float kUntouched = 0.32f;  // strength of what this access does not touch
constexpr float kBit = 20;           // of the bits of an address

class ForgeFigure {
  public:
    ForgeFigure(const ForgeFigureInput& input, const Measure& measure)
        : in_(input), map_(*input.map), measure_(measure), fault_(first_fault(map_)) {
        figure_.width = input.width;
        for (int lane = 0; lane < 32; ++lane)
            if (int element = element_of(lane); element >= 0) lanes_of_[element] |= 1u << lane;
        elements_at_.resize(static_cast<size_t>(map_.rows * map_.pitch));
        for (int row = 0; row < map_.rows; ++row)
            for (int col = 0; col < map_.cols; ++col)
                if (is_inside(row, col))
                    elements_at_[static_cast<size_t>(map_.place(row, col))].push_back(
                        row * map_.cols + col);
    }

    Drawing draw() {
        float y = draw_grids();
        y = draw_legend(y);
        if (in_.access) y = draw_wavefronts(y + 12);
        y = draw_address(y + 14);
        figure_.height = y + 1;
        return std::move(figure_);
    }

  private:
    // ---- the mapping

    bool is_inside(int row, int col) const {
        return map_.at(row, col) >= 0 && map_.at(row, col) < map_.pitch;
    }
    int element_of(int lane) const {
        bool active = in_.access && (in_.access->mask >> lane & 1);
        return active ? in_.access->elements[static_cast<size_t>(lane)] : -1;
    }
    int64_t word_of(int64_t place) const { return place * in_.element_bytes / kWordBytes; }
    int bank_of(int64_t place) const {
        return static_cast<int>((word_of(place) % kBanks + kBanks) % kBanks);
    }
    bool has_free_padding() const {
        if (map_.pitch == map_.cols) return false;
        for (size_t place = 0; place < elements_at_.size(); ++place)
            if (static_cast<int>(place) % map_.pitch >= map_.cols && !elements_at_[place].empty())
                return false;
        return true;
    }
    uint32_t lanes_at(size_t place) const {
        uint32_t lanes = 0;
        for (int element : elements_at_[place])
            if (auto found = lanes_of_.find(element); found != lanes_of_.end())
                lanes |= found->second;
        return lanes;
    }

    // ---- the two grids

    float draw_grids() {
        bool beside = in_.width >= kSideBySide;
        float room = beside ? (in_.width - kGridGap) / 2 : in_.width;
        gutter_ = measure_(std::to_string(map_.rows - 1), kNoteSize, Font::mono) + 6;
        // One cell size for both, so that a row is as high on the left as on the right.
        cell_ = std::min(kLargestMapCell, (room - gutter_ - 1) / static_cast<float>(map_.pitch));
        float left = draw_tile({0, 0}, room);
        Point at = beside ? Point{room + kGridGap, 0} : Point{0, left + 14};
        float right = draw_memory(at, room);
        return std::max(left, right) + 8;
    }

    float head(Point at, float room, const std::string& title, const std::string& words,
               int columns) {
        float y = paragraph(figure_, at, room, title, kBodySize, Fill::of(Ink::text), measure_,
                            Font::bold);
        y = paragraph(figure_, {at.x, y}, room, words, kNoteSize, Fill::of(Ink::text_dim),
                      measure_) +
            2;
        float height = line_height(kNoteSize);
        for (int col = 0; col < columns; col += 8) {
            float x = gutter_ + cell_ * static_cast<float>(col);
            text_if_it_fits(figure_, {at.x + x, y, std::min(8 * cell_, room - x), height},
                            std::to_string(col), kNoteSize, Fill::of(Ink::text_dim), measure_,
                            Align::left);
        }
        return y + height;
    }

    void row_number(Point at, int row) {
        int step = cell_ >= kNoteSize + 1 ? 1 : 8;
        if (row % step) return;
        float height = std::max(cell_, kNoteSize);
        figure_.text({at.x, at.y + cell_ * static_cast<float>(row) + (cell_ - height) / 2,
                      gutter_ - 6, height},
                     std::to_string(row), kNoteSize, Fill::of(Ink::text_dim), Align::right,
                     Font::mono);
    }

    Box cell(Point grid, int row, int col) const {
        return {grid.x + gutter_ + cell_ * static_cast<float>(col),
                grid.y + cell_ * static_cast<float>(row), cell_, cell_};
    }
    void edges(Point grid, int columns) {
        Fill ink = Fill::of(Ink::background, cell_ < 8 ? 0.5f : 0.9f);
        float width = cell_ * static_cast<float>(columns);
        float height = cell_ * static_cast<float>(map_.rows), x0 = grid.x + gutter_;
        for (int col = 0; col <= columns; ++col) {
            float x = x0 + cell_ * static_cast<float>(col);
            figure_.line({x, grid.y}, {x, grid.y + height}, ink);
        }
        for (int row = 0; row <= map_.rows; ++row) {
            float y = grid.y + cell_ * static_cast<float>(row);
            figure_.line({x0, y}, {x0 + width, y}, ink);
        }
    }
    void outline(Box box, uint32_t lanes) {
        bool chosen = in_.lane >= 0 && (lanes >> in_.lane & 1);
        std::string who = lanes_of(lanes);
        float size =
            size_that_fits(box, who.size() < 2 ? "31" : who, kNoteSize, Font::mono, measure_);
        text_if_it_fits(figure_, box, who, size, Fill::of(Ink::text_on_fill), measure_);
        figure_.rect(box, Fill::none(), Fill::of(chosen ? Ink::accent : Ink::text), 1)
            .stroke_width = chosen ? 2.5f : 1.25f;
    }
    // One rectangle: a tile may hold thousands of these.
    void mark_fault(Box box) {
        float inset = box.w * 0.3f;
        figure_.rect({box.x + inset, box.y + inset, box.w - 2 * inset, box.h - 2 * inset},
                     Fill::of(Ink::bad));
    }

    float draw_tile(Point at, float room) {
        at.y =
            head(at, room, "The tile", "element (row, col), in the colour of its bank", map_.cols);
        for (int row = 0; row < map_.rows; ++row) {
            row_number(at, row);
            for (int col = 0; col < map_.cols; ++col) draw_element(at, row, col);
        }
        edges(at, map_.cols);
        for (auto [element, lanes] : lanes_of_)
            if (element < map_.rows * map_.cols)
                outline(cell(at, element / map_.cols, element % map_.cols), lanes);
        return at.y + cell_ * static_cast<float>(map_.rows);
    }

    void draw_element(Point at, int row, int col) {
        Box box = cell(at, row, col);
        auto found = lanes_of_.find(row * map_.cols + col);
        uint32_t lanes = found == lanes_of_.end() ? 0 : found->second;
        bool inside = is_inside(row, col);
        int bank = bank_of(map_.place(row, col));
        if (inside) figure_.rect(box, Fill::bank(bank, lanes ? 1 : kUntouched));
        bool shares = inside && elements_at_[static_cast<size_t>(map_.place(row, col))].size() > 1;
        if (!inside || shares) mark_fault(box);
        std::string where =
            inside ? fmt::format("lies in column {}: word {}, bank {}", map_.at(row, col),
                                 word_of(map_.place(row, col)), bank)
                   : fmt::format("would lie in column {}, outside its row", map_.at(row, col));
        std::string who = lanes ? fmt::format("lane {}: ", lanes_of(lanes)) : "";
        std::string also = shares ? "; not alone there" : "";
        figure_.hit(box, fmt::format("{}element ({}, {}) {}{}", who, row, col, where, also),
                    lanes ? fmt::format("lane:{}", std::countr_zero(lanes)) : "");
    }

    float draw_memory(Point at, float room) {
        at.y = head(at, room, "Shared memory", "what lies where, a row of the array in each line",
                    map_.pitch);
        for (int row = 0; row < map_.rows; ++row) {
            row_number(at, row);
            for (int column = 0; column < map_.pitch; ++column) draw_place(at, row, column);
        }
        edges(at, map_.pitch);
        if (has_free_padding()) {
            Box first = cell(at, 0, map_.cols);
            hatch(figure_,
                  {first.x, first.y, cell_ * static_cast<float>(map_.pitch - map_.cols),
                   cell_ * static_cast<float>(map_.rows)},
                  Fill::of(Ink::padding, 0.8f), 5);
        }
        for (size_t place = 0; place < elements_at_.size(); ++place)
            if (uint32_t lanes = lanes_at(place))
                outline(cell(at, static_cast<int>(place) / map_.pitch,
                             static_cast<int>(place) % map_.pitch),
                        lanes);
        return at.y + cell_ * static_cast<float>(map_.rows);
    }

    void draw_place(Point at, int row, int column) {
        auto place = static_cast<size_t>(row * map_.pitch + column);
        Box box = cell(at, row, column);
        const std::vector<int>& here = elements_at_[place];
        if (here.empty()) {
            figure_.rect(box, Fill::of(Ink::padding, 0.18f));
            figure_.hit(box, fmt::format("row {}, column {}: no element lies here", row, column));
            return;
        }
        uint32_t lanes = lanes_at(place);
        int bank = bank_of(static_cast<int64_t>(place));
        figure_.rect(box, Fill::bank(bank, lanes ? 1 : kUntouched));
        if (here.size() > 1) mark_fault(box);
        std::string what = fmt::format("({}, {})", here[0] / map_.cols, here[0] % map_.cols);
        if (here.size() > 1)
            what += fmt::format(" and {} more: the last one written stays", here.size() - 1);
        figure_.hit(box,
                    fmt::format("word {}, bank {}: element {}",
                                word_of(static_cast<int64_t>(place)), bank, what),
                    lanes ? fmt::format("lane:{}", std::countr_zero(lanes)) : "");
    }

    float draw_legend(float y) {
        std::vector<LegendItem> items;
        if (in_.access)
            items.push_back(
                {Fill::bank(21), Fill::of(Ink::text), false,
                 fmt::format("{} by a lane of warp {}", in_.access->is_store ? "stored" : "loaded",
                             in_.access->warp)});
        items.push_back({Fill::bank(21, kUntouched), Fill::none(), false, "not touched"});
        bool empty = std::any_of(elements_at_.begin(), elements_at_.end(),
                                 [](const std::vector<int>& here) { return here.empty(); });
        if (empty)
            items.push_back({Fill::of(Ink::padding, 0.18f), Fill::of(Ink::padding),
                             has_free_padding(), "no element lies here"});
        if (fault_.kind != ColumnFault::Kind::none)
            items.push_back({Fill::of(Ink::bad), Fill::none(), false, fault_words()});
        y = legend(figure_, {1, y}, in_.width - 2, items, measure_);
        return y;
    }

    std::string fault_words() const {
        return fmt::format("{} of {} elements overwrite another or leave their row",
                           with_thousands(static_cast<uint64_t>(fault_.count)),
                           with_thousands(map_.columns.size()));
    }

    // ---- the access

    float draw_wavefronts(float y) {
        const TileAccess& access = *in_.access;
        LaneAddresses addresses{};
        std::copy_n(access.addresses.begin(), std::min<size_t>(32, access.addresses.size()),
                    addresses.begin());
        auto schedule =
            wavefront_schedule(addresses, access.bytes_per_lane, access.mask, access.is_store);
        y = paragraph(figure_, {0, y}, in_.width, words_of(schedule), kBodySize,
                      Fill::of(Ink::text), measure_, Font::bold);
        return wavefront_rows(figure_, {0, y + 2}, in_.width, wavefront_row_height(schedule.size()),
                              schedule, in_.lane, measure_);
    }

    std::string words_of(const std::vector<Wavefront>& schedule) const {
        std::map<int, int> in_bank;
        int fullest = 0;
        for (const Wavefront& wavefront : schedule)
            for (const WavefrontWord& word : wavefront)
                fullest = std::max(fullest, ++in_bank[static_cast<int>(word.word % kBanks)]);
        return fmt::format("This {} asks for words in {}, {} in the fullest: {}, ideal {}",
                           in_.access->is_store ? "store" : "load", counted(in_bank.size(), "bank"),
                           fullest, counted(schedule.size(), "wavefront"),
                           in_.access->wavefronts_ideal);
    }

    // ---- one address, bit by bit

    // The chosen lane's element; else one whose row says something: of a lane in the fifth row or
    // the last there is, else element (5, 3).
    int explained() const {
        if (int element = in_.lane >= 0 ? element_of(in_.lane) : -1; element >= 0) return element;
        int row = std::min(5, map_.rows - 1), col = std::min(3, map_.cols - 1);
        for (auto [element, lanes] : lanes_of_)
            if (element / map_.cols == row) return element;
        return row * map_.cols + col;
    }

    float draw_address(float y) {
        int element = explained(), row = element / map_.cols, col = element % map_.cols;
        int column = map_.at(row, col);
        uint32_t lanes = lanes_of_.contains(element) ? lanes_of_.at(element) : 0;
        std::string who = lanes ? fmt::format(" (lane {})", lanes_of(lanes)) : "";
        y = paragraph(figure_, {0, y}, in_.width,
                      fmt::format("Where element ({}, {}){} lies", row, col, who), kBodySize,
                      Fill::of(Ink::text), measure_, Font::bold) +
            4;
        int bits = std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(
                                   std::max({map_.rows, map_.pitch, column + 1}) - 1))));
        bits = std::min(bits, 10);
        float name = measure_("column", kBodySize, Font::mono) + 10;
        const struct {
            const char* name;
            int value;
        } rows[] = {{"row", row}, {"col", col}, {"column", column}};
        for (const auto& each : rows) {
            bool result = each.value == column && each.name == rows[2].name;
            figure_.text({0, y, name, kBit}, each.name, kBodySize,
                         Fill::of(result ? Ink::text : Ink::text_dim), Align::left, Font::mono);
            for (int bit = 0; bit < bits; ++bit) {
                int shift = bits - 1 - bit;
                bool one = each.value >> shift & 1;
                bool flipped = result && one != bool(col >> shift & 1);
                Box box{name + kBit * static_cast<float>(bit), y, kBit - 2, kBit - 2};
                figure_.rect(box, flipped ? Fill::of(Ink::accent, 0.25f) : Fill::of(Ink::panel),
                             Fill::of(flipped ? Ink::accent : Ink::border), 2);
                figure_.text(box, one ? "1" : "0", kBodySize,
                             Fill::of(one ? Ink::text : Ink::text_dim), Align::center, Font::mono);
            }
            std::string number = fmt::format("= {}", each.value);
            if (result && column != col) number += "   framed: bits that are not col's";
            float x = name + kBit * static_cast<float>(bits) + 8;
            for (const std::string& line :
                 wrapped(number, in_.width - x, kBodySize, Font::text, measure_)) {
                figure_.text({x, y, in_.width - x, kBit}, line, kBodySize, Fill::of(Ink::text_dim));
                break;
            }
            y += kBit;
        }
        y = paragraph(figure_, {0, y + 4}, in_.width, place_words(row, col), kBodySize,
                      Fill::of(Ink::text), measure_);
        return paragraph(figure_, {0, y + 2}, in_.width, rule_words(), kBodySize,
                         Fill::of(Ink::text_dim), measure_);
    }

    std::string place_words(int row, int col) const {
        int64_t place = map_.place(row, col);
        if (!is_inside(row, col)) return "That column is outside the row.";
        std::string word =
            in_.element_bytes == kWordBytes
                ? fmt::format("word {}", place)
                : fmt::format("element {}, which begins in word {}", place, word_of(place));
        return fmt::format("{} × {} + {} = {}: bank {} mod 32 = {}", row, map_.pitch,
                           map_.at(row, col), word, word_of(place), bank_of(place));
    }

    // Bits that follow the same rule are told once.
    std::string rule_words() const {
        auto bits = as_xor(map_);
        if (!bits)
            return "This mapping is no XOR of address bits: what a bit becomes takes a carry, a "
                   "remainder or an AND to say.";
        std::string words = "Bit by bit of the column, from the lowest: ";
        for (size_t i = 0; i < bits->size(); ++i) words += (i ? ", " : "") + in_words((*bits)[i]);
        return words + ".";
    }

    const ForgeFigureInput& in_;
    const ColumnMap& map_;
    const Measure& measure_;
    ColumnFault fault_;
    std::map<int, uint32_t> lanes_of_;           // element -> lanes
    std::vector<std::vector<int>> elements_at_;  // place -> elements
    float gutter_ = 0, cell_ = 0;
    Drawing figure_;
};

}  // namespace

Drawing forge_figure(const ForgeFigureInput& input, const Measure& measure) {
    if (!input.map || input.map->columns.empty())
        return words_only("Nothing has been forged yet.", input.width, measure);
    return ForgeFigure(input, measure).draw();
}

}  // namespace lanewise
