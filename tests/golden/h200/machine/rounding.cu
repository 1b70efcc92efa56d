// Sums, products, quotients, roots and conversions in each direction of rounding.
// lanewise-engine run rounding.cu --kernel rounding --grid 1 --block 64 --arg u32[2048] --arg u32[128]
// results: exact
__device__ unsigned mix(double d) {
    unsigned long long bits = __double_as_longlong(d);
    return (unsigned)(bits >> 32) * 3 + (unsigned)bits;
}

__global__ void rounding(unsigned* out, const unsigned* in) {
    float a = (int)in[2 * threadIdx.x] / 3.0f, b = (int)in[2 * threadIdx.x + 1] / 70000.0f;
    double x = a / 7.0, y = b * 3.1;
    out += threadIdx.x * 32;
    out[0] = __float_as_uint(__fadd_rn(a, b));
    out[1] = __float_as_uint(__fadd_rz(a, b));
    out[2] = __float_as_uint(__fadd_ru(a, b));
    out[3] = __float_as_uint(__fadd_rd(a, b));
    out[4] = __float_as_uint(__fmul_rz(a, b));
    out[5] = __float_as_uint(__fmul_ru(a, b));
    out[6] = __float_as_uint(__fmaf_rd(a, b, a));
    out[7] = __float_as_uint(__fmaf_rz(a, b, -a));
    out[8] = __float_as_uint(__fdiv_rn(a, b));
    out[9] = __float_as_uint(__fdiv_ru(a, b));
    out[10] = __float_as_uint(__frcp_rd(b));
    out[11] = __float_as_uint(__fsqrt_rz(fabsf(a)));
    out[12] = __float2int_rn(b) + __float2int_ru(b) + __float2int_rd(b) + __float2int_rz(b);
    out[13] = __float2uint_rn(a) ^ __float2uint_rz(fabsf(a) * 100);
    out[14] = __int2float_rz((int)in[0] + threadIdx.x) == __int2float_ru((int)in[0] + threadIdx.x);
    out[15] = __float_as_uint(__uint2float_rd(in[2 * threadIdx.x]));
    out[16] = mix(__dadd_rz(x, y));
    out[17] = mix(__dmul_ru(x, y));
    out[18] = mix(__fma_rd(x, y, x));
    out[19] = mix(__ddiv_rn(x, y));
    out[20] = mix(__drcp_ru(y));
    out[21] = mix(__dsqrt_rd(fabs(x)));
    out[22] = __float_as_uint(__double2float_rz(x)) ^ __float_as_uint(__double2float_ru(y));
    out[23] = (unsigned)__double2ll_rd(x * 1e9) ^ (unsigned)(__double2ull_ru(fabs(y)) >> 3);
    out[24] = mix(__ll2double_rd((long long)in[0] << 31 | in[2 * threadIdx.x]));
    out[25] = __float_as_uint(rintf(b)) ^ __float_as_uint(roundf(a)) ^ __float_as_uint(truncf(b * 3)) ^ __float_as_uint(ceilf(b) + floorf(b));
    out[26] = (unsigned)(int)a + (unsigned)(a * 10) + (unsigned char)b + (short)b;
    out[27] = (unsigned)(long long)(a * 1e6f) ^ (unsigned)llrint(y);
    out[28] = __float_as_uint(fmaxf(a, __int_as_float(0x7fc00000))) ^ __float_as_uint(fminf(-0.0f, 0.0f));
    out[29] = isnan(a / 0.0f * 0.0f) + 2 * isinf(a / 0.0f) + 4 * signbit(a) + 8 * isfinite(b) + 16 * __isnanf(sqrtf(-1.0f - fabsf(a)));
    out[30] = mix(nextafter(x, y)) ^ mix(ldexp(x, (int)threadIdx.x - 20)) ^ __float_as_uint(copysignf(a, b)) ^ mix(copysign(x, -y));
    int e;
    out[31] = __float_as_uint(frexpf(a, &e)) + e + ilogb(y) + mix(fma(x, -y, 1.5)) + __float_as_uint(fdimf(a, b));
}
