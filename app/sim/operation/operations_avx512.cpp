// The operations for machines with AVX512; see operations_body.h.
#define LANEWISE_OPERATIONS operations_avx512
#define LANEWISE_INSTRUCTION_SET "avx512"
#include "sim/operation/operations_body.h"
