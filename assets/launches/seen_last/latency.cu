// Chains and computation: gravity among all bodies, edit distance in bits, a sponge's permutation, and adaptive steps.

// launch gravity_all_pairs: --kernel gravity_all_pairs --grid 96 --block 64 --arg f32[24576]=-1..1 --arg f32[24576] --arg i32:6144 --arg f32:0.01
// Gravity among 6,144 bodies, all pairs; a tile of 64 bodies at a time is in shared memory.
__global__ void gravity_all_pairs(const float4* __restrict__ bodies, float4* __restrict__ pulls, int n, float soft) {
    __shared__ float4 tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    float4 me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
#pragma unroll 16
        for (int j = 0; j < 64; ++j) {
            float4 other = tile[j];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float near = rsqrtf(dx * dx + dy * dy + dz * dz + soft);
            float pull = other.w * near * near * near;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    pulls[i] = make_float4(ax, ay, az, 0);
}

// launch edit_distance_bits: --kernel edit_distance_bits --grid 896 --block 128 --arg u32[458752]=0..2000000000 --arg i32[114688]=0..1999900 --arg u32[131072]=0..2000000000 --arg u32[114688]
// Read mapping: the edit distance of 64 bases against a window of the genome, by Myers' bit vectors.
// Bases have two bits each; a thread has a read, and each step needs the one before.
__global__ void edit_distance_bits(const uint4* __restrict__ reads, const int* __restrict__ starts,
                                   const unsigned* __restrict__ genome, unsigned* __restrict__ best) {
    typedef unsigned long long word;
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = starts[i];
    uint4 packed = reads[i];
    unsigned parts[4] = {packed.x, packed.y, packed.z, packed.w};
    word equal[4] = {};
#pragma unroll
    for (int p = 0; p < 4; ++p)
        for (int k = 0; k < 16; ++k) {
            unsigned base = parts[p] >> 2 * k & 3;
            word bit = 1ull << (16 * p + k);
#pragma unroll
            for (unsigned c = 0; c < 4; ++c)
                if (base == c) equal[c] |= bit;
        }
    word plus = ~0ull, minus = 0;
    int score = 64, least = 64;
    unsigned letters = genome[at / 16] >> at % 16 * 2;
    for (int k = 0; k < 96; ++k, ++at) {
        if (at % 16 == 0) letters = genome[at / 16];
        unsigned c = letters & 3;
        letters >>= 2;
        word low = c & 1 ? equal[1] : equal[0], high = c & 1 ? equal[3] : equal[2];
        word eq = c & 2 ? high : low;
        word vertical = eq | minus;
        word across = (((eq & plus) + plus) ^ plus) | eq;
        word up = minus | ~(across | plus), down = plus & across;
        score += (int)(up >> 63) - (int)(down >> 63);
        up <<= 1;
        down <<= 1;
        plus = down | ~(vertical | up);
        minus = up & vertical;
        least = min(least, score);
    }
    best[i] = least;
}

__constant__ unsigned long long round_constants[24] = {
    0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull, 0x000000000000808bull,
    0x0000000080000001ull, 0x8000000080008081ull, 0x8000000000008009ull, 0x000000000000008aull, 0x0000000000000088ull,
    0x0000000080008009ull, 0x000000008000000aull, 0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull,
    0x8000000000008003ull, 0x8000000000008002ull, 0x8000000000000080ull, 0x000000000000800aull, 0x800000008000000aull,
    0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull};

// launch keccak_states: --kernel keccak_states --grid 768 --block 128 --arg u32[4915200]=0..2000000000 --arg i32:98304
// The permutation of SHA-3 on many states at once, 24 rounds; a thread has a state of 25 words in registers.
__global__ void __launch_bounds__(128) keccak_states(uint2* states, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long s[25];
#pragma unroll
    for (int k = 0; k < 25; ++k) {
        uint2 two = states[k * n + i];
        s[k] = (unsigned long long)two.y << 32 | two.x;
    }
    constexpr int turns[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
    constexpr int places[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
#pragma unroll 1
    for (int round = 0; round < 24; ++round) {
        unsigned long long c[5];
#pragma unroll
        for (int x = 0; x < 5; ++x) c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
#pragma unroll
        for (int x = 0; x < 5; ++x) {
            unsigned long long next = c[(x + 1) % 5], d = c[(x + 4) % 5] ^ (next << 1 | next >> 63);
#pragma unroll
            for (int y = 0; y < 25; y += 5) s[x + y] ^= d;
        }
        unsigned long long moving = s[1];
#pragma unroll
        for (int k = 0; k < 24; ++k) {
            unsigned long long kept = s[places[k]];
            s[places[k]] = moving << turns[k] | moving >> (64 - turns[k]);
            moving = kept;
        }
#pragma unroll
        for (int y = 0; y < 25; y += 5) {
#pragma unroll
            for (int x = 0; x < 5; ++x) c[x] = s[y + x];
#pragma unroll
            for (int x = 0; x < 5; ++x) s[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
        }
        s[0] ^= round_constants[round];
    }
#pragma unroll
    for (int k = 0; k < 25; ++k) states[k * n + i] = make_uint2((unsigned)s[k], (unsigned)(s[k] >> 32));
}

// launch lorenz_adaptive: --kernel lorenz_adaptive --grid 160 --block 192 --arg f32[30720]=5..220 --arg f32[92160]=-10..10 --arg f32[92160] --arg i32[30720] --arg f32:0.001 --arg i32:30720
// Lorenz' equations with a parameter of its own for each thread, by steps of third order that adapt.
// The wilder the orbit, the more steps: lanes of a warp end at different times.
__global__ void lorenz_adaptive(const float* __restrict__ rhos, const float* __restrict__ begin, float* __restrict__ end,
                                int* __restrict__ steps, float tolerance, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float rho = rhos[i], x = begin[i], y = begin[n + i], z = begin[2 * n + i] + 20, t = 0, h = 0.01f;
    int taken = 0;
    float kx = 10 * (y - x), ky = x * (rho - z) - y, kz = x * y - 2.6666667f * z;
    while (t < 1.0f && taken < 300) {
        h = fminf(h, 1.0f - t + 1e-6f);
        float px = x + 0.5f * h * kx, py = y + 0.5f * h * ky, pz = z + 0.5f * h * kz;
        float lx = 10 * (py - px), ly = px * (rho - pz) - py, lz = px * py - 2.6666667f * pz;
        px = x + 0.75f * h * lx, py = y + 0.75f * h * ly, pz = z + 0.75f * h * lz;
        float mx = 10 * (py - px), my = px * (rho - pz) - py, mz = px * py - 2.6666667f * pz;
        float nx = x + h * (2 * kx + 3 * lx + 4 * mx) * 0.11111111f, ny = y + h * (2 * ky + 3 * ly + 4 * my) * 0.11111111f,
              nz = z + h * (2 * kz + 3 * lz + 4 * mz) * 0.11111111f;
        float qx = 10 * (ny - nx), qy = nx * (rho - nz) - ny, qz = nx * ny - 2.6666667f * nz;
        float ex = h * (-5 * kx + 6 * lx + 8 * mx - 9 * qx) * 0.013888889f,
              ey = h * (-5 * ky + 6 * ly + 8 * my - 9 * qy) * 0.013888889f,
              ez = h * (-5 * kz + 6 * lz + 8 * mz - 9 * qz) * 0.013888889f;
        float error = fmaxf(fmaxf(fabsf(ex), fabsf(ey)), fmaxf(fabsf(ez), 1e-9f));
        if (error < tolerance) {
            t += h;
            x = nx, y = ny, z = nz, kx = qx, ky = qy, kz = qz;
        }
        h *= fminf(3.0f, fmaxf(0.3f, 0.9f * __powf(tolerance * __frcp_rn(error), 0.33333f)));
        ++taken;
    }
    end[i] = x, end[n + i] = y, end[2 * n + i] = z;
    steps[i] = taken;
}
