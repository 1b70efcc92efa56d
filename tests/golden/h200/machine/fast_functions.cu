// The fast functions of f32, each held against the same function of f64: 1 where it lies within the
// error that the PTX manual states for it (9.7.3), so that every word is 1 wherever it runs.
// lanewise-engine run fast_functions.cu --kernel functions --grid 2 --block 64 --arg u32[1664] --arg u32[128]
// results: exact
__device__ unsigned within(double approximate, double exact, double bound) {
    return fabs(approximate - exact) <= bound;
}
__global__ void functions(unsigned* out, const unsigned* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (in[i] & 0xffff) / 32768.0f + 0.01f, y = (in[i] >> 16) / 32768.0f - 1, r[6];
    double X = x, Y = y, u = 0x1p-23;  // of a number of [1, 2): one place in the last binary digit
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r[0]) : "f"(y));
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r[1]) : "f"(x));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r[2]) : "f"(x));
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r[3]) : "f"(x));
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r[4]) : "f"(x));
    asm("tanh.approx.f32 %0, %1;" : "=f"(r[5]) : "f"(y));
    out += i * 13;
    out[0] = within(__sinf(x), sin(X), 0x1p-20 * 1.4);
    out[1] = within(__cosf(x), cos(X), 0x1p-20 * 1.4);
    out[2] = within(r[0], exp2(Y), exp2(Y) * 0x1p-22);
    out[3] = within(r[1], log2(X), x > 0.5f && x < 2 ? 0x1p-22 : fabs(log2(X)) * 0x1p-22);
    out[4] = within(r[2], 1 / X, u / X);
    out[5] = within(r[3], 1 / sqrt(X), u / sqrt(X) * 1.1);
    out[6] = within(r[4], sqrt(X), u * sqrt(X));
    out[7] = within(r[5], tanh(Y), fabs(tanh(Y)) * 0x1p-11);
    out[8] = within(__fdividef(y, x), Y / X, 2 * u * fabs(Y / X));
    out[9] = within(__expf(y), exp(Y), exp(Y) * 0x1p-21);  // the argument's rounding besides
    out[10] = within(__logf(x), log(X), 0x1p-21 + fabs(log(X)) * 0x1p-21);
    out[11] = within(__powf(x, y), pow(X, Y), pow(X, Y) * 0x1p-18);
    out[12] = within(__frsqrt_rn(x), 1 / sqrt(X), u / 2 / sqrt(X)) && __saturatef(y) == fmax(Y, 0.0);
}
