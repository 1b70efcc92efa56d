// Where the bytes go: the levels of memory from left to right, and between them pipes as wide as
// what a launch moves. What moves in vain lies around the rest, hatched in the warning colour, and
// ends before it arrives.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

// In the order in which they stand.
enum class BytesLevel : uint8_t { shared, registers, l1, l2, memory };
inline constexpr int kBytesLevels = 5;
const char* name_of(BytesLevel level);  // "shared memory"

struct BytesPipe {
    BytesLevel from = BytesLevel::memory, to = BytesLevel::l2;
    double useful = 0, vain = 0;  // bytes
    // At least so many: nothing counts them there, and the model takes each byte once.
    bool at_least = false;
    std::string tooltip;
    int line = 0;  // of the source, with most of what is in vain; 0: none
    double moved() const { return useful + vain; }
    // Towards the lanes, whose registers stand between shared memory and all else.
    bool is_load() const {
        return to == BytesLevel::registers || (from > to && from != BytesLevel::registers);
    }
};

struct BytesFigureInput {
    // Two levels that stand side by side have one pipe each way: what goes to the registers above,
    // what comes from them below. Others run over the boxes: copies past the registers.
    std::vector<BytesPipe> pipes;
    std::array<std::string, kBytesLevels> notes;  // below each level's name; may be empty
    std::string title;                            // above all; may be empty
    float width = 600, height = 0;                // height: a wish
};
// One scale for all pipes. Fits `width` from 300 points on; amounts that have no room
// are told by the pointer alone. Hits: "line:N".
Drawing bytes_figure(const BytesFigureInput& input, const Measure& measure);

// The pipe with the most bytes in vain; nullptr where hardly any are, a hundredth of what it moves.
const BytesPipe* worst_pipe(const BytesFigureInput& input);
// What is in vain and where, in one sentence.
std::string words_of(const BytesFigureInput& input);

}  // namespace lanewise
