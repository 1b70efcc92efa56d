// char1 … double4, dim3 and make_…(). Structures, as NVRTC has them: a member has an address, and a
// program may define operators for them. That one of 16 bytes is loaded and stored at once sees
// compile/clang_ir.h to.
#pragma once

#define __LW_VECTORS(name, T, align2, align4)                                              \
    struct name##1 { T x; };                                                               \
    struct __align__(align2) name##2 { T x, y; };                                          \
    struct name##3 { T x, y, z; };                                                         \
    struct __align__(align4) name##4 { T x, y, z, w; };                                    \
    __LW_BOTH name##1 make_##name##1(T x) { return name##1{x}; }                           \
    __LW_BOTH name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                   \
    __LW_BOTH name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }           \
    __LW_BOTH name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }
//           name       element             alignment of 2, of 4
__LW_VECTORS(char,      signed char,        2,  4)
__LW_VECTORS(uchar,     unsigned char,      2,  4)
__LW_VECTORS(short,     short,              4,  8)
__LW_VECTORS(ushort,    unsigned short,     4,  8)
__LW_VECTORS(int,       int,                8,  16)
__LW_VECTORS(uint,      unsigned,           8,  16)
__LW_VECTORS(long,      long,               16, 16)
__LW_VECTORS(ulong,     unsigned long,      16, 16)
__LW_VECTORS(longlong,  long long,          16, 16)
__LW_VECTORS(ulonglong, unsigned long long, 16, 16)
__LW_VECTORS(float,     float,              8,  16)
__LW_VECTORS(double,    double,             16, 16)
#undef __LW_VECTORS
typedef double4 double4_16a;
struct __align__(32) double4_32a { double x, y, z, w; };

struct dim3 {
    unsigned x, y, z;
    __LW_BOTH_MEMBER dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1)
        : x(vx), y(vy), z(vz) {}
    __LW_BOTH_MEMBER dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __LW_BOTH_MEMBER operator uint3() const { return uint3{x, y, z}; }
};
