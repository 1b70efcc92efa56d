// The warp microscope while it is drawn, from top to bottom. Private to figure/: warp_figure.cpp
// has its words and lanes, warp_memory.cpp the memory below them.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "figure/access/warp_lines.h"
#include "figure/drawing/figures.h"
#include "trace/count/rules.h"

namespace lanewise {

inline constexpr float kSectorGap = 2;
inline constexpr float kEdge = 1;  // keeps strokes of the outermost cells inside the drawing

struct WarpSpan {
    float x0 = 0, x1 = 0;
    float width() const { return x1 - x0; }
};

class WarpFigure {
  public:
    // `stretch`: points that its ribbons and its memory are higher than they need to be.
    WarpFigure(const WarpFigureInput& input, const Measure& measure, float stretch);
    Drawing draw();

  private:
    // ---- words and lanes
    void draw_title();
    std::string verdict(bool ideal) const;
    std::string thread(int lane) const;
    void draw_threads();
    WarpSpan lane_span(int lane) const {
        float cell = (in_.width - 2 * kEdge) / 32;
        return {kEdge + cell * static_cast<float>(lane),
                kEdge + cell * static_cast<float>(lane + 1)};
    }
    bool active(int lane) const { return access_.mask >> lane & 1; }
    std::string lane_words(int lane) const;
    void draw_lanes();
    std::string pattern() const;
    float traffic_left() const { return 64; }  // where its bars begin
    void draw_traffic();
    void draw_traffic_bar(const char* name, int useful, int sectors, float per_byte);
    void draw_footer();

    // ---- memory
    struct Strip {  // one line of it, and where its ribbons begin
        Box box;
        float ribbons_from, per_byte, number_size;
        Box bytes(int first, int count) const {
            auto gaps = static_cast<float>(first / kSectorBytes);
            return {box.x + per_byte * static_cast<float>(first) + kSectorGap * gaps, box.y,
                    per_byte * static_cast<float>(count), box.h};
        }
    };
    void ribbon(int lane, float top, float bottom, WarpSpan target);
    size_t lines_side_by_side() const;
    // Whether lines i-1 and i are neighbours in memory; else a gap says so.
    bool adjoins(size_t i) const { return lines_[i].offset == lines_[i - 1].offset + kLineBytes; }
    void draw_strip();
    float common_number_size(float per_byte, float height) const;
    void draw_strip_line(const Strip& strip, const TouchedLine& line);
    void name_lanes_of_sector(const Strip& strip, const TouchedLine& line, int sector);
    static WarpSpan at_least_visible(WarpSpan span) {
        float missing = std::max(0.0f, 1.5f - span.width()) / 2;
        return {span.x0 - missing, span.x1 + missing};
    }
    void draw_sector(Box box, const TouchedLine& line, int sector);
    static uint32_t sector_lanes(const TouchedLine& line, int sector);
    void draw_bytes(Box box, uint32_t lanes, float number_size);
    std::string offset_words(int64_t offset) const;
    void draw_line_labels(Box box, const TouchedLine& line);
    WarpSpan column_span(size_t i) const {
        float cell = (in_.width - 2 * kEdge) / static_cast<float>(lines_.size());
        return {kEdge + cell * static_cast<float>(i), kEdge + cell * static_cast<float>(i + 1)};
    }
    void draw_columns();
    void draw_column_ribbons(uint32_t lanes, float top, float bottom, WarpSpan span);
    void draw_column_addresses();

    const WarpFigureInput& in_;
    const Measure& measure_;
    const TracedAccess& access_;
    const InstructionReport& instruction_;
    std::string buffer_name_;
    std::vector<TouchedLine> lines_;
    Drawing figure_;
    float stretch_, y_ = 0;
    int sector_number_ = 0;
};

}  // namespace lanewise
