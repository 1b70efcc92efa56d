// Four streaming kernels: vectors of a pipelined conjugate gradient, warm-rain cloud physics, a half-precision SGD step, decimal columns with nulls.
#include <cuda_fp16.h>

// launch pipelined_cg_vectors: --kernel pipelined_cg_vectors --grid 792 --block 256 --arg f64[1200000]=-1..1 --arg f64[1200000]=-1..1 --arg f64[1200000]=-1..1 --arg f64[1200000]=-1..1 --arg f64[1200000]=-1..1 --arg f64[1200000]=-1..1 --arg f64[1200000]=-1..1 --arg f64[1200000]=-1..1 --arg f64[1200000]=-1..1 --arg f64[1200000]=-1..1 --arg f64[2]=0.1..0.4 --arg i32:1200000
// Linear solvers: the eight vector updates of pipelined conjugate gradients fused into one pass over ten vectors of doubles,
// two elements at a time, in a loop over the grid.
__global__ void pipelined_cg_vectors(const double* __restrict__ n_vec, const double* __restrict__ m_vec,
                                     double* __restrict__ z, double* __restrict__ q, double* __restrict__ s,
                                     double* __restrict__ p, double* __restrict__ x, double* __restrict__ r,
                                     double* __restrict__ u, double* __restrict__ w,
                                     const double* __restrict__ coefficients, int n) {
    const double alpha = coefficients[0];
    const double beta = coefficients[1];
    const int pairs = n >> 1;
    const int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += step) {
        const double2 nn = reinterpret_cast<const double2*>(n_vec)[i];
        const double2 mm = reinterpret_cast<const double2*>(m_vec)[i];
        double2 zz = reinterpret_cast<double2*>(z)[i];
        double2 qq = reinterpret_cast<double2*>(q)[i];
        double2 ss = reinterpret_cast<double2*>(s)[i];
        double2 pp = reinterpret_cast<double2*>(p)[i];
        double2 xx = reinterpret_cast<double2*>(x)[i];
        double2 rr = reinterpret_cast<double2*>(r)[i];
        double2 uu = reinterpret_cast<double2*>(u)[i];
        double2 ww = reinterpret_cast<double2*>(w)[i];
        zz.x = nn.x + beta * zz.x;  zz.y = nn.y + beta * zz.y;
        qq.x = mm.x + beta * qq.x;  qq.y = mm.y + beta * qq.y;
        ss.x = ww.x + beta * ss.x;  ss.y = ww.y + beta * ss.y;
        pp.x = uu.x + beta * pp.x;  pp.y = uu.y + beta * pp.y;
        xx.x += alpha * pp.x;       xx.y += alpha * pp.y;
        rr.x -= alpha * ss.x;       rr.y -= alpha * ss.y;
        uu.x -= alpha * qq.x;       uu.y -= alpha * qq.y;
        ww.x -= alpha * zz.x;       ww.y -= alpha * zz.y;
        reinterpret_cast<double2*>(z)[i] = zz;
        reinterpret_cast<double2*>(q)[i] = qq;
        reinterpret_cast<double2*>(s)[i] = ss;
        reinterpret_cast<double2*>(p)[i] = pp;
        reinterpret_cast<double2*>(x)[i] = xx;
        reinterpret_cast<double2*>(r)[i] = rr;
        reinterpret_cast<double2*>(u)[i] = uu;
        reinterpret_cast<double2*>(w)[i] = ww;
    }
}

// launch warm_rain: --kernel warm_rain --grid 6144 --block 256 --arg f32[1572864]=275..305 --arg f32[1572864]=70000..100000 --arg f32[1572864]=0.002..0.025 --arg f32[1572864]=0..0.003 --arg f32[1572864]=0..0.002 --arg f32[1572864] --arg f32[1572864] --arg f32[1572864] --arg f32[1572864] --arg f32:2.0 --arg i32:1572864
// Weather: Kessler's warm-rain physics in each cell by itself: droplets grow and are collected, vapour condenses to
// saturation, rain evaporates. A thread for a cell, five fields in, four out.
__global__ void warm_rain(const float* __restrict__ theta, const float* __restrict__ pressure,
                          const float* __restrict__ vapour, const float* __restrict__ cloud,
                          const float* __restrict__ rain, float* __restrict__ theta_out, float* __restrict__ vapour_out,
                          float* __restrict__ cloud_out, float* __restrict__ rain_out, float dt, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float p = pressure[i];
    const float exner = powf(p * 1e-5f, 0.2857f);
    float t = theta[i] * exner;
    float qv = vapour[i], qc = cloud[i], qr = rain[i];
    const float rho = p / (287.0f * t * (1.0f + 0.61f * qv));

    // droplets to rain
    float made = 0.0f;
    if (qc > 0.001f) made = 0.001f * (qc - 0.001f) * dt;
    if (qr > 0.0f) made += 2.2f * qc * powf(qr, 0.875f) * dt;
    made = fminf(made, qc);
    qc -= made;
    qr += made;

    // saturation adjustment
    const float es = 611.2f * expf(17.67f * (t - 273.15f) / (t - 29.65f));
    const float qs = 0.622f * es / (p - 0.378f * es);
    const float slope = qs * 4097.8f / ((t - 29.65f) * (t - 29.65f));
    float condensed = (qv - qs) / (1.0f + 2488.0f * slope);
    condensed = fmaxf(condensed, -qc);
    qv -= condensed;
    qc += condensed;
    t += 2488.0f * condensed;

    // rain evaporates where the air is dry
    if (qv < qs && qr > 0.0f) {
        const float rq = rho * qr * 1e-3f;
        const float ventilation = 1.6f + 30.39f * powf(rq, 0.2046f);
        const float rate = (1.0f - qv / qs) * ventilation * powf(rq, 0.525f) / (rho * (2.03e4f + 9.58e6f / (es * 1e-2f)) * 1e-3f);
        const float lost = fminf(fminf(rate * dt * 1e-3f, qr), qs - qv);
        qv += lost;
        qr -= lost;
        t -= 2488.0f * lost;
    }
    theta_out[i] = t / exner;
    vapour_out[i] = qv;
    cloud_out[i] = qc;
    rain_out[i] = qr;
}

// launch sgd_half_master: --kernel sgd_half_master --grid 2048 --block 256 --arg f16[4194304]=-1..1 --arg f32[4194304]=-1..1 --arg f32[4194304]=-0.1..0.1 --arg f16[4194304] --arg f32[1]=0.001..0.002 --arg i32[1]=0 --arg f32:0.01 --arg f32:0.9 --arg f32:0.0001 --arg i32:4194304
// Deep learning: SGD with Nesterov momentum for mixed precision: scaled half gradients, float master weights, a half copy
// for the next forward pass; skipped if an overflow was seen. Eight elements a thread in vectors of 16 bytes.
__global__ void sgd_half_master(const __half* __restrict__ gradient, float* __restrict__ master,
                                float* __restrict__ momentum, __half* __restrict__ model,
                                const float* __restrict__ inverse_scale, const int* __restrict__ overflow, float rate,
                                float mu, float decay, int n) {
    if (*overflow) return;
    const float inv = *inverse_scale;
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (i + 8 <= n) {
        const uint4 packed = *reinterpret_cast<const uint4*>(gradient + i);
        const unsigned int words[4] = {packed.x, packed.y, packed.z, packed.w};
        float w[8], v[8];
        *reinterpret_cast<float4*>(&w[0]) = *reinterpret_cast<const float4*>(master + i);
        *reinterpret_cast<float4*>(&w[4]) = *reinterpret_cast<const float4*>(master + i + 4);
        *reinterpret_cast<float4*>(&v[0]) = *reinterpret_cast<const float4*>(momentum + i);
        *reinterpret_cast<float4*>(&v[4]) = *reinterpret_cast<const float4*>(momentum + i + 4);
        unsigned int out[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float2 g2 = __half22float2(*reinterpret_cast<const __half2*>(&words[k]));
            const float g0 = g2.x * inv + decay * w[2 * k];
            const float g1 = g2.y * inv + decay * w[2 * k + 1];
            v[2 * k] = mu * v[2 * k] + g0;
            v[2 * k + 1] = mu * v[2 * k + 1] + g1;
            w[2 * k] -= rate * (g0 + mu * v[2 * k]);
            w[2 * k + 1] -= rate * (g1 + mu * v[2 * k + 1]);
            const __half2 h = __floats2half2_rn(w[2 * k], w[2 * k + 1]);
            out[k] = *reinterpret_cast<const unsigned int*>(&h);
        }
        *reinterpret_cast<float4*>(master + i) = make_float4(w[0], w[1], w[2], w[3]);
        *reinterpret_cast<float4*>(master + i + 4) = make_float4(w[4], w[5], w[6], w[7]);
        *reinterpret_cast<float4*>(momentum + i) = make_float4(v[0], v[1], v[2], v[3]);
        *reinterpret_cast<float4*>(momentum + i + 4) = make_float4(v[4], v[5], v[6], v[7]);
        *reinterpret_cast<uint4*>(model + i) = make_uint4(out[0], out[1], out[2], out[3]);
    } else {
        for (int k = i; k < n; k++) {
            const float g = __half2float(gradient[k]) * inv + decay * master[k];
            const float v = mu * momentum[k] + g;
            const float w = master[k] - rate * (g + mu * v);
            momentum[k] = v;
            master[k] = w;
            model[k] = __float2half(w);
        }
    }
}

// launch decimal_charges: --kernel decimal_charges --grid 11719 --block 256 --arg i64[2999989]=90000..10500000 --arg i32[2999989]=0..10 --arg i32[2999989]=0..8 --arg i32[2999989]=8000..10600 --arg u32[93750]=0..4294967295 --arg u32[93750]=0..4294967295 --arg i64[2999989] --arg i64[2999989] --arg u32[93750] --arg i32:10471 --arg i32:2999989
// Databases: price*(1-discount) and price*(1-discount)*(1+tax) in scaled 64-bit decimals, for rows shipped by a date and
// with neither column null. A thread for a row, bits of validity read by word and written by ballot.
__global__ void decimal_charges(const long long* __restrict__ price, const int* __restrict__ discount,
                                const int* __restrict__ tax, const int* __restrict__ shipped,
                                const unsigned int* __restrict__ price_valid,
                                const unsigned int* __restrict__ discount_valid, long long* __restrict__ reduced,
                                long long* __restrict__ charge, unsigned int* __restrict__ out_valid, int last_day,
                                int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    const int word = row >> 5;
    bool keep = false;
    if (row < rows) {
        const unsigned int bits = price_valid[word] & discount_valid[word];
        keep = ((bits >> lane) & 1u) && shipped[row] <= last_day;
        long long d = 0, c = 0;
        if (keep) {
            d = price[row] * (100 - discount[row]);
            // back to two places after the point, half away from zero
            const long long full = d * (100 + tax[row]);
            c = (full + (full >= 0 ? 50 : -50)) / 100;
        }
        reduced[row] = d;
        charge[row] = c;
    }
    const unsigned int kept = __ballot_sync(0xffffffffu, keep);
    if (lane == 0 && row < rows) out_valid[word] = kept;
}
