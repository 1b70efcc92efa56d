// The operations for any machine; see operations_body.h.
#define LANEWISE_OPERATIONS operations_baseline
#define LANEWISE_INSTRUCTION_SET "baseline"
#include "sim/operation/operations_body.h"
