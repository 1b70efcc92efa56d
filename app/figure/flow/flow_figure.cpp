// The panels of the data flow; its words are in flow_words.cpp.
#include "figure/flow/flow_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/text.h"
#include "figure/drawing/marks.h"
#include "figure/flow/flow_cells.h"
#include "figure/flow/flow_elements.h"
#include "figure/flow/held_cells.h"

namespace lanewise {
namespace {

constexpr float kGap = 22;
constexpr float kArrowAt = 9;  // below a panel's top: beside its name

// One tile of shared memory as it is drawn: rows one below the other, and where there are many of
// them (a ring of several tiles) some of them beside each other.
struct TilePanel {
    int buffer = -1;                   // that it is brought from; -1: several, or none
    const SharedTile* tile = nullptr;  // null: all of shared memory, as one
    int pitch = 32, rows = 0, beside = 1;
    int element_bytes = 4;
    std::unique_ptr<Cells> cells;

    void make_cells() {
        constexpr int kMostRows = 128;
        if (rows > kMostRows && rows % kMostRows == 0) beside = rows / kMostRows;
        cells = std::make_unique<Cells>(TouchedBox{0, 0, rows / beside, pitch * beside}, true);
    }
    // Elements of `bytes` bytes from `address` on: touch(row, col) as they are drawn.
    template <typename Touch>
    void for_each(uint64_t address, int bytes, Touch touch) const {
        auto drawn = [&](int64_t row, int64_t col) {
            int64_t high = rows / beside;
            touch(row % high, col + row / high * pitch);
        };
        if (!tile) return for_each_element(address, bytes, pitch, element_bytes, drawn);
        for_each_element(*tile, address, bytes, element_bytes, drawn);
    }
};

class FlowFigure {
  public:
    FlowFigure(const FlowFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        for (const FlowMatrix& matrix : in_.matrices) cells_.emplace_back(matrix.part, false);
        make_tiles();
        find_ways();
        auto last = std::min(in_.step, static_cast<int>(in_.life->steps.size()) - 1);
        std::vector<bool> under_way(in_.block->copies.size(), false);
        for (int i = 0; i <= last; ++i) {
            const LifeStep& step = in_.life->steps[static_cast<size_t>(i)];
            if (step.copy >= 0)
                under_way[static_cast<size_t>(step.copy)] =
                    step.mark != TracedMark::Kind::copy_done;
            take(step, i == last);
        }
        for (size_t i = 0; i < under_way.size(); ++i)
            if (under_way[i]) expect(in_.block->copies[i]);
        if (tiles_.empty()) held_ = held_elements(in_);
        figure_.width = in_.width;
    }

    Drawing draw() {
        auto columns = static_cast<float>(1 + has_middle() + !sinks_.empty());
        across_ = std::clamp(std::floor((in_.width + kGap) / (kLeastPanel + kGap)), 1.f, columns);
        width_ = std::min(kMostPanel, (in_.width + kGap) / across_ - kGap);
        across_ >= columns ? beside_each_other() : below_each_other();
        if (const TracedShuffle* shuffle = shuffle_of_step())
            bottom_ = draw_exchange(figure_, {0, bottom_ + kGap}, in_.width, *shuffle);
        figure_.height = bottom_ + 2;
        return std::move(figure_);
    }

  private:
    void take(const LifeStep& step, bool is_now) {
        if (const TracedCopy* copy = copy_of(in_, step)) return take(*copy, step.mark, is_now);
        const TracedAccess* access = access_of(in_, step);
        if (!access) return;
        if (step.is_shared()) {
            TilePanel* panel = panel_of_access(step.access);
            int bytes = in_.report->instructions[access->instruction].bytes_per_lane;
            for (int lane = 0; panel && lane < 32; ++lane)
                if (access->mask >> lane & 1)
                    panel->for_each(access->addresses[static_cast<size_t>(lane)], bytes,
                                    [&](int64_t row, int64_t col) {
                                        panel->cells->touch(row, col, lane, is_now);
                                    });
            return;
        }
        for (size_t i = 0; i < in_.matrices.size(); ++i)
            if (in_.matrices[i].buffer == access->buffer)
                for_each_element(in_, *access, in_.matrices[i].cols, in_.matrices[i].element_bytes,
                                 [&](int64_t row, int64_t col, int lane) {
                                     cells_[i].touch(row, col, lane, is_now);
                                 });
    }

    // A copy takes from where it is issued, and fills where it is done.
    void take(const TracedCopy& copy, TracedMark::Kind mark, bool is_now) {
        bool shared = copy.to_shared == (mark == TracedMark::Kind::copy_done);
        of_copy(copy, shared, [&](Cells& cells, int64_t row, int64_t col, int hue) {
            cells.touch(row, col, hue, is_now);
        });
    }
    void expect(const TracedCopy& copy) {
        TouchedBox box;
        Cells* where = nullptr;
        of_copy(copy, copy.to_shared, [&](Cells& cells, int64_t row, int64_t col, int) {
            box.include(row, col);
            where = &cells;
        });
        if (where) where->on_the_way.push_back(box);
    }
    // touch(cells, row, col, hue) for the copy's elements on one of its sides.
    template <typename Touch>
    void of_copy(const TracedCopy& copy, bool shared, Touch touch) {
        if (shared) {
            if (TilePanel* panel = panel_of_copy(copy))
                for_each_piece(copy, true, [&](uint64_t address, int hue) {
                    panel->for_each(address, copy.bytes, [&](int64_t row, int64_t col) {
                        touch(*panel->cells, row, col, hue);
                    });
                });
            return;
        }
        for (size_t i = 0; i < in_.matrices.size(); ++i)
            if (in_.matrices[i].buffer == copy.buffer)
                for_each_element(
                    copy, false, in_.matrices[i].cols, in_.matrices[i].element_bytes,
                    [&](int64_t row, int64_t col, int hue) { touch(cells_[i], row, col, hue); });
    }

    // ---- what there is, and which way it goes

    void make_tiles() {
        if (!in_.tiles) {
            if (in_.tile_rows == 0) return;
            TilePanel panel;
            panel.rows = in_.tile_rows;
            panel.pitch = in_.tile_pitch;
            panel.element_bytes = in_.tile_element_bytes;
            tiles_.push_back(std::move(panel));
        } else {
            for (const SharedTile& tile : in_.tiles->tiles) {
                TilePanel panel;
                panel.buffer = tile.buffer;
                panel.tile = &tile;
                panel.rows = static_cast<int>(tile.rows.size());
                panel.element_bytes = element_bytes_of(in_, tile);
                panel.pitch = std::max(1, tile.pitch_bytes / panel.element_bytes);
                tiles_.push_back(std::move(panel));
            }
        }
        for (TilePanel& panel : tiles_) panel.make_cells();
    }
    TilePanel* tile_at(int index) {
        return index < 0 ? nullptr : &tiles_[static_cast<size_t>(index)];
    }
    TilePanel* panel_of_access(int access) {
        if (tiles_.empty() || !in_.tiles) return tile_at(static_cast<int>(tiles_.size()) - 1);
        return tile_at(in_.tiles->of_access[static_cast<size_t>(access)]);
    }
    TilePanel* panel_of_copy(const TracedCopy& copy) {
        if (tiles_.empty() || !in_.tiles) return tile_at(static_cast<int>(tiles_.size()) - 1);
        return tile_at(in_.tiles->of_copy[static_cast<size_t>(&copy - in_.block->copies.data())]);
    }

    // What the block reads stands on the left, what it only writes on the right.
    void find_ways() {
        std::vector<bool> read(in_.matrices.size()), written(in_.matrices.size());
        auto is_at = [&](int buffer, bool write) {
            for (size_t i = 0; i < in_.matrices.size(); ++i)
                if (in_.matrices[i].buffer == buffer) (write ? written : read)[i] = true;
        };
        for (const TracedAccess& access : in_.block->accesses)
            if (in_.report->instructions[access.instruction].space == Space::global)
                is_at(access.buffer, in_.report->instructions[access.instruction].is_store);
        for (const TracedCopy& copy : in_.block->copies) is_at(copy.buffer, !copy.to_shared);
        bool any_only_read = false;
        for (size_t i = 0; i < read.size(); ++i) any_only_read |= read[i] && !written[i];
        for (size_t i = 0; i < read.size(); ++i) {
            bool last = i > 0 && i + 1 == read.size();
            bool sink = read[i] ? written[i] && any_only_read : written[i] || last;
            (sink ? sinks_ : sources_).push_back(i);
        }
    }
    // The one tile that a matrix is brought to; null where it goes straight to the registers.
    TilePanel* tile_of(size_t matrix) {
        if (!in_.tiles) return nullptr;
        for (TilePanel& panel : tiles_)
            if (panel.buffer >= 0 && panel.buffer == in_.matrices[matrix].buffer) return &panel;
        return nullptr;
    }

    // ---- where it stands

    void beside_each_other() {
        float middle = width_ + kGap, right = middle * (has_middle() ? 2.f : 1.f);
        std::vector<float> ways;  // the y of what leads on to what is written
        float top = 0;
        for (size_t i = 0; i < sources_.size(); ++i) {
            float below = matrix_panel(sources_[i], {0, top});
            bool one_for_all = !in_.tiles && !tiles_.empty();
            TilePanel* tile = one_for_all && i == 0 ? &tiles_[0] : tile_of(sources_[i]);
            if (tile) below = std::max(below, tile_panel(*tile, {middle, top}));
            float y = top + kArrowAt;
            if (held_ && held_->matrix == sources_[i]) {
                below = std::max(below, held_panel({middle, top}));
                arrow({{width_ + 2, y}, {middle - 5, y}});
            }
            if (tile) arrow({{width_ + 2, y}, {middle - 5, y}}, sinks_.empty());
            if (one_for_all && i > 0) elbow(width_ + 2, y, middle, kArrowAt);
            if (!one_for_all || i == 0) ways.push_back(y);
            if (!tile && !one_for_all && !tiles_.empty()) straight_.push_back(ways.size() - 1);
            top = below + kGap;
        }
        for (TilePanel& panel : tiles_) {
            if (!in_.tiles || panel.buffer >= 0) continue;
            ways.push_back(top + kArrowAt);
            top = tile_panel(panel, {middle, top}) + kGap;
        }
        float sink_top = 0;
        for (size_t sink : sinks_) sink_top = matrix_panel(sink, {right, sink_top}) + kGap;
        for (size_t i = 0; i < ways.size() && !sinks_.empty(); ++i) {
            bool straight = std::find(straight_.begin(), straight_.end(), i) != straight_.end();
            float from = (straight ? 0 : right - middle) + width_ + 2;
            i == 0 ? arrow({{from, ways[0]}, {right - 5, ways[0]}})
                   : elbow(from, ways[i], right, kArrowAt);
        }
    }

    // A way in each row, as far as there is room, and what is written below them all.
    void below_each_other() {
        bool pairs = across_ > 1 && !tiles_.empty();
        float second = width_ + kGap, top = 0;
        auto down = [&](float x) { arrow({{x, top - kGap + 3}, {x, top - 3}}); };
        auto put = [&](TilePanel& panel, bool beside, float beside_top, float& below) {
            if (beside) {
                float y = beside_top + kArrowAt;
                arrow({{width_ + 2, y}, {second - 5, y}}, sinks_.empty());
                below = std::max(below, tile_panel(panel, {second, beside_top}));
                return;
            }
            top = below + kGap;
            down(kGap);
            below = tile_panel(panel, {0, top});
        };
        for (size_t source : sources_) {
            float row = top, below = matrix_panel(source, {0, row});
            bool only = !in_.tiles && !tiles_.empty() && source == sources_.back();
            if (TilePanel* tile = only ? &tiles_[0] : tile_of(source))
                put(*tile, pairs, row, below);
            if (held_ && held_->matrix == source) {
                top = below + kGap;
                down(kGap);
                below = held_panel({0, top});
            }
            top = below + kGap;
        }
        for (TilePanel& panel : tiles_)
            if (in_.tiles && panel.buffer < 0)
                top = tile_panel(panel, {pairs ? second : 0, top}) + kGap;
        for (size_t sink : sinks_) {
            float x = pairs ? second : 0;
            down(x + kGap);
            top = matrix_panel(sink, {x, top}) + kGap;
        }
    }

    void head(Point tip, Point from) {
        constexpr float kLong = 4;
        float dx = tip.x > from.x ? 1.f : tip.x < from.x ? -1.f : 0.f;
        float dy = tip.y > from.y ? 1.f : tip.y < from.y ? -1.f : 0.f;
        Point back{tip.x - kLong * dx, tip.y - kLong * dy};
        figure_.polyline({{back.x - kLong * dy, back.y - kLong * dx},
                          tip,
                          {back.x + kLong * dy, back.y + kLong * dx}},
                         Fill::of(Ink::text_dim), 1.5f);
    }
    void arrow(std::vector<Point> points, bool both_ways = false) {
        Point tip = points.back(), before = points[points.size() - 2];
        if (both_ways) head(points[0], points[1]);
        figure_.polyline(std::move(points), Fill::of(Ink::text_dim), 1.5f);
        head(tip, before);
    }
    // From `x` at `y` to the panel that begins at `to`, into the arrow at `join`.
    void elbow(float x, float y, float to, float join) {
        float trunk = to - kGap / 2;
        figure_.polyline({{x, y}, {trunk, y}, {trunk, join}}, Fill::of(Ink::text_dim), 1.5f);
    }

    float words(Point at, const std::string& name, const std::string& what) {
        float y = paragraph(figure_, at, width_, name, kBodySize, Fill::of(Ink::text), measure_,
                            Font::bold);
        return paragraph(figure_, {at.x, y}, width_, what, kNoteSize, Fill::of(Ink::text_dim),
                         measure_) +
               3;
    }

    // Both give where the panel ends.
    float matrix_panel(size_t i, Point at) {
        const FlowMatrix& matrix = in_.matrices[i];
        if (matrix.part.rows == 0) return end(words(at, matrix.name, "not touched by this block"));
        at.y = words(at, matrix.name,
                     fmt::format("{} of {} × {}", box_words(matrix.part),
                                 with_thousands(static_cast<uint64_t>(matrix.rows)),
                                 with_thousands(static_cast<uint64_t>(matrix.cols))));
        Box whole = draw_cells(figure_, at, cells_[i], width_, matrix.name);
        sectors_of_now(whole, cells_[i], matrix);
        return end(whole.y + whole.h);
    }

    float tile_panel(const TilePanel& panel, Point at) {
        std::string name = panel.tile ? name_of_tile(in_, *panel.tile) : "shared memory";
        std::string what = fmt::format("{} rows of {} elements", panel.rows, panel.pitch);
        if (panel.beside > 1)
            what = fmt::format("{} times {} rows of {} elements, side by side", panel.beside,
                               panel.rows / panel.beside, panel.pitch);
        bool boxes = std::any_of(in_.block->copies.begin(), in_.block->copies.end(),
                                 [](const TracedCopy& copy) { return copy.is_bulk; });
        if (boxes) what += "; of a bulk copy, the hue tells the place in a row of its box";
        at.y = words(at, name, what);
        Box whole = draw_cells(figure_, at, *panel.cells, width_, name);
        for (int i = 1; i < panel.beside; ++i) {
            float x = whole.x + whole.w * static_cast<float>(i) / static_cast<float>(panel.beside);
            figure_.line({x, whole.y}, {x, whole.y + whole.h}, Fill::of(Ink::border));
        }
        return end(whole.y + whole.h);
    }
    // The elements of one warp in the registers of its lanes.
    float held_panel(Point at) {
        const FlowMatrix& matrix = in_.matrices[held_->matrix];
        std::string name = fmt::format("registers of warp {}", held_->warp);
        at.y = words(at, name,
                     fmt::format("elements of {}; the hue says which lane holds one", matrix.name));
        Box whole = draw_cells(figure_, at, held_->cells, width_, name);
        return end(whole.y + whole.h);
    }
    bool has_middle() const { return !tiles_.empty() || held_; }
    const TracedShuffle* shuffle_of_step() const {
        if (in_.step < 0 || in_.life->steps.empty()) return nullptr;
        auto last = std::min(static_cast<size_t>(in_.step), in_.life->steps.size() - 1);
        return shuffle_of(in_, in_.life->steps[last]);
    }
    float end(float y) {
        bottom_ = std::max(bottom_, y);
        return y;
    }

    // Where one sector of 32 bytes ends and the next begins, if all rows agree on it.
    void sectors_of_now(const Box& whole, const Cells& cells, const FlowMatrix& matrix) {
        constexpr int64_t kSector = 32;
        constexpr float kLeast = 4;  // points between two lines
        if (matrix.cols * matrix.element_bytes % kSector != 0 || cells.now_elements.rows == 0)
            return;
        int64_t each = std::max<int64_t>(1, kSector / matrix.element_bytes);
        const TouchedBox& now = cells.now_elements;
        Box box = box_of(whole, cells, now);
        if (box.w / static_cast<float>(now.cols) * static_cast<float>(each) < kLeast) return;
        for (int64_t col = (now.col / each + 1) * each; col < now.col + now.cols; col += each) {
            float x = box_of(whole, cells, {now.row, col, 1, 1}).x;
            figure_.line({x, box.y}, {x, box.y + box.h}, Fill::of(Ink::background, 0.85f));
        }
    }

    const FlowFigureInput& in_;
    const Measure& measure_;
    std::vector<Cells> cells_;
    std::vector<TilePanel> tiles_;
    std::optional<HeldElements> held_;     // instead of tiles: what shuffles hand on
    std::vector<size_t> sources_, sinks_;  // indices into the matrices
    std::vector<size_t> straight_;         // ways that pass shared memory by
    Drawing figure_;
    float width_ = 0, across_ = 1, bottom_ = 0;
};

}  // namespace

bool has_tiles_of_matrices(const SharedTiles& tiles) {
    return std::count_if(tiles.tiles.begin(), tiles.tiles.end(),
                         [](const SharedTile& tile) { return tile.buffer >= 0; }) > 1;
}

Drawing flow_figure(const FlowFigureInput& input, const Measure& measure) {
    if (!input.block || !input.report || !input.life || input.matrices.empty())
        return words_only("There is nothing to draw.", input.width, measure);
    return FlowFigure(input, measure).draw();
}

}  // namespace lanewise
