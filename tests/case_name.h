// What a case of a parameterised test is called, in the list of tests and where it fails.
#pragma once
#include <cctype>
#include <string>

namespace lanewise {

// GoogleTest takes letters, digits and _ in a name; everything else becomes _.
inline std::string case_name(std::string words) {
    for (char& letter : words)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    return words;
}

}  // namespace lanewise
