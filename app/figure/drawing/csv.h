// Comma-separated files (RFC 4180), with comments on lines that begin with "# ". Private to
// figure/.
#pragma once
#include <initializer_list>
#include <string>

namespace lanewise {

// A field; what breaks lines in a tooltip is a "; " here.
std::string csv_field(const std::string& text);
std::string csv_row(std::initializer_list<std::string> fields);
std::string csv_comment(const std::string& text);  // "" for an empty one

}  // namespace lanewise
