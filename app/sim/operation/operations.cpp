// Picks the instruction set, once.
#include "sim/operation/operations.h"

namespace lanewise {

static const Operations& best_of_this_processor() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("bmi2"))
        return operations_avx512();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return operations_avx2();
#endif
    return operations_baseline();
}

const Operations& operations() {
    static const Operations* best = &best_of_this_processor();
    return *best;
}

}  // namespace lanewise
