// Chains and divergence: queens on a board, a cipher by tables, rays through a tree of boxes, and codes of varying length.

// launch count_queens: --kernel count_queens --grid 21 --block 64 --arg i32[1344] --arg i32:11
// Puzzles: in how many ways eleven queens can stand on a board; a thread has one choice of the first three.
// It tries and goes back with a stack of its own in shared memory; most threads end at once, others go on for long.
__global__ void __launch_bounds__(64) count_queens(int* __restrict__ counts, int n) {
    __shared__ unsigned columns[16][64], lefts[16][64], rights[16][64], opens[16][64];
    int t = threadIdx.x, id = blockIdx.x * 64 + t, rest = n - 3, found = 0;
    unsigned full = (1u << n) - 1, column = 0, left = 0, right = 0;
    bool possible = id < n * n * n;
    for (int k = 0; k < 3; ++k) {
        unsigned bit = 1u << (id % n);
        id /= n;
        if ((column | left | right) & bit) possible = false;
        column |= bit;
        left = (left | bit) << 1 & full;
        right = (right | bit) >> 1;
    }
    int level = 0;
    unsigned open = possible ? full & ~(column | left | right) : 0;
    for (;;) {
        if (open == 0) {
            if (level == 0) break;
            --level;
            column = columns[level][t], left = lefts[level][t], right = rights[level][t], open = opens[level][t];
            continue;
        }
        unsigned bit = open & (0u - open);
        open ^= bit;
        if (level == rest - 1) {
            ++found;
            continue;
        }
        columns[level][t] = column, lefts[level][t] = left, rights[level][t] = right, opens[level][t] = open;
        ++level;
        column |= bit;
        left = (left | bit) << 1 & full;
        right = (right | bit) >> 1;
        open = full & ~(column | left | right);
    }
    counts[blockIdx.x * 64 + t] = found;
}

// launch cipher_by_tables: --kernel cipher_by_tables --grid 2048 --block 256 --arg u32[1024]=0..2000000000 --arg u32[44]=0..2000000000 --arg u32[2097152]=0..2000000000 --arg u32[2097152]
// Cryptography: a block cipher of ten rounds counts up, and what comes out is XORed with the text.
// Sixteen look-ups a round in four tables in shared memory, each round waiting for the one before.
__global__ void __launch_bounds__(256) cipher_by_tables(const unsigned* __restrict__ tables, const unsigned* __restrict__ keys,
                                                        const uint4* __restrict__ text, uint4* __restrict__ out) {
    __shared__ unsigned T[4][256], key[44];
    int t = threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; ++k) T[k][t] = tables[k * 256 + t];
    if (t < 44) key[t] = keys[t];
    __syncthreads();
    unsigned i = blockIdx.x * 256 + t;
    unsigned a = 0x243f6a88u ^ key[0], b = 0x85a308d3u ^ key[1], c = key[2], d = i ^ key[3];
    for (int round = 1; round < 11; ++round) {
        unsigned p = T[0][a >> 24] ^ T[1][b >> 16 & 255] ^ T[2][c >> 8 & 255] ^ T[3][d & 255] ^ key[4 * round];
        unsigned q = T[0][b >> 24] ^ T[1][c >> 16 & 255] ^ T[2][d >> 8 & 255] ^ T[3][a & 255] ^ key[4 * round + 1];
        unsigned r = T[0][c >> 24] ^ T[1][d >> 16 & 255] ^ T[2][a >> 8 & 255] ^ T[3][b & 255] ^ key[4 * round + 2];
        unsigned s = T[0][d >> 24] ^ T[1][a >> 16 & 255] ^ T[2][b >> 8 & 255] ^ T[3][c & 255] ^ key[4 * round + 3];
        a = p, b = q, c = r, d = s;
    }
    uint4 v = text[i];
    out[i] = make_uint4(v.x ^ a, v.y ^ b, v.z ^ c, v.w ^ d);
}

// launch boxes_hit: --kernel boxes_hit --grid 512 --block 128 --arg f32[131072]=-1..1 --arg f32[393216]=-1..1 --arg i32[65536] --arg f32[65536] --arg i32:14 --arg i32:256
// Ray tracing: which leaf of a tree of boxes a ray meets first. The tree is complete, so that no stack is needed:
// where a box is missed, the next one's number follows from this one's. At most 256 boxes a ray.
__global__ void boxes_hit(const float4* __restrict__ boxes, const float* __restrict__ rays, int* __restrict__ leaf,
                          float* __restrict__ depth, int levels, int most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float ox = rays[i * 6], oy = rays[i * 6 + 1], oz = rays[i * 6 + 2];
    float ix = 1.0f / (rays[i * 6 + 3] + 1.5f), iy = 1.0f / (rays[i * 6 + 4] + 1.5f), iz = 1.0f / (rays[i * 6 + 5] + 1.5f);
    unsigned node = 1, first_leaf = 1u << (levels - 1);
    float nearest = 1e30f;
    int found = -1;
    for (int step = 0; step < most; ++step) {
        float4 low = __ldg(&boxes[node * 2]), size = __ldg(&boxes[node * 2 + 1]);
        float ax = (low.x - ox) * ix, bx = (low.x + 1.0f + fabsf(size.x) - ox) * ix;
        float ay = (low.y - oy) * iy, by = (low.y + 1.0f + fabsf(size.y) - oy) * iy;
        float az = (low.z - oz) * iz, bz = (low.z + 1.0f + fabsf(size.z) - oz) * iz;
        float enter = fmaxf(fmaxf(ax, ay), fmaxf(az, 0.0f)), leave = fminf(fminf(bx, by), fminf(bz, nearest));
        if (enter <= leave) {
            if (node < first_leaf) {
                node *= 2;
                continue;
            }
            if (enter < nearest) nearest = enter, found = (int)(node - first_leaf);
        }
        ++node;
        node >>= __ffs(node) - 1;
        if (node == 1) break;
    }
    leaf[i] = found;
    depth[i] = nearest;
}

// launch codes_to_letters: --kernel codes_to_letters --grid 1024 --block 96 --arg u32[1966080]=0..2000000000 --arg u32[1024]=0..2000000000 --arg u8[6291456]
// Compression: each thread decodes 64 letters out of a stream of its own, codes of two to ten bits by a table of 1,024 entries.
// Where a code begins is known only when the one before has been looked up.
__global__ void codes_to_letters(const unsigned* __restrict__ streams, const unsigned* __restrict__ table, uchar4* __restrict__ out) {
    __shared__ unsigned short held[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
        unsigned e = table[k];
        held[k] = (e & 255) | (2 + (e >> 8) % 9) << 8;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned* from = streams + (size_t)i * 20;
    unsigned long long bits = 0;
    int have = 0;
    for (int group = 0; group < 16; ++group) {
        unsigned letters = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (have < 10) {
                bits |= (unsigned long long)*from++ << have;
                have += 32;
            }
            unsigned e = held[(unsigned)bits & 1023];
            letters |= (e & 255) << (8 * k);
            bits >>= e >> 8;
            have -= e >> 8;
        }
        out[i * 16 + group] = make_uchar4(letters & 255, letters >> 8 & 255, letters >> 16 & 255, letters >> 24);
    }
}
