// What an act that is refused says.
#pragma once
#include <functional>
#include <string>

#include "base/error.h"

namespace lanewise {

// "" where it is not.
inline std::string refusal(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace lanewise
