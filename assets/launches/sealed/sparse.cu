// Four kernels on sparse matrices, graphs and meshes: a product by equal shares of work, path dependencies, attention of neighbours, tetrahedra by a vector.
#include <cuda_fp16.h>

// launch equal_shares_product: --kernel equal_shares_product --grid 1664 --block 128 --arg i32[131073]=0+12 --arg i32[1572864]=0..131071 --arg f32[1572864]=-1..1 --arg f32[131072]=-1..1 --arg f32[131072] --arg i32[1664] --arg f32[1664] --arg i32:131072 --arg i32:1572864
// Linear algebra: CSR times vector, merge based: rows and entries together are cut in equal shares of 1024 a block and
// 8 a thread; what a block leaves of its last row goes out as a carry for a later pass.
__global__ void __launch_bounds__(128) equal_shares_product(const int* __restrict__ offsets, const int* __restrict__ cols, const float* __restrict__ vals,
    const float* __restrict__ x, float* __restrict__ y, int* __restrict__ carry_row, float* __restrict__ carry_value, int rows, int entries)
{
    const int T = 128, PER = 8, TILE = T * PER;
    __shared__ int ends[TILE + 1];
    __shared__ float products[TILE];
    __shared__ float sums[TILE + 1];
    __shared__ int start[2];
    int t = threadIdx.x;

    if (t < 2) {
        int d = min((int)(blockIdx.x + t) * TILE, rows + entries);
        int lo = max(0, d - entries), hi = min(d, rows);
        while (lo < hi) {
            int mid = (lo + hi) >> 1;
            if (offsets[mid + 1] <= d - mid - 1) lo = mid + 1; else hi = mid;
        }
        start[t] = lo;
    }
    __syncthreads();
    int r0 = start[0], r1 = start[1];
    int d0 = min((int)blockIdx.x * TILE, rows + entries);
    int d1 = min(d0 + TILE, rows + entries);
    int e0 = d0 - r0, e1 = d1 - r1;
    int nr = r1 - r0, ne = e1 - e0;

    for (int i = t; i <= nr; i += T) {
        ends[i] = (r0 + i < rows ? offsets[r0 + i + 1] : entries) - e0;
        sums[i] = 0.0f;
    }
    for (int i = t; i < ne; i += T) products[i] = vals[e0 + i] * x[cols[e0 + i]];
    __syncthreads();

    int d = min(t * PER, nr + ne);
    int lo = max(0, d - ne), hi = min(d, nr);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (ends[mid] <= d - mid - 1) lo = mid + 1; else hi = mid;
    }
    int r = lo, e = d - lo;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < PER; i++) {
        if (d + i < nr + ne) {
            if (e < ends[r]) {
                sum += products[e++];
            } else {
                atomicAdd(&sums[r], sum);
                sum = 0.0f;
                r++;
            }
        }
    }
    if (sum != 0.0f) atomicAdd(&sums[r], sum);
    __syncthreads();
    for (int i = t; i < nr; i += T) y[r0 + i] = sums[i];
    if (t == 0) {
        carry_row[blockIdx.x] = r1;
        carry_value[blockIdx.x] = sums[nr];
    }
}

// launch dependencies_of_level: --kernel dependencies_of_level --grid 8192 --block 256 --arg i32[262145]=0+14 --arg i32[3670016]=0..262143 --arg i32[262144]=0..4 --arg f32[262144]=1..60 --arg f32[262144]=0..3 --arg f32[262144]=0..1 --arg i32:2 --arg i32:262144
// Graphs: the backward half of Brandes' betweenness, one level: a vertex gathers from those of its neighbours that are
// a level deeper. Eight lanes a vertex; vertices of other levels leave at once.
__global__ void dependencies_of_level(const int* __restrict__ offsets, const int* __restrict__ neighbours, const int* __restrict__ level,
    const float* __restrict__ paths, float* delta, float* centrality, int depth, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = t >> 3, lane = t & 7;
    if (v >= n) return;
    bool active = level[v] == depth;
    float sum = 0.0f;
    if (active) {
        int end = offsets[v + 1];
        for (int e = offsets[v] + lane; e < end; e += 8) {
            int w = neighbours[e];
            if (level[w] == depth + 1)
                sum += (1.0f + delta[w]) / paths[w];
        }
    }
    sum += __shfl_xor_sync(0xffffffffu, sum, 4);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    if (active && lane == 0) {
        float d = paths[v] * sum;
        delta[v] = d;
        centrality[v] += d;
    }
}

// launch attention_of_neighbours: --kernel attention_of_neighbours --grid 4096 --block 256 --arg i32[32769]=0+11 --arg i32[360448]=0..32767 --arg f32[131072]=-2..2 --arg f32[131072]=-2..2 --arg f16[4194304]=-1..1 --arg f32[128]=-1..1 --arg f16[4194304] --arg i32:32768 --arg f32:0.2
// Graph attention network, fused: softmax over the edges of a node and the weighted sum of its neighbours' features,
// four heads of 32. A warp a node: first the edges side by side for the maximum, then one edge after another.
__global__ void attention_of_neighbours(const int* __restrict__ offsets, const int* __restrict__ sources, const float* __restrict__ from_score,
    const float* __restrict__ to_score, const __half* __restrict__ features, const float* __restrict__ bias, __half* __restrict__ out, int nodes, float slope)
{
    int node = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (node >= nodes) return;
    int begin = offsets[node], end = offsets[node + 1];

    int h = lane & 3;
    float own = to_score[node * 4 + h];
    float top = -1e30f;
    for (int e = begin + (lane >> 2); e < end; e += 8) {
        float s = from_score[sources[e] * 4 + h] + own;
        s = s > 0.0f ? s : slope * s;
        top = fmaxf(top, s);
    }
    for (int o = 4; o < 32; o <<= 1) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, o));

    int head = lane >> 3;
    top = __shfl_sync(0xffffffffu, top, head);
    own = __shfl_sync(0xffffffffu, own, head);
    float total = 0.0f, a0 = 0.0f, a1 = 0.0f, a2 = 0.0f, a3 = 0.0f;
    for (int e = begin; e < end; e++) {
        int src = sources[e];
        float s = from_score[src * 4 + head] + own;
        s = s > 0.0f ? s : slope * s;
        float w = __expf(s - top);
        uint2 f = reinterpret_cast<const uint2*>(features)[(size_t)src * 32 + lane];
        float2 lo = __half22float2(*reinterpret_cast<__half2*>(&f.x));
        float2 hi = __half22float2(*reinterpret_cast<__half2*>(&f.y));
        total += w;
        a0 += w * lo.x;
        a1 += w * lo.y;
        a2 += w * hi.x;
        a3 += w * hi.y;
    }
    float r = end > begin ? 1.0f / total : 0.0f;
    float4 b = reinterpret_cast<const float4*>(bias)[lane];
    __half2 o0 = __floats2half2_rn(a0 * r + b.x, a1 * r + b.y);
    __half2 o1 = __floats2half2_rn(a2 * r + b.z, a3 * r + b.w);
    uint2 o;
    o.x = *reinterpret_cast<unsigned*>(&o0);
    o.y = *reinterpret_cast<unsigned*>(&o1);
    reinterpret_cast<uint2*>(out)[(size_t)node * 32 + lane] = o;
}

// launch tetrahedra_by_vector: --kernel tetrahedra_by_vector --grid 4096 --block 128 --arg i32[2097152]=0..1023 --arg f32[528384]=-1..1 --arg f32[524288]=0.5..2 --arg f32[132096]=-1..1 --arg f32[132096]=0 --arg i32:524288 --arg i32:132096
// Finite elements without a matrix: the stiffness of linear tetrahedra applied to a vector. A thread an element: gathers
// the corners, makes the gradients, scatters by atomics. Corners are numbered from the element's neighbourhood.
__global__ void tetrahedra_by_vector(const int4* __restrict__ corners, const float4* __restrict__ position, const float* __restrict__ conductivity,
    const float* __restrict__ u, float* y, int elements, int nodes)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements) return;
    int4 c = corners[e];
    int base = e >> 2;
    int n0 = base + c.x, n1 = base + c.y, n2 = base + c.z, n3 = base + c.w;
    if (n0 >= nodes || n1 >= nodes || n2 >= nodes || n3 >= nodes) return;

    float4 p0 = position[n0], p1 = position[n1], p2 = position[n2], p3 = position[n3];
    float ax = p1.x - p0.x, ay = p1.y - p0.y, az = p1.z - p0.z;
    float bx = p2.x - p0.x, by = p2.y - p0.y, bz = p2.z - p0.z;
    float cx = p3.x - p0.x, cy = p3.y - p0.y, cz = p3.z - p0.z;

    float g1x = by * cz - bz * cy, g1y = bz * cx - bx * cz, g1z = bx * cy - by * cx;
    float g2x = cy * az - cz * ay, g2y = cz * ax - cx * az, g2z = cx * ay - cy * ax;
    float g3x = ay * bz - az * by, g3y = az * bx - ax * bz, g3z = ax * by - ay * bx;
    float det = ax * g1x + ay * g1y + az * g1z;
    if (fabsf(det) < 1e-9f) return;
    float inv = 1.0f / det;

    float u0 = u[n0], d1 = u[n1] - u0, d2 = u[n2] - u0, d3 = u[n3] - u0;
    float gx = (d1 * g1x + d2 * g2x + d3 * g3x) * inv;
    float gy = (d1 * g1y + d2 * g2y + d3 * g3y) * inv;
    float gz = (d1 * g1z + d2 * g2z + d3 * g3z) * inv;

    // volume * conductivity * gradient of each shape function
    float k = conductivity[e] * fabsf(det) * (1.0f / 6.0f) * inv;
    float f1 = k * (g1x * gx + g1y * gy + g1z * gz);
    float f2 = k * (g2x * gx + g2y * gy + g2z * gz);
    float f3 = k * (g3x * gx + g3y * gy + g3z * gz);
    atomicAdd(&y[n0], -(f1 + f2 + f3));
    atomicAdd(&y[n1], f1);
    atomicAdd(&y[n2], f2);
    atomicAdd(&y[n3], f3);
}
