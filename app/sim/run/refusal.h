// What a card would not launch. For this folder.
#pragma once
#include <string>

#include "base/error.h"

namespace lanewise {

[[noreturn]] inline void refuse_launch(const std::string& why) {
    reject("the launch is refused: " + why);
}

}  // namespace lanewise
