// The words of C++ and PTX text: names, keywords, numbers.
#pragma once
#include <cctype>

namespace lanewise {

// Whether a name may have the character: a letter, a digit or _.
inline bool is_word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace lanewise
