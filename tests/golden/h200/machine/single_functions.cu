// The math library's functions of f32.
// lanewise-engine run single_functions.cu --kernel functions --grid 1 --block 64 --arg f32[1984] --arg u32[64]
// results: within 1e-5 of the value, f32
__global__ void functions(float* out, const unsigned* in) {
    float x = (in[threadIdx.x] & 0xffff) / 6553.6f + 0.01f, y = (in[threadIdx.x] >> 16) / 32768.0f - 1;
    out += threadIdx.x * 31;
    out[0] = sinf(x);
    out[1] = cosf(x * 100);
    out[2] = tanf(y);
    out[3] = expf(y * 10);
    out[4] = exp2f(y * 20);
    out[5] = exp10f(y * 5);
    out[6] = expm1f(y);
    out[7] = logf(x);
    out[8] = log2f(x);
    out[9] = log10f(x);
    out[10] = log1pf(x);
    out[11] = powf(x, y * 4);
    out[12] = sqrtf(x);
    out[13] = rsqrtf(x);
    out[14] = cbrtf(y);
    out[15] = asinf(y);
    out[16] = acosf(y);
    out[17] = atan2f(y, x - 3);
    out[18] = sinhf(y);
    out[19] = coshf(x);
    out[20] = tanhf(y * 3);
    out[21] = erff(y);
    out[22] = erfcf(x / 4);
    out[23] = tgammaf(x);
    out[24] = lgammaf(x);
    out[25] = fmodf(x, 0.3f);
    out[26] = hypotf(x, y);
    out[27] = 1 / x;
    out[28] = y / x;
    out[29] = sinf(x * 1e6f);
    out[30] = remainderf(x, 0.7f);
}
