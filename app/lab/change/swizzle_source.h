// A stage's source with its tile's columns mapped by an expression. Private to lab/.
#pragma once
#include <map>
#include <string>

#include "course/stage.h"

namespace lanewise {

// The expression stands in a file of its own, by whose name the compiler's messages are known; line
// kSwizzleLine of it holds nothing else.
inline constexpr const char* kSwizzleFile = "swizzle";
inline constexpr int kSwizzleLine = 2;
// A kernel that stands beside the stage's own: it writes the mapped column of each element, row by
// row. (int* columns, int rows, int cols)
inline constexpr const char* kSwizzleMapKernel = "swizzle_map";

struct TileUses {
    struct Use {
        size_t row = 0, row_end = 0, col = 0, col_end = 0;  // the texts between the brackets
        bool is_declaration = false;
    };
    std::vector<Use> uses;  // in the source's order
    std::string problem;    // why they are not all tile[row][col]; a sentence
};
TileUses tile_uses(const Stage& stage);

// Why `expression` cannot stand in parentheses, or "" where it can; `column`: where, from 1.
std::string expression_problem(const std::string& expression, int& column);

// `uses` are the stage's; `pitch` replaces the declaration's second bound. Lines keep their
// numbers.
std::string swizzled_source(const Stage& stage, const TileUses& uses, const std::string& expression,
                            const KnobValues& knobs, int64_t pitch);

}  // namespace lanewise
