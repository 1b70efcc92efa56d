// Four that stream: gradients of the focal loss, a running average of bf16 weights, the return of trial stresses to the yield surface, and day numbers to calendar dates.
#include <cuda_bf16.h>

// launch focal_loss_gradients: --kernel focal_loss_gradients --grid 8192 --block 256 --arg f32[2097152]=-4..4 --arg i8[2097152]=-1..1 --arg f32[2097152] --arg f32[2097152] --arg i32:2097152 --arg f32:0.25 --arg f32:2.0 --arg f32:0.0001
// Object detection: sigmoid focal loss and its gradient for each logit; target -1 means ignored, 0 background, 1 object.
// One logit a thread.
__global__ void focal_loss_gradients(const float* __restrict__ logits, const signed char* __restrict__ targets,
                                     float* __restrict__ loss, float* __restrict__ gradient, int n,
                                     float alpha, float gamma, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = logits[i];
    int t = targets[i];
    float l = 0.f, g = 0.f;
    if (t >= 0) {
        float s = t ? x : -x;
        float a = t ? alpha : 1.f - alpha;
        float e = expf(-fabsf(s));
        float p = (s >= 0.f ? 1.f : e) / (1.f + e);
        float log_p = fminf(s, 0.f) - log1pf(e);
        float q = 1.f - p;
        float f = powf(q, gamma);
        l = -a * f * log_p;
        g = a * f * (gamma * p * log_p - q);
        g = t ? g : -g;
    }
    loss[i] = l * scale;
    gradient[i] = g * scale;
}

// launch average_of_weights: --kernel average_of_weights --grid 2048 --block 256 --arg bf16[8388608]=-1..1 --arg f32[8388608]=-1..1 --arg bf16[8388608] --arg i64:8388608 --arg f32:0.999
// Training: exponential moving average of the weights kept in float, from the bf16 weights, with a bf16 copy for
// evaluation; eight values at a time, grid stride, the rest one by one.
__global__ void average_of_weights(const __nv_bfloat16* __restrict__ weights, float* __restrict__ average,
                                   __nv_bfloat16* __restrict__ copy, long long n, float decay)
{
    long long vectors = n / 8;
    long long stride = (long long)gridDim.x * blockDim.x;
    long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    float fresh = 1.f - decay;
    for (long long v = first; v < vectors; v += stride) {
        uint4 raw = reinterpret_cast<const uint4*>(weights)[v];
        float4 lo = reinterpret_cast<float4*>(average)[2 * v];
        float4 hi = reinterpret_cast<float4*>(average)[2 * v + 1];
        const __nv_bfloat162* w = reinterpret_cast<const __nv_bfloat162*>(&raw);
        float2 a = __bfloat1622float2(w[0]), b = __bfloat1622float2(w[1]);
        float2 c = __bfloat1622float2(w[2]), d = __bfloat1622float2(w[3]);
        lo.x = decay * lo.x + fresh * a.x; lo.y = decay * lo.y + fresh * a.y;
        lo.z = decay * lo.z + fresh * b.x; lo.w = decay * lo.w + fresh * b.y;
        hi.x = decay * hi.x + fresh * c.x; hi.y = decay * hi.y + fresh * c.y;
        hi.z = decay * hi.z + fresh * d.x; hi.w = decay * hi.w + fresh * d.y;
        reinterpret_cast<float4*>(average)[2 * v] = lo;
        reinterpret_cast<float4*>(average)[2 * v + 1] = hi;
        uint4 out;
        __nv_bfloat162* o = reinterpret_cast<__nv_bfloat162*>(&out);
        o[0] = __floats2bfloat162_rn(lo.x, lo.y);
        o[1] = __floats2bfloat162_rn(lo.z, lo.w);
        o[2] = __floats2bfloat162_rn(hi.x, hi.y);
        o[3] = __floats2bfloat162_rn(hi.z, hi.w);
        reinterpret_cast<uint4*>(copy)[v] = out;
    }
    for (long long i = vectors * 8 + first; i < n; i += stride) {
        float m = decay * average[i] + fresh * __bfloat162float(weights[i]);
        average[i] = m;
        copy[i] = __float2bfloat16(m);
    }
}

// launch return_to_yield: --kernel return_to_yield --grid 4096 --block 256 --arg f32[6291456]=-200..200 --arg f32[6291456]=-0.001..0.001 --arg f32[1048576]=0..0.01 --arg f32[6291456] --arg f32[1048576] --arg i32:1048576 --arg f32:80000.0 --arg f32:120000.0 --arg f32:250.0 --arg f32:1500.0
// Finite elements: J2 plasticity with linear hardening at integration points; elastic trial stress, then radial return
// where it lies outside the yield surface. Six components in planes of n; one point a thread.
__global__ void return_to_yield(const float* stress, const float* strain_step, const float* plastic,
                                float* new_stress, float* new_plastic, int n,
                                float shear, float lame, float yield, float hardening)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s[6], e[6];
#pragma unroll
    for (int k = 0; k < 6; k++) {
        s[k] = stress[k * n + i];
        e[k] = strain_step[k * n + i];
    }
    float ep = plastic[i];
    float volume = lame * (e[0] + e[1] + e[2]);
#pragma unroll
    for (int k = 0; k < 3; k++) {
        s[k] += volume + 2.f * shear * e[k];
        s[k + 3] += 2.f * shear * e[k + 3];
    }
    float mean = (s[0] + s[1] + s[2]) * (1.f / 3.f);
    float a = s[0] - mean, b = s[1] - mean, c = s[2] - mean;
    float j2 = 0.5f * (a * a + b * b + c * c) + s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    float q = sqrtf(3.f * j2);
    float excess = q - (yield + hardening * ep);
    if (excess > 0.f) {
        float gain = excess / (3.f * shear + hardening);
        float shrink = 1.f - 3.f * shear * gain / q;
        s[0] = mean + shrink * a;
        s[1] = mean + shrink * b;
        s[2] = mean + shrink * c;
        s[3] *= shrink; s[4] *= shrink; s[5] *= shrink;
        ep += gain;
    }
#pragma unroll
    for (int k = 0; k < 6; k++) new_stress[k * n + i] = s[k];
    new_plastic[i] = ep;
}

// launch days_to_dates: --kernel days_to_dates --grid 4096 --block 128 --arg i32[2097152]=-20000..40000 --arg i16[2097152] --arg u8[2097152] --arg u8[2097152] --arg u8[2097152] --arg i32:2097152
// Columnar database: days since 1970 to year, month, day and day of the week in the Gregorian calendar, each into its
// own column; four rows a thread, vector loads and stores.
__global__ void days_to_dates(const int* __restrict__ days, short* __restrict__ years, unsigned char* __restrict__ months,
                              unsigned char* __restrict__ dates, unsigned char* __restrict__ weekdays, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * v >= n) return;
    int4 four = reinterpret_cast<const int4*>(days)[v];
    int d[4] = { four.x, four.y, four.z, four.w };
    short y[4];
    unsigned char m[4], t[4], w[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int z = d[k] + 719468;
        int era = (z >= 0 ? z : z - 146096) / 146097;
        unsigned doe = (unsigned)(z - era * 146097);
        unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
        unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        unsigned mp = (5 * doy + 2) / 153;
        unsigned month = mp < 10 ? mp + 3 : mp - 9;
        y[k] = (short)((int)yoe + era * 400 + (month <= 2 ? 1 : 0));
        m[k] = (unsigned char)month;
        t[k] = (unsigned char)(doy - (153 * mp + 2) / 5 + 1);
        int wd = (d[k] + 4) % 7;
        w[k] = (unsigned char)(wd < 0 ? wd + 7 : wd);
    }
    reinterpret_cast<short4*>(years)[v] = make_short4(y[0], y[1], y[2], y[3]);
    reinterpret_cast<uchar4*>(months)[v] = make_uchar4(m[0], m[1], m[2], m[3]);
    reinterpret_cast<uchar4*>(dates)[v] = make_uchar4(t[0], t[1], t[2], t[3]);
    reinterpret_cast<uchar4*>(weekdays)[v] = make_uchar4(w[0], w[1], w[2], w[3]);
}
