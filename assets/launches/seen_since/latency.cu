// Chains and computation: routes of addresses, a tree of prices, powers modulo a number, and rays marching to a surface.

// launch route_lookup: --kernel route_lookup --grid 1024 --block 512 --arg u32[524288]=0..2000000000 --arg u32[16777216]=0..2000000000 --arg u32[524288]
// Networks: the route of each address by a tree of 256 children a node, one byte of the address a level.
// Each entry depends on the one before; those with bit 30 end the walk.
__global__ void route_lookup(const unsigned* __restrict__ addresses, const unsigned* __restrict__ tree, unsigned* hops) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned address = addresses[i], node = 0, entry = 0;
    for (int level = 0; level < 4; ++level) {
        unsigned byte = address >> (24 - 8 * level) & 255;
        entry = tree[(node & 0xffffu) * 256 + byte];
        if (level > 0 && (entry >> 30 & 1)) break;
        node = entry * 2654435761u >> 16;
    }
    hops[i] = entry & 0x3fffffffu;
}

// launch american_puts: --kernel american_puts --grid 320 --block 256 --arg f32[320]=80..120 --arg f32[320]=0.1..0.5 --arg f32[320] --arg f32:100 --arg f32:0.03
// Finance: an American put by a binomial tree of 511 steps, an option a block.
// Two prices a thread in shared memory, and a barrier before and after each step back in time.
__global__ void __launch_bounds__(256) american_puts(const float* spots, const float* volatilities, float* values, float strike,
                                                     float rate) {
    __shared__ float held[513];
    const int steps = 511;
    int t = threadIdx.x;
    float spot = spots[blockIdx.x], sigma = volatilities[blockIdx.x], dt = 1.0f / steps;
    float wide = sigma * sqrtf(dt), up = expf(wide), down = 1 / up, grow = expf(rate * dt);
    float p = (grow - down) / (up - down) / grow, q = 1 / grow - p;
    for (int i = t; i <= steps; i += 256) held[i] = fmaxf(strike - spot * __expf(wide * (2 * i - steps)), 0.0f);
    if (t == 0) held[512] = 0;
    __syncthreads();
    for (int s = steps - 1; s >= 0; --s) {
        float low = p * held[t + 1] + q * held[t], high = p * held[t + 257] + q * held[t + 256];
        low = fmaxf(low, strike - spot * __expf(wide * (2 * t - s)));
        if (t + 256 <= s) high = fmaxf(high, strike - spot * __expf(wide * (2 * (t + 256) - s)));
        __syncthreads();
        held[t] = low;
        held[t + 256] = high;
        __syncthreads();
    }
    if (t == 0) values[blockIdx.x] = held[0];
}

// launch modular_powers: --kernel modular_powers --grid 132 --block 256 --arg u64[33792]=3..2000000000 --arg u64[33792]=1..2000000000 --arg u64[33792]=1000000..2000000000 --arg u64[33792] --arg i32:33792
// Cryptography: powers modulo odd numbers of 62 bits, as tests for primes need them, by Montgomery's products.
// Moduli and exponents are squares of what is given; a lane takes as many steps as its exponent has bits.
__global__ void modular_powers(const unsigned long long* bases, const unsigned long long* exponents,
                               const unsigned long long* moduli, unsigned long long* powers, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long m = moduli[i] * moduli[i] | 1, e = exponents[i] * exponents[i], inverse = m;
    for (int k = 0; k < 5; ++k) inverse *= 2 - m * inverse;
    inverse = 0 - inverse;
    auto product = [&](unsigned long long a, unsigned long long b) {
        unsigned long long low = a * b, high = __umul64hi(a, b), q = low * inverse;
        unsigned long long r = high + __umul64hi(q, m) + (low != 0);
        return r >= m ? r - m : r;
    };
    unsigned long long one = 0 - m;
    one %= m;
    unsigned long long x = bases[i] % m, square = one;
    for (int k = 0; k < 64; ++k) {
        square += square;
        if (square >= m) square -= m;
    }
    x = product(x, square);
    unsigned long long result = one;
    while (e != 0) {
        if (e & 1) result = product(result, x);
        x = product(x, x);
        e >>= 1;
    }
    powers[i] = product(result, 1);
}

// launch march_rays: --kernel march_rays --grid 80,90 --block 16,8 --arg f32[1280]=-4..4 --arg f32[921600] --arg u8[921600] --arg i32:1280 --arg i32:320
// Graphics: rays go forward by the distance to the nearest of a few balls and a wavy floor, until they touch something.
// Up to 96 steps a pixel, far fewer where a ball is hit.
__global__ void march_rays(const float4* __restrict__ balls, float* __restrict__ depth, unsigned char* __restrict__ steps_taken,
                           int width, int many) {
    __shared__ float4 held[12];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, t = threadIdx.y * 16 + threadIdx.x;
    if (t < 12) held[t] = balls[(blockIdx.x / 8 * 12 + t) % many];
    __syncthreads();
    float dx = (x - 640) * (1.0f / 640), dy = (y - 360) * (1.0f / 640), dz = 1, scale = rsqrtf(dx * dx + dy * dy + 1);
    dx *= scale, dy *= scale, dz *= scale;
    float far = 0;
    int step = 0;
    for (; step < 96 && far < 40; ++step) {
        float px = dx * far, py = dy * far, pz = dz * far - 6;
        float near = py + 5 + 0.3f * __sinf(2 * px) * __cosf(2 * pz);
        for (int k = 0; k < 12; ++k) {
            float4 b = held[k];
            float ax = px - b.x, ay = py - b.y, az = pz - b.z;
            near = fminf(near, sqrtf(ax * ax + ay * ay + az * az) - 0.3f - 0.1f * fabsf(b.w));
        }
        if (near < 0.001f) break;
        far += near * 0.8f;
    }
    depth[y * width + x] = far;
    steps_taken[y * width + x] = step;
}
