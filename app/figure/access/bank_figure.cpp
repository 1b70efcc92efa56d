// Shared memory: the tile as a grid whose words are coloured by bank, one access's lanes on it, and
// the wavefronts that serve them. A row of the grid is drawn in bytes, so that an element of 8
// bytes spans two banks and four elements of 1 byte share one, as they do in the hardware.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/text.h"
#include "figure/access/wavefront_rows.h"
#include "figure/drawing/figures.h"
#include "figure/drawing/marks.h"
#include "trace/count/rules.h"

namespace lanewise {
namespace {

constexpr float kLargestCell = 26;
// Heights where room is scarce. Wavefronts give way first, then the tile, then both to the last.
constexpr float kMark = 4;  // beside the title of the setting that is chosen
constexpr float kFlatWavefront = 6, kLeastRow = 4.5f;
constexpr float kDim = 0.30f;  // strength of what this access does not touch

class BankFigure {
  public:
    BankFigure(const BankFigureInput& input, const Measure& measure)
        : in_(input),
          measure_(measure),
          access_(input.block->accesses[static_cast<size_t>(input.access)]),
          instruction_(input.report->instructions[access_.instruction]) {
        shape_tile();
        schedule();
        row_ = wavefront_row_height(most_wavefronts());
    }

    Drawing draw() {
        lay_out();
        if (in_.height > 0) {
            flatten();
            lay_out();
        }
        return std::move(figure_);
    }

  private:
    void lay_out() {
        figure_ = {};
        figure_.width = in_.width;
        y_ = 0;
        draw_title();
        if (in_.show_schedule) draw_queues();  // what argues comes first where room is scarce
        draw_column_heads();
        draw_grid();
        draw_lanes();
        draw_chosen_lane();
        draw_legend();
        figure_.height = y_ + 1;
    }

    void flatten() {
        auto rows = static_cast<float>(rows_), most = static_cast<float>(most_wavefronts());
        if (!in_.show_schedule) most = 0;
        float room = in_.height - (figure_.height - cell_.h * rows - row_ * most);
        float natural = row_;
        auto share = [&](float count, float least, float whole) {
            float height = (room - cell_.h * rows) / std::max(count, 1.0f);
            return std::clamp(height, std::min(whole, least), whole);
        };
        float flat = share(most, kFlatWavefront, natural);
        float cell = std::clamp((room - flat * most) / rows, std::min(cell_.h, kLeastRow), cell_.h);
        cell_.h = cell;
        row_ = share(most, kFlatWavefront, natural);
    }

    // A stage without a tile of its own: shared memory as rows of 32 words.
    void shape_tile() {
        element_bytes_ = std::max(1, in_.element_bytes);
        rows_ = in_.rows, cols_ = in_.cols, pitch_ = std::max(in_.pitch, in_.cols);
        if (rows_ <= 0 || cols_ <= 0) {
            cols_ = pitch_ = kBanks * kWordBytes / element_bytes_;
            int row_bytes = kBanks * kWordBytes;
            rows_ = std::max(
                1, (static_cast<int>(in_.block->shared_bytes) + row_bytes - 1) / row_bytes);
        }
        std::string last_row = std::to_string(rows_ - 1);
        gutter_ = measure_(last_row, kNoteSize, Font::mono) + 6;
        float cell = std::min(kLargestCell, (in_.width - gutter_ - 2) / float(pitch_));
        cell_ = {cell, cell};
    }

    // In which wavefront each word is handed out for the first time.
    void schedule() {
        LaneAddresses addresses{};
        std::copy_n(access_.addresses.begin(), std::min<size_t>(32, access_.addresses.size()),
                    addresses.begin());
        schedule_ = wavefront_schedule(addresses, instruction_.bytes_per_lane, access_.mask,
                                       instruction_.is_store);
        for (size_t i = 0; i < schedule_.size(); ++i)
            for (const WavefrontWord& word : schedule_[i])
                wavefront_of_.try_emplace(static_cast<int64_t>(word.word), static_cast<int>(i));
    }

    // The step of the drawing at which the word is served: with wavefront n at step n + 1.
    int served_at(int64_t word) const {
        auto found = wavefront_of_.find(word);
        return found == wavefront_of_.end() ? 0 : found->second + 1;
    }

    // ---- words

    bool conflict_free() const { return access_.wavefronts <= access_.wavefronts_ideal; }

    std::string verdict() const {
        std::string wavefronts = counted(uint64_t(access_.wavefronts), "wavefront");
        if (conflict_free())
            return access_.wavefronts_ideal == 1
                       ? "Conflict-free: " + wavefronts
                       : fmt::format("Conflict-free: {}, ideal {}", wavefronts,
                                     access_.wavefronts_ideal);
        int ideal = std::max(1, access_.wavefronts_ideal);
        std::string kind = access_.wavefronts % ideal == 0
                               ? fmt::format("{}-way conflict", access_.wavefronts / ideal)
                               : std::string("Bank conflict");
        return fmt::format("{}: {}, ideal {}", kind, wavefronts, access_.wavefronts_ideal);
    }

    void draw_title() {
        if (!in_.title.empty()) {
            float left = in_.is_chosen ? kMark + 6 : 0;
            y_ = paragraph(figure_, {left, 0}, in_.width - left, in_.title, kTitleSize,
                           Fill::of(Ink::text), measure_, Font::bold);
            if (in_.is_chosen) figure_.rect({0, 1, kMark, y_ - 2}, Fill::of(Ink::accent));
        }
        std::string words = verdict();
        // Beside another it must not be a row higher: the queues would begin at two heights.
        if (in_.is_brief && measure_(words, kTitleSize, Font::bold) > in_.width)
            words = words.substr(0, words.find(':'));
        y_ = paragraph(figure_, {0, y_}, in_.width, words, kTitleSize,
                       Fill::of(conflict_free() ? Ink::good : Ink::bad), measure_, Font::bold);
        if (in_.is_brief) return;
        std::string what = fmt::format(
            "Warp {} {} {} a lane", access_.warp, instruction_.is_store ? "stores" : "loads",
            counted(static_cast<uint64_t>(instruction_.bytes_per_lane), "byte"));
        y_ = paragraph(figure_, {0, y_}, in_.width, what, kBodySize, Fill::of(Ink::text_dim),
                       measure_) +
             6;
    }

    // ---- the grid

    float grid_x() const { return gutter_; }
    float byte_width() const { return cell_.w / static_cast<float>(element_bytes_); }
    int row_bytes() const { return pitch_ * element_bytes_; }

    // Bytes [first, first + count) of shared memory within one row of the grid.
    Box bytes_box(int64_t first, int count) const {
        auto row = static_cast<float>(first / row_bytes());
        auto byte = static_cast<float>(first % row_bytes());
        return {grid_x() + byte * byte_width(), grid_y_ + row * cell_.h,
                byte_width() * static_cast<float>(count), cell_.h};
    }

    void draw_column_heads() {
        float height = line_height(kNoteSize), size = kNoteSize;
        int step = 1;
        while (measure_(std::to_string(pitch_ - 1), size, Font::mono) + 3 >
               cell_.w * static_cast<float>(step))
            step *= 2;
        float pad_from = grid_x() + cell_.w * static_cast<float>(cols_);
        float pad_label = pitch_ > cols_ ? measure_("pad", kNoteSize, Font::text) : 0;
        float pad_x = std::min(pad_from, in_.width - pad_label - 1);
        for (int col = 0; col < cols_; col += step) {
            Box box{grid_x() + cell_.w * static_cast<float>(col), y_,
                    cell_.w * static_cast<float>(step), height};
            float words = measure_(std::to_string(col), size, Font::mono);
            float used = box.x + (step == 1 ? (box.w + words) / 2 : words);
            if (pad_label > 0 && used + 3 > pad_x) break;
            if (box.x + box.w > in_.width) box.w = in_.width - box.x;
            text_if_it_fits(figure_, box, std::to_string(col), size, Fill::of(Ink::text_dim),
                            measure_, step == 1 ? Align::center : Align::left);
        }
        if (pad_label > 0)
            figure_.text({pad_x, y_, pad_label + 1, height}, "pad", kNoteSize, Fill::of(Ink::text));
        y_ += height + 1;
        grid_y_ = y_;
    }

    void draw_grid() {
        touched_ = touched_words();
        for (int row = 0; row < rows_; ++row) {
            draw_row_head(row);
            draw_words(row);
        }
        draw_element_edges();
        float height = cell_.h * static_cast<float>(rows_);
        if (pitch_ > cols_) {
            Box pad{grid_x() + cell_.w * static_cast<float>(cols_), grid_y_,
                    cell_.w * static_cast<float>(pitch_ - cols_), height};
            figure_.rect(pad, Fill::of(Ink::background));
            figure_.rect(pad, Fill::of(Ink::padding, 0.18f));
            hatch(figure_, pad, Fill::of(Ink::padding, 0.8f), 5);
            figure_.rect(pad, Fill::none(), Fill::of(Ink::padding));
            figure_.hit(pad,
                        fmt::format("padding: {} a row, never written and never read; it only "
                                    "moves the next row on by as many banks",
                                    counted(uint64_t((pitch_ - cols_) * element_bytes_), "byte")));
        }
        y_ = grid_y_ + height;
    }

    void draw_row_head(int row) {
        int step = 1;
        while (cell_.h * static_cast<float>(step) < kNoteSize + 1) step *= 2;
        if (row % step) return;
        float height = std::max(cell_.h, kNoteSize);
        float y = grid_y_ + cell_.h * static_cast<float>(row) + (cell_.h - height) / 2;
        figure_.text({0, y, gutter_ - 6, height}, std::to_string(row), kNoteSize,
                     Fill::of(Ink::text_dim), Align::right, Font::mono);
    }

    // The row's words, each in its bank's hue; a word that straddles two rows is cut at their edge.
    // Numbers in cells are lanes and nothing else.
    void draw_words(int row) {
        int64_t begin = int64_t(row) * row_bytes(), end = begin + int64_t(cols_) * element_bytes_;
        for (int64_t at = begin; at < end;) {
            int64_t word = at / kWordBytes, next = std::min(end, (word + 1) * kWordBytes);
            int bank = static_cast<int>(word % kBanks);
            bool touched = touched_.contains(word);
            Box box = bytes_box(at, static_cast<int>(next - at));
            if (touched) draw_served(box, word, bank);
            if (!touched) figure_.rect(box, Fill::bank(bank, kDim));
            figure_.hit(box, fmt::format("row {}, col {}: word {}, bank {}", row,
                                         (at - begin) / element_bytes_, word, bank));
            at = next;
        }
    }

    // Faint until its wavefront hands it out.
    void draw_served(Box box, int64_t word, int bank) {
        int step = served_at(word);
        Shape& waits = figure_.rect(box, Fill::bank(bank, kDim));
        waits.until = step;
        figure_.rect(box, Fill::bank(bank)).from = step;
    }

    void draw_element_edges() {
        Fill ink = Fill::of(Ink::background, cell_.w < 8 ? 0.5f : 0.9f);
        float height = cell_.h * static_cast<float>(rows_);
        float width = cell_.w * static_cast<float>(cols_);
        for (int col = 0; col <= cols_; ++col) {
            float x = grid_x() + cell_.w * static_cast<float>(col);
            figure_.line({x, grid_y_}, {x, grid_y_ + height}, ink);
        }
        for (int row = 0; row <= rows_; ++row) {
            float y = grid_y_ + cell_.h * static_cast<float>(row);
            figure_.line({grid_x(), y}, {grid_x() + width, y}, ink);
        }
    }

    // ---- this access

    bool active(int lane) const { return access_.mask >> lane & 1; }
    int64_t offset(int lane) const {
        return static_cast<int64_t>(access_.addresses[static_cast<size_t>(lane)]);
    }

    std::map<int64_t, uint32_t> touched_words() const {
        std::map<int64_t, uint32_t> words;
        for (int lane = 0; lane < 32; ++lane)
            if (active(lane))
                for (int byte = 0; byte < instruction_.bytes_per_lane; ++byte)
                    words[(offset(lane) + byte) / kWordBytes] |= 1u << lane;
        return words;
    }

    // One outline per distinct address; lanes that share it share the outline.
    void draw_lanes() {
        std::map<int64_t, uint32_t> by_offset;
        for (int lane = 0; lane < 32; ++lane)
            if (active(lane)) by_offset[offset(lane)] |= 1u << lane;
        for (auto [at, lanes] : by_offset) {
            if (at / row_bytes() >= rows_) continue;  // beyond the tile: another array
            int room = static_cast<int>(row_bytes() - at % row_bytes());
            Box box = bytes_box(at, std::min(instruction_.bytes_per_lane, room));
            bool chosen = in_.lane >= 0 && (lanes >> in_.lane & 1);
            std::string who = lanes_of(lanes);
            Box inner{box.x + 1, box.y, std::max(0.0f, box.w - 2), box.h};
            // One-digit lanes are written only where all can be.
            const std::string widest = who.size() < 2 ? "31" : who;
            float size = size_that_fits(inner, widest, kNoteSize, Font::mono, measure_);
            int step = served_at(at / kWordBytes);
            const auto mark = static_cast<uint32_t>(101 + std::countr_zero(lanes));
            if (text_if_it_fits(figure_, inner, who, size, Fill::of(Ink::text_on_fill), measure_)) {
                figure_.shapes.back().from = step;
                figure_.shapes.back().mark = mark;
            }
            Shape& outline =
                figure_.rect(box, Fill::none(), Fill::of(chosen ? Ink::accent : Ink::text), 1);
            outline.stroke_width = chosen ? 2.5f : 1.25f;
            outline.mark = mark;
            Shape& now = figure_.rect(box, Fill::none(), Fill::of(Ink::accent), 1);
            now.stroke_width = 2.5f;
            now.from = step;
            now.until = step + 1;
            int lane = chosen ? in_.lane : std::countr_zero(lanes);
            figure_.hit(box, lane_words(lane), fmt::format("lane:{}", lane));
        }
    }

    std::string lane_words(int lane) const {
        int64_t at = offset(lane), row = at / row_bytes();
        int64_t first = at / kWordBytes, last = (at + instruction_.bytes_per_lane - 1) / kWordBytes;
        std::string banks = first == last ? fmt::format("word {}, bank {}", first, first % kBanks)
                                          : fmt::format("words {} to {}, banks {} to {}", first,
                                                        last, first % kBanks, last % kBanks);
        return fmt::format("lane {}: row {}, col {}, byte {}, {}", lane, row,
                           at % row_bytes() / element_bytes_, hex_of(uint64_t(at)), banks);
    }

    void draw_chosen_lane() {
        y_ += 8;
        std::string words;
        if (in_.lane >= 0 && in_.lane < 32)
            words = active(in_.lane)
                        ? lane_words(in_.lane)
                        : fmt::format("lane {} is not active in this access", in_.lane);
        if (!words.empty()) {
            words[0] = 'L';
            y_ = paragraph(figure_, {0, y_}, in_.width, words, kBodySize, Fill::of(Ink::accent),
                           measure_);
        }
    }

    void draw_legend() {
        std::vector<LegendItem> items = {
            {Fill::bank(21), Fill::of(Ink::text), false,
             "a lane's element, with the lane's number"},
            {Fill::bank(21, kDim), Fill::none(), false, "not touched, with its bank"}};
        if (pitch_ > cols_)
            items.push_back({Fill::of(Ink::padding, 0.18f), Fill::of(Ink::padding), true,
                             "padding, never read"});
        y_ = legend(figure_, {1, y_}, in_.width - 2, items, measure_) + 2;
    }

    // ---- above the tile: who waits at which bank, and how long

    // Of this access, or of one beside it: both have room for as many, so that one row beside
    // thirty-two is seen without a word.
    size_t most_wavefronts() const {
        return std::max(schedule_.size(), static_cast<size_t>(std::max(0, in_.most_wavefronts)));
    }

    void draw_queue_words() {
        size_t words = 0, slots = schedule_.size() * kBanks;
        for (const Wavefront& wavefront : schedule_) words += wavefront.size();
        y_ = paragraph(figure_, {0, y_}, in_.width,
                       "The queue at each bank: each row is one wavefront", kBodySize,
                       Fill::of(Ink::text), measure_, Font::bold);
        if (slots == 0) return;
        y_ = paragraph(
            figure_, {0, y_}, in_.width,
            fmt::format("{} of {} bank slots used", with_thousands(words), with_thousands(slots)),
            kNoteSize, Fill::of(Ink::text_dim), measure_);
    }

    void draw_queues() {
        if (!in_.is_brief) draw_queue_words();
        y_ = wavefront_rows(figure_, {0, y_ + 2}, in_.width, row_, schedule_, in_.lane, measure_);
        y_ += row_ * static_cast<float>(most_wavefronts() - schedule_.size()) + 10;
        y_ = paragraph(figure_, {0, y_}, in_.width, "Where the words lie in the tile", kBodySize,
                       Fill::of(Ink::text), measure_, Font::bold) +
             2;
    }

    const BankFigureInput& in_;
    const Measure& measure_;
    const TracedAccess& access_;
    const InstructionReport& instruction_;
    int element_bytes_ = 4, rows_ = 0, cols_ = 0, pitch_ = 0;
    float gutter_ = 0;
    float row_ = 0;  // height of a wavefront's
    struct {
        float w, h;
    } cell_{};
    std::map<int64_t, uint32_t> touched_;  // word -> lanes
    std::vector<Wavefront> schedule_;
    std::map<int64_t, int> wavefront_of_;  // word -> index into schedule_
    Drawing figure_;
    float y_ = 0, grid_y_ = 0;
};

}  // namespace

Drawing bank_figure(const BankFigureInput& input, const Measure& measure) {
    if (!has_access(input.block, input.report, input.access, Space::shared))
        return words_only("This block makes no such access to shared memory.", input.width,
                          measure);
    return BankFigure(input, measure).draw();
}

}  // namespace lanewise
