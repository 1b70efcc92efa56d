// The math library's functions of f64.
// lanewise-engine run double_functions.cu --kernel functions --grid 1 --block 32 --arg f64[640] --arg u32[32]
// results: within 1e-13 of the value, f64
__global__ void functions(double* out, const unsigned* in) {
    double x = (in[threadIdx.x] & 0xffff) / 6553.6 + 0.01, y = (in[threadIdx.x] >> 16) / 32768.0 - 1;
    out += threadIdx.x * 20;
    out[0] = sin(x);
    out[1] = cos(x * 1000);
    out[2] = tan(y);
    out[3] = exp(y * 20);
    out[4] = log(x);
    out[5] = pow(x, y * 5);
    out[6] = sqrt(x);
    out[7] = 1 / sqrt(x);
    out[8] = cbrt(y);
    out[9] = atan2(y, x);
    out[10] = tanh(y);
    out[11] = erf(y);
    out[12] = tgamma(x);
    out[13] = fmod(x, 0.3);
    out[14] = x / (y + 3);
    out[15] = sin(x * 1e9);
    out[16] = rsqrt(x);
    out[17] = exp2(y * 30);
    out[18] = log1p(x);
    out[19] = hypot(x, y);
}
