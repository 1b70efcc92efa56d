// Scans: products of survival, carries through long numbers, what a tower sees, and places for particles that are split.

// launch survival_curves: --kernel survival_curves --grid 8000 --block 192 --arg f32[1536000]=0..0.01 --arg f64[1536000] --arg f64[1536000] --arg f64:0.002
// Insurance: the chance to be alive after each of 192 months, a product of chances, and what a pension is worth by then.
// A plain doubling scan of doubles in place, with two barriers a step; a block has one of 8,000 insured.
__global__ void survival_curves(const float* hazards, double* alive, double* worth, double interest) {
    __shared__ double held[192];
    int t = threadIdx.x, i = blockIdx.x * 192 + t;
    held[t] = 1.0 - hazards[i];
    __syncthreads();
    for (int step = 1; step < 192; step *= 2) {
        double left = 1.0;
        if (t >= step) left = held[t - step];
        __syncthreads();
        held[t] *= left;
        __syncthreads();
    }
    alive[i] = held[t];
    worth[i] = held[t] * exp(-interest * (t + 1));
}

// launch add_modulo: --kernel add_modulo --grid 16384 --block 128 --arg u8[33554432]=0..255 --arg u8[33554432]=0..255 --arg u8[512]=0..255 --arg u32[8388608] --arg i32:65536
// Cryptography: sums of numbers of 4,096 bits, less a modulus where they reach it. A warp has a sum, 128 bits a lane.
// Carries and borrows of all lanes run through one addition of two ballots.
__global__ void add_modulo(const uint4* __restrict__ a, const uint4* __restrict__ b, const uint4* __restrict__ modulus,
                           uint4* __restrict__ out, int n) {
    int number = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (number >= n) return;
    uint4 x = a[number * 32 + lane], y = b[number * 32 + lane], m = modulus[lane], sum, less;

    unsigned long long c = (unsigned long long)x.x + y.x;
    sum.x = (unsigned)c;
    c = (c >> 32) + x.y + y.y;
    sum.y = (unsigned)c;
    c = (c >> 32) + x.z + y.z;
    sum.z = (unsigned)c;
    c = (c >> 32) + x.w + y.w;
    sum.w = (unsigned)c;
    unsigned long long makes = __ballot_sync(~0u, (c >> 32) != 0);
    unsigned long long passes = __ballot_sync(~0u, (sum.x & sum.y & sum.z & sum.w) == ~0u);
    unsigned long long carries = ((makes | passes) + makes) ^ passes;
    unsigned carry = (unsigned)(carries >> lane) & 1u;
    bool over = (carries >> 32 & 1) != 0;
    sum.x += carry;
    carry &= sum.x == 0;
    sum.y += carry;
    carry &= sum.y == 0;
    sum.z += carry;
    carry &= sum.z == 0;
    sum.w += carry;

    long long d = (long long)sum.x - m.x;
    less.x = (unsigned)d;
    d = (d >> 32) + sum.y - m.y;
    less.y = (unsigned)d;
    d = (d >> 32) + sum.z - m.z;
    less.z = (unsigned)d;
    d = (d >> 32) + sum.w - m.w;
    less.w = (unsigned)d;
    makes = __ballot_sync(~0u, d < 0);
    passes = __ballot_sync(~0u, (less.x | less.y | less.z | less.w) == 0);
    carries = ((makes | passes) + makes) ^ passes;
    unsigned borrow = (unsigned)(carries >> lane) & 1u;
    bool under = (carries >> 32 & 1) != 0;
    less.x -= borrow;
    borrow &= less.x == ~0u;
    less.y -= borrow;
    borrow &= less.y == ~0u;
    less.z -= borrow;
    borrow &= less.z == ~0u;
    less.w -= borrow;
    out[number * 32 + lane] = over || !under ? less : sum;
}

// launch line_of_sight: --kernel line_of_sight --grid 2000 --block 96 --arg f32[4194304]=0..300 --arg u32[180000] --arg f32[6000] --arg f32:400 --arg f32:30 --arg i32:6000
// Geodesy: what can be seen from a tower in the middle of 2,048 x 2,048 heights, along 6,000 rays of 960 steps.
// A warp has a ray: a maximum of slopes runs over its lanes and from piece to piece. The earth falls away with distance.
__global__ void line_of_sight(const float* __restrict__ heights, unsigned* __restrict__ seen, float* __restrict__ farthest,
                              float eye, float cell, int rays) {
    int ray = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (ray >= rays) return;
    float sine, cosine, steepest = -1e30f;
    sincosf(6.2831853f * (float)ray / (float)rays, &sine, &cosine);
    int last = 0;
    for (int piece = 0; piece < 30; ++piece) {
        int at = piece * 32 + lane + 1;
        float x = 1024.0f + cosine * (float)at, y = 1024.0f + sine * (float)at;
        int left = (int)x, up = (int)y;
        float right_part = x - (float)left, low_part = y - (float)up;
        const float* corner = heights + up * 2048 + left;
        float above = corner[0] + right_part * (corner[1] - corner[0]);
        float below = corner[2048] + right_part * (corner[2049] - corner[2048]);
        float away = (float)at * cell;
        float height = above + low_part * (below - above) - away * away / 12742000.0f;
        float slope = (height - eye) / away, most = slope;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            float other = __shfl_up_sync(~0u, most, step);
            if (lane >= step) most = fmaxf(most, other);
        }
        float before = __shfl_up_sync(~0u, most, 1);
        before = lane == 0 ? steepest : fmaxf(before, steepest);
        unsigned visible = __ballot_sync(~0u, slope >= before);
        steepest = fmaxf(steepest, __shfl_sync(~0u, most, 31));
        if (visible != 0) last = piece * 32 + 32 - __clz((int)visible);
        if (lane == 0) seen[ray * 30 + piece] = visible;
    }
    if (lane == 0) farthest[ray] = (float)last * cell;
}

// launch split_particles: --kernel split_particles --grid 4096 --block 256 --arg f32[4194304]=0..4 --arg f32[16777216] --arg u32[4096] --arg u32:77
// Shielding: particles of great weight are split, light ones are kept or lost by lot.
// One thread of the block adds up where everybody's copies go while all the others wait.
__global__ void split_particles(const float4* particles, float4* out, unsigned* counts, unsigned seed) {
    __shared__ int starts[256];
    int t = threadIdx.x;
    unsigned i = blockIdx.x * 256 + t;
    float4 p = particles[i];
    unsigned lot = (i ^ seed) * 2654435761u;
    lot ^= lot >> 15;
    lot *= 2246822519u;
    lot ^= lot >> 13;
    int copies = min((int)(p.w + (float)(lot >> 8) * (1.0f / 16777216.0f)), 4);
    starts[t] = copies;
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < 256; k++) {
            int mine = starts[k];
            starts[k] = sum;
            sum += mine;
        }
        counts[blockIdx.x] = sum;
    }
    __syncthreads();
    int place = blockIdx.x * 1024 + starts[t];
    for (int k = 0; k < copies; k++) {
        float angle = 0.001f * (float)k;
        out[place + k] = make_float4(p.x + angle, p.y - angle, p.z, p.w / (float)copies);
    }
}
