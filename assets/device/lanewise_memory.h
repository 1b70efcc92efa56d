// Address spaces, loads and stores with cache hints, atomic operations (Programming Guide, sections
// Address Space Predicate Functions, Load/Store Functions Using Cache Hints, Atomic Functions).
#pragma once

__LW unsigned __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
__LW unsigned __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
__LW unsigned __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
__LW unsigned __isLocal(const void* p) { return __nvvm_isspacep_local(p); }
__LW size_t __cvta_generic_to_shared(const void* p) {
    return (size_t)(unsigned)(size_t)(const __attribute__((address_space(3))) void*)p;
}
__LW size_t __cvta_generic_to_global(const void* p) {
    return (size_t)(const __attribute__((address_space(1))) void*)p;
}
__LW size_t __cvta_generic_to_local(const void* p) {
    return (size_t)(const __attribute__((address_space(5))) void*)p;
}
__LW size_t __cvta_generic_to_constant(const void* p) {
    return (size_t)(const __attribute__((address_space(4))) void*)p;
}
__LW void* __cvta_shared_to_generic(size_t p) {
    return (void*)(__attribute__((address_space(3))) void*)p;
}
__LW void* __cvta_global_to_generic(size_t p) {
    return (void*)(__attribute__((address_space(1))) void*)p;
}
__LW void* __cvta_local_to_generic(size_t p) {
    return (void*)(__attribute__((address_space(5))) void*)p;
}
__LW void* __cvta_constant_to_generic(size_t p) {
    return (void*)(__attribute__((address_space(4))) void*)p;
}

// One instruction for each size, with the bits in integer registers.
namespace __lw {
template <int bytes>
struct Bits;
template <> struct Bits<1> { typedef unsigned char type; };
template <> struct Bits<2> { typedef unsigned short type; };
template <> struct Bits<4> { typedef unsigned type; };
template <> struct Bits<8> { typedef unsigned long long type; };
template <> struct Bits<16> { typedef uint4 type; };
}  // namespace __lw
#define __LW_LOADS(name, ptx, ...)                                                         \
    namespace __lw {                                                                       \
    __LW void name(unsigned char& to, const void* from) {                                  \
        unsigned short half;                                                               \
        asm volatile("ld.global." ptx ".u8 %0, [%1];" : "=h"(half) : "l"(from) : __VA_ARGS__);    \
        to = (unsigned char)half;                                                          \
    }                                                                                      \
    __LW void name(unsigned short& to, const void* from) {                                 \
        asm volatile("ld.global." ptx ".u16 %0, [%1];" : "=h"(to) : "l"(from) : __VA_ARGS__);     \
    }                                                                                      \
    __LW void name(unsigned& to, const void* from) {                                       \
        asm volatile("ld.global." ptx ".u32 %0, [%1];" : "=r"(to) : "l"(from) : __VA_ARGS__);     \
    }                                                                                      \
    __LW void name(unsigned long long& to, const void* from) {                             \
        asm volatile("ld.global." ptx ".u64 %0, [%1];" : "=l"(to) : "l"(from) : __VA_ARGS__);     \
    }                                                                                      \
    __LW void name(uint4& to, const void* from) {                                          \
        asm volatile("ld.global." ptx ".v4.u32 {%0, %1, %2, %3}, [%4];"                    \
                     : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)                      \
                     : "l"(from)                                                           \
                     : __VA_ARGS__);                                                       \
    }                                                                                      \
    }                                                                                      \
    template <class T>                                                                     \
    __LW T __##name(const T* from) {                                                       \
        typename __lw::Bits<sizeof(T)>::type bits;                                         \
        __lw::name(bits, from);                                                            \
        return __builtin_bit_cast(T, bits);                                                \
    }
__LW_LOADS(ldg, "nc")
__LW_LOADS(ldca, "ca")
__LW_LOADS(ldcg, "cg")
__LW_LOADS(ldcs, "cs")
__LW_LOADS(ldlu, "lu", "memory")
__LW_LOADS(ldcv, "cv", "memory")
#undef __LW_LOADS
#define __LW_STORES(name, ptx)                                                             \
    namespace __lw {                                                                       \
    __LW void name(void* to, unsigned char v) {                                            \
        asm volatile("st.global." ptx ".u8 [%0], %1;" ::"l"(to), "h"((unsigned short)v) : "memory"); \
    }                                                                                      \
    __LW void name(void* to, unsigned short v) {                                           \
        asm volatile("st.global." ptx ".u16 [%0], %1;" ::"l"(to), "h"(v) : "memory");      \
    }                                                                                      \
    __LW void name(void* to, unsigned v) {                                                 \
        asm volatile("st.global." ptx ".u32 [%0], %1;" ::"l"(to), "r"(v) : "memory");      \
    }                                                                                      \
    __LW void name(void* to, unsigned long long v) {                                       \
        asm volatile("st.global." ptx ".u64 [%0], %1;" ::"l"(to), "l"(v) : "memory");      \
    }                                                                                      \
    __LW void name(void* to, uint4 v) {                                                    \
        asm volatile("st.global." ptx ".v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(v.x), \
                     "r"(v.y), "r"(v.z), "r"(v.w)                                          \
                     : "memory");                                                          \
    }                                                                                      \
    }                                                                                      \
    template <class T, class V>                                                            \
    __LW void __##name(T* to, V value) {                                                   \
        __lw::name(to, __builtin_bit_cast(typename __lw::Bits<sizeof(T)>::type, T(value))); \
    }
__LW_STORES(stwb, "wb")
__LW_STORES(stcg, "cg")
__LW_STORES(stcs, "cs")
__LW_STORES(stwt, "wt")
#undef __LW_STORES

// ---- atomic operations: of the device, of the block (_block) and of the system (_system)
#define __LW_ATOMIC(name, T, Word, builtin)                                                \
    __LW T name(T* at, T by) {                                                             \
        return (T)__nvvm_atom_##builtin((Word*)at, (Word)by);                              \
    }                                                                                      \
    __LW T name##_block(T* at, T by) {                                                     \
        return (T)__nvvm_atom_cta_##builtin((Word*)at, (Word)by);                          \
    }                                                                                      \
    __LW T name##_system(T* at, T by) {                                                    \
        return (T)__nvvm_atom_sys_##builtin((Word*)at, (Word)by);                          \
    }
#define __LW_ATOMIC_OF_INTEGERS(name, op)                                                  \
    __LW_ATOMIC(name, int, int, op##_gen_i)                                                \
    __LW_ATOMIC(name, unsigned, int, op##_gen_i)                                           \
    __LW_ATOMIC(name, long, long, op##_gen_l)                                              \
    __LW_ATOMIC(name, unsigned long, long, op##_gen_l)                                     \
    __LW_ATOMIC(name, long long, long long, op##_gen_ll)                                   \
    __LW_ATOMIC(name, unsigned long long, long long, op##_gen_ll)
__LW_ATOMIC_OF_INTEGERS(atomicAdd, add)
__LW_ATOMIC_OF_INTEGERS(atomicExch, xchg)
__LW_ATOMIC_OF_INTEGERS(atomicAnd, and)
__LW_ATOMIC_OF_INTEGERS(atomicOr, or)
__LW_ATOMIC_OF_INTEGERS(atomicXor, xor)
__LW_ATOMIC(atomicAdd, float, float, add_gen_f)
__LW_ATOMIC(atomicAdd, double, double, add_gen_d)
#define __LW_ATOMIC_EXTREME(name, op)                                                      \
    __LW_ATOMIC(name, int, int, op##_gen_i)                                                \
    __LW_ATOMIC(name, unsigned, unsigned, op##_gen_ui)                                     \
    __LW_ATOMIC(name, long, long, op##_gen_l)                                              \
    __LW_ATOMIC(name, unsigned long, unsigned long, op##_gen_ul)                           \
    __LW_ATOMIC(name, long long, long long, op##_gen_ll)                                   \
    __LW_ATOMIC(name, unsigned long long, unsigned long long, op##_gen_ull)
__LW_ATOMIC_EXTREME(atomicMin, min)
__LW_ATOMIC_EXTREME(atomicMax, max)
__LW_ATOMIC(atomicInc, unsigned, unsigned, inc_gen_ui)
__LW_ATOMIC(atomicDec, unsigned, unsigned, dec_gen_ui)
#define __LW_ATOMIC_SUB(scope)                                                             \
    __LW int atomicSub##scope(int* at, int by) { return atomicAdd##scope(at, -by); }       \
    __LW unsigned atomicSub##scope(unsigned* at, unsigned by) {                            \
        return atomicAdd##scope(at, 0u - by);                                              \
    }                                                                                      \
    __LW float atomicExch##scope(float* at, float by) {                                    \
        return __builtin_bit_cast(float, atomicExch##scope((int*)at,                       \
                                                           __builtin_bit_cast(int, by)));  \
    }
__LW_ATOMIC_SUB()
__LW_ATOMIC_SUB(_block)
__LW_ATOMIC_SUB(_system)
#define __LW_CAS(T, Word, suffix)                                                          \
    __LW T atomicCAS(T* at, T old, T by) {                                                 \
        return (T)__nvvm_atom_cas_gen_##suffix((Word*)at, (Word)old, (Word)by);            \
    }                                                                                      \
    __LW T atomicCAS_block(T* at, T old, T by) {                                           \
        return (T)__nvvm_atom_cta_cas_gen_##suffix((Word*)at, (Word)old, (Word)by);        \
    }                                                                                      \
    __LW T atomicCAS_system(T* at, T old, T by) {                                          \
        return (T)__nvvm_atom_sys_cas_gen_##suffix((Word*)at, (Word)old, (Word)by);        \
    }
__LW_CAS(int, int, i)
__LW_CAS(unsigned, int, i)
__LW_CAS(long, long, l)
__LW_CAS(unsigned long, long, l)
__LW_CAS(long long, long long, ll)
__LW_CAS(unsigned long long, long long, ll)
#define __LW_CAS16(scope, ptx)                                                             \
    __LW unsigned short atomicCAS##scope(unsigned short* at, unsigned short old,           \
                                         unsigned short by) {                              \
        unsigned short was;                                                                \
        asm volatile("atom" ptx ".cas.b16 %0, [%1], %2, %3;"                               \
                     : "=h"(was)                                                           \
                     : "l"(at), "h"(old), "h"(by)                                          \
                     : "memory");                                                          \
        return was;                                                                        \
    }
__LW_CAS16(, "")
__LW_CAS16(_block, ".cta")
__LW_CAS16(_system, ".sys")
#if __CUDA_ARCH__ >= 900
__LW float2 atomicAdd(float2* at, float2 by) {
    float2 was;
    asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
                 : "=f"(was.x), "=f"(was.y)
                 : "l"(at), "f"(by.x), "f"(by.y)
                 : "memory");
    return was;
}
__LW float4 atomicAdd(float4* at, float4 by) {
    float4 was;
    asm volatile("atom.global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"
                 : "=f"(was.x), "=f"(was.y), "=f"(was.z), "=f"(was.w)
                 : "l"(at), "f"(by.x), "f"(by.y), "f"(by.z), "f"(by.w)
                 : "memory");
    return was;
}
#endif
#undef __LW_ATOMIC
#undef __LW_ATOMIC_OF_INTEGERS
#undef __LW_ATOMIC_EXTREME
#undef __LW_ATOMIC_SUB
#undef __LW_CAS
#undef __LW_CAS16
