// Tests with a case for each stage and element type.
#pragma once
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "../../case_name.h"
#include "course/stage.h"

namespace lanewise {

struct StageAndType {
    const Stage& stage;  // of the catalogue
    std::string type;
};

inline void PrintTo(const StageAndType& value, std::ostream* out) {
    *out << value.stage.id << " " << value.type;
}

inline std::string stage_and_type_name(const testing::TestParamInfo<StageAndType>& test) {
    return case_name(test.param.stage.id + "_" + test.param.type);
}

}  // namespace lanewise
