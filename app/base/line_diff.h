// What changed between two texts, line by line: the fewest lines removed and added.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

struct DiffLine {
    enum class Kind { same, removed, added } kind = Kind::same;
    int before = 0, after = 0;  // its number in each text, from 1; 0 where it is not in that text
    std::string text;
    bool operator==(const DiffLine&) const = default;
};

// All lines of both texts in reading order; of a change the removed lines come first. Splits as
// lines_of does. Texts that differ in more than some thousand lines are told apart only as a whole:
// time and memory are bounded.
std::vector<DiffLine> line_diff(std::string_view before, std::string_view after);

}  // namespace lanewise
