// The variables of a source's functions, by a scan of its text: where each is declared, where it can
// be seen, and which statements give it a value. And the statements that give one to an element of
// an array. What the preprocessor would leave out is not known; text that is no C++ gives what can
// be made of it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// A place where a variable or an element gets a value.
struct SourceAssignment {
    int line = 0, last_line = 0;  // of its statement, from 1
    std::string target;           // "row", "tile[threadIdx.y + j][threadIdx.x]"
    std::string value;            // the text right of the sign; of "i += 2" "i + (2)"; "" = none
};

struct SourceVariable {
    std::string name, type;             // "row", "const int", "T"; of a pointer "const float*"
    int line = 0;                       // of its declaration
    int first_line = 0, last_line = 0;  // of the braces (or the loop) within which it can be seen
    bool is_array = false;
    std::vector<SourceAssignment> assignments;  // its initial value first, where it has one
    bool is_seen_at(int at) const { return first_line <= at && at <= last_line; }
};

struct SourceScan {
    std::vector<SourceVariable> variables;   // in the order of their declarations
    std::vector<SourceAssignment> elements;  // of arrays and pointers
    std::vector<SourceAssignment> others;    // to names declared elsewhere, as parameters are
};
SourceScan scan_source(std::string_view source);

// The innermost of this name that is seen at the line; null where there is none.
const SourceVariable* variable_at(const SourceScan& scan, std::string_view name, int line);

}  // namespace lanewise
