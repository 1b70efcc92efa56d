// Divergent and latency-bound work: an automaton over text, factors by Pollard's rho, decimal numbers out of text, and light paths among spheres.

// launch match_patterns: --kernel match_patterns --grid 256 --block 128 --arg u8[4194304]=97..122 --arg u8[256]=0..31 --arg u16[65536]=0..2047 --arg u8[2048]=0..1 --arg i32[32768] --arg i32[32768] --arg i32:4194304 --arg i32:128 --arg i32:16
// Text and intrusion detection: a thread walks an Aho-Corasick automaton over its piece of the text, after a run-in as
// long as the longest pattern, and writes how many patterns ended there and where the first did.
__global__ void match_patterns(const unsigned char *__restrict__ text, const unsigned char *__restrict__ class_of,
                               const unsigned short *__restrict__ next_state,
                               const unsigned char *__restrict__ patterns_ending, int *counts, int *first_at,
                               int length, int piece, int run_in)
{
    __shared__ unsigned char classes[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) classes[i] = class_of[i];
    __syncthreads();
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = (long long)t * piece;
    if (start >= length) return;
    int begin = (int)start;
    int end = min(begin + piece, length);
    int state = 0;
    for (int i = max(begin - run_in, 0); i < begin; ++i)
        state = next_state[state * 32 + classes[text[i]]];
    int count = 0, first = -1;
    for (int i = begin; i < end; ++i) {
        state = next_state[state * 32 + classes[text[i]]];
        int ending = patterns_ending[state];
        if (ending) {
            if (first < 0) first = i;
            count += ending;
        }
    }
    counts[t] = count;
    first_at[t] = first;
}

__device__ __forceinline__ unsigned montgomery(unsigned a, unsigned b, unsigned n, unsigned inverse)
{
    unsigned high = __umulhi(a, b);
    unsigned q = a * b * inverse;
    unsigned take = __umulhi(q, n);
    return high < take ? high - take + n : high - take;
}

__device__ __forceinline__ unsigned add_mod(unsigned a, unsigned b, unsigned n)
{
    unsigned s = a + b;
    return s >= n ? s - n : s;
}

__device__ __forceinline__ unsigned common_divisor(unsigned a, unsigned odd)
{
    while (a != 0) {
        a >>= __ffs(a) - 1;
        if (a < odd) {
            unsigned t = a;
            a = odd;
            odd = t;
        }
        a -= odd;
    }
    return odd;
}

// launch pollard_factors: --kernel pollard_factors --grid 256 --block 128 --arg u32[32768]=1000001..999999999 --arg u32[32768] --arg i32:32768
// Number theory: a thread per number sieves small primes, tests for a prime (Miller-Rabin) and else looks for a factor
// by Pollard's rho in Montgomery form, sixteen steps for each greatest common divisor. Writes a factor, 1 for none.
__global__ void pollard_factors(const unsigned *numbers, unsigned *factors, int count)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count) return;
    unsigned n = numbers[t];
    if ((n & 1u) == 0u) { factors[t] = 2; return; }
    if (n % 3u == 0u) { factors[t] = 3; return; }
    if (n % 5u == 0u) { factors[t] = 5; return; }
    if (n % 7u == 0u) { factors[t] = 7; return; }

    unsigned inverse = (3u * n) ^ 2u;
    for (int i = 0; i < 3; ++i) inverse *= 2u - n * inverse;
    unsigned one = (0u - n) % n;
    unsigned minus_one = n - one;
    unsigned two = add_mod(one, one, n);
    unsigned bases_left = 4, base = two;
    bool prime = true;
    int twos = __ffs(n - 1u) - 1;
    unsigned odd = (n - 1u) >> twos;
    while (bases_left > 0 && prime) {
        unsigned power = one, square = base;
        for (unsigned e = odd; e != 0; e >>= 1) {
            if (e & 1u) power = montgomery(power, square, n, inverse);
            square = montgomery(square, square, n, inverse);
        }
        if (power != one && power != minus_one) {
            prime = false;
            for (int r = 1; r < twos; ++r) {
                power = montgomery(power, power, n, inverse);
                if (power == minus_one) {
                    prime = true;
                    break;
                }
            }
        }
        --bases_left;
        base = add_mod(base, bases_left == 3 ? one : two, n);
    }
    if (prime) { factors[t] = 1; return; }

    unsigned found = 1;
    unsigned c = one;
    for (int attempt = 0; attempt < 4; ++attempt) {
        unsigned slow = two, fast = two, g = 1;
        unsigned slow_before = slow, fast_before = fast;
        for (int step = 0; step < 2048 && g == 1; step += 16) {
            slow_before = slow;
            fast_before = fast;
            unsigned product = one;
            for (int k = 0; k < 16; ++k) {
                slow = add_mod(montgomery(slow, slow, n, inverse), c, n);
                fast = add_mod(montgomery(fast, fast, n, inverse), c, n);
                fast = add_mod(montgomery(fast, fast, n, inverse), c, n);
                product = montgomery(product, slow > fast ? slow - fast : fast - slow, n, inverse);
            }
            g = common_divisor(product, n);
        }
        if (g == n) {
            slow = slow_before;
            fast = fast_before;
            for (int k = 0; k < 16; ++k) {
                slow = add_mod(montgomery(slow, slow, n, inverse), c, n);
                fast = add_mod(montgomery(fast, fast, n, inverse), c, n);
                fast = add_mod(montgomery(fast, fast, n, inverse), c, n);
                g = common_divisor(slow > fast ? slow - fast : fast - slow, n);
                if (g != 1) break;
            }
        }
        if (g != 1 && g != n) {
            found = g;
            break;
        }
        c = add_mod(c, one, n);
    }
    factors[t] = found;
}

__constant__ double tenth_powers[13] = {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};

// launch parse_numbers: --kernel parse_numbers --grid 4096 --block 256 --arg u8[12582912]=45..57 --arg i32[1048577]=0+12 --arg f64[1048576] --arg u8[1048576] --arg i32:1048576
// Databases: decimal fields of a text file into doubles; a thread per field goes over its characters (sign, digits, a
// point, digits) and marks fields with anything else behind the number.
__global__ void parse_numbers(const char *text, const int *starts, double *values, unsigned char *valid, int fields)
{
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= fields) return;
    int at = starts[f];
    int end = starts[f + 1];
    bool negative = false;
    if (at < end && (text[at] == '-' || text[at] == '+')) {
        negative = text[at] == '-';
        ++at;
    }
    long long mantissa = 0;
    int digits = 0, decimals = 0;
    bool point = false;
    while (at < end) {
        char ch = text[at];
        if (ch >= '0' && ch <= '9') {
            mantissa = mantissa * 10 + (ch - '0');
            ++digits;
            if (point) ++decimals;
        } else if (ch == '.' && !point) {
            point = true;
        } else {
            break;
        }
        ++at;
    }
    double value = (double)mantissa * tenth_powers[min(decimals, 12)];
    values[f] = negative ? -value : value;
    valid[f] = digits > 0 && (at == end || text[at] == '/') ? 1 : 0;
}

__device__ __forceinline__ float uniform(unsigned &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (state >> 8) * (1.0f / 16777216.0f);
}

// launch trace_paths: --kernel trace_paths --grid 16,36 --block 16,8 --arg f32[72]=-4..4 --arg f32[24]=0.3..1.2 --arg f32[72]=0.2..0.9 --arg f32[221184] --arg i32:24 --arg i32:256 --arg i32:288 --arg i32:4 --arg u32:77
// Graphics: path tracing; a thread per pixel follows a few paths among diffuse and mirror spheres above a floor under a
// sky, with Russian roulette from the third bounce.
__global__ void trace_paths(const float *__restrict__ centres, const float *__restrict__ radii,
                            const float *__restrict__ colours, float *image, int spheres, int width, int height,
                            int samples, unsigned seed)
{
    __shared__ float4 ball[32];
    int local = threadIdx.y * blockDim.x + threadIdx.x;
    if (local < spheres)
        ball[local] = make_float4(centres[3 * local], centres[3 * local + 1], centres[3 * local + 2], radii[local]);
    __syncthreads();
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    unsigned state = (unsigned)(py * width + px) * 747796405u + seed;
    state = ((state >> 15) ^ state) * 2891336453u | 1u;
    float red = 0.0f, green = 0.0f, blue = 0.0f;
    for (int s = 0; s < samples; ++s) {
        float dx = (px + uniform(state)) / width - 0.5f;
        float dy = 0.5f - (py + uniform(state)) / height;
        float dz = 1.0f;
        float norm = rsqrtf(dx * dx + dy * dy + dz * dz);
        dx *= norm; dy *= norm; dz *= norm;
        float ox = 0.0f, oy = 0.0f, oz = -10.0f;
        float wr = 1.0f, wg = 1.0f, wb = 1.0f;
        for (int bounce = 0; bounce < 8; ++bounce) {
            float nearest = 1e20f;
            int hit = -1;
            for (int i = 0; i < spheres; ++i) {
                float4 b = ball[i];
                float lx = b.x - ox, ly = b.y - oy, lz = b.z - oz;
                float along = lx * dx + ly * dy + lz * dz;
                float disc = along * along - (lx * lx + ly * ly + lz * lz - b.w * b.w);
                if (disc > 0.0f) {
                    float root = sqrtf(disc);
                    float d = along - root > 1e-3f ? along - root : along + root;
                    if (d > 1e-3f && d < nearest) {
                        nearest = d;
                        hit = i;
                    }
                }
            }
            bool on_floor = false;
            if (dy < -1e-4f) {
                float d = (-5.0f - oy) / dy;
                if (d > 1e-3f && d < nearest) {
                    nearest = d;
                    on_floor = true;
                }
            }
            if (hit < 0 && !on_floor) {
                float sky = 0.5f * (dy + 1.0f);
                red += wr * (1.0f - 0.5f * sky);
                green += wg * (1.0f - 0.3f * sky);
                blue += wb;
                break;
            }
            ox += nearest * dx; oy += nearest * dy; oz += nearest * dz;
            float nx = 0.0f, ny = 1.0f, nz = 0.0f;
            if (on_floor) {
                float shade = (((int)floorf(ox) + (int)floorf(oz)) & 1) ? 0.7f : 0.3f;
                wr *= shade; wg *= shade; wb *= shade;
            } else {
                float4 b = ball[hit];
                float inv = 1.0f / b.w;
                nx = (ox - b.x) * inv; ny = (oy - b.y) * inv; nz = (oz - b.z) * inv;
                wr *= colours[3 * hit]; wg *= colours[3 * hit + 1]; wb *= colours[3 * hit + 2];
            }
            float facing = nx * dx + ny * dy + nz * dz;
            if (!on_floor && hit % 3 == 0) {
                dx -= 2.0f * facing * nx; dy -= 2.0f * facing * ny; dz -= 2.0f * facing * nz;
            } else {
                if (facing > 0.0f) { nx = -nx; ny = -ny; nz = -nz; }
                float z = 1.0f - 2.0f * uniform(state);
                float ring = sqrtf(fmaxf(0.0f, 1.0f - z * z));
                float sn, cs;
                __sincosf(6.2831853f * uniform(state), &sn, &cs);
                dx = nx + ring * cs; dy = ny + ring * sn; dz = nz + z;
                float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-12f);
                dx *= inv; dy *= inv; dz *= inv;
            }
            if (bounce >= 2) {
                float keep = fminf(fmaxf(wr, fmaxf(wg, wb)), 0.95f);
                if (uniform(state) >= keep) break;
                float inv = 1.0f / keep;
                wr *= inv; wg *= inv; wb *= inv;
            }
        }
    }
    float scale = 1.0f / samples;
    int o = 3 * (py * width + px);
    image[o] = red * scale;
    image[o + 1] = green * scale;
    image[o + 2] = blue * scale;
}
