// What an access or a copy of a block touches, element by element. Private to the figures of the
// data flow.
#pragma once
#include <cstddef>
#include <string>

#include "figure/flow/flow_figure.h"

namespace lanewise {

inline constexpr float kLeastPanel = 150, kMostPanel = 330;  // how wide a panel is, in points

std::string box_words(const TouchedBox& box);  // "rows 0 to 31, column 7"

std::string name_of_tile(const FlowFigureInput& in,
                         const SharedTile& tile);                         // "A in shared memory"
int element_bytes_of(const FlowFigureInput& in, const SharedTile& tile);  // its matrix's; else 4

inline const TracedAccess* access_of(const FlowFigureInput& in, const LifeStep& step) {
    return step.access < 0 ? nullptr : &in.block->accesses[static_cast<size_t>(step.access)];
}
inline const TracedCopy* copy_of(const FlowFigureInput& in, const LifeStep& step) {
    return step.copy < 0 ? nullptr : &in.block->copies[static_cast<size_t>(step.copy)];
}

// touch(row, col) for each element of `bytes` bytes from `address` on, in rows of `cols` elements.
template <typename Touch>
void for_each_element(uint64_t address, int bytes, int64_t cols, int element_bytes, Touch touch) {
    auto begin = static_cast<int64_t>(address);
    for (int64_t at = begin / element_bytes; at <= (begin + bytes - 1) / element_bytes; ++at)
        touch(at / cols, at % cols);
}

// touch(row, col) for each element of `bytes` bytes from `address` on that lies in the tile.
template <typename Touch>
void for_each_element(const SharedTile& tile, uint64_t address, int bytes, int element_bytes,
                      Touch touch) {
    for (uint64_t at = address; at < address + static_cast<uint64_t>(bytes);
         at += static_cast<uint64_t>(element_bytes))
        if (int64_t row = tile.row_of(at); row >= 0)
            touch(row, static_cast<int64_t>(at - tile.begin) % tile.pitch_bytes / element_bytes);
}

// touch(row, col, lane) for each element of an access.
template <typename Touch>
void for_each_element(const FlowFigureInput& in, const TracedAccess& access, int64_t cols,
                      int element_bytes, Touch touch) {
    int bytes = in.report->instructions[access.instruction].bytes_per_lane;
    for (size_t lane = 0; lane < access.addresses.size(); ++lane)
        if (access.mask >> lane & 1)
            for_each_element(
                access.addresses[lane], bytes, cols, element_bytes,
                [&](int64_t row, int64_t col) { touch(row, col, static_cast<int>(lane)); });
}

// How many pieces of a copy lie beside each other in a row of its box; all where it has no box.
size_t pieces_of_row(const TracedCopy& copy);

// take(address, hue) for each piece of a copy on its side in shared memory, or in its matrix. The
// hue is 0 to 31: of cp.async the lane, of a bulk copy the piece's place in its row of the box.
template <typename Take>
void for_each_piece(const TracedCopy& copy, bool shared, Take take) {
    size_t row_pieces = pieces_of_row(copy);
    for (size_t i = 0; i < copy.pieces.size(); ++i) {
        const TracedCopy::Piece& piece = copy.pieces[i];
        if (piece.is_outside && (!shared || !copy.to_shared)) continue;
        int hue = copy.is_bulk ? static_cast<int>(i % row_pieces * 32 / row_pieces) : piece.lane;
        take(shared ? uint64_t{piece.shared} : piece.offset, hue);
    }
}

// touch(row, col, hue) for each of its elements.
template <typename Touch>
void for_each_element(const TracedCopy& copy, bool shared, int64_t cols, int element_bytes,
                      Touch touch) {
    for_each_piece(copy, shared, [&](uint64_t address, int hue) {
        for_each_element(address, copy.bytes, cols, element_bytes,
                         [&](int64_t row, int64_t col) { touch(row, col, hue); });
    });
}

}  // namespace lanewise
