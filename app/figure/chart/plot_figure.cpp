// A plot from the back to the front: areas, regions, grid, references, series, names, legend.
#include "figure/chart/plot_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figure/chart/chart_parts.h"
#include "figure/chart/plot_clip.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kLeastHeight = 180, kPointMark = 3.5f, kHit = 6;
constexpr float kNamesRight = 520;  // from here on names stand right of the plot

class PlotFigure {
  public:
    PlotFigure(const PlotFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = in_.width;
        std::vector<double> xs, ys;
        for (const PlotSeries& series : in_.series)
            for (const PlotPoint& point : series.points) {
                xs.push_back(point.x);
                ys.insert(ys.end(), {point.y, point.high});
            }
        for (const PlotReference& line : in_.references) ys.push_back(line.y);
        x_range_ = axis_range(in_.x, xs);
        y_range_ = axis_range(in_.y, ys);
    }

    Drawing draw() {
        bool any = std::any_of(in_.series.begin(), in_.series.end(),
                               [](const PlotSeries& series) { return !series.points.empty(); });
        if (!any) return words_only(in_.nothing, in_.width, measure_);
        if (!in_.caption.empty())
            y_ = paragraph(figure_, {0, 0}, in_.width, in_.caption, kNoteSize, dim(), measure_) + 4;
        figure_.text({0, y_, in_.width, line_height(kNoteSize)}, in_.y.title, kNoteSize, dim());
        y_ += 1.5f * line_height(kNoteSize);  // half a line more than it needs: the highest tick's
        shape_plot();
        for (const PlotArea& area : in_.areas) draw_area(area);
        for (size_t i = 0; i < in_.regions.size(); ++i) draw_region(in_.regions[i], i % 2 == 0);
        draw_axes();
        for (const PlotReference& line : in_.references) draw_reference(line);
        for (bool strong : {false, true})
            for (const PlotSeries& series : in_.series)
                if (series.strong == strong) draw_series(series);
        for (bool strong : {false, true})
            for (const PlotSeries& series : in_.series)
                if (series.strong == strong) add_hits(series);
        draw_names();
        figure_.height = draw_below(figure_, plot_.y + plot_.h + 2 * kAxisHeight + 4);
        return std::move(figure_);
    }
    Box plot() const { return plot_; }

  private:
    static Fill dim() { return Fill::of(Ink::text_dim); }
    bool wide() const { return in_.width >= kNamesRight; }

    // ---- places

    void shape_plot() {
        Drawing unseen;  // only to know how high it is
        float below = draw_below(unseen, 0) + 2 * kAxisHeight + 4;
        float height = std::max(kLeastHeight, in_.height - y_ - below);
        auto most = static_cast<int>(height / 34);
        y_ticks_ =
            round_ticks(in_.y, shown_range(in_.y, y_range_, in_.window.y0, in_.window.y1), most);
        float left = 0;
        for (const PlotTick& tick : y_ticks_)
            left = std::max(left, measure_(tick.label, kNoteSize, Font::mono));
        left += 7;
        float right = kPointMark + 2;
        if (wide()) {
            for (const PlotSeries& series : in_.series)
                if (series.named)
                    right = std::max(right, measure_(series.name, kNoteSize, name_font(series)));
            for (const PlotReference& line : in_.references)
                right = std::max(right, measure_(line.name, kNoteSize, Font::text));
            right = std::min(right + 18, in_.width * 0.28f);
        }
        plot_ = {left, y_, in_.width - left - right, height};
    }

    // The values between which the window lies.
    static std::pair<double, double> shown_range(const PlotAxis& axis,
                                                 std::pair<double, double> range, double from,
                                                 double to) {
        auto at = [&](double share) {
            return axis.log ? range.first * std::pow(range.second / range.first, share)
                            : range.first + share * (range.second - range.first);
        };
        return {at(from), at(to)};
    }

    // Far outside values stay finite, so that lines to them can be cut.
    static float stretched(double share, double from, double to) {
        return static_cast<float>(std::clamp((share - from) / (to - from), -1e4, 1e4));
    }
    float x_of(double value) const {
        double share = in_.x.log && value <= 0 ? -1e4 : share_of(in_.x, x_range_, value);
        return plot_.x + plot_.w * stretched(share, in_.window.x0, in_.window.x1);
    }
    float y_of(double value) const {
        double share = in_.y.log && value <= 0 ? -1e4 : share_of(in_.y, y_range_, value);
        return plot_.y + plot_.h * (1 - stretched(share, in_.window.y0, in_.window.y1));
    }
    Point at(const PlotPoint& p) const { return {x_of(p.x), y_of(p.y)}; }
    bool inside(Point p) const {
        constexpr float kForgiven = 0.5f;
        return p.x >= plot_.x - kForgiven && p.x <= plot_.x + plot_.w + kForgiven &&
               p.y >= plot_.y - kForgiven && p.y <= plot_.y + plot_.h + kForgiven;
    }

    Shape* clipped_line(Point from, Point to, Fill ink, float width) {
        return clip_line(from, to, plot_) ? &figure_.line(from, to, ink, width) : nullptr;
    }

    // ---- behind the points

    void draw_area(const PlotArea& area) {
        std::vector<Point> corners;
        for (auto [x, y] : area.corners) corners.push_back({x_of(x), y_of(y)});
        corners = clip_polygon(std::move(corners), plot_);
        if (corners.size() >= 3) figure_.polygon(std::move(corners), Fill::of(area.ink, 0.14f));
    }

    void draw_region(const PlotRegion& region, bool shaded) {
        float from = std::max(plot_.x, x_of(region.from));
        float to = std::min(plot_.x + plot_.w, x_of(region.to));
        if (to - from < 1) return;
        Box box{from, plot_.y, to - from, plot_.h};
        if (shaded) figure_.rect(box, Fill::of(Ink::grid, 0.45f));
        Box name{from + 2, plot_.y + 2, to - from - 4, line_height(kNoteSize)};
        std::vector<std::string> lines =
            wrapped(region.name, name.w, kNoteSize, Font::text, measure_);
        bool whole = std::none_of(lines.begin(), lines.end(), [](const std::string& each) {
            return each.empty() || each.ends_with("…");
        });
        for (const std::string& each : lines) {
            if (whole) {
                figure_.text(name, each, kNoteSize, dim(), Align::center);
                float words = measure_(each, kNoteSize, Font::text);
                region_words_.push_back({name.x + (name.w - words) / 2, name.y, words, name.h});
            }
            name.y += name.h;
        }
        figure_.hit(box, region.name + "\n" + region.because);
    }

    // Through no region's name; those lie from left to right.
    void grid_line(float y) {
        constexpr float kBeside = 3;
        float from = plot_.x;
        for (const Box& name : region_words_) {
            if (y < name.y || y > name.y + name.h) continue;
            if (name.x - kBeside > from)
                figure_.line({from, y}, {name.x - kBeside, y}, Fill::of(Ink::grid));
            from = std::max(from, name.x + name.w + kBeside);
        }
        if (from < plot_.x + plot_.w)
            figure_.line({from, y}, {plot_.x + plot_.w, y}, Fill::of(Ink::grid));
    }

    void draw_axes() {
        float below = plot_.y + plot_.h, half = line_height(kNoteSize) / 2;
        for (const PlotTick& tick : y_ticks_) {
            float y = y_of(tick.value);
            if (!inside({plot_.x, y})) continue;
            grid_line(y);
            figure_.text({0, y - half, plot_.x - 5, 2 * half}, tick.label, kNoteSize, dim(),
                         Align::right, Font::mono);
        }
        std::vector<PlotTick> ticks = in_.x.ticks;
        if (ticks.empty())
            ticks = round_ticks(in_.x, shown_range(in_.x, x_range_, in_.window.x0, in_.window.x1),
                                static_cast<int>(plot_.w / 60));
        float free_from = 0;
        for (const PlotTick& tick : ticks) {
            float x = x_of(tick.value);
            if (!inside({x, below})) continue;
            figure_.line({x, below}, {x, below + 4}, dim());
            float width = measure_(tick.label, kNoteSize, Font::mono) + 1;
            float left = std::clamp(x - width / 2, 0.0f, in_.width - width);
            if (left < free_from) continue;
            figure_.text({left, below + 4, width, kAxisHeight - 4}, tick.label, kNoteSize, dim(),
                         Align::center, Font::mono);
            free_from = left + width + 6;
        }
        figure_.line({plot_.x, below}, {plot_.x + plot_.w, below}, Fill::of(Ink::border));
        figure_.text({plot_.x, below + kAxisHeight, plot_.w, kAxisHeight},
                     shortened(in_.x.title, plot_.w, kNoteSize, Font::text, measure_), kNoteSize,
                     dim(), Align::center);
    }

    void draw_reference(const PlotReference& line) {
        float y = y_of(line.y);
        Shape* drawn = clipped_line({plot_.x, y}, {plot_.x + plot_.w, y}, Fill::of(line.ink), 1.5f);
        if (!drawn) return;
        drawn->dashed = line.dashed;
        names_.push_back(
            {y, line.name, line.name + "\n" + line.because, "", Font::text, line.ink, true});
    }

    // ---- series

    static Font name_font(const PlotSeries& series) {
        return series.strong ? Font::bold : Font::text;
    }

    void draw_series(const PlotSeries& series) {
        Fill ink = Fill::of(series.ink, series.strong ? 1 : 0.75f);
        const std::vector<PlotPoint>& points = series.points;
        if (series.joined)
            for (size_t i = 1; i < points.size(); ++i)
                if (Shape* drawn = clipped_line(at(points[i - 1]), at(points[i]), ink,
                                                series.strong ? 2.5f : 1.25f))
                    drawn->dashed = series.dashed;
        float last = -1;
        for (const PlotPoint& point : points) {
            Point p = at(point);
            if (!inside(p)) continue;
            last = p.y;
            if (point.high > point.low)
                clipped_line({p.x, y_of(point.low)}, {p.x, y_of(point.high)}, ink, 1.25f);
            draw_mark(series, p, point.filled);
        }
        if (series.joined && !points.empty()) last = end_of(series, last);
        if (last >= 0 && series.named)
            names_.push_back({last, series.name, series.name, series.action, name_font(series),
                              series.ink, series.strong});
    }

    // Where a line leaves the plot on the right: its name stands there.
    float end_of(const PlotSeries& series, float last) const {
        for (size_t i = series.points.size(); i-- > 1;) {
            Point from = at(series.points[i - 1]), to = at(series.points[i]);
            if (clip_line(from, to, plot_)) return to.y;
        }
        return last;
    }

    void draw_mark(const PlotSeries& series, Point p, bool filled) {
        float r = series.strong ? kPointMark + 1 : kPointMark;
        Fill ink = Fill::of(series.ink);
        Fill body = filled ? ink : Fill::of(Ink::background);
        Box box{p.x - r, p.y - r, 2 * r, 2 * r};
        switch (series.mark) {
            case PlotMark::none:
                return;
            case PlotMark::dot:
                figure_.rect(box, body, ink, r).stroke_width = 1.25f;
                return;
            case PlotMark::square:
                figure_.rect(box, body, ink).stroke_width = 1.25f;
                return;
            case PlotMark::diamond:
                figure_.polygon(diamond(p, r + 1.5f), ink);
                if (!filled) figure_.polygon(diamond(p, r - 0.5f), body);
                return;
            case PlotMark::cross:
                figure_.line({p.x - r, p.y - r}, {p.x + r, p.y + r}, ink, 1.75f);
                figure_.line({p.x - r, p.y + r}, {p.x + r, p.y - r}, ink, 1.75f);
                return;
        }
    }
    static std::vector<Point> diamond(Point p, float r) {
        return {{p.x - r, p.y}, {p.x, p.y - r}, {p.x + r, p.y}, {p.x, p.y + r}};
    }

    void add_hits(const PlotSeries& series) {
        for (const PlotPoint& point : series.points) {
            Point p = at(point);
            if (point.words.empty() || !inside(p)) continue;
            Box box{std::clamp(p.x - kHit, 0.0f, in_.width - 2 * kHit), p.y - kHit, 2 * kHit,
                    2 * kHit};
            figure_.hit(box, point.source.empty() ? point.words : point.words + "\n" + point.source,
                        point.action.empty() ? series.action : point.action);
        }
    }

    // ---- names at the right, in the order of the heights at which their lines end

    struct Name {
        float y;
        std::string text, tooltip, action;
        Font font;
        Ink ink;
        bool always;
        float placed = 0;
    };

    void draw_names() {
        if (!wide()) return;
        float step = line_height(kNoteSize), x = plot_.x + plot_.w + 14;
        auto room = static_cast<size_t>(plot_.h / step);
        std::stable_sort(names_.begin(), names_.end(),
                         [](const Name& a, const Name& b) { return a.always > b.always; });
        if (names_.size() > room) names_.resize(room);
        std::stable_sort(names_.begin(), names_.end(),
                         [](const Name& a, const Name& b) { return a.y < b.y; });
        float free_from = plot_.y;
        for (Name& name : names_) {
            name.placed = std::max(name.y - step / 2, free_from);
            free_from = name.placed + step;
        }
        float free_to = plot_.y + plot_.h;
        for (size_t i = names_.size(); i-- > 0;) {
            names_[i].placed = std::min(names_[i].placed, free_to - step);
            free_to = names_[i].placed;
        }
        for (const Name& name : names_) draw_name(name, x, step);
    }

    void draw_name(const Name& name, float x, float height) {
        float room = in_.width - x;
        figure_.line({plot_.x + plot_.w + 2, name.y}, {x - 3, name.placed + height / 2},
                     Fill::of(name.ink, 0.6f));
        Box box{x, name.placed, room, height};
        figure_.text(box, shortened(name.text, room, kNoteSize, name.font, measure_), kNoteSize,
                     Fill::of(name.always ? Ink::text : Ink::text_dim), Align::left, name.font);
        figure_.hit(box, name.tooltip, name.action);
    }

    // ---- legend and notes; gives back the y below them

    float draw_below(Drawing& drawing, float y) const {
        std::vector<LegendItem> items;
        for (const PlotSeries& series : in_.series) {
            bool filled = series.points.empty() || series.points.front().filled;
            bool said = series.in_legend || (!wide() && series.strong);
            if (said && !series.points.empty())
                items.push_back({filled ? Fill::of(series.ink) : Fill::none(), Fill::of(series.ink),
                                 false, series.name});
        }
        for (const PlotArea& area : in_.areas)
            items.push_back(
                {Fill::of(area.ink, 0.14f), Fill::of(area.ink, 0.3f), false, area.name});
        if (!wide())
            for (const PlotReference& line : in_.references)
                items.push_back({Fill::of(line.ink), Fill::none(), false, line.name});
        if (!items.empty()) y = legend(drawing, {1, y}, in_.width - 2, items, measure_) + 4;
        for (const std::string& note : in_.notes)
            y = paragraph(drawing, {0, y}, in_.width, note, kNoteSize, dim(), measure_);
        return y + 2;
    }

    const PlotFigureInput& in_;
    const Measure& measure_;
    Drawing figure_;
    std::pair<double, double> x_range_, y_range_;
    std::vector<PlotTick> y_ticks_;
    std::vector<Name> names_;
    Box plot_;
    std::vector<Box> region_words_;  // the regions' names, line by line
    float y_ = 0;
};

}  // namespace

Drawing plot_figure(const PlotFigureInput& input, const Measure& measure, Box* plot) {
    PlotFigure figure(input, measure);
    Drawing drawing = figure.draw();
    if (plot) *plot = figure.plot();
    return drawing;
}

}  // namespace lanewise
