// The code of every operation, one line each: the table of course/operation.cpp has their rows.
#include "lab/operation/table.h"

#include <iterator>
#include <map>

#include "base/error.h"

namespace lanewise {

const OperationCode& code_of(const Stage& stage) {
    using Find = const OperationCode& (*)();
    static const std::map<std::string, Find> codes = {
        {"transpose", transpose_code},
        {"matmul", product_code},
        {"reduction", reduction_code},
    };
    return codes.at(operation_of(stage).id)();
}

}  // namespace lanewise
