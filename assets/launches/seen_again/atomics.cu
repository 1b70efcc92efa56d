// Atomics: a monitor of video levels, spikes on their way, energies by an old exchange loop, and clicks counted in groups.
#include <cuda_fp16.h>

// launch waveform_monitor: --kernel waveform_monitor --grid 120,2 --block 512 --arg u8[8294400]=0..255 --arg u32[983040] --arg i32:3840 --arg i32:2160 --arg i32:1080
// Video: a waveform monitor counts for each column of a frame of 3,840 x 2,160 how often it has each level.
// A block has 32 columns of half the frame and counts in 32 KiB of shared memory, four pixels a thread at a time.
__global__ void __launch_bounds__(512) waveform_monitor(const unsigned* __restrict__ luma, unsigned* wave, int width, int height,
                                                        int rows) {
    __shared__ unsigned held[8192];
    for (int i = threadIdx.x; i < 8192; i += 512) held[i] = 0;
    __syncthreads();
    int quad = threadIdx.x % 8, words = width / 4, begin = (int)blockIdx.y * rows, end = min(height, begin + rows);
    for (int y = begin + (int)threadIdx.x / 8; y < end; y += 64) {
        unsigned four = luma[y * words + (int)blockIdx.x * 8 + quad];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            unsigned level = four >> 8 * k & 255u;
            atomicAdd(&held[level * 32 + quad * 4 + k], 1u);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 8192; i += 512) {
        unsigned count = held[i];
        if (count != 0) atomicAdd(&wave[(i / 32) * width + (int)blockIdx.x * 32 + i % 32], count);
    }
}

// launch deliver_spikes: --kernel deliver_spikes --grid 1366 --block 192 --arg i32[8192]=0..65535 --arg i32[65536]=16..256 --arg i32[16777216]=0..65535 --arg f16[16777216]=0..1 --arg u8[16777216]=0..15 --arg f32[1048576] --arg i32:8192 --arg i32:65536 --arg i32:5
// Neuroscience: 8,192 of 65,536 neurons have fired, and each sends a current to its 16 to 256 targets, each with its delay.
// A warp has a neuron; currents wait in a ring of sixteen time steps. Every fifth neuron inhibits.
__global__ void deliver_spikes(const int* __restrict__ fired, const int* __restrict__ fanout, const int* __restrict__ targets,
                               const half* __restrict__ weights, const unsigned char* __restrict__ delays, float* currents,
                               int spikes, int neurons, int now) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= spikes) return;
    int from = fired[warp];
    int many = fanout[from];
    float sign = from % 5 == 0 ? -4.0f : 1.0f;
    for (int s = lane; s < many; s += 32) {
        int at = from * 256 + s;
        int slot = (now + delays[at]) & 15;
        atomicAdd(&currents[slot * neurons + targets[at]], sign * __half2float(weights[at]));
    }
}

__device__ void add_by_exchange(double* to, double value) {
    unsigned long long* place = (unsigned long long*)to;
    unsigned long long old = *place, assumed;
    do {
        assumed = old;
        double sum = value + __longlong_as_double((long long)assumed);
        old = atomicCAS(place, assumed, (unsigned long long)__double_as_longlong(sum));
    } while (old != assumed);
}

// launch energies_by_molecule: --kernel energies_by_molecule --grid 4096 --block 128 --arg i32[1048576]=0..262143 --arg f32[1048576]=-20..20 --arg i32[262144]=0..32767 --arg f64[32768] --arg i32:524288
// Chemistry: the energy of each pair of a list of neighbours goes half to the one molecule and half to the other.
// Doubles are added as it was done on old cards, by a loop of compare and exchange.
__global__ void energies_by_molecule(const int2* __restrict__ pairs, const float4* __restrict__ atoms,
                                     const int* __restrict__ molecules, double* energies, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int2 pair = pairs[i];
    float4 a = atoms[pair.x], b = atoms[pair.y];
    float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    float square = dx * dx + dy * dy + dz * dz + 1.0f;
    float inverse = 1.0f / square;
    float six = inverse * inverse * inverse * 10.0f;
    double energy = (double)(4.0f * 0.2f * (six * six - six)) + 332.06 * (double)(a.w * b.w * rsqrtf(square));
    add_by_exchange(&energies[molecules[pair.x]], 0.5 * energy);
    add_by_exchange(&energies[molecules[pair.y]], 0.5 * energy);
}

// launch clicks_per_page: --kernel clicks_per_page --grid 660 --block 384 --arg u32[4000000]=0..2000000000 --arg u32[4000000]=0..600 --arg u32[65536] --arg u64[65536] --arg i32:4000000 --arg i32:65536
// Web statistics: clicks and seconds spent on each of 65,536 pages, of which a few have most of the visitors.
// Lanes with the same page find each other, and one of them adds for all.
__global__ void clicks_per_page(const unsigned* __restrict__ visits, const unsigned* __restrict__ seconds, unsigned* clicks,
                                unsigned long long* spent, int n, int pages) {
    int lane = threadIdx.x % 32;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float u = (float)visits[i] * 5e-10f;
        u *= u;
        int page = min((int)(u * u * (float)pages), pages - 1);
        unsigned peers = __match_any_sync(~0u, page);
        unsigned sum = __reduce_add_sync(peers, seconds[i]);
        if (__ffs((int)peers) - 1 == lane) {
            atomicAdd(&clicks[page], (unsigned)__popc(peers));
            atomicAdd(&spent[page], (unsigned long long)sum);
        }
    }
}
