// Four streams: a guided step of an image diffusion sampler, charges of order lines with nulls, spectra multiplied by a filter's, and condensation in a cloud model.
#include <cuda_fp16.h>

// launch guided_denoise_step: --kernel guided_denoise_step --grid 4096 --block 256 --arg f16[8388608]=-1..1 --arg f16[8388608]=-1..1 --arg f16[8388608]=-1..1 --arg f16[8388608]=-1..1 --arg f16[8388608] --arg i32:1048576 --arg f32:7.5 --arg f32:0.92 --arg f32:0.39 --arg f32:0.94 --arg f32:0.3 --arg f32:0.15
// Image generation: classifier-free guidance and a stochastic DDIM step on half latents; eight halves for each thread
// in 16-byte loads and stores, the arithmetic in single precision.
__global__ void guided_denoise_step(const __half* __restrict__ latent, const __half* __restrict__ eps_cond,
                                    const __half* __restrict__ eps_free, const __half* __restrict__ noise,
                                    __half* __restrict__ out, int vectors, float guidance, float sqrt_a, float sqrt_1a,
                                    float sqrt_prev, float dir, float sigma)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= vectors) return;
    const uint4 x = reinterpret_cast<const uint4*>(latent)[i];
    const uint4 c = reinterpret_cast<const uint4*>(eps_cond)[i];
    const uint4 f = reinterpret_cast<const uint4*>(eps_free)[i];
    const uint4 n = reinterpret_cast<const uint4*>(noise)[i];
    uint4 r;
    const __half2* xh = reinterpret_cast<const __half2*>(&x);
    const __half2* ch = reinterpret_cast<const __half2*>(&c);
    const __half2* fh = reinterpret_cast<const __half2*>(&f);
    const __half2* nh = reinterpret_cast<const __half2*>(&n);
    __half2* rh = reinterpret_cast<__half2*>(&r);
    const float inv_a = 1.f / sqrt_a;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const float2 xv = __half22float2(xh[k]);
        const float2 cv = __half22float2(ch[k]);
        const float2 fv = __half22float2(fh[k]);
        const float2 nv = __half22float2(nh[k]);
        const float ex = fv.x + guidance * (cv.x - fv.x);
        const float ey = fv.y + guidance * (cv.y - fv.y);
        const float px = fminf(3.f, fmaxf(-3.f, (xv.x - sqrt_1a * ex) * inv_a));
        const float py = fminf(3.f, fmaxf(-3.f, (xv.y - sqrt_1a * ey) * inv_a));
        rh[k] = __floats2half2_rn(sqrt_prev * px + dir * ex + sigma * nv.x, sqrt_prev * py + dir * ey + sigma * nv.y);
    }
    reinterpret_cast<uint4*>(out)[i] = r;
}

// launch charge_of_items: --kernel charge_of_items --grid 11719 --block 256 --arg i64[3000000]=90000..10500000 --arg i16[3000000]=0..10 --arg i16[3000000]=0..8 --arg i32[3000000]=8036..10591 --arg u32[93750]=0..4294967295 --arg u32[93750]=0..4294967295 --arg i64[3000000] --arg u32[93750] --arg i32:3000000 --arg i32:10471
// Databases: price * (1 - discount) * (1 + tax) of order lines in fixed decimals, null bitmaps of two columns joined
// with a filter by date; one row for each thread, a word of the resulting bitmap for each warp.
__global__ void charge_of_items(const long long* __restrict__ price, const short* __restrict__ discount,
                                const short* __restrict__ tax, const int* __restrict__ shipped,
                                const unsigned* __restrict__ price_valid, const unsigned* __restrict__ tax_valid,
                                long long* __restrict__ charge, unsigned* __restrict__ valid, int rows, int last_day)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    bool keep = false;
    if (row < rows) {
        const unsigned word = price_valid[row >> 5] & tax_valid[row >> 5];
        keep = ((word >> lane) & 1u) && shipped[row] <= last_day;
        long long value = 0;
        if (keep) {
            const long long net = price[row] * (long long)(100 - discount[row]);
            const long long gross = net * (long long)(100 + tax[row]);
            value = (gross + 5000) / 10000;
        }
        charge[row] = value;
    }
    const unsigned word = __ballot_sync(0xffffffffu, keep);
    if (lane == 0 && row < rows) valid[row >> 5] = word;
}

// launch multiply_spectra: --kernel multiply_spectra<true> --grid 1026 --block 256 --arg f32[6303744]=-1..1 --arg f32[525312]=-1..1 --arg f32[6303744] --arg i32:262656 --arg i32:12 --arg f32:0.0000019073486
// Signals: spectra of a batch of images times the conjugate of one filter's spectrum, scaled for the inverse
// transform; a frequency for each thread, which keeps its filter value for all the images.
template <bool CONJUGATE>
__global__ void multiply_spectra(const float2* __restrict__ images, const float2* __restrict__ filter,
                                 float2* __restrict__ out, int bins, int batch, float scale)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bins) return;
    float2 w = filter[i];
    w.x *= scale;
    w.y *= CONJUGATE ? -scale : scale;
    const float2* src = images + i;
    float2* dst = out + i;
#pragma unroll 4
    for (int b = 0; b < batch; ++b) {
        const float2 a = src[(size_t)b * bins];
        float2 r;
        r.x = a.x * w.x - a.y * w.y;
        r.y = a.x * w.y + a.y * w.x;
        dst[(size_t)b * bins] = r;
    }
}

// launch cloud_adjustment: --kernel cloud_adjustment --grid 4384 --block 256 --arg f32[1122304]=235..305 --arg f32[1122304]=20000..101000 --arg f32[1122304]=0.0001..0.02 --arg f32[1122304]=0..0.001 --arg f32[1122304] --arg f32[1122304] --arg f32[1122304] --arg i32:1122304
// Weather: saturation adjustment of a cloud scheme: vapour condenses, or cloud water evaporates, until the air is just
// saturated, by three Newton steps at constant enthalpy; one cell for each thread.
__global__ void cloud_adjustment(const float* __restrict__ temperature, const float* __restrict__ pressure,
                                 const float* __restrict__ vapour, const float* __restrict__ cloud,
                                 float* __restrict__ t_out, float* __restrict__ qv_out, float* __restrict__ qc_out, int cells)
{
    const float latent = 2.501e6f, cp = 1004.64f, ratio = 0.62198f;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    const float p = pressure[i];
    const float qv0 = vapour[i], qc0 = cloud[i];
    const float t0 = temperature[i];
    float t = t0, qv = qv0, qc = qc0;

    float es = 610.78f * expf(17.269f * (t - 273.16f) / (t - 35.86f));
    float qs = ratio * es / fmaxf(p - 0.378f * es, 1.f);
    if (qv > qs || qc > 0.f) {
        const float lcp = latent / cp;
        const float tl = t0 - lcp * qc0;       // liquid water temperature
        const float qt = qv0 + qc0;
#pragma unroll 1
        for (int step = 0; step < 3; ++step) {
            es = 610.78f * expf(17.269f * (t - 273.16f) / (t - 35.86f));
            qs = ratio * es / fmaxf(p - 0.378f * es, 1.f);
            const float d = t - 35.86f;
            const float dqs = qs * 4098.0f / (d * d) * p / fmaxf(p - 0.378f * es, 1.f);
            const float f = t - tl - lcp * (qt - qs);
            t -= f / (1.f + lcp * dqs);
        }
        es = 610.78f * expf(17.269f * (t - 273.16f) / (t - 35.86f));
        qs = ratio * es / fmaxf(p - 0.378f * es, 1.f);
        if (qt > qs) {
            qv = qs;
            qc = qt - qs;
            t = tl + lcp * qc;
        } else {                               // all of the cloud has gone
            qv = qt;
            qc = 0.f;
            t = tl;
        }
    }
    t_out[i] = t;
    qv_out[i] = qv;
    qc_out[i] = qc;
}
