// The operations for machines with AVX2; see operations_body.h.
#define LANEWISE_OPERATIONS operations_avx2
#define LANEWISE_INSTRUCTION_SET "avx2"
#include "sim/operation/operations_body.h"
