// Four scans: moving-average indicators of price series, waiting times of queues by a max-plus scan, poses along chains of links, compaction of visible triangles.
#include <cuda_fp16.h>

// launch macd_of_series: --kernel macd_of_series --grid 256 --block 128 --arg f32[8388608]=90..110 --arg f32[8388608] --arg i32:32768 --arg i32:256 --arg f32:0.153846 --arg f32:0.074074 --arg f32:0.2
// Finance: difference of a fast and a slow exponential average and its distance from its own average (MACD histogram);
// a thread runs through one series, days lie one after another with the series side by side.
__global__ void macd_of_series(const float* __restrict__ price, float* __restrict__ histogram, int series, int days,
                               float fast_weight, float slow_weight, float signal_weight)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= series) return;
    float fast = price[s], slow = fast, signal = 0.f;
    histogram[s] = 0.f;
#pragma unroll 4
    for (int d = 1; d < days; ++d) {
        const float p = price[(size_t)d * series + s];
        fast += fast_weight * (p - fast);
        slow += slow_weight * (p - slow);
        const float macd = fast - slow;
        signal += signal_weight * (macd - signal);
        histogram[(size_t)d * series + s] = macd - signal;
    }
}

// launch waiting_times: --kernel waiting_times --grid 1024 --block 256 --arg f32[4194304]=0..1.8 --arg f32[4194304]=0..2 --arg f32[4194304] --arg i32:4096
// Queueing simulation: Lindley's recurrence w = max(0, w + service - gap) as a scan of max-plus maps; a block takes a queue,
// four customers a thread, with warp shuffles and a carry from tile to tile.
__global__ void __launch_bounds__(256) waiting_times(const float* __restrict__ service, const float* __restrict__ gap,
                                                     float* __restrict__ wait, int customers)
{
    __shared__ float warp_a[8], warp_b[8];
    const size_t base = (size_t)blockIdx.x * customers;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float carry = 0.f;
    for (int first = 0; first < customers; first += 1024) {
        const size_t at = base + first + threadIdx.x * 4;
        const float4 sv = *reinterpret_cast<const float4*>(service + at);
        const float4 gp = *reinterpret_cast<const float4*>(gap + at);
        const float x0 = sv.x - gp.x, x1 = sv.y - gp.y, x2 = sv.z - gp.z, x3 = sv.w - gp.w;
        // The map w -> max(w + a, b) of this thread's four customers.
        float a = x0 + x1 + x2 + x3;
        float b = fmaxf(0.f, x1); // one who comes after an idle server waits for nobody
        b = fmaxf(0.f, x2 + b);
        b = fmaxf(0.f, x3 + b);
#pragma unroll
        for (int s = 1; s < 32; s <<= 1) {
            const float pa = __shfl_up_sync(0xffffffffu, a, s);
            const float pb = __shfl_up_sync(0xffffffffu, b, s);
            if (lane >= s) {
                b = fmaxf(pb + a, b);
                a = pa + a;
            }
        }
        if (lane == 31) {
            warp_a[warp] = a;
            warp_b[warp] = b;
        }
        float ea = __shfl_up_sync(0xffffffffu, a, 1);
        float eb = __shfl_up_sync(0xffffffffu, b, 1);
        __syncthreads();
        float w = carry;
        float end = carry;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            end = fmaxf(end + warp_a[k], warp_b[k]);
            if (k + 1 == warp) w = end;
        }
        if (lane > 0) w = fmaxf(w + ea, eb);
        float4 out;
        out.x = w = fmaxf(0.f, w + x0);
        out.y = w = fmaxf(0.f, w + x1);
        out.z = w = fmaxf(0.f, w + x2);
        out.w = fmaxf(0.f, w + x3);
        *reinterpret_cast<float4*>(wait + at) = out;
        carry = end;
        __syncthreads();
    }
}

// launch chain_of_rotations: --kernel chain_of_rotations --grid 512 --block 256 --arg f32[2097152]=0.1..1 --arg f32[1572864]=-1..1 --arg f32[1572864] --arg i32:4096 --arg i32:128
// Robotics and polymers: from turns (quaternions) and offsets of links to positions in space; a warp takes a chain, scans
// 32 rigid motions at a time by shuffles and carries the last one on.
__global__ void chain_of_rotations(const float4* __restrict__ turn, const float* __restrict__ offset,
                                   float* __restrict__ position, int chains, int links)
{
    const int chain = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int lane = threadIdx.x & 31;
    if (chain >= chains) return;
    float cw = 1.f, cx = 0.f, cy = 0.f, cz = 0.f, cpx = 0.f, cpy = 0.f, cpz = 0.f;
    for (int first = 0; first < links; first += 32) {
        const size_t at = (size_t)chain * links + first + lane;
        const float4 q = turn[at];
        const float inv = rsqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
        float x = q.x * inv, y = q.y * inv, z = q.z * inv, w = q.w * inv;
        float px = offset[3 * at], py = offset[3 * at + 1], pz = offset[3 * at + 2];
#pragma unroll
        for (int s = 1; s <= 32; s <<= 1) {
            float lx, ly, lz, lw, lpx, lpy, lpz;
            if (s < 32) {
                lx = __shfl_up_sync(0xffffffffu, x, s);
                ly = __shfl_up_sync(0xffffffffu, y, s);
                lz = __shfl_up_sync(0xffffffffu, z, s);
                lw = __shfl_up_sync(0xffffffffu, w, s);
                lpx = __shfl_up_sync(0xffffffffu, px, s);
                lpy = __shfl_up_sync(0xffffffffu, py, s);
                lpz = __shfl_up_sync(0xffffffffu, pz, s);
            } else {
                lx = cx; ly = cy; lz = cz; lw = cw;
                lpx = cpx; lpy = cpy; lpz = cpz;
            }
            if (lane >= s || s == 32) {
                const float tx = 2.f * (ly * pz - lz * py);
                const float ty = 2.f * (lz * px - lx * pz);
                const float tz = 2.f * (lx * py - ly * px);
                const float nx = lpx + px + lw * tx + (ly * tz - lz * ty);
                const float ny = lpy + py + lw * ty + (lz * tx - lx * tz);
                const float nz = lpz + pz + lw * tz + (lx * ty - ly * tx);
                px = nx; py = ny; pz = nz;
                const float rw = lw * w - lx * x - ly * y - lz * z;
                const float rx = lw * x + lx * w + ly * z - lz * y;
                const float ry = lw * y - lx * z + ly * w + lz * x;
                const float rz = lw * z + lx * y - ly * x + lz * w;
                w = rw; x = rx; y = ry; z = rz;
            }
        }
        position[3 * at] = px;
        position[3 * at + 1] = py;
        position[3 * at + 2] = pz;
        cx = __shfl_sync(0xffffffffu, x, 31);
        cy = __shfl_sync(0xffffffffu, y, 31);
        cz = __shfl_sync(0xffffffffu, z, 31);
        cw = __shfl_sync(0xffffffffu, w, 31);
        cpx = __shfl_sync(0xffffffffu, px, 31);
        cpy = __shfl_sync(0xffffffffu, py, 31);
        cpz = __shfl_sync(0xffffffffu, pz, 31);
    }
}

// launch cull_triangles: --kernel cull_triangles --grid 4096 --block 256 --arg f32[1572864]=-1..1 --arg i32[3145728]=0..524287 --arg i32[3145728] --arg u32[1]=0 --arg i32:1048576 --arg f32:0.3 --arg f32:0.2 --arg f32:3
// Graphics: triangles that face the eye are packed together; ballots and a scan of warp counts give the places, one atomic a
// block reserves room in a ring of as many places as there are triangles (a power of two).
__global__ void __launch_bounds__(256) cull_triangles(const float* __restrict__ vertices, const int* __restrict__ indices,
                                                      int* __restrict__ kept, unsigned* __restrict__ counter,
                                                      int triangles, float ex, float ey, float ez)
{
    __shared__ unsigned counts[8];
    __shared__ unsigned block_base;
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    bool keep = false;
    int i0 = 0, i1 = 0, i2 = 0;
    if (t < triangles) {
        i0 = indices[3 * t];
        i1 = indices[3 * t + 1];
        i2 = indices[3 * t + 2];
        if (i0 != i1 && i1 != i2 && i0 != i2) {
            const float ax = vertices[3 * i0], ay = vertices[3 * i0 + 1], az = vertices[3 * i0 + 2];
            const float bx = vertices[3 * i1] - ax, by = vertices[3 * i1 + 1] - ay, bz = vertices[3 * i1 + 2] - az;
            const float cx = vertices[3 * i2] - ax, cy = vertices[3 * i2 + 1] - ay, cz = vertices[3 * i2 + 2] - az;
            const float nx = by * cz - bz * cy, ny = bz * cx - bx * cz, nz = bx * cy - by * cx;
            const float facing = nx * (ex - ax) + ny * (ey - ay) + nz * (ez - az);
            keep = facing > 0.f && nx * nx + ny * ny + nz * nz > 1e-8f;
        }
    }
    const unsigned votes = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) counts[warp] = __popc(votes);
    __syncthreads();
    if (warp == 0) {
        const unsigned mine = lane < 8 ? counts[lane] : 0u;
        unsigned sum = mine;
        for (int s = 1; s < 8; s <<= 1) {
            const unsigned left = __shfl_up_sync(0xffffffffu, sum, s);
            if (lane >= s) sum += left;
        }
        if (lane < 8) counts[lane] = sum - mine;
        if (lane == 7) block_base = atomicAdd(counter, sum);
    }
    __syncthreads();
    if (keep) {
        const unsigned place = (block_base + counts[warp] + __popc(votes & ((1u << lane) - 1u))) & (unsigned)(triangles - 1);
        kept[3 * place] = i0;
        kept[3 * place + 1] = i1;
        kept[3 * place + 2] = i2;
    }
}
