#include "figure/product/walk_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kMatrixGap = 16, kThinnest = 14, kLeastScale = 0.02f;
constexpr float kStripHeight = 26;
constexpr float kDone = 0.3f, kNow = 0.85f, kAhead = 0.5f, kBand = 0.16f;

enum class State { done, now, ahead, later };

State state_of(const TileWalk& walk, int step, int now, int ahead) {
    if (step < now) return State::done;
    if (step == now) return State::now;
    bool fetched = walk.steps[static_cast<size_t>(step)].fetched <=
                   walk.steps[static_cast<size_t>(now)].multiplied;
    return ahead > 0 && fetched ? State::ahead : State::later;
}

Fill fill_of(State state) {
    switch (state) {
        case State::done:
            return Fill::of(Ink::useful, kDone);
        case State::now:
            return Fill::of(Ink::accent, kNow);
        case State::ahead:
            return Fill::of(Ink::load, kAhead);
        case State::later:
            break;
    }
    return Fill::none();
}

std::string range(const Span& span) {
    return span.size() == 1 ? std::to_string(span.begin)
                            : fmt::format("{}-{}", span.begin, span.end - 1);
}

std::string barriers(int count) {
    if (count == 0) return "before the first barrier";
    return fmt::format("after barrier {}", with_thousands(static_cast<uint64_t>(count)));
}

std::string times_of(const TileWalk& walk, const WalkStep& step) {
    if (!walk.through_shared) return "";
    return fmt::format("\nfetched {}, multiplied {}", barriers(step.fetched),
                       barriers(step.multiplied));
}

std::string meanwhile(const TileWalk& walk, int step) {
    if (walk.by_bulk_copies && !walk.through_shared)
        return " Bulk copies bring the parts; when each is multiplied, the tensor cores do not "
               "tell.";
    if (!walk.through_shared)
        return " Its operands go from global memory straight to the lanes that use them.";
    int ahead = fetched_ahead(walk, static_cast<size_t>(step));
    bool last = step + 1 == static_cast<int>(walk.steps.size());
    if (ahead == 0) return last ? "" : " Nothing is in flight meanwhile.";
    if (ahead == 1) return " The next step's parts are in flight, or there already.";
    return fmt::format(" The parts of the next {} steps are in flight, or there already.", ahead);
}

int clamped(const TileWalk& walk, int step) {
    return std::clamp(step, 0, std::max(0, static_cast<int>(walk.steps.size()) - 1));
}

class WalkFigure {
  public:
    WalkFigure(const WalkFigureInput& input, const Measure& measure)
        : in_(input), walk_(*input.walk), measure_(measure), now_(clamped(walk_, input.step)) {
        figure_.width = input.width;
        ahead_ = fetched_ahead(walk_, static_cast<size_t>(now_));
    }

    Drawing draw() {
        float y = 0;
        if (!in_.caption.empty())
            y = paragraph(figure_, {0, 0}, in_.width, in_.caption, kBodySize,
                          Fill::of(Ink::text_dim), measure_);
        y = paragraph(figure_, {0, y}, in_.width, words_of(walk_, now_), kBodySize,
                      Fill::of(Ink::text), measure_) +
            4;
        y = legend(figure_, {0, y}, in_.width, keys(), measure_) + 6;
        place(y);
        matrix("A", a_, fmt::format("{} x {}", walk_.M, walk_.K));
        matrix("B", b_, fmt::format("{} x {}", walk_.K, walk_.N));
        matrix("C", c_, fmt::format("{} x {}", walk_.M, walk_.N));
        band();
        for (int i = 0; i < static_cast<int>(walk_.steps.size()); ++i) part(i);
        tile_of_c();
        figure_.height = c_.y + c_.h + 2;
        return std::move(figure_);
    }

  private:
    std::vector<LegendItem> keys() const {
        std::vector<LegendItem> items = {{fill_of(State::now), Fill::of(Ink::border), false,
                                          walk_.by_bulk_copies && !walk_.through_shared
                                              ? "fetched for this step"
                                              : "multiplied in this step"}};
        if (now_ > 0) items.push_back({fill_of(State::done), Fill::of(Ink::border), false, "done"});
        if (ahead_ > 0)
            items.push_back({fill_of(State::ahead), Fill::of(Ink::border), true, "fetched ahead"});
        if (now_ + ahead_ + 1 < static_cast<int>(walk_.steps.size()))
            items.push_back(
                {Fill::of(Ink::text_dim, kBand), Fill::of(Ink::border), false, "still to come"});
        items.push_back(
            {Fill::of(Ink::store, kDone), Fill::of(Ink::store), false, "the block's part of C"});
        return items;
    }

    // Where the three matrices lie, all to one scale but for those that would be too thin to see.
    void place(float y) {
        float head = line_height(kNoteSize) + 2;
        auto K = static_cast<float>(walk_.K), M = static_cast<float>(walk_.M),
             N = static_cast<float>(walk_.N);
        float scale = (in_.width - kMatrixGap - 2) / (K + N);
        float room = in_.height > 0 ? in_.height - y - 2 * head - kMatrixGap - 2 : in_.width;
        scale = std::max(kLeastScale, std::min(scale, room / (K + M)));
        auto side = [&](float elements) {
            return std::round(std::max(kThinnest, elements * scale));
        };
        float left = side(K), top = y + head;
        b_ = {left + kMatrixGap, top, side(N), side(K)};
        float below = top + b_.h + kMatrixGap + head - 2;
        a_ = {0, below, left, side(M)};
        c_ = {b_.x, below, b_.w, a_.h};
    }

    void matrix(const char* name, const Box& box, const std::string& size) {
        float height = line_height(kNoteSize);
        float wide = measure_(name, kNoteSize, Font::bold) + 1;
        figure_.text({box.x, box.y - height, wide, height}, name, kNoteSize, Fill::of(Ink::text),
                     Align::left, Font::bold);
        text_if_it_fits(figure_, {box.x + wide + 6, box.y - height, box.w - wide - 6, height}, size,
                        kNoteSize, Fill::of(Ink::text_dim), measure_, Align::left);
        figure_.rect(box, Fill::of(Ink::panel), Fill::of(Ink::border));
    }

    // The part of a box that covers these rows and columns.
    static Box within(const Box& box, const Span& rows, int of_rows, const Span& cols,
                      int of_cols) {
        auto at = [](float begin, float length, int index, int of) {
            return begin + length * static_cast<float>(index) / static_cast<float>(of);
        };
        float x0 = at(box.x, box.w, cols.begin, of_cols), x1 = at(box.x, box.w, cols.end, of_cols);
        float y0 = at(box.y, box.h, rows.begin, of_rows), y1 = at(box.y, box.h, rows.end, of_rows);
        return {x0, y0, std::max(1.f, x1 - x0), std::max(1.f, y1 - y0)};
    }
    Box part_of_a(const WalkStep& step) const {
        return within(a_, step.rows, walk_.M, step.k, walk_.K);
    }
    Box part_of_b(const WalkStep& step) const {
        return within(b_, step.k, walk_.K, step.cols, walk_.N);
    }

    // All that the walk passes.
    void band() {
        Span all;
        for (const WalkStep& step : walk_.steps) all.add(step.k);
        if (all.is_empty()) return;
        figure_.rect(within(a_, walk_.c_rows, walk_.M, all, walk_.K),
                     Fill::of(Ink::text_dim, kBand));
        figure_.rect(within(b_, all, walk_.K, walk_.c_cols, walk_.N),
                     Fill::of(Ink::text_dim, kBand));
    }

    void part(int i) {
        const WalkStep& step = walk_.steps[static_cast<size_t>(i)];
        State state = state_of(walk_, i, now_, ahead_);
        std::string action = fmt::format("step:{}", i), when = times_of(walk_, step);
        auto one = [&](const Span& side, const Box& box, const std::string& name) {
            if (side.is_empty()) return;
            if (state != State::later) figure_.rect(box, fill_of(state));
            if (state == State::ahead) hatch(figure_, box, Fill::of(Ink::load));
            if (state == State::now)
                figure_.rect(box, Fill::none(), Fill::of(Ink::accent)).stroke_width = 2;
            figure_.hit(box, fmt::format("{}: step {}{}", name, i + 1, when), action);
        };
        one(step.rows, part_of_a(step), fmt::format("A[{}][{}]", range(step.rows), range(step.k)));
        one(step.cols, part_of_b(step), fmt::format("B[{}][{}]", range(step.k), range(step.cols)));
    }

    void tile_of_c() {
        if (walk_.c_rows.is_empty()) return;
        Box box = within(c_, walk_.c_rows, walk_.M, walk_.c_cols, walk_.N);
        figure_.rect(box, Fill::of(Ink::store, kDone), Fill::of(Ink::store)).stroke_width = 2;
        figure_.hit(box,
                    fmt::format("C[{}][{}]: the sums of steps 1 to {} of {}", range(walk_.c_rows),
                                range(walk_.c_cols), now_ + 1, walk_.steps.size()));
    }

    const WalkFigureInput& in_;
    const TileWalk& walk_;
    const Measure& measure_;
    int now_, ahead_ = 0;
    Box a_, b_, c_;
    Drawing figure_;
};

Ink ink_on(State state) {
    if (state == State::now) return Ink::background;
    return state == State::later ? Ink::text_dim : Ink::text;
}

struct Cell {
    float x, w;
};
Cell cell_of(const TileWalk& walk, float width, int step) {
    float each = width / static_cast<float>(walk.steps.size());
    return {each * static_cast<float>(step), each};
}

}  // namespace

std::string words_of(const TileWalk& walk, int step) {
    if (walk.steps.empty()) return "";
    step = clamped(walk, step);
    const WalkStep& s = walk.steps[static_cast<size_t>(step)];
    return fmt::format(
               // words: may stand, because it is a product in words
               "Step {} of {}, k = {}: {} x {} elements of A times {} x {} of B are added to {} x "
               "{} of C.",
               step + 1, walk.steps.size(), range(s.k), s.rows.size(), s.k.size(), s.k.size(),
               s.cols.size(), walk.c_rows.size(), walk.c_cols.size()) +
           meanwhile(walk, step);
}

int walk_step_at(const TileWalk& walk, float width, float x) {
    auto count = static_cast<int>(walk.steps.size());
    if (count == 0 || width <= 0) return 0;
    return std::clamp(static_cast<int>(x / width * static_cast<float>(count)), 0, count - 1);
}

Drawing walk_strip(const TileWalk& walk, int step, float width, const Measure& measure) {
    if (walk.steps.empty()) return words_only("This block takes no step.", width, measure);
    Drawing strip;
    strip.width = width;
    strip.height = kStripHeight + 2;
    int now = clamped(walk, step), ahead = fetched_ahead(walk, static_cast<size_t>(now));
    strip.rect({0, 0, width, kStripHeight}, Fill::of(Ink::panel), Fill::of(Ink::border));
    for (int i = 0; i < static_cast<int>(walk.steps.size()); ++i) {
        Cell cell = cell_of(walk, width, i);
        State state = state_of(walk, i, now, ahead);
        Box box{cell.x, 0, std::max(1.f, cell.w), kStripHeight};
        bool apart = cell.w >= 3;  // else the lines between them would be all there is
        // At full strength: its number stands on it.
        Fill fill = state == State::now ? Fill::of(Ink::accent) : fill_of(state);
        strip.rect(box, fill, apart ? Fill::of(Ink::grid) : Fill::none());
        if (state == State::ahead && cell.w >= 6) {  // below the number, which stays readable
            constexpr float kHatched = 7;
            hatch(strip, {box.x, kStripHeight - kHatched, box.w, kHatched}, Fill::of(Ink::load));
        }
        text_if_it_fits(strip, box, std::to_string(i + 1), kNoteSize, Fill::of(ink_on(state)),
                        measure);
        strip.hit(
            box,
            fmt::format("Step {}: k = {}{}", i + 1, range(walk.steps[static_cast<size_t>(i)].k),
                        times_of(walk, walk.steps[static_cast<size_t>(i)])),
            fmt::format("step:{}", i));
    }
    Cell cell = cell_of(walk, width, now);
    strip
        .rect({std::min(cell.x, width - 3), 0, std::max(3.f, cell.w), kStripHeight}, Fill::none(),
              Fill::of(Ink::accent))
        .stroke_width = 2;
    return strip;
}

Drawing walk_figure(const WalkFigureInput& input, const Measure& measure) {
    if (!input.walk || input.walk->steps.empty())
        return words_only("This block multiplies nothing: it fetches no element of A or of B.",
                          input.width, measure);
    return WalkFigure(input, measure).draw();
}

}  // namespace lanewise
