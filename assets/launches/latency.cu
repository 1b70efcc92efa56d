// Divergent and bound by latency: chains of dependent loads, few warps, lanes that go different ways.

// launch binary_search: --kernel binary_search --grid 512 --block 128 --arg i32[16777216]=0+2 --arg u32[65536] --arg i32[65536] --arg i32:16777216
// launch binary_search_many: --kernel binary_search --grid 4096 --block 256 --arg i32[4194304]=0+2 --arg u32[1048576] --arg i32[1048576] --arg i32:4194304
__global__ void binary_search(const int* sorted, const unsigned* keys, int* found, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int key = (keys[i] * 2654435761u >> 5) % (2 * n), low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < key) low = middle + 1;
        else high = middle;
    }
    found[i] = low;
}

// launch follow_links: --kernel follow_links --grid 132 --block 64 --arg u32[16777216] --arg u32[8448] --arg i32:64 --arg u32:16777215
// launch follow_links_near: --kernel follow_links --grid 264 --block 256 --arg u32[1048576] --arg u32[67584] --arg i32:128 --arg u32:1048575
__global__ void follow_links(const unsigned* next, unsigned* ends, int steps, unsigned mask) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x, thread = at;
    for (int step = 0; step < steps; ++step) at = (next[at] * 2654435761u >> 4) & mask;
    ends[thread] = at;
}

// launch mandelbrot: --kernel mandelbrot --grid 32,64 --block 32,16 --arg i32[1048576] --arg i32:128
__global__ void mandelbrot(int* steps, int most) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, step = 0;
    float cx = x * (3.0f / 1024) - 2.25f, cy = y * (2.5f / 1024) - 1.25f, zx = 0, zy = 0;
    while (step < most && zx * zx + zy * zy < 4) {
        float next = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = next;
        ++step;
    }
    steps[y * 1024 + x] = step;
}

// launch collatz: --kernel collatz --grid 2048 --block 256 --arg u32[524288]
__global__ void collatz(unsigned* lengths) {
    unsigned i = blockIdx.x * 256 + threadIdx.x, steps = 0;
    for (unsigned long long n = i + 1; n != 1; ++steps) n = n & 1 ? 3 * n + 1 : n / 2;
    lengths[i] = steps;
}

// launch eight_ways: --kernel eight_ways --grid 8192 --block 256 --arg u32[2097152] --arg f32[2097152]
// Each lane takes one of eight branches, by its word: a warp goes through nearly all of them.
__global__ void eight_ways(const unsigned* in, float* out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned word = in[i] * 2654435761u;
    float x = (word >> 8) * 0x1p-24f + 0.5f;
    switch (word & 7) {
        case 0: x = sinf(x); break;
        case 1: x = sqrtf(x) + 1; break;
        case 2: x = expf(x); break;
        case 3: x = logf(x); break;
        case 4: x = x / (x + 3); break;
        case 5: x = powf(x, 1.5f); break;
        case 6: x = x * x * x - 2; break;
        default: x = cosf(x); break;
    }
    out[i] = x;
}

// launch hash_lookup: --kernel hash_lookup --grid 4096 --block 256 --arg u32[4194304]=0..16777216 --arg u32[1048576] --arg u32[1048576] --arg u32:4194303
// Looks on from a word's place until one is larger: lanes end at different times.
__global__ void hash_lookup(const unsigned* table, const unsigned* keys, unsigned* found, unsigned mask) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned key = keys[i] * 2654435761u, at = key >> 7 & mask, limit = key & 0xffffff;
    int looks = 0;
    while (looks < 32 && table[at] < limit) at = (at + 1) & mask, ++looks;
    found[i] = at;
}

// launch one_block: --kernel one_block --grid 1 --block 1024 --arg f32[1048576]=0..1 --arg f32[1] --arg i32:1048576
__global__ void one_block(const float* in, float* total, int n) {
    __shared__ float held[1024];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 1024) sum += in[i];
    held[threadIdx.x] = sum;
    for (int half = 512; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) held[threadIdx.x] += held[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *total = held[0];
}

// launch tree_walk: --kernel tree_walk --grid 1024 --block 256 --arg u32[2097152] --arg f32[262144] --arg i32:20
// Down a binary tree that lies level by level in memory: the first levels are shared, the last are not.
__global__ void tree_walk(const unsigned* nodes, float* out, int levels) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned at = 1, key = i * 2654435761u;
    for (int level = 0; level < levels; ++level) at = 2 * at + ((nodes[at] ^ key >> level) & 1);
    out[i] = at;
}
