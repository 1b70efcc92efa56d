// A warp fills a ring of two buffers, another empties it.
// grid: 2
// block: 64
// arguments: in[4096] out[4096] 64 64
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[2][32];
    __shared__ Barrier full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; ++i) {
            make(&full[i], 32);
            make(&empty[i], 32);
        }
    __syncthreads();
    int lane = threadIdx.x % 32;
    float sum = 0;
    for (int step = 0; step < 8; ++step) {
        int slot = step % 2, parity = step / 2 % 2;
        if (threadIdx.x < 32) {
            wait(&empty[slot], parity ^ 1);
            line[slot][lane] = in[step * 32 + lane];
            arrive(&full[slot]);
        } else {
            wait(&full[slot], parity);
            sum += line[slot][31 - lane];
            arrive(&empty[slot]);
        }
    }
    if (threadIdx.x >= 32) out[blockIdx.x * 32 + lane] = sum;
}
