// The SIMD-within-a-word functions: bytes and halves added, averaged, compared, with saturation.
// lanewise-engine run simd_video.cu --kernel simd --grid 1 --block 64 --arg u32[1024] --arg u32[128]
// results: exact
__global__ void simd(unsigned* out, const unsigned* in) {
    unsigned a = in[threadIdx.x], b = in[64 + threadIdx.x];
    out += threadIdx.x * 16;
    out[0] = __vadd4(a, b);        out[1] = __vsubus4(a, b);
    out[2] = __vavgu4(a, b);       out[3] = __vmaxs2(a, b);
    out[4] = __vsadu4(a, b);       out[5] = __vabsdiffs2(a, b);
    out[6] = __vcmpgtu4(a, b);     out[7] = __vseteq2(a, b);
    out[8] = __vaddss2(a, b);      out[9] = __vnegss4(a);
    out[10] = __vhaddu2(a, b);     out[11] = __vabs4(b);
    out[12] = __viaddmax_s32(a, b, 5); out[13] = __vimax3_u32(a, b, 77);
    out[14] = __viaddmax_s16x2(a, b, a); out[15] = __byte_perm(a, b, 0x2570) ^ __funnelshift_rc(a, b, b);
}
