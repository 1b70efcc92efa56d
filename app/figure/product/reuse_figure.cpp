#include "figure/product/reuse_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kPanelGap = 24, kMinHeight = 24;
constexpr int kMostCells = 48;  // along the longer side
constexpr float kFaintest = 0.12f;

// "each element once", "each element 16 times", "1 to 4 times, 2.5 on average"
std::string fetch_words(const ReuseMap::Range& range) {
    if (range.most == 0) return "never";
    if (range.least < range.most)
        return fmt::format("{} to {} times, {:.1f} on average", with_thousands(range.least),
                           with_thousands(range.most), range.mean);
    return range.most == 1 ? "each element once"
                           : fmt::format("each element {} times", with_thousands(range.most));
}

std::string times(double mean) { return mean == 1 ? "once" : fmt::format("{:.4g} times", mean); }

struct Panel {
    const char* name;
    const char* from;
    const ReuseMap& map;
    const std::vector<uint32_t>& fetches;
    bool is_written = false;
};

class ReuseFigure {
  public:
    ReuseFigure(const ReuseFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = input.width;
        for (const ReuseMap* map : {input.a, input.b, input.c ? input.c : input.b})
            for (const std::vector<uint32_t>* fetches : {&map->global, &map->shared})
                most_ = std::max<double>(most_, range_of(*fetches).most);
    }

    Drawing draw() {
        float y = 0;
        if (!in_.caption.empty())
            y = paragraph(figure_, {0, 0}, in_.width, in_.caption, kBodySize,
                          Fill::of(Ink::text_dim), measure_) +
                6;
        std::vector<Panel> above = {{"A", "global memory", *in_.a, in_.a->global},
                                    {"B", "global memory", *in_.b, in_.b->global}};
        if (in_.c) above.push_back({"C", "global memory", *in_.c, in_.c->global, true});
        y = row(y, above);
        y = row(y + kPanelGap, {{"A", "shared memory", *in_.a, in_.a->shared},
                                {"B", "shared memory", *in_.b, in_.b->shared}});
        float below =
            legend(figure_, {0, y + 10}, in_.width,
                   {{Fill::of(Ink::refetched, kFaintest), Fill::of(Ink::border), false, "rarely"},
                    {Fill::of(Ink::refetched), Fill::of(Ink::border), false,
                     fmt::format("{} times, the most here", with_thousands(uint64_t(most_)))}},
                   measure_);
        figure_.height = below + 2;
        return std::move(figure_);
    }

  private:
    float panel_width() const {
        float panels = in_.c ? 3 : 2;
        return (in_.width - (panels - 1) * kPanelGap) / panels;
    }

    // Returns the y below it.
    float row(float y, const std::vector<Panel>& panels) {
        float below = y, x = 0;
        for (const Panel& each : panels) {
            below = std::max(below, panel({x, y}, each));
            x += panel_width() + kPanelGap;
        }
        return below;
    }

    // Returns the y below it.
    float panel(Point at, const Panel& panel) {
        ReuseMap::Range range = range_of(panel.fetches);
        float y = paragraph(
            figure_, at, panel_width(),
            fmt::format("{} {} {}", panel.name, panel.is_written ? "to" : "from", panel.from),
            kBodySize, Fill::of(Ink::text), measure_, Font::bold);
        y = paragraph(figure_, {at.x, y}, panel_width(), fetch_words(range), kBodySize,
                      Fill::of(Ink::text), measure_) +
            4;
        float height =
            panel_width() * static_cast<float>(panel.map.rows) / static_cast<float>(panel.map.cols);
        Box box{at.x, y, panel_width(), std::clamp(height, kMinHeight, panel_width() * 0.7f)};
        figure_.rect(box, Fill::none(), Fill::of(Ink::border));
        cells(box, panel);
        return box.y + box.h;
    }

    void cells(Box box, const Panel& panel) {
        const ReuseMap& map = panel.map;
        int step = (std::max(map.rows, map.cols) + kMostCells - 1) / kMostCells;
        // Whole points, so that no seam shows between cells of one colour.
        auto x_of = [&](int col) {
            return std::round(box.x +
                              box.w * static_cast<float>(col) / static_cast<float>(map.cols));
        };
        auto y_of = [&](int row) {
            return std::round(box.y +
                              box.h * static_cast<float>(row) / static_cast<float>(map.rows));
        };
        for (int row = 0; row < map.rows; row += step)
            for (int col = 0; col < map.cols; col += step) {
                int row_end = std::min(row + step, map.rows),
                    col_end = std::min(col + step, map.cols);
                Box cell{x_of(col), y_of(row), x_of(col_end) - x_of(col),
                         y_of(row_end) - y_of(row)};
                double mean = mean_of(panel, row, row_end, col, col_end);
                if (mean > 0)
                    figure_.rect(cell, Fill::of(Ink::refetched,
                                                kFaintest + (1 - kFaintest) *
                                                                static_cast<float>(mean / most_)));
                figure_.hit(cell, words_at(panel, row, row_end, col, col_end, mean));
            }
    }

    static double mean_of(const Panel& panel, int row, int row_end, int col, int col_end) {
        double sum = 0;
        for (int r = row; r < row_end; ++r)
            for (int c = col; c < col_end; ++c)
                sum += panel.fetches[static_cast<size_t>(r) * static_cast<size_t>(panel.map.cols) +
                                     static_cast<size_t>(c)];
        return sum / ((row_end - row) * (col_end - col));
    }

    static std::string words_at(const Panel& panel, int row, int row_end, int col, int col_end,
                                double mean) {
        auto span = [](int first, int end) {
            return end == first + 1 ? std::to_string(first) : fmt::format("{}-{}", first, end - 1);
        };
        return fmt::format("{}[{}][{}]: {} {} {} {}", panel.name, span(row, row_end),
                           span(col, col_end), panel.is_written ? "written" : "fetched",
                           times(mean), panel.is_written ? "to" : "from", panel.from);
    }

    const ReuseFigureInput& in_;
    const Measure& measure_;
    double most_ = 1;  // fetches of any element: one scale for all four maps
    Drawing figure_;
};

}  // namespace

Drawing reuse_figure(const ReuseFigureInput& input, const Measure& measure) {
    if (!input.a || !input.b || input.a->global.empty() || input.b->global.empty())
        return words_only("There is nothing to fetch: a matrix is empty.", input.width, measure);
    return ReuseFigure(input, measure).draw();
}

}  // namespace lanewise
