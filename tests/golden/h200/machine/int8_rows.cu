// Rows of signed bytes, quantised: absolute maximum, scale, rounding with saturation, char4 access.
// lanewise-engine run int8_rows.cu --kernel quantise --grid 3 --block 64 --arg i8[768] --arg f32[3] --arg u32[768]
// results: exact
__global__ void quantise(char4* out, float* scales, const unsigned* words) {
    __shared__ float most[2];
    float v[4], top = 0;
    for (int k = 0; k < 4; ++k) {
        v[k] = (int)(words[(blockIdx.x * 64 + threadIdx.x) * 4 + k] % 20001) - 10000;
        top = fmaxf(top, fabsf(v[k]));
    }
    for (int d = 16; d; d /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
    if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = top;
    __syncthreads();
    float scale = fmaxf(most[0], most[1]) / 127.0f;
    auto byte = [&](float f) { return (signed char)max(-128, min(127, __float2int_rn(f / scale))); };
    out[blockIdx.x * 64 + threadIdx.x] = make_char4(byte(v[0]), byte(v[1]), byte(v[2]), byte(v[3]));
    if (threadIdx.x == 0) scales[blockIdx.x] = scale;
}
