// Joins straight lines, and finds rows of equal pieces at equal distances, first downwards, then across.
#include "figure/drawing/svg_dashes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanewise {
namespace {

constexpr size_t kFewest = 4;  // of fewer the pieces themselves are hardly longer

// A piece as a line has it: where it begins along that line, and where the line lies.
struct OnLine {
    int across, width, length, begin;
    bool operator<(const OnLine& other) const {
        return std::tie(across, width, length, begin) <
               std::tie(other.across, other.width, other.length, other.begin);
    }
    bool is_beside(const OnLine& other) const {
        return across == other.across && width == other.width && length == other.length;
    }
};

OnLine on_line(const CellBlock& piece, bool down) {
    if (down) return {piece.col, piece.cols, piece.rows, piece.row};
    return {piece.row, piece.rows, piece.cols, piece.col};
}

CellBlock piece_of(const OnLine& it, bool down) {
    if (down) return {it.begin, it.across, it.length, it.width};
    return {it.across, it.begin, it.width, it.length};
}

// How many from `first` on are equally far apart.
size_t count_from(const std::vector<OnLine>& sorted, size_t first) {
    size_t end = first + 1;
    while (end < sorted.size() && sorted[end].is_beside(sorted[first]) &&
           sorted[end].begin - sorted[end - 1].begin ==
               sorted[first + 1].begin - sorted[first].begin)
        ++end;
    return end - first;
}

// Its middle may lie on half a tenth.
std::string line_text(const OnLine& first, int length, bool down) {
    std::string across = in_decimals(static_cast<float>(2 * first.across + first.width) / 20, 2);
    std::string begin = in_tenths(static_cast<float>(first.begin) / 10);
    return fmt::format("M{} {}{}{}", down ? across : begin, down ? begin : across, down ? 'v' : 'h',
                       in_tenths(static_cast<float>(length) / 10));
}

void take_dashes(bool down, Dashes& dashes) {
    std::vector<OnLine> sorted;
    for (const CellBlock& piece : dashes.rest) sorted.push_back(on_line(piece, down));
    std::sort(sorted.begin(), sorted.end());
    dashes.rest.clear();
    for (size_t i = 0; i < sorted.size();) {
        const size_t count = count_from(sorted, i);
        const int step = count < 2 ? 0 : sorted[i + 1].begin - sorted[i].begin;
        const bool is_row = count >= kFewest && step > sorted[i].length && sorted[i].length > 0;
        if (is_row) {
            const int length = sorted[i + count - 1].begin + sorted[i].length - sorted[i].begin;
            dashes.paths[{sorted[i].width, sorted[i].length, step - sorted[i].length}] +=
                line_text(sorted[i], length, down);
        } else {
            for (size_t k = i; k < i + count; ++k) dashes.rest.push_back(piece_of(sorted[k], down));
        }
        i += count;
    }
}

}  // namespace

void StraightLines::add(Point from, Point to) { lines_.emplace_back(from, to); }

// From left to right, or downwards, where it lies along an axis.
static std::pair<Point, Point> forwards(std::pair<Point, Point> line) {
    bool across = line.first.y == line.second.y;
    bool down = line.first.x == line.second.x;
    if ((across && line.second.x < line.first.x) || (down && line.second.y < line.first.y))
        std::swap(line.first, line.second);
    return line;
}

std::vector<CellBlock> StraightLines::along_axes(PathText& slanted) const {
    using End = std::tuple<bool, int, int>;  // whether it lies across, and where
    auto tenths = [](float value) { return static_cast<int>(std::lround(value * 10)); };
    std::vector<CellBlock> pieces;
    std::map<End, size_t> ends;
    for (const auto& line : lines_) {
        auto [from, to] = forwards(line);
        const bool across = from.y == to.y;
        if ((!across && from.x != to.x) || !std::isfinite(from.x + from.y + to.x + to.y)) {
            slanted.either_way(from, to);
            continue;
        }
        auto before = ends.extract({across, tenths(from.x), tenths(from.y)});
        size_t index = before.empty() ? pieces.size() : before.mapped();
        if (index == pieces.size()) pieces.push_back({tenths(from.y), tenths(from.x), 0, 0});
        pieces[index].rows = tenths(to.y) - pieces[index].row;
        pieces[index].cols = tenths(to.x) - pieces[index].col;
        ends[{across, tenths(to.x), tenths(to.y)}] = index;
    }
    return pieces;
}

std::string Dash::attributes() const {
    std::string dashes = fmt::format(" stroke-dasharray=\"{} {}\"", in_tenths(static_cast<float>(length) / 10),
                                     in_tenths(static_cast<float>(gap) / 10));
    if (width == 0) return dashes;
    return fmt::format(" stroke-width=\"{}\"", in_tenths(static_cast<float>(width) / 10)) + dashes;
}

Dashes dashes_of(std::vector<CellBlock> pieces) {
    Dashes dashes;
    dashes.rest = std::move(pieces);
    for (bool down : {true, false}) take_dashes(down, dashes);
    return dashes;
}

}  // namespace lanewise
