// Inline PTX as people write it: lop3, bfind, prmt, sad, video instructions, vectors, predicates, 128 bits.
// lanewise-engine run inline_ptx.cu --kernel inlined --grid 1 --block 64 --arg u32[1024] --arg u32[256]
// results: exact
__global__ void inlined(unsigned* out, const unsigned* in) {
    unsigned a = in[threadIdx.x], b = in[64 + threadIdx.x], c = in[128 + threadIdx.x], r[14];
    asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r[0]) : "r"(a), "r"(b), "r"(c));
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r[1]) : "r"(a >> (b & 31)));
    asm("bfind.s32 %0, %1;" : "=r"(r[2]) : "r"(a));
    asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r[3]) : "r"(a), "r"(b), "r"(c));
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(r[4]) : "r"(a), "r"(b), "r"(c));
    asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r[5]) : "r"(a), "r"(b));
    asm("mad24.hi.s32 %0, %1, %2, %3;" : "=r"(r[6]) : "r"(a), "r"(b), "r"(c));
    asm("{.reg .pred p, q;\n setp.lt.and.u32 p|q, %1, %2, 1;\n selp.b32 %0, 1, 2, p;\n @q add.u32 %0, %0, 5;}" : "=r"(r[7]) : "r"(a), "r"(b));
    asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r[8]) : "r"(a), "r"(b), "r"(c));
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(r[9]) : "r"(a), "r"(b & 31), "r"((int)(c % 9) - 4));
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r[10]) : "r"(a & 63), "r"(b & 63));
    asm("szext.clamp.s32 %0, %1, %2;" : "=r"(r[11]) : "r"(a), "r"(b & 63));
    asm("szext.wrap.u32 %0, %1, %2;" : "=r"(r[12]) : "r"(a), "r"(b));
    asm("{.reg .b64 t; .reg .b32 l, h;\n mov.b64 t, {%1, %2};\n shr.u64 t, t, 7;\n mov.b64 {l, h}, t;\n xor.b32 %0, l, h;}" : "=r"(r[13]) : "r"(a), "r"(b));
    for (int i = 0; i < 14; ++i) out[threadIdx.x * 16 + i] = r[i];
    unsigned long long x, y;
    asm volatile("ld.global.v2.u64 {%0, %1}, [%2];" : "=l"(x), "=l"(y) : "l"(in + threadIdx.x * 4));
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(out + threadIdx.x * 16 + 14), "r"((unsigned)(x >> 5)), "r"((unsigned)(y >> 9)) : "memory");
}
