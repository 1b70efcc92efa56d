// Four bytes or two halves of a word at once.
// lanewise-engine run bytes_side_by_side.cu --kernel side_by_side --grid 1 --block 64 --arg u32[832] --arg u32[64]
// results: exact
__global__ void side_by_side(unsigned* out, const unsigned* in) {
    unsigned a = in[threadIdx.x], b = in[63 - threadIdx.x] ^ 0x40;
    out += threadIdx.x * 13;
    out[0] = __vadd4(a, b);
    out[1] = __vsub2(a, b);
    out[2] = __vabsdiffu4(a, b);
    out[3] = __vsadu4(a, b);
    out[4] = __vmaxs2(a, b);
    out[5] = __vminu4(a, b);
    out[6] = __vcmpeq4(a, b ^ (a ^ b) % 7);
    out[7] = __vaddss4(a, b);
    out[8] = __vavgu4(a, b);
    out[9] = __vabs2(a);
    out[10] = __vneg4(a);
    out[11] = __vsetgtu2(a, b);
    out[12] = __vsubus2(a, b);
}
