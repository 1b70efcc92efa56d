// What tests ask of texts most.
#pragma once
#include <string>

namespace lanewise {

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace lanewise
