// Atomics: a texture's pairs of greys, lists of particles by cell, loads on the nodes of a mesh, and rows of a table.
#include <cuda_fp16.h>

// launch texture_pairs: --kernel texture_pairs --grid 8,66 --block 128,2 --arg u8[16777216]=0..255 --arg u32[1024]=0 --arg i32:1024 --arg i32:4096
// Texture of a grey picture: how often each of 32 greys lies left of each other one.
// A block counts in shared memory, four pairs a thread and row, and adds its table to the whole.
__global__ void texture_pairs(const unsigned* __restrict__ picture, unsigned* table, int words, int height) {
    __shared__ unsigned held[1024];
    int t = threadIdx.y * 128 + threadIdx.x, x = blockIdx.x * 128 + threadIdx.x;
    for (int i = t; i < 1024; i += 256) held[i] = 0;
    __syncthreads();
    for (int y = blockIdx.y * 2 + threadIdx.y; y < height; y += gridDim.y * 2) {
        const unsigned* row = picture + y * words;
        unsigned here = row[x];
        unsigned a = here >> 3 & 31, b = here >> 11 & 31, c = here >> 19 & 31, d = here >> 27;
        atomicAdd(&held[a * 32 + b], 1u);
        atomicAdd(&held[b * 32 + c], 1u);
        atomicAdd(&held[c * 32 + d], 1u);
        if (x + 1 < words) atomicAdd(&held[d * 32 + (row[x + 1] >> 3 & 31)], 1u);
    }
    __syncthreads();
    for (int i = t; i < 1024; i += 256)
        if (held[i] != 0) atomicAdd(&table[i], held[i]);
}

// launch cell_lists: --kernel cell_lists --grid 7813 --block 192 --arg f32[6000000]=0..1 --arg i32[262144]=0 --arg i32[1500000] --arg i32:1500000 --arg f32:64
// Particles in a box of 64 x 64 x 64 cells become one linked list a cell.
// Each particle exchanges itself for the head of its list, and remembers who was there.
__global__ void cell_lists(const float4* __restrict__ particles, int* heads, int* __restrict__ next, int n,
                           float cells) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = particles[i];
    int side = (int)cells, last = side - 1;
    int x = min((int)(p.x * cells), last), y = min((int)(p.y * cells), last), z = min((int)(p.z * cells), last);
    next[i] = atomicExch(&heads[(z * side + y) * side + x], i);
}

// launch assemble_loads: --kernel assemble_loads --grid 4915 --block 160 --arg i32[3145600]=0..255 --arg f64[393984]=0..10 --arg f64[786400]=0.5..1.5 --arg f64[131328]=0
// Finite elements: the load on a tetrahedron is its volume times a density, and each of its four nodes takes a quarter.
// The nodes of an element lie within 256 of each other.
__global__ void assemble_loads(const int4* __restrict__ elements, const double* __restrict__ places,
                               const double* __restrict__ densities, double* loads) {
    int e = blockIdx.x * blockDim.x + threadIdx.x, region = e / 6;
    int4 corners = elements[e];
    int a = region + corners.x, b = region + corners.y, c = region + corners.z, d = region + corners.w;
    double ax = places[3 * a], ay = places[3 * a + 1], az = places[3 * a + 2];
    double ux = places[3 * b] - ax, uy = places[3 * b + 1] - ay, uz = places[3 * b + 2] - az;
    double vx = places[3 * c] - ax, vy = places[3 * c + 1] - ay, vz = places[3 * c + 2] - az;
    double wx = places[3 * d] - ax, wy = places[3 * d + 1] - ay, wz = places[3 * d + 2] - az;
    double volume = ux * (vy * wz - vz * wy) - uy * (vx * wz - vz * wx) + uz * (vx * wy - vy * wx);
    double load = fabs(volume) * densities[e] * (1.0 / 24);
    atomicAdd(&loads[a], load);
    atomicAdd(&loads[b], load);
    atomicAdd(&loads[c], load);
    atomicAdd(&loads[d], load);
}

// launch embedding_gradients: --kernel embedding_gradients --grid 12288 --block 128 --arg u32[12288]=0..32767 --arg f16[6291456]=-0.1..0.1 --arg f16[16777216]=0 --arg u32:0
// The backward pass of an embedding of words: each gradient of 512 halves is added to the row of its word.
// Two halves an atomic; a padding word adds nothing.
__global__ void embedding_gradients(const unsigned* __restrict__ words, const half* __restrict__ gradients,
                                    half2* table, unsigned padding) {
    unsigned word = words[blockIdx.x];
    if (word == padding) return;
    uint2 four = ((const uint2*)gradients)[blockIdx.x * 128 + threadIdx.x];
    half2* row = table + word * 256 + threadIdx.x * 2;
    atomicAdd(row, *(half2*)&four.x);
    atomicAdd(row + 1, *(half2*)&four.y);
}
