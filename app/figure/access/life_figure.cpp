#include "figure/access/life_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kGutter = 46;    // for the tracks' names
constexpr float kTrack = 15;     // height of one; 2 points lie between them
constexpr float kLeastCell = 3;  // narrower ones are shared
constexpr float kLabelHeight = 13;
constexpr float kCopyFoot = 6, kArrived = 6;  // of a copy, in the track of shared memory
constexpr float kBulk = 0.35f;                // strength of what is framed

float track_y(bool shared) { return kLifeTop + (shared ? kTrack + 2 : 0); }

double waste_of(const LifeStep& step) {
    return step.ideal > 0 ? double(step.cost) / step.ideal : 1;
}

// From 40 % of the track for an ideal access to all of it for 32 times the ideal.
float bar_height(double waste) {
    auto doublings = static_cast<float>(std::log2(std::max(1.0, waste)));
    return kTrack * (0.4f + 0.6f * std::min(1.f, doublings / 5));
}

// What one cell of the strip stands for: one step, or several where there are too many.
struct Cell {
    int first = 0, last = 0;
    int worst[2] = {-1, -1};   // the most wasteful access to global, to shared memory
    int copy = -1, done = -1;  // the most wasteful copy, and the first that has arrived
    bool barrier = false, other = false;
};

bool is_of(const LifeStep& step, TracedMark::Kind kind) {
    return step.moment == Moment::other && step.mark == kind;
}
bool is_bulk(const LifeStep& step) { return is_of(step, TracedMark::Kind::bulk_copy); }
bool is_issued(const LifeStep& step) {
    return is_bulk(step) || is_of(step, TracedMark::Kind::async_copy);
}
bool is_done(const LifeStep& step) { return is_of(step, TracedMark::Kind::copy_done); }
bool is_other(const LifeStep& step) {
    return step.moment == Moment::other && !is_issued(step) && !is_done(step);
}

class LifeFigure {
  public:
    LifeFigure(const LifeFigureInput& input, const Measure& measure)
        : in_(input), life_(*input.life), width_(input.width), measure_(measure) {
        figure_.width = width_;
        figure_.height = kLifeTop + kLifeHeight + 1;
    }

    Drawing draw() {
        draw_tracks();
        for (const Cell& cell : cells()) draw_cell(cell);
        draw_chapters();
        if (in_.with_legend) draw_legend();
        return std::move(figure_);
    }

  private:
    const LifeStep& step(int index) const { return life_[static_cast<size_t>(index)]; }
    LifeSpan span(int first, int last) const {
        return {life_span(life_.size(), width_, first).x0,
                life_span(life_.size(), width_, last).x1};
    }

    bool goes_to_shared(const LifeStep& step) const {
        return step.copy < 0 || !in_.block ||
               in_.block->copies[static_cast<size_t>(step.copy)].to_shared;
    }
    // What a copy does to global memory, in the colour of loads and stores.
    Ink ink_of_copy(const LifeStep& step) const {
        return goes_to_shared(step) ? Ink::load : Ink::store;
    }

    void draw_tracks() {
        for (bool shared : {false, true}) {
            float y = track_y(shared);
            figure_.text({0, y, kGutter - 6, kTrack}, shared ? "shared" : "global", kNoteSize,
                         Fill::of(Ink::text_dim));
            figure_.rect({kGutter, y, width_ - kGutter, kTrack}, Fill::of(Ink::panel));
        }
    }

    std::vector<Cell> cells() const {
        auto count = static_cast<int>(life_.size());
        auto room = std::max(1, static_cast<int>((width_ - kGutter) / kLeastCell));
        int each = (count + room - 1) / room;
        std::vector<Cell> cells;
        for (int first = 0; first < count; first += each) {
            Cell cell{first, std::min(first + each, count) - 1};
            for (int i = first; i <= cell.last; ++i) {
                cell.barrier |= step(i).moment == Moment::barrier;
                cell.other |= is_other(step(i));
                if (is_done(step(i)) && cell.done < 0) cell.done = i;
                bool worse = cell.copy < 0 || waste_of(step(i)) > waste_of(step(cell.copy));
                if (is_issued(step(i)) && worse) cell.copy = i;
                if (step(i).access < 0) continue;
                int& worst = cell.worst[step(i).is_shared()];
                if (worst < 0 || waste_of(step(i)) > waste_of(step(worst))) worst = i;
            }
            cells.push_back(cell);
        }
        return cells;
    }

    void draw_cell(const Cell& cell) {
        LifeSpan at = span(cell.first, cell.last);
        float gap = at.x1 - at.x0 >= 4 ? 1.f : 0.f;
        for (bool shared : {false, true})
            if (cell.worst[shared] >= 0) draw_bar(step(cell.worst[shared]), at, gap, shared);
        if (cell.copy >= 0) draw_copy(step(cell.copy), at, gap);
        if (cell.done >= 0 && cell.copy < 0) draw_arrival(step(cell.done), at, gap);
        bool alone = cell.worst[0] < 0 && cell.worst[1] < 0 && cell.copy < 0 && cell.done < 0;
        if (cell.other && alone)
            figure_
                .rect({at.x0 + 0.5f, kLifeTop + 8, at.x1 - at.x0 - gap, kLifeHeight - 16},
                      Fill::of(Ink::text_dim, 0.25f), Fill::of(Ink::text_dim), 2)
                .dashed = true;
        if (cell.barrier) {
            float width = std::min(3.f, at.x1 - at.x0);
            figure_.rect({(at.x0 + at.x1 - width) / 2, kLifeTop, width, kLifeHeight},
                         Fill::of(Ink::text));
        }
        std::string words = cell.first == cell.last
                                ? words_of(step(cell.first))
                                : fmt::format("moments {} to {}", cell.first + 1, cell.last + 1);
        figure_.hit({at.x0, kLifeTop, at.x1 - at.x0, kLifeHeight}, words,
                    fmt::format("step:{}", cell.first));
    }

    void draw_bar(const LifeStep& step, LifeSpan at, float gap, bool shared) {
        double waste = waste_of(step);
        float height = bar_height(waste), y = track_y(shared) + kTrack - height;
        bool stores = step.moment == Moment::store || step.moment == Moment::shared_store;
        Box box{at.x0 + gap / 2, y, at.x1 - at.x0 - gap, height};
        figure_.rect(box, Fill::of(stores ? Ink::store : Ink::load), Fill::none(),
                     gap > 0 ? 1.f : 0.f);
        if (waste > 1 && box.w >= 4) hatch(figure_, box, Fill::of(Ink::background, 0.8f), 4);
    }

    // Across the seam of both tracks; in global memory as high as an access.
    void draw_copy(const LifeStep& step, LifeSpan at, float gap) {
        double waste = waste_of(step);
        float height = bar_height(waste), seam = track_y(true), y = seam - 2 - height;
        Box box{at.x0 + gap / 2, y, at.x1 - at.x0 - gap, seam + kCopyFoot - y};
        Fill ink = Fill::of(ink_of_copy(step));
        if (is_bulk(step))
            figure_.rect(box, Fill::of(ink_of_copy(step), kBulk), ink, gap > 0 ? 1.f : 0.f);
        else
            figure_.rect(box, ink, Fill::none(), gap > 0 ? 1.f : 0.f);
        if (waste > 1 && box.w >= 4)
            hatch(figure_, {box.x, y, box.w, height}, Fill::of(Ink::background, 0.8f), 4);
    }

    void draw_arrival(const LifeStep& step, LifeSpan at, float gap) {
        float y = track_y(goes_to_shared(step)) + kTrack - kArrived;
        figure_.rect({at.x0 + gap / 2 + 0.5f, y, std::max(1.f, at.x1 - at.x0 - gap - 1), kArrived},
                     Fill::none(), Fill::of(Ink::text));
    }

    // Of what occurs; loads and stores are told by their chapters' names.
    void draw_legend() {
        std::vector<LegendItem> items;
        auto first = [&](auto is) { return std::find_if(life_.begin(), life_.end(), is); };
        auto add = [&](bool bulk, bool to_shared, const char* words) {
            auto step = first([&](const LifeStep& each) {
                return is_issued(each) && is_bulk(each) == bulk &&
                       goes_to_shared(each) == to_shared;
            });
            if (step == life_.end()) return;
            Ink ink = ink_of_copy(*step);
            items.push_back({bulk ? Fill::of(ink, kBulk) : Fill::of(ink),
                             bulk ? Fill::of(ink) : Fill::none(), false, words});
        };
        add(false, true, "asynchronous copy to shared memory");
        add(true, true, "bulk copy to shared memory");
        add(true, false, "bulk copy from shared memory");
        if (first([](const LifeStep& each) { return is_done(each); }) != life_.end())
            items.push_back({Fill::none(), Fill::of(Ink::text), false, "a copy has arrived"});
        std::string others;
        for (const LifeStep& each : life_) {
            if (!is_other(each)) continue;
            std::string name = name_of(each);
            if (others.find(name) == others.npos) others += (others.empty() ? "" : ", ") + name;
        }
        if (!others.empty())
            items.push_back(
                {Fill::of(Ink::text_dim, 0.25f), Fill::of(Ink::text_dim), false, others});
        if (items.empty()) return;
        figure_.height = legend(figure_, {kGutter, kLifeTop + kLifeHeight + 6}, width_ - kGutter,
                                items, measure_) +
                         1;
    }

    // Each name at its chapter's begin, in the first of two rows where it meets no other.
    void draw_chapters() {
        float taken[2] = {0, 0};
        for (size_t i = 0; i < life_.size(); ++i) {
            if (!life_[i].chapter) continue;
            LifeSpan at = life_span(life_.size(), width_, static_cast<int>(i));
            std::string name = name_of(life_[i]);
            float words = measure_(name, kNoteSize, Font::text) + 4;
            float x = std::min(at.x0, width_ - words);
            for (int row : {1, 0}) {  // the lower one is nearer
                if (x < taken[row]) continue;
                float y = kLabelHeight * static_cast<float>(row);
                // Not through a name: its own where that had to move left, or the one below.
                float from = x < at.x0 ? y + kLabelHeight : y + 2;
                float to = row == 0 && at.x0 < taken[1] ? y + kLabelHeight : kLifeTop;
                if (from < to) figure_.line({at.x0, from}, {at.x0, to}, Fill::of(Ink::border));
                figure_.text({x + 2, y, words - 2, kLabelHeight}, name, kNoteSize,
                             Fill::of(Ink::text_dim));
                figure_.hit({x, y, words, kLabelHeight}, words_of(life_[i]),
                            fmt::format("step:{}", i));
                taken[row] = x + words + 6;
                break;
            }
        }
    }

    const LifeFigureInput& in_;
    const std::vector<LifeStep>& life_;
    float width_;
    const Measure& measure_;
    Drawing figure_;
};

}  // namespace

LifeSpan life_span(size_t steps, float width, int step) {
    float each = (width - kGutter) / static_cast<float>(std::max<size_t>(1, steps));
    float x = kGutter + each * static_cast<float>(step);
    return {x, x + each};
}

int life_step_at(size_t steps, float width, float x) {
    float each = (width - kGutter) / static_cast<float>(std::max<size_t>(1, steps));
    auto last = static_cast<float>(steps) - 1;
    return static_cast<int>(std::clamp(std::floor((x - kGutter) / each), 0.f, std::max(0.f, last)));
}

std::string words_of(const LifeStep& step) {
    std::string words = name_of(step);
    if (step.line > 0) words += fmt::format(", line {}", step.line);
    bool costs = step.access >= 0 || (step.copy >= 0 && step.cost > 0);
    if (!costs) return words;
    return words + fmt::format(": {}, ideal {}",
                               counted(static_cast<uint64_t>(step.cost),
                                       step.is_shared() ? "wavefront" : "sector"),
                               step.ideal);
}

Drawing moment_words(const std::string& title, const std::string& words, float width,
                     const Measure& measure) {
    Drawing figure;
    figure.width = width;
    float y = 0;
    if (!title.empty())
        y = paragraph(figure, {0, 0}, width, title, kTitleSize, Fill::of(Ink::text), measure,
                      Font::bold);
    figure.height =
        paragraph(figure, {0, y}, width, words, kBodySize, Fill::of(Ink::text), measure) + 1;
    return figure;
}

Drawing life_figure(const LifeFigureInput& input, const Measure& measure) {
    if (!input.life || input.life->empty())
        return words_only("This warp touches no memory and waits at no barrier.", input.width,
                          measure);
    return LifeFigure(input, measure).draw();
}

}  // namespace lanewise
