// cooperative_groups::reduce of a tile or of coalesced threads, and its operations.
#pragma once
#pragma clang system_header
#include "../cooperative_groups.h"

namespace cooperative_groups {

#define __LW_OPERATION(name, expression)                                                   \
    template <class T = void>                                                              \
    struct name {                                                                          \
        __LW_MEMBER T operator()(T a, T b) const { return expression; }                    \
    };                                                                                     \
    template <>                                                                            \
    struct name<void> {                                                                    \
        template <class T>                                                                 \
        __LW_MEMBER T operator()(T a, T b) const {                                         \
            return expression;                                                             \
        }                                                                                  \
    };
__LW_OPERATION(plus, a + b)
__LW_OPERATION(less, b < a ? b : a)
__LW_OPERATION(greater, a < b ? b : a)
__LW_OPERATION(bit_and, a & b)
__LW_OPERATION(bit_or, a | b)
__LW_OPERATION(bit_xor, a ^ b)
#undef __LW_OPERATION

namespace __lw {
template <class Op, class T>
__LW T in_tile(unsigned n, unsigned mask, T v, Op op) {
#pragma unroll
    for (unsigned by = n / 2; by > 0; by /= 2) v = op(v, __shfl_xor_sync(mask, v, by, n));
    return v;
}
#if __CUDA_ARCH__ >= 800  // one instruction for words
#define __LW_REDUX(T, op, name)                                                            \
    __LW T in_tile(unsigned, unsigned mask, T v, op<T>) { return (T)name(mask, v); }       \
    __LW T in_tile(unsigned, unsigned mask, T v, op<void>) { return (T)name(mask, v); }
__LW_REDUX(int, plus, __reduce_add_sync)
__LW_REDUX(unsigned, plus, __reduce_add_sync)
__LW_REDUX(int, less, __reduce_min_sync)
__LW_REDUX(unsigned, less, __reduce_min_sync)
__LW_REDUX(int, greater, __reduce_max_sync)
__LW_REDUX(unsigned, greater, __reduce_max_sync)
__LW_REDUX(int, bit_and, __reduce_and_sync)
__LW_REDUX(unsigned, bit_and, __reduce_and_sync)
__LW_REDUX(int, bit_or, __reduce_or_sync)
__LW_REDUX(unsigned, bit_or, __reduce_or_sync)
__LW_REDUX(int, bit_xor, __reduce_xor_sync)
__LW_REDUX(unsigned, bit_xor, __reduce_xor_sync)
#undef __LW_REDUX
#endif
}  // namespace __lw

template <unsigned n, class Parent, class T, class Op>
__LW T reduce(const thread_block_tile<n, Parent>& tile, T v, Op op) {
    return __lw::in_tile(n, tile.__mask(), v, op);
}
template <class T, class Op>
__LW T reduce(const coalesced_group& group, T v, Op op) {
    T sum = group.shfl(v, 0);
    for (unsigned i = 1; i < group.size(); ++i) sum = op(sum, group.shfl(v, i));
    return sum;
}

}  // namespace cooperative_groups
