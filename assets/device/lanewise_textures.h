// Textures and surfaces by their objects (CUDA programming guide, "Texture and Surface Memory"), of one
// and two dimensions: tex1Dfetch, tex1D, tex2D, surf1Dread, surf2Dwrite and their like.
#pragma once
#pragma clang system_header

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};

namespace __lw {

// What a texture gives: four numbers of one type, of which T takes the first.
template <class N> struct Texel { N x, y, z, w; };
template <class T> struct OfTexture;
#define __LW_TEXEL_1(type, number)                                                 \
    template <> struct OfTexture<type> {                                           \
        using Number = number;                                                     \
        static __LW_MEMBER type of(const Texel<number>& t) { return (type)t.x; }   \
    };
#define __LW_TEXEL_2(type, part, number)                                           \
    template <> struct OfTexture<type> {                                           \
        using Number = number;                                                     \
        static __LW_MEMBER type of(const Texel<number>& t) { return {(part)t.x, (part)t.y}; } \
    };
#define __LW_TEXEL_4(type, part, number)                                           \
    template <> struct OfTexture<type> {                                           \
        using Number = number;                                                     \
        static __LW_MEMBER type of(const Texel<number>& t) {                       \
            return {(part)t.x, (part)t.y, (part)t.z, (part)t.w};                   \
        }                                                                          \
    };
#define __LW_TEXELS(name, part, number)                                            \
    __LW_TEXEL_1(part, number)                                                     \
    __LW_TEXEL_2(name##2, part, number)                                            \
    __LW_TEXEL_4(name##4, part, number)
__LW_TEXELS(float, float, float)
__LW_TEXELS(int, int, int)
__LW_TEXELS(uint, unsigned, unsigned)
__LW_TEXELS(short, short, int)
__LW_TEXELS(ushort, unsigned short, unsigned)
__LW_TEXELS(char, signed char, int)
__LW_TEXELS(uchar, unsigned char, unsigned)
__LW_TEXEL_1(char, int)
#undef __LW_TEXELS
#undef __LW_TEXEL_1
#undef __LW_TEXEL_2
#undef __LW_TEXEL_4

#define __LW_FETCH(name, kind, number, letter, coordinates, places, ...)                      \
    __LW void name(Texel<number>& t, cudaTextureObject_t object, __VA_ARGS__) {               \
        asm volatile("tex." kind " {%0, %1, %2, %3}, [%4, {" places "}];"                     \
                     : "=" letter(t.x), "=" letter(t.y), "=" letter(t.z), "=" letter(t.w)     \
                     : "l"(object), coordinates);                                             \
    }
#define __LW_COMMA ,
#define __LW_FETCHES(type, number, letter)                                                    \
    __LW_FETCH(fetch, "1d.v4." type ".s32", number, letter, "r"(x), "%5", int x)              \
    __LW_FETCH(row, "1d.v4." type ".f32", number, letter, "f"(x), "%5", float x)              \
    __LW_FETCH(plane, "2d.v4." type ".f32", number, letter, "f"(x) __LW_COMMA "f"(y), "%5, %6", \
               float x, float y)
__LW_FETCHES("f32", float, "f")
__LW_FETCHES("s32", int, "r")
__LW_FETCHES("u32", unsigned, "r")
#undef __LW_FETCHES
#undef __LW_FETCH
#undef __LW_COMMA

}  // namespace __lw

template <class T> __LW T tex1Dfetch(cudaTextureObject_t object, int x) {
    __lw::Texel<typename __lw::OfTexture<T>::Number> t;
    __lw::fetch(t, object, x);
    return __lw::OfTexture<T>::of(t);
}
template <class T> __LW T tex1D(cudaTextureObject_t object, float x) {
    __lw::Texel<typename __lw::OfTexture<T>::Number> t;
    __lw::row(t, object, x);
    return __lw::OfTexture<T>::of(t);
}
template <class T> __LW T tex2D(cudaTextureObject_t object, float x, float y) {
    __lw::Texel<typename __lw::OfTexture<T>::Number> t;
    __lw::plane(t, object, x, y);
    return __lw::OfTexture<T>::of(t);
}
template <class T> __LW void tex1Dfetch(T* to, cudaTextureObject_t object, int x) {
    *to = tex1Dfetch<T>(object, x);
}
template <class T> __LW void tex1D(T* to, cudaTextureObject_t object, float x) {
    *to = tex1D<T>(object, x);
}
template <class T> __LW void tex2D(T* to, cudaTextureObject_t object, float x, float y) {
    *to = tex2D<T>(object, x, y);
}

namespace __lw {

// An element of 1, 2, 4, 8 or 16 bytes; `where`: its coordinates among the operands.
#define __LW_MOVES(dimension, outside, where, ...)                                              \
    template <class T>                                                                          \
    __LW void load_##dimension##_##outside(T* to, cudaSurfaceObject_t s, int x, int y) {        \
        if constexpr (sizeof(T) <= 2) {                                                         \
            unsigned short a;                                                                   \
            if constexpr (sizeof(T) == 1)                                                       \
                asm volatile("suld.b." #dimension ".b8." #outside " {%[a]}, [%[s], " where "];" \
                             : [a] "=h"(a) : [s] "l"(s), __VA_ARGS__ : "memory");               \
            else                                                                                \
                asm volatile("suld.b." #dimension ".b16." #outside " {%[a]}, [%[s], " where "];" \
                             : [a] "=h"(a) : [s] "l"(s), __VA_ARGS__ : "memory");               \
            __builtin_memcpy(to, &a, sizeof(T));                                                \
        } else {                                                                                \
            unsigned p[4];                                                                      \
            if constexpr (sizeof(T) == 4)                                                       \
                asm volatile("suld.b." #dimension ".b32." #outside " {%[a]}, [%[s], " where "];" \
                             : [a] "=r"(p[0]) : [s] "l"(s), __VA_ARGS__ : "memory");            \
            else if constexpr (sizeof(T) == 8)                                                  \
                asm volatile("suld.b." #dimension ".v2.b32." #outside                           \
                             " {%[a], %[b]}, [%[s], " where "];"                                \
                             : [a] "=r"(p[0]), [b] "=r"(p[1])                                   \
                             : [s] "l"(s), __VA_ARGS__ : "memory");                             \
            else                                                                                \
                asm volatile("suld.b." #dimension ".v4.b32." #outside                           \
                             " {%[a], %[b], %[c], %[d]}, [%[s], " where "];"                    \
                             : [a] "=r"(p[0]), [b] "=r"(p[1]), [c] "=r"(p[2]), [d] "=r"(p[3])   \
                             : [s] "l"(s), __VA_ARGS__ : "memory");                             \
            __builtin_memcpy(to, p, sizeof(T));                                                 \
        }                                                                                       \
    }                                                                                           \
    template <class T>                                                                          \
    __LW void store_##dimension##_##outside(T value, cudaSurfaceObject_t s, int x, int y) {     \
        if constexpr (sizeof(T) <= 2) {                                                         \
            unsigned short a = 0;                                                               \
            __builtin_memcpy(&a, &value, sizeof(T));                                            \
            if constexpr (sizeof(T) == 1)                                                       \
                asm volatile("sust.b." #dimension ".b8." #outside " [%[s], " where "], {%[a]};" \
                             ::[a] "h"(a), [s] "l"(s), __VA_ARGS__ : "memory");                 \
            else                                                                                \
                asm volatile("sust.b." #dimension ".b16." #outside " [%[s], " where "], {%[a]};" \
                             ::[a] "h"(a), [s] "l"(s), __VA_ARGS__ : "memory");                 \
        } else {                                                                                \
            unsigned p[4];                                                                      \
            __builtin_memcpy(p, &value, sizeof(T));                                             \
            if constexpr (sizeof(T) == 4)                                                       \
                asm volatile("sust.b." #dimension ".b32." #outside " [%[s], " where "], {%[a]};" \
                             ::[a] "r"(p[0]), [s] "l"(s), __VA_ARGS__ : "memory");              \
            else if constexpr (sizeof(T) == 8)                                                  \
                asm volatile("sust.b." #dimension ".v2.b32." #outside                           \
                             " [%[s], " where "], {%[a], %[b]};"                                \
                             ::[a] "r"(p[0]), [b] "r"(p[1]), [s] "l"(s), __VA_ARGS__            \
                             : "memory");                                                       \
            else                                                                                \
                asm volatile("sust.b." #dimension ".v4.b32." #outside                           \
                             " [%[s], " where "], {%[a], %[b], %[c], %[d]};"                    \
                             ::[a] "r"(p[0]), [b] "r"(p[1]), [c] "r"(p[2]), [d] "r"(p[3]),      \
                             [s] "l"(s), __VA_ARGS__ : "memory");                               \
        }                                                                                       \
    }
#define __LW_ALL_MOVES(outside)                        \
    __LW_MOVES(1d, outside, "{%[x]}", [x] "r"(x))      \
    __LW_MOVES(2d, outside, "{%[x], %[y]}", [x] "r"(x), [y] "r"(y))
__LW_ALL_MOVES(trap)
__LW_ALL_MOVES(clamp)
__LW_ALL_MOVES(zero)
#undef __LW_ALL_MOVES
#undef __LW_MOVES

}  // namespace __lw

// x counts bytes.
template <class T>
__LW T surf1Dread(cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {
    T value;
    if (outside == cudaBoundaryModeTrap) __lw::load_1d_trap(&value, s, x, 0);
    if (outside == cudaBoundaryModeClamp) __lw::load_1d_clamp(&value, s, x, 0);
    if (outside == cudaBoundaryModeZero) __lw::load_1d_zero(&value, s, x, 0);
    return value;
}
template <class T>
__LW T surf2Dread(cudaSurfaceObject_t s, int x, int y,
                  cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {
    T value;
    if (outside == cudaBoundaryModeTrap) __lw::load_2d_trap(&value, s, x, y);
    if (outside == cudaBoundaryModeClamp) __lw::load_2d_clamp(&value, s, x, y);
    if (outside == cudaBoundaryModeZero) __lw::load_2d_zero(&value, s, x, y);
    return value;
}
template <class T>
__LW void surf1Dread(T* to, cudaSurfaceObject_t s, int x,
                     cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {
    *to = surf1Dread<T>(s, x, outside);
}
template <class T>
__LW void surf2Dread(T* to, cudaSurfaceObject_t s, int x, int y,
                     cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {
    *to = surf2Dread<T>(s, x, y, outside);
}
template <class T>
__LW void surf1Dwrite(T value, cudaSurfaceObject_t s, int x,
                      cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {
    if (outside == cudaBoundaryModeTrap) __lw::store_1d_trap(value, s, x, 0);
    if (outside == cudaBoundaryModeClamp) __lw::store_1d_clamp(value, s, x, 0);
    if (outside == cudaBoundaryModeZero) __lw::store_1d_zero(value, s, x, 0);
}
template <class T>
__LW void surf2Dwrite(T value, cudaSurfaceObject_t s, int x, int y,
                      cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {
    if (outside == cudaBoundaryModeTrap) __lw::store_2d_trap(value, s, x, y);
    if (outside == cudaBoundaryModeClamp) __lw::store_2d_clamp(value, s, x, y);
    if (outside == cudaBoundaryModeZero) __lw::store_2d_zero(value, s, x, y);
}
