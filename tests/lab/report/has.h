// What the tests of pages ask most.
#pragma once
#include <string>

namespace lanewise {

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace lanewise
