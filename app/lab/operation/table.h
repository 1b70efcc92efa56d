// The operations as code; see lab/job/operation_code.h. Each is in the file of its name.
#pragma once
#include "lab/job/operation_code.h"

namespace lanewise {

const OperationCode& transpose_code();  // and copies, and transposes in place
const OperationCode& product_code();
const OperationCode& reduction_code();

}  // namespace lanewise
