// Finds the lattices of a drawing, and writes the cells of one colour on one of them.
#include "figure/drawing/svg_lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace lanewise {
namespace {

bool is_near(float a, float b) {
    constexpr float kNear = 0.04f;  // points: less than rounding to a tenth moves
    return std::abs(a - b) < kNear;
}

}  // namespace

bool is_plain(const Shape& shape) {
    constexpr float kSeen = 1;  // a smaller radius is not
    return shape.kind == Shape::Kind::rect && shape.radius <= kSeen;
}

bool is_cell(const Shape& shape) {
    const Box& box = shape.box;
    return is_plain(shape) && shape.stroke.kind == Fill::Kind::none &&
           shape.fill.kind != Fill::Kind::none && box.w > 0 && box.h > 0 &&
           std::isfinite(box.x + box.y + box.w + box.h);
}

CellBlock Lattice::place(const Box& box) const {
    return {static_cast<int>(std::lround((box.y - first.y) / first.h)),
            static_cast<int>(std::lround((box.x - first.x) / first.w))};
}

bool Lattice::has(const Box& box) const {
    if (!is_near(box.w, first.w) || !is_near(box.h, first.h)) return false;
    CellBlock at = place(box);
    return is_near(first.x + static_cast<float>(at.col) * first.w, box.x) &&
           is_near(first.y + static_cast<float>(at.row) * first.h, box.y);
}

std::string Lattice::transform() const {
    return fmt::format(" transform=\"translate({} {})scale({} {})\"", in_decimals(first.x, 2),
                       in_decimals(first.y + first.h / 2, 2), in_decimals(first.w, 4),
                       in_decimals(first.h, 4));
}

Lattices::Lattices(const Drawing& drawing) {
    constexpr size_t kMost = 512;  // keeps a map of ten thousand sizes quick
    for (const Shape& shape : drawing.shapes) {
        if (!shape.stands(kAtRest) || !is_cell(shape)) continue;
        size_t index = find(shape.box);
        if (index == all_.size() && index < kMost) all_.push_back({shape.box});
        if (index < all_.size()) ++all_[index].cells;
    }
}

int Lattices::of(const Shape& shape) const {
    constexpr int kFew = 6;
    size_t index = is_cell(shape) ? find(shape.box) : all_.size();
    return index == all_.size() || all_[index].cells < kFew ? -1 : static_cast<int>(index);
}

size_t Lattices::find(const Box& box) const {
    auto found = std::find_if(all_.begin(), all_.end(),
                              [&](const Lattice& lattice) { return lattice.has(box); });
    return static_cast<size_t>(found - all_.begin());
}

namespace {

std::vector<CellBlock> runs_of(std::vector<CellBlock> blocks) {
    auto key = [](const CellBlock& block) { return std::tuple(block.row, block.rows, block.col); };
    std::sort(blocks.begin(), blocks.end(),
              [&](const CellBlock& a, const CellBlock& b) { return key(a) < key(b); });
    std::vector<CellBlock> runs;
    for (const CellBlock& block : blocks) {
        bool goes_on = !runs.empty() && runs.back().row == block.row &&
                       runs.back().rows == block.rows &&
                       block.col <= runs.back().col + runs.back().cols;
        if (!goes_on) runs.push_back(block);
        CellBlock& run = runs.back();
        run.cols = std::max(run.cols, block.col + block.cols - run.col);
    }
    return runs;
}

void write_block(const CellBlock& block, CellPaths& paths) {
    constexpr int kWide = 3;
    float top = static_cast<float>(block.row) - 0.5f, left = static_cast<float>(block.col);
    float rows = static_cast<float>(block.rows), cols = static_cast<float>(block.cols);
    if (std::min(block.rows, block.cols) >= kWide)
        paths.fills.box({left, top, cols, rows}, false);
    else if (block.cols >= block.rows)
        for (float y = top + 0.5f; y < top + rows; ++y)
            paths.strokes.either_way({left, y}, {left + cols, y});
    else
        for (float x = left + 0.5f; x < left + cols; ++x)
            paths.strokes.either_way({x, top}, {x, top + rows});
}

}  // namespace

std::vector<CellBlock> joined(std::vector<CellBlock> blocks) {
    std::vector<CellBlock> joined;
    std::map<std::tuple<int, int, int>, size_t> open;  // by the next row, column and width
    for (const CellBlock& run : runs_of(std::move(blocks))) {
        auto above = open.find({run.row, run.col, run.cols});
        size_t index = above == open.end() ? joined.size() : above->second;
        if (index == joined.size()) joined.push_back({run.row, run.col, 0, run.cols});
        joined[index].rows += run.rows;
        open[{run.row + run.rows, run.col, run.cols}] = index;
    }
    return joined;
}

CellPaths cell_paths(const std::vector<CellBlock>& cells) {
    CellPaths paths;
    for (const CellBlock& block : joined(cells)) write_block(block, paths);
    return paths;
}

}  // namespace lanewise
