// Bytes permuted, bits counted, found, reversed, shifted across words, inserted and extracted.
// lanewise-engine run bits.cu --kernel bits --grid 1 --block 64 --arg u32[1216] --arg u32[64]
// results: exact
__global__ void bits(unsigned* out, const unsigned* in) {
    unsigned a = in[threadIdx.x], b = in[63 - threadIdx.x], c = threadIdx.x;
    unsigned long long w = (unsigned long long)a << 32 | b;
    out += threadIdx.x * 19;
    out[0] = __byte_perm(a, b, 0x5140 + c);
    out[1] = __brev(a) ^ (unsigned)__brevll(w);
    out[2] = __clz(a >> c % 32) + 100 * __clzll(w >> c);
    out[3] = __ffs(a << c % 32) + 100 * __ffsll(w << c);
    out[4] = __popc(a) + 100 * __popcll(w);
    out[5] = __funnelshift_l(a, b, c) ^ __funnelshift_rc(a, b, c);
    out[6] = __funnelshift_r(a, b, c) ^ __funnelshift_lc(a, b, c);
    unsigned r;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(c % 40), "r"(c / 2));
    out[7] = r;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(c % 33), "r"(c / 3));
    out[8] = r;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c % 35), "r"(c / 2));
    out[9] = r;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(a >> c % 31));
    out[10] = r;
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a), "r"(b), "r"(c * 0x01010101u));
    out[11] = r;
    asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    out[12] = r;
    asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(c) : "r"(a), "r"(r), "r"(c));
    out[13] = r ^ c;
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a & 31), "r"(b & 31));
    out[14] = r;
    asm("szext.wrap.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 31));
    out[15] = r;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 31), "r"(threadIdx.x % 5 - 2));
    out[16] = r;
    out[17] = __mul24((int)a, (int)b) ^ __umul24(a, b) ^ __mulhi((int)a, (int)b) ^ __umulhi(a, b);
    out[18] = __sad((int)a, (int)b, c) + __usad(a, b, c) + __hadd((int)a, (int)b) + __urhadd(a, b);
}
