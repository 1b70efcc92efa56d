// Local memory: arrays with computed indices and spilled registers must not count as global.

// An array that registers cannot hold, because its index is data.
__global__ void sorted_bins(const unsigned* in, unsigned* out, int n) {
    unsigned bins[16] = {};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int j = 0; j < 32; ++j) ++bins[in[(i + j) % n] % 16];
    for (int j = 0; j < 16; ++j) out[j * n + i] = bins[j];
}

// So many values alive at once that they do not fit into the registers of the launch bounds.
__global__ void __launch_bounds__(1024, 2) spilled(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float values[64];
#pragma unroll
    for (int j = 0; j < 64; ++j) values[j] = in[(i + 37 * j) % n];
#pragma unroll
    for (int j = 0; j < 64; ++j) values[j] *= values[(j * 29 + 7) % 64];
    float sum = 0;
#pragma unroll
    for (int j = 63; j >= 0; --j) sum = sum * 0.5f + values[j];
    out[i] = sum;
}

struct Node {
    int key;
    short next, depth;
};
__device__ int walk(const Node* nodes, int at, int steps) {
    for (int i = 0; i < steps; ++i) at = nodes[at].next;
    return nodes[at].key;
}
// A private list whose nodes are found one from the other; its pointer is generic.
__global__ void list(const int* in, int* out, int n) {
    Node nodes[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int j = 0; j < 8; ++j) nodes[j] = {in[i] + j, short((j * 5 + 3) % 8), short(j)};
    out[i] = walk(nodes, in[i] & 7, 5);
}
