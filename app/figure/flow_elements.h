// What an access or a copy of a block touches, element by element. Private to the figures of the
// data flow.
#pragma once
#include <cstddef>
#include <string>

#include "figure/flow_figure.h"

namespace lanewise {

std::string box_words(const TouchedBox& box);  // "rows 0 to 31, column 7"

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

// touch(row, col, hue) for each element of a copy on its side in shared memory, or in its matrix.
// The hue is 0 to 31: of cp.async the lane, of a bulk copy the piece's place in its row of the box.
template <typename Touch>
void for_each_element(const TracedCopy& copy, bool shared, int64_t cols, int element_bytes,
                      Touch touch) {
    size_t row_pieces = pieces_of_row(copy);
    for (size_t i = 0; i < copy.pieces.size(); ++i) {
        const TracedCopy::Piece& piece = copy.pieces[i];
        if (piece.is_outside && (!shared || !copy.to_shared)) continue;
        int hue = copy.is_bulk ? static_cast<int>(i % row_pieces * 32 / row_pieces) : piece.lane;
        for_each_element(shared ? piece.shared : piece.offset, copy.bytes, cols, element_bytes,
                         [&](int64_t row, int64_t col) { touch(row, col, hue); });
    }
}

}  // namespace lanewise
