// Bound by latency: bits that follow bits, nodes that follow nodes, a barrier a step, and hashes of hashes.

// launch huffman_decode: --kernel huffman_decode --grid 264 --block 128 --arg u8[12976128]=0..255 --arg u32[4096]=0..16777215 --arg u32[2162688] --arg i32:256
// Codes of 4 to 11 bits: each thread decodes 256 letters from its own stream with a table of 4,096 places in shared
// memory.
__global__ void huffman_decode(const unsigned char* __restrict__ streams_bytes,
                              const unsigned* __restrict__ codes,
                              unsigned* __restrict__ out,
                              int letters) {
    const unsigned* streams = (const unsigned*)streams_bytes;
    __shared__ unsigned short table[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
        unsigned code = codes[i];
        table[i] = (unsigned short)((code >> 8 & 255) << 4 | (4 + (code & 7)));
    }
    __syncthreads();
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    const unsigned* next = streams + thread * 96;
    unsigned long long bits = (unsigned long long)*next++ << 32;
    int have = 32;
    unsigned word = 0;
    for (int k = 0; k < letters; ++k) {
        if (have <= 32) {
            bits |= (unsigned long long)*next++ << (32 - have);
            have += 32;
        }
        unsigned entry = table[bits >> 52], length = entry & 15;
        bits <<= length;
        have -= length;
        word = word >> 8 | entry >> 4 << 24;
        if (k % 4 == 3) out[k / 4 * threads + thread] = word;
    }
}

// launch btree_lookup: --kernel btree_lookup --grid 512 --block 256 --arg u32[24137568]=0..16777215 --arg u32[65536]=0..16777215 --arg u32[65536] --arg i32:6 --arg i32:8
// Keys are looked up in a tree of nodes with sixteen keys and seventeen children: half a warp compares a node's keys at
// once, and goes on to the child, six levels down.
__global__ void btree_lookup(const unsigned* __restrict__ nodes, const unsigned* __restrict__ keys,
                             unsigned* __restrict__ found, int levels, int each) {
    int lane = threadIdx.x % 32, part = lane % 16, groups = gridDim.x * blockDim.x / 16;
    int query = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
    for (int k = 0; k < each; ++k, query += groups) {
        unsigned key = keys[query], node = 0;
        for (int level = 0; level < levels; ++level) {
            unsigned smaller = __ballot_sync(~0u, nodes[node * 16 + part] < key);
            node = node * 17 + 1 + __popc(smaller >> (lane & 16) & 0xffff);
        }
        if (part == 0) found[query] = node;
    }
}

// launch viterbi_decode: --kernel viterbi_decode --grid 1056 --block 64 --arg u8[1081344]=0..255 --arg u32[16896] --arg i32:512
// A convolutional code with 64 states, one a thread: 512 steps with a barrier each, then one thread goes back along the
// best path.
__global__ void __launch_bounds__(64) viterbi_decode(const uchar2* __restrict__ symbols, unsigned* __restrict__ bits,
                                                     int steps) {
    __shared__ int metrics[2][64];
    __shared__ unsigned decisions[512][2];
    __shared__ uchar2 held[64];
    int state = threadIdx.x, from = 2 * state & 63;
    int a0 = __popc(2 * state & 0x6d) & 1 ? -1 : 1, b0 = __popc(2 * state & 0x4f) & 1 ? -1 : 1;
    int a1 = __popc((2 * state + 1) & 0x6d) & 1 ? -1 : 1, b1 = __popc((2 * state + 1) & 0x4f) & 1 ? -1 : 1;
    metrics[0][state] = state == 0 ? 0 : -10000;
    for (int step = 0; step < steps; ++step) {
        if (step % 64 == 0) {
            __syncthreads();
            held[state] = symbols[blockIdx.x * steps + step + state];
        }
        __syncthreads();
        uchar2 symbol = held[step % 64];
        int a = symbol.x - 128, b = symbol.y - 128;
        int even = metrics[step & 1][from] + a0 * a + b0 * b, odd = metrics[step & 1][from + 1] + a1 * a + b1 * b;
        unsigned odds = __ballot_sync(~0u, odd > even);
        if (state % 32 == 0) decisions[step][state / 32] = odds;
        metrics[~step & 1][state] = max(even, odd);
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned word = 0;
    for (int step = steps - 1, at = 0; step >= 0; --step) {
        word |= (unsigned)(at >> 5) << (step & 31);
        at = (2 * at & 63) | (decisions[step][at >> 5] >> (at & 31) & 1);
        if (step % 32 == 0) {
            bits[blockIdx.x * (steps / 32) + step / 32] = word;
            word = 0;
        }
    }
}

__constant__ unsigned round_words[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ unsigned turned(unsigned x, int by) { return __funnelshift_r(x, x, by); }

// launch sha256_chain: --kernel sha256_chain --grid 264 --block 96 --arg u32[202752]=0..16777215 --arg i32:16
// SHA-256 of a digest, of that digest, and so on: few warps, and each round waits for the one before.
__global__ void sha256_chain(unsigned* digests, int times) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    unsigned w[16], digest[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) digest[k] = digests[k * threads + thread];
#pragma unroll 1
    for (int time = 0; time < times; ++time) {
#pragma unroll
        for (int k = 0; k < 8; ++k) w[k] = digest[k], w[k + 8] = 0;
        w[8] = 0x80000000u;
        w[15] = 256;
        unsigned a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
        unsigned e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
#pragma unroll
        for (int k = 0; k < 64; ++k) {
            if (k >= 16) {
                unsigned early = w[(k + 1) & 15], late = w[(k + 14) & 15];
                w[k & 15] += (turned(early, 7) ^ turned(early, 18) ^ early >> 3) + w[(k + 9) & 15] +
                             (turned(late, 17) ^ turned(late, 19) ^ late >> 10);
            }
            unsigned first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) +
                             round_words[k] + w[k & 15];
            unsigned second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + first;
            d = c, c = b, b = a, a = first + second;
        }
        digest[0] = a + 0x6a09e667, digest[1] = b + 0xbb67ae85, digest[2] = c + 0x3c6ef372, digest[3] = d + 0xa54ff53a;
        digest[4] = e + 0x510e527f, digest[5] = f + 0x9b05688c, digest[6] = g + 0x1f83d9ab, digest[7] = h + 0x5be0cd19;
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) digests[k * threads + thread] = digest[k];
}
