// Bound by latency or arithmetic: orbits by Newton, a field of 255 bits, small factorisations, and random walks.

// launch kepler_orbits: --kernel kepler_orbits --grid 2048 --block 128 --arg f64[262144]=0..2 --arg f64[262144]=0..0.95 --arg f64[262144] --arg f64:0.000000000001
// Kepler's equation in doubles: Newton's method for the eccentric anomaly, in half turns, until the step is small.
// How many steps an orbit takes depends on its eccentricity.
__global__ void kepler_orbits(const double* __restrict__ means, const double* __restrict__ eccentricities,
                              double* __restrict__ anomalies, double enough) {
    const double pi = 3.14159265358979323846;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double mean = means[i], e = eccentricities[i], x = e < 0.8 ? mean : 1.0;
    for (int trip = 0; trip < 30; ++trip) {
        double sine, cosine;
        sincospi(x, &sine, &cosine);
        double change = ((x - mean) * pi - e * sine) / ((1 - e * cosine) * pi);
        x -= change;
        if (fabs(change) < enough) break;
    }
    anomalies[i] = x;
}

__device__ void field_product(unsigned (&r)[8], const unsigned (&a)[8], const unsigned (&b)[8]) {
    unsigned wide[16] = {};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        unsigned long long carry = 0;
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            carry += (unsigned long long)a[i] * b[j] + wide[i + j];
            wide[i + j] = (unsigned)carry;
            carry >>= 32;
        }
        wide[i + 8] = (unsigned)carry;
    }
    unsigned long long carry = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        carry += (unsigned long long)wide[i + 8] * 38 + wide[i];
        r[i] = (unsigned)carry;
        carry >>= 32;
    }
    carry *= 38;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        carry += r[i];
        r[i] = (unsigned)carry;
        carry >>= 32;
    }
}

// launch curve_powers: --kernel curve_powers --grid 528 --block 64 --arg u32[270336]=0..16777215 --arg u32[270336] --arg i32:24
// Elliptic curves: a number modulo 2^255 - 19 is squared and multiplied by itself again and again.
// Eight words a number, all of them in registers, with long chains of carries.
__global__ void __launch_bounds__(64) curve_powers(const uint4* __restrict__ in, uint4* __restrict__ out, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 low = in[2 * i], high = in[2 * i + 1];
    unsigned base[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w & 0x7fffffffu}, power[8], next[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) power[k] = base[k];
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        field_product(next, power, power);
        field_product(power, next, base);
    }
    out[2 * i] = make_uint4(power[0], power[1], power[2], power[3]);
    out[2 * i + 1] = make_uint4(power[4], power[5], power[6], power[7]);
}

// launch cholesky_blocks: --kernel cholesky_blocks --grid 1320 --block 16,16 --arg f32[3041280]=-1..1 --arg f32[3041280]
// A Cholesky factorisation of 1,320 matrices of 48 x 48 in shared memory: a column at a time, with barriers between.
// A block has a matrix, and each thread up to nine places of what is left of it.
__global__ void cholesky_blocks(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float m[48][49];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    const float* from = in + blockIdx.x * 2304;
    for (int i = t; i < 2304; i += 256) m[i / 48][i % 48] = from[i] + (i / 48 == i % 48 ? 50.0f : 0.0f);
    __syncthreads();
    for (int k = 0; k < 48; ++k) {
        float inverse = rsqrtf(m[k][k]);
        __syncthreads();
        if (t >= k && t < 48) m[t][k] *= inverse;
        __syncthreads();
        for (int y = k + 1 + ty; y < 48; y += 16)
            for (int x = k + 1 + tx; x <= y; x += 16) m[y][x] -= m[y][k] * m[x][k];
        __syncthreads();
    }
    float* to = out + blockIdx.x * 2304;
    for (int i = t; i < 2304; i += 256) to[i] = i % 48 <= i / 48 ? m[i / 48][i % 48] : 0.0f;
}

// launch random_walks: --kernel random_walks --grid 300 --block 256 --arg i32[1048577]=0+12 --arg u32[12582912]=0..1048575 --arg u32[3072000] --arg i32:40 --arg u32:12345
// Walks through a graph of a million nodes, for learning what nodes are like: forty steps a walker.
// Each step looks up where the node's edges begin, and takes one of them by chance.
__global__ void random_walks(const int* __restrict__ begins, const unsigned* __restrict__ edges,
                             unsigned* __restrict__ paths, int steps, unsigned seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, walkers = gridDim.x * blockDim.x;
    unsigned state = (i + seed) * 2654435761u | 1, node = state >> 12;
    for (int step = 0; step < steps; ++step) {
        int begin = begins[node], degree = begins[node + 1] - begin;
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        if (degree > 0) node = edges[begin + __umulhi(state, degree)];
        paths[step * walkers + i] = node;
    }
}
