// Barriers, fences, votes, shuffles, matches and reductions of a warp (Programming Guide, sections
// Synchronization Functions to Warp Reduce Functions).
#pragma once

#if !__has_builtin(__syncthreads)
__LW __attribute__((convergent)) void __syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#endif
__LW int __syncthreads_count(int said) { return __nvvm_bar0_popc(said); }
__LW int __syncthreads_and(int said) { return __nvvm_bar0_and(said); }
__LW int __syncthreads_or(int said) { return __nvvm_bar0_or(said); }
__LW void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
__LW void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
__LW void __barrier_sync_count(unsigned id, unsigned n) { __nvvm_barrier_sync_cnt(id, n); }
__LW void __threadfence_block() { __nvvm_membar_cta(); }
__LW void __threadfence() { __nvvm_membar_gl(); }
__LW void __threadfence_system() { __nvvm_membar_sys(); }

__LW unsigned __activemask() {
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask)::"memory");
    return mask;
}
__LW unsigned __lanemask_lt() { return __nvvm_read_ptx_sreg_lanemask_lt(); }
__LW unsigned __ballot_sync(unsigned mask, int said) {
    return __nvvm_vote_ballot_sync(mask, said != 0);
}
__LW int __any_sync(unsigned mask, int said) { return __nvvm_vote_any_sync(mask, said != 0); }
__LW int __all_sync(unsigned mask, int said) { return __nvvm_vote_all_sync(mask, said != 0); }
__LW int __uni_sync(unsigned mask, int said) { return __nvvm_vote_uni_sync(mask, said != 0); }

__LW unsigned __match_any_sync(unsigned mask, unsigned value) {
    return __nvvm_match_any_sync_i32(mask, value);
}
__LW unsigned __match_any_sync(unsigned mask, unsigned long long value) {
    return __nvvm_match_any_sync_i64(mask, value);
}
__LW unsigned __match_all_sync(unsigned mask, unsigned value, int* all) {
    return __nvvm_match_all_sync_i32p(mask, value, all);
}
__LW unsigned __match_all_sync(unsigned mask, unsigned long long value, int* all) {
    return __nvvm_match_all_sync_i64p(mask, value, all);
}
#define __LW_MATCH(T, Word)                                                                \
    __LW unsigned __match_any_sync(unsigned mask, T value) {                               \
        return __match_any_sync(mask, __builtin_bit_cast(Word, value));                    \
    }                                                                                      \
    __LW unsigned __match_all_sync(unsigned mask, T value, int* all) {                     \
        return __match_all_sync(mask, __builtin_bit_cast(Word, value), all);               \
    }
__LW_MATCH(int, unsigned)
__LW_MATCH(float, unsigned)
__LW_MATCH(long, unsigned long long)
__LW_MATCH(unsigned long, unsigned long long)
__LW_MATCH(long long, unsigned long long)
__LW_MATCH(double, unsigned long long)
#undef __LW_MATCH

#if __CUDA_ARCH__ >= 800
__LW unsigned __reduce_add_sync(unsigned m, unsigned v) { return __nvvm_redux_sync_add(v, m); }
__LW unsigned __reduce_min_sync(unsigned m, unsigned v) { return __nvvm_redux_sync_umin(v, m); }
__LW unsigned __reduce_max_sync(unsigned m, unsigned v) { return __nvvm_redux_sync_umax(v, m); }
__LW int __reduce_add_sync(unsigned m, int v) { return __nvvm_redux_sync_add(v, m); }
__LW int __reduce_min_sync(unsigned m, int v) { return __nvvm_redux_sync_min(v, m); }
__LW int __reduce_max_sync(unsigned m, int v) { return __nvvm_redux_sync_max(v, m); }
__LW unsigned __reduce_and_sync(unsigned m, unsigned v) { return __nvvm_redux_sync_and(v, m); }
__LW unsigned __reduce_or_sync(unsigned m, unsigned v) { return __nvvm_redux_sync_or(v, m); }
__LW unsigned __reduce_xor_sync(unsigned m, unsigned v) { return __nvvm_redux_sync_xor(v, m); }
#endif

// A shuffle moves 32 bits; of a wider value one half after the other. The last operand of the
// instruction (PTX manual, shfl.sync): the width's mask in bits 8-12, the last lane in bits 0-4.
namespace __lw {
template <class T>
struct Words {
    static constexpr int count = (sizeof(T) + 3) / 4;
    unsigned word[count] = {};
    __LW_MEMBER Words(T value) { __builtin_memcpy(word, &value, sizeof(T)); }
    __LW_MEMBER T value() const {
        T result;
        __builtin_memcpy(&result, word, sizeof(T));
        return result;
    }
};
}  // namespace __lw
#define __LW_SHUFFLE_OF(name, builtin, last, By, T)                                        \
    __LW T name(unsigned mask, T value, By by, int width = 32) {                           \
        __lw::Words<T> words(value);                                                       \
        for (int i = 0; i < words.count; ++i)                                              \
            words.word[i] = builtin(mask, words.word[i], by, ((32 - width) << 8) | last);  \
        return words.value();                                                              \
    }
#define __LW_SHUFFLES_OF(T)                                                                \
    __LW_SHUFFLE_OF(__shfl_sync, __nvvm_shfl_sync_idx_i32, 0x1f, int, T)                   \
    __LW_SHUFFLE_OF(__shfl_up_sync, __nvvm_shfl_sync_up_i32, 0, unsigned, T)               \
    __LW_SHUFFLE_OF(__shfl_down_sync, __nvvm_shfl_sync_down_i32, 0x1f, unsigned, T)        \
    __LW_SHUFFLE_OF(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, 0x1f, int, T)
__LW_SHUFFLES_OF(int)
__LW_SHUFFLES_OF(unsigned)
__LW_SHUFFLES_OF(long)
__LW_SHUFFLES_OF(unsigned long)
__LW_SHUFFLES_OF(long long)
__LW_SHUFFLES_OF(unsigned long long)
__LW_SHUFFLES_OF(float)
__LW_SHUFFLES_OF(double)
