// One setting of one stage, as whatever is told of it repeats it.
#pragma once
#include <string>

#include "course/matrix_size.h"
#include "course/stage.h"

namespace lanewise {

struct StageSetting : MatrixSize {
    std::string stage;  // its id: "transpose/30_padded"
    KnobValues knobs;
    std::string type;
    bool operator==(const StageSetting&) const = default;
};

}  // namespace lanewise
