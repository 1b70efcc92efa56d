// Letters that toml++ 3.3 must not meet: for most beyond ASCII, where it asks whether one is a blank, it
// reaches code that it holds to be unreachable, and in a release build anything may follow.
#pragma once
#include <string_view>

namespace lanewise {

// The first line of a TOML text, from 0, with a letter beyond ASCII where toml++ asks that: outside
// of quotes and comments, and where a line between triple quotes ends in a backslash, at the start of
// what follows it. -1: there is none.
int line_of_foreign_letter(std::string_view toml);

}  // namespace lanewise
