// 128-bit sums, differences and products with carries from instruction to instruction.
// lanewise-engine run big_integers.cu --kernel big --grid 1 --block 64 --arg u32[704] --arg u32[512]
// results: exact
__global__ void big(unsigned* out, const unsigned* in) {
    unsigned a[4], b[4], d[4];
    for (int k = 0; k < 4; ++k) {
        a[k] = in[threadIdx.x * 8 + k];
        b[k] = threadIdx.x % 4 == 0 ? ~a[k] : in[threadIdx.x * 8 + 4 + k];
    }
    out += threadIdx.x * 11;
    asm("add.cc.u32 %0, %4, %8; addc.cc.u32 %1, %5, %9; addc.cc.u32 %2, %6, %10; addc.u32 %3, %7, %11;"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
    for (int k = 0; k < 4; ++k) out[k] = d[k];
    asm("sub.cc.u32 %0, %4, %8; subc.cc.u32 %1, %5, %9; subc.cc.u32 %2, %6, %10; subc.u32 %3, %7, %11;"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
    for (int k = 0; k < 4; ++k) out[4 + k] = d[k];
    unsigned long long high, low;
    unsigned long long x = (unsigned long long)a[1] << 32 | a[0], y = (unsigned long long)b[1] << 32 | b[0];
    asm("{ .reg .u64 t; mad.lo.cc.u64 %0, %2, %3, %4; madc.hi.u64 %1, %2, %3, 0; }"
        : "=l"(low), "=l"(high) : "l"(x), "l"(y), "l"(~0ull));
    out[8] = (unsigned)low ^ (unsigned)(low >> 32);
    out[9] = (unsigned)high;
    out[10] = (unsigned)(__umul64hi(x, y) >> 32) ^ (unsigned)__mul64hi((long long)x, (long long)y);
}
