// A step of the data flow in words; see flow_figure.h.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "figure/access/life_figure.h"
#include "figure/flow/flow_elements.h"
#include "figure/flow/held_cells.h"

namespace lanewise {
namespace {

std::string range_words(const char* name, int64_t first, int64_t count) {
    if (count == 1) return fmt::format("{} {}", name, first);
    return fmt::format("{}s {} to {}", name, first, first + count - 1);
}

std::string sectors_words(const LifeStep& step) {
    std::string cost = counted(static_cast<uint64_t>(step.cost), "sector");
    return step.cost > step.ideal ? cost + fmt::format(", {} at best", step.ideal) : cost;
}

// "shared memory", or of several tiles "A in shared memory".
std::string shared_name(const FlowFigureInput& in, int tile) {
    return in.tiles && tile >= 0 ? name_of_tile(in, in.tiles->tiles[static_cast<size_t>(tile)])
                                 : "shared memory";
}

void include_shared(const FlowFigureInput& in, int tile, uint64_t address, int bytes,
                    TouchedBox& box) {
    auto include = [&](int64_t row, int64_t col) { box.include(row, col); };
    if (!in.tiles)
        for_each_element(address, bytes, in.tile_pitch, in.tile_element_bytes, include);
    else if (tile >= 0)
        for_each_element(in.tiles->tiles[static_cast<size_t>(tile)], address, bytes,
                         element_bytes_of(in, in.tiles->tiles[static_cast<size_t>(tile)]), include);
}

std::string what_happens(const FlowFigureInput& in, const TracedAccess& access,
                         const LifeStep& step) {
    std::string cost = sectors_words(step);
    if (step.is_shared()) {
        cost = counted(static_cast<uint64_t>(step.cost), "wavefront");
        if (step.cost > step.ideal) cost += fmt::format(", {} at best", step.ideal);
    }
    if (step.is_shared()) {
        if (in.tile_rows == 0) return cost;
        int tile = in.tiles ? in.tiles->of_access[static_cast<size_t>(step.access)] : 0;
        TouchedBox box;
        for (size_t lane = 0; lane < access.addresses.size(); ++lane)
            if (access.mask >> lane & 1)
                include_shared(in, tile, access.addresses[lane],
                               in.report->instructions[access.instruction].bytes_per_lane, box);
        return fmt::format("{} {}, {}: {}",
                           step.moment == Moment::shared_store ? "stores to" : "reads from",
                           shared_name(in, tile), box_words(box), cost);
    }
    TouchedBox box;
    auto include = [&](int64_t row, int64_t col, int) { box.include(row, col); };
    for (const FlowMatrix& matrix : in.matrices) {
        if (matrix.buffer != access.buffer) continue;
        for_each_element(in, access, matrix.cols, matrix.element_bytes, include);
        return fmt::format("{} {}, {}: {}",
                           step.moment == Moment::store ? "writes to" : "loads from", matrix.name,
                           box_words(box), cost);
    }
    return (step.moment == Moment::store ? "writes: " : "loads: ") + cost;
}

// ---- copies

// "in (rows 0 to 31, columns 32 to 63)".
std::string place_in_matrix(const FlowFigureInput& in, const TracedCopy& copy) {
    for (const FlowMatrix& matrix : in.matrices) {
        if (matrix.buffer != copy.buffer) continue;
        TouchedBox box;
        for_each_element(copy, false, matrix.cols, matrix.element_bytes,
                         [&](int64_t row, int64_t col, int) { box.include(row, col); });
        return box.rows == 0 ? matrix.name : fmt::format("{} ({})", matrix.name, box_words(box));
    }
    return "global memory";
}

std::string place_in_shared(const FlowFigureInput& in, const TracedCopy& copy) {
    TouchedBox box;
    auto index = static_cast<size_t>(&copy - in.block->copies.data());
    int tile = in.tiles ? in.tiles->of_copy[index] : 0;
    if (in.tile_rows > 0)
        for_each_piece(copy, true, [&](uint64_t address, int) {
            include_shared(in, tile, address, copy.bytes, box);
        });
    std::string name = shared_name(in, tile);
    return box.rows == 0 ? name : fmt::format("{} ({})", name, box_words(box));
}

// "the box of 32 × 32 × 1 at {32, 0, 0}", in the order of the kernel's coordinates.
std::string what_is_copied(const TracedCopy& copy) {
    if (!copy.start.empty())
        return fmt::format("the box of {} at {{{}}}", fmt::join(copy.extent, " × "),
                           fmt::join(copy.start, ", "));
    auto bytes = static_cast<uint64_t>(copy.bytes) * copy.pieces.size();
    return with_thousands(bytes) + " bytes";
}

std::string outside_words(const TracedCopy& copy) {
    auto count = std::count_if(copy.pieces.begin(), copy.pieces.end(),
                               [](const TracedCopy::Piece& piece) { return piece.is_outside; });
    if (count == 0) return "";
    auto bytes = static_cast<uint64_t>(count) * static_cast<uint64_t>(copy.bytes);
    if (!copy.is_bulk)
        return fmt::format(" {} read nothing: zeros come.", counted(uint64_t(count), "lane"));
    return fmt::format(" {} lie outside the matrix: {}.", counted(bytes, "byte"),
                       copy.to_shared ? "zeros come instead" : "they are not stored");
}

std::string issue_words(const FlowFigureInput& in, const TracedCopy& copy, const LifeStep& step) {
    std::string matrix = place_in_matrix(in, copy), cost = sectors_words(step);
    if (!copy.is_bulk)
        return fmt::format("Warp {} has {} copied to {} and does not wait: {}.{}", copy.warp,
                           matrix, place_in_shared(in, copy), cost, outside_words(copy));
    int lane = copy.pieces.empty() ? 0 : copy.pieces[0].lane;
    std::string who = fmt::format("Warp {}, lane {} has", copy.warp, lane);
    if (copy.to_shared)
        return fmt::format("{} {} fetched from {}: {}.{}", who, what_is_copied(copy), matrix, cost,
                           outside_words(copy));
    return fmt::format("{} {} taken from {} to {}: {}.{}", who, what_is_copied(copy),
                       place_in_shared(in, copy), matrix, cost, outside_words(copy));
}

std::string done_words(const FlowFigureInput& in, const TracedCopy& copy) {
    if (!copy.is_bulk)
        return fmt::format("What warp {} has copied from {} has arrived in {}.", copy.warp,
                           place_in_matrix(in, copy), place_in_shared(in, copy));
    std::string what = what_is_copied(copy);
    what[0] = what[0] == 't' ? 'T' : what[0];
    if (!copy.to_shared)
        return fmt::format("{} has been stored to {}.", what, place_in_matrix(in, copy));
    std::string swizzle =
        copy.swizzle_bytes ? fmt::format(", the 16-byte chunks of each row swizzled over {} bytes",
                                         copy.swizzle_bytes)
                           : "";
    return fmt::format("{} has arrived in {}{}: the phase of its mbarrier is over.", what,
                       place_in_shared(in, copy), swizzle);
}

// ---- shuffles

// Elements that the round has brought to another lane, up to the step at `index`.
int moved_in_round(const FlowFigureInput& in, size_t index) {
    const LifeStep& now = in.life->steps[index];
    int moved = 0;
    for (size_t i = 0; i <= index; ++i) {
        const TracedShuffle* shuffle = shuffle_of(in, in.life->steps[i]);
        bool is_of_round =
            in.life->warps[i] == in.life->warps[index] && in.life->steps[i].round == now.round;
        if (shuffle && is_of_round) moved += moved_elements(*shuffle);
    }
    return moved;
}

std::string shuffle_words(const FlowFigureInput& in, const TracedShuffle& shuffle, size_t index) {
    const int moved = moved_in_round(in, index);
    std::string elements = moved > 0 ? fmt::format(" So far {} moved to another lane.",
                                                   counted(static_cast<uint64_t>(moved), "element"))
                                     : "";
    return fmt::format("Warp {}, round {}: {}.{}", shuffle.warp, in.life->steps[index].round,
                       exchange_words(shuffle), elements);
}

}  // namespace

std::string name_of_tile(const FlowFigureInput& in, const SharedTile& tile) {
    for (const FlowMatrix& matrix : in.matrices)
        if (matrix.buffer == tile.buffer) return matrix.name + " in shared memory";
    return "shared memory, of results";
}

int element_bytes_of(const FlowFigureInput& in, const SharedTile& tile) {
    for (const FlowMatrix& matrix : in.matrices)
        if (matrix.buffer == tile.buffer) return matrix.element_bytes;
    return 4;
}

std::string box_words(const TouchedBox& box) {
    return range_words("row", box.row, box.rows) + ", " + range_words("column", box.col, box.cols);
}

size_t pieces_of_row(const TracedCopy& copy) {
    size_t rows = 1;
    for (size_t i = 1; i < copy.extent.size(); ++i)
        rows *= static_cast<size_t>(std::max<int64_t>(1, copy.extent[i]));
    return std::max<size_t>(1, copy.pieces.size() / rows);
}

std::string flow_words(const FlowFigureInput& in) {
    if (!in.life || in.life->steps.empty()) return "This block does nothing with memory.";
    if (in.step < 0) return "Nothing has been touched yet.";
    auto index = std::min(static_cast<size_t>(in.step), in.life->steps.size() - 1);
    const LifeStep& step = in.life->steps[index];
    uint32_t warp = in.life->warps[index];
    if (step.moment == Moment::barrier)
        return fmt::format("{} the barrier of line {}: what each stored before, all may read now.",
                           warp == 1 ? "1 warp leaves" : fmt::format("{} warps leave", warp),
                           step.line);
    if (const TracedCopy* copy = copy_of(in, step))
        return step.mark == TracedMark::Kind::copy_done ? done_words(in, *copy)
                                                        : issue_words(in, *copy, step);
    if (const TracedShuffle* shuffle = shuffle_of(in, step))
        return shuffle_words(in, *shuffle, index);
    if (const TracedAccess* access = access_of(in, step))
        return fmt::format("Warp {} {}.", warp, what_happens(in, *access, step));
    return fmt::format("Warp {}: {}, line {}. It is counted, and has no lanes to draw.", warp,
                       name_of(step), step.line);
}

}  // namespace lanewise
