// Divergent and bound by latency: unpacking what was just unpacked, an index of a genome, chances of molecules, stiff rates.

// launch lz_unpack: --kernel lz_unpack --grid 190 --block 128 --arg u8[12441600]=0..255 --arg u8[12441600] --arg i32:24300
// Compression: chunks of 512 bytes are unpacked, each by a thread: letters, and copies of what the chunk had before.
// A copy goes byte by byte because it may overlap itself; lanes take different ways all the time.
__global__ void lz_unpack(const unsigned char* __restrict__ packed, unsigned char* out, int chunks) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= chunks) return;
    const unsigned char* from = packed + (size_t)i * 512;
    unsigned char* to = out + (size_t)i * 512;
    int at = 0, p = 0;
    while (p < 512) {
        int token = from[at++];
        if (token < 128 || p == 0) {
            to[p++] = token;
            continue;
        }
        int distance = min(from[at & 511] + 1, p), length = min((token & 7) + 3, 512 - p);
        ++at;
        for (; length > 0; --length, ++p) to[p] = to[p - distance];
    }
}

__device__ __forceinline__ unsigned letters_before(const unsigned* counts, const uint4* planes, unsigned at, unsigned c,
                                                   unsigned last) {
    unsigned block = min(at >> 6, last);
    uint4 p = __ldg(&planes[block]);
    unsigned count = __ldg(&counts[block * 4 + c]);
    unsigned long long low = (unsigned long long)p.y << 32 | p.x, high = (unsigned long long)p.w << 32 | p.z;
    unsigned long long same = (c & 1 ? low : ~low) & (c & 2 ? high : ~high);
    return count + __popcll(same & ((1ull << (at & 63)) - 1));
}

// launch fm_search: --kernel fm_search --grid 586 --block 256 --arg u32[8388608]=0+4 --arg u32[8388608]=0..2000000000 --arg u32[300000]=0..2000000000 --arg u32[150000] --arg i32[150000] --arg i32:150000 --arg u32:2097151
// Read mapping: 24 letters of each read are looked up backwards in a Burrows-Wheeler index of 134 million letters.
// Each step narrows a range by two ranks in the index; the search ends when nothing is left.
__global__ void fm_search(const unsigned* __restrict__ counts, const uint4* __restrict__ planes,
                          const uint2* __restrict__ reads, unsigned* __restrict__ found, int* __restrict__ lengths, int n,
                          unsigned last) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint2 two = reads[i];
    unsigned long long letters = (unsigned long long)two.y << 32 | two.x;
    unsigned low = 0, high = (last + 1) * 64;
    int length = 0;
    while (length < 24 && low < high) {
        unsigned c = (unsigned)letters & 3, first = c * (last + 1) * 16;
        letters >>= 2;
        low = first + letters_before(counts, planes, low, c, last);
        high = first + letters_before(counts, planes, high, c, last);
        ++length;
    }
    found[i] = low;
    lengths[i] = length;
}

// launch gillespie_runs: --kernel gillespie_runs --grid 297 --block 128 --arg f32[38000]=20..80 --arg f32[38000]=0.5..2 --arg i32[76000] --arg i32[38000] --arg f32:5 --arg i32:38000
// Biology: two genes that hold each other down, molecule by molecule, by Gillespie's algorithm; a thread has a cell.
// Each event waits for the one before, and cells live through different numbers of them.
__global__ void gillespie_runs(const float* __restrict__ rates, const float* __restrict__ losses, int* __restrict__ ends,
                               int* __restrict__ events, float until, int cells) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    float make = rates[i], lose = losses[i], time = 0;
    int a = i % 7, b = i % 5, n = 0;
    unsigned long long state = (i + 1) * 0x9e3779b97f4a7c15ull;
    while (n < 2000) {
        float of_a = a * 0.1f, of_b = b * 0.1f;
        float more_a = make / (1 + of_b * of_b), more_b = make / (1 + of_a * of_a);
        float less_a = lose * a, less_b = lose * b;
        float total = more_a + more_b + less_a + less_b;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        float u = ((unsigned)(state >> 40) + 1) * 0x1p-24f;
        float which = ((unsigned)(state >> 8) & 0xffffffu) * 0x1p-24f * total;
        time -= logf(u) / total;
        if (time > until) break;
        if (which < more_a) ++a;
        else if (which < more_a + more_b) ++b;
        else if (which < more_a + more_b + less_a) a = max(a - 1, 0);
        else b = max(b - 1, 0);
        ++n;
    }
    ends[i] = a;
    ends[cells + i] = b;
    events[i] = n;
}

// launch stiff_kinetics: --kernel stiff_kinetics --grid 313 --block 64 --arg f64[20000]=280..340 --arg f64[60000] --arg i32[20000] --arg i32:20000 --arg i32:90
// Chemistry: Robertson's three reactions in each cell of a flow, at its own temperature, by implicit steps in doubles.
// Newton's method within each of 90 steps goes on until the change is small.
__global__ void stiff_kinetics(const double* __restrict__ temperatures, double* __restrict__ out, int* __restrict__ trials,
                               int cells, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    double x = 1 / 300.0 - 1 / temperatures[i];
    double k1 = 0.04 * exp(4000 * x), k2 = 3e7 * exp(2500 * x), k3 = 1e4 * exp(1500 * x);
    double b = 0, c = 0, h = 1e-5;
    int all = 0;
    for (int step = 0; step < steps; ++step) {
        double next_b = b, next_c = c;
        for (int trial = 0; trial < 12; ++trial) {
            double f = next_b - b - h * (k1 * (1 - next_b - next_c) - k3 * next_b * next_c - k2 * next_b * next_b);
            double g = next_c - c - h * k2 * next_b * next_b;
            double fb = 1 + h * (k1 + k3 * next_c + 2 * k2 * next_b), fc = h * (k1 + k3 * next_b);
            double gb = -2 * h * k2 * next_b;
            double change_b = (f - fc * g) / (fb - fc * gb), change_c = g - gb * change_b;
            next_b -= change_b;
            next_c -= change_c;
            ++all;
            if (fabs(change_b) < 1e-13 + 1e-9 * fabs(next_b) && fabs(change_c) < 1e-9) break;
        }
        b = next_b;
        c = next_c;
        h *= 1.25;
    }
    out[i] = 1 - b - c;
    out[cells + i] = b;
    out[2 * cells + i] = c;
    trials[i] = all;
}
