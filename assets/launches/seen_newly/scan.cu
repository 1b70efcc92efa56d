// Four scans: likelihoods of volatility recurrences, placing of present values among nulls, distances along rows to the nearest mark, and compositing of samples along rays.
#include <cuda_fp16.h>

// launch garch_likelihood: --kernel garch_likelihood --grid 8,40 --block 128 --arg f32[10240]=-0.03..0.03 --arg f32[1000]=0.000001..0.00002 --arg f32[1000]=0.02..0.15 --arg f32[1000]=0.7..0.84 --arg f32[40000] --arg i32:1000 --arg i32:256
// Finance: log likelihood of GARCH(1,1) for each asset and each candidate of the parameters. A thread a candidate runs the variance
// recurrence over the days; the returns of the asset are in shared memory.
__global__ void garch_likelihood(const float* __restrict__ returns, const float* __restrict__ omega, const float* __restrict__ alpha,
                                 const float* __restrict__ beta, float* __restrict__ likelihood, int candidates, int days)
{
    __shared__ float squared[512];
    __shared__ float warp_sum[4];
    const float* r = returns + blockIdx.y * days;
    float part = 0.f;
    for (int d = threadIdx.x; d < days; d += blockDim.x) {
        float v = r[d];
        squared[d] = v * v;
        part += v * v;
    }
    for (int s = 16; s > 0; s >>= 1) part += __shfl_xor_sync(0xffffffffu, part, s);
    if ((threadIdx.x & 31) == 0) warp_sum[threadIdx.x >> 5] = part;
    __syncthreads();
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= candidates) return;
    float h = (warp_sum[0] + warp_sum[1] + warp_sum[2] + warp_sum[3]) / days;
    const float w = omega[c], a = alpha[c], b = beta[c];
    float sum = 0.f;
    for (int d = 0; d < days; ++d) {
        float e = squared[d];
        sum += logf(h) + e / h;
        h = w + a * e + b * h;
    }
    likelihood[blockIdx.y * candidates + c] = -0.5f * (sum + days * 1.8378771f);
}

// launch place_present_values: --kernel place_present_values --grid 480 --block 256 --arg u8[3932160]=0..3 --arg i32[3932160]=-100000..100000 --arg i32[3932160] --arg u8[491520] --arg i32[480] --arg i32:3
// Column files: a page has definition levels of 8192 slots and only the values that are present; each value goes to its slot, nulls
// become zero. A block a page, 8 slots a thread, a scan of the counts in the block, carried over four rounds.
__global__ void place_present_values(const unsigned char* __restrict__ levels, const int* __restrict__ packed, int* __restrict__ slots,
                                     unsigned char* __restrict__ validity, int* __restrict__ present_of_page, int null_level)
{
    const int PAGE = 8192;
    __shared__ int warp_total[8];
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    const int page = blockIdx.x * PAGE;
    int base = 0;
    for (int round = 0; round < PAGE / 2048; ++round) {
        const int first = page + round * 2048 + t * 8;
        uint2 raw = *reinterpret_cast<const uint2*>(levels + first);
        unsigned mask = 0;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            int level = ((k < 4 ? raw.x : raw.y) >> (8 * (k & 3))) & 255;
            mask |= (level < null_level ? 1u : 0u) << k;
        }
        const int mine = __popc(mask);
        int inclusive = mine;
#pragma unroll
        for (int d = 1; d < 32; d <<= 1) {
            int up = __shfl_up_sync(0xffffffffu, inclusive, d);
            if (lane >= d) inclusive += up;
        }
        if (lane == 31) warp_total[warp] = inclusive;
        __syncthreads();
        int before = 0, total = 0;
#pragma unroll
        for (int w = 0; w < 8; ++w) {
            int v = warp_total[w];
            if (w < warp) before += v;
            total += v;
        }
        const int* source = packed + page + base + before + inclusive - mine;
        int out[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            out[k] = 0;
            if (mask >> k & 1) out[k] = *source++;
        }
        int4* target = reinterpret_cast<int4*>(slots + first);
        target[0] = make_int4(out[0], out[1], out[2], out[3]);
        target[1] = make_int4(out[4], out[5], out[6], out[7]);
        validity[first >> 3] = (unsigned char)mask;
        base += total;
        __syncthreads();
    }
    if (t == 0) present_of_page[blockIdx.x] = base;
}

// launch row_distance_to_mark: --kernel row_distance_to_mark --grid 480 --block 32,4 --arg u8[3686400]=0..99 --arg u16[3686400] --arg i32:1920 --arg i32:1920 --arg i32:2
// Image analysis: first pass of a distance transform, the distance of each pixel to the nearest marked one in its row. A warp a row,
// votes give the nearest mark to the left, then going back the nearest to the right.
__global__ void row_distance_to_mark(const unsigned char* image, unsigned short* distance, int width, int height, int level)
{
    __shared__ unsigned marks[4][64];
    const int lane = threadIdx.x;
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= height) return;
    const unsigned char* in = image + row * width;
    unsigned short* out = distance + row * width;
    const int far = width;
    const int chunks = (width + 31) / 32;
    int last = -far;
    for (int c = 0; c < chunks; ++c) {
        int x = c * 32 + lane;
        bool hit = x < width && in[x] < level;
        unsigned bits = __ballot_sync(0xffffffffu, hit);
        if (lane == 0) marks[threadIdx.y][c] = bits;
        unsigned upto = bits & (0xffffffffu >> (31 - lane));
        int nearest = upto ? c * 32 + 31 - __clz(upto) : last;
        if (x < width) out[x] = (unsigned short)min(x - nearest, far);
        if (bits) last = c * 32 + 31 - __clz(bits);
    }
    __syncwarp();
    int next = 2 * far;
    for (int c = chunks - 1; c >= 0; --c) {
        int x = c * 32 + lane;
        unsigned bits = marks[threadIdx.y][c];
        unsigned from = bits & (0xffffffffu << lane);
        int nearest = from ? c * 32 + __ffs(from) - 1 : next;
        if (x < width) {
            int d = nearest - x;
            if (d < out[x]) out[x] = (unsigned short)d;
        }
        if (bits) next = c * 32 + __ffs(bits) - 1;
    }
}

// launch composite_ray_samples: --kernel composite_ray_samples --grid 2500 --block 256 --arg i32[20001]=0+80 --arg i32[20000]=0..80 --arg f32[1600000]=0..6 --arg f32[1600000]=0.005..0.03 --arg f32[4800000]=0..1 --arg f32[1600000] --arg f32[60000] --arg f32[20000] --arg i32:20000 --arg f32:0.0001
// Neural rendering: opacities along each ray into weights by a running product of what is let through, then colour and depth. A warp a
// ray, 32 samples a round, a scan of products by shuffles, until too little light is left.
__global__ void composite_ray_samples(const int* __restrict__ ray_start, const int* __restrict__ ray_count, const float* __restrict__ sigma,
                                      const float* __restrict__ step, const float* __restrict__ rgb, float* __restrict__ weights,
                                      float* __restrict__ colour, float* __restrict__ depth, int rays, float stop)
{
    const int lane = threadIdx.x & 31;
    const int ray = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (ray >= rays) return;
    const int start = ray_start[ray], count = ray_count[ray];
    float through = 1.f, travelled = 0.f;
    float r = 0.f, g = 0.f, b = 0.f, z = 0.f;
    for (int base = 0; base < count; base += 32) {
        const int s = start + base + lane;
        const bool live = base + lane < count;
        float dt = live ? step[s] : 0.f;
        float pass = live ? __expf(-sigma[s] * dt) : 1.f;
        float product = pass, t = dt;
#pragma unroll
        for (int d = 1; d < 32; d <<= 1) {
            float p = __shfl_up_sync(0xffffffffu, product, d);
            float q = __shfl_up_sync(0xffffffffu, t, d);
            if (lane >= d) {
                product *= p;
                t += q;
            }
        }
        float before = __shfl_up_sync(0xffffffffu, product, 1);
        if (lane == 0) before = 1.f;
        if (live) {
            float w = through * before * (1.f - pass);
            weights[s] = w;
            r += w * rgb[3 * s];
            g += w * rgb[3 * s + 1];
            b += w * rgb[3 * s + 2];
            z += w * (travelled + t - 0.5f * dt);
        }
        through *= __shfl_sync(0xffffffffu, product, 31);
        travelled += __shfl_sync(0xffffffffu, t, 31);
        if (through < stop) break;
    }
    for (int d = 16; d > 0; d >>= 1) {
        r += __shfl_xor_sync(0xffffffffu, r, d);
        g += __shfl_xor_sync(0xffffffffu, g, d);
        b += __shfl_xor_sync(0xffffffffu, b, d);
        z += __shfl_xor_sync(0xffffffffu, z, d);
    }
    if (lane == 0) {
        colour[3 * ray] = r + through;
        colour[3 * ray + 1] = g + through;
        colour[3 * ray + 2] = b + through;
        depth[ray] = z;
    }
}
