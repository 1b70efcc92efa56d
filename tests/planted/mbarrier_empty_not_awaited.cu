// The producer fills the one buffer again without waiting until it is empty.
// grid: 2
// block: 64
// arguments: in[4096] out[4096] 64 64
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[32];
    __shared__ Barrier full[2], empty;
    if (threadIdx.x == 0) {
        make(&full[0], 32);
        make(&full[1], 32);
        make(&empty, 32);
    }
    __syncthreads();
    int lane = threadIdx.x % 32;
    float sum = 0;
    for (int step = 0; step < 2; ++step) {
        if (threadIdx.x < 32) {
            line[lane] = in[step * 32 + lane];  // expect: race
            arrive(&full[step]);
        } else {
            wait(&full[step], 0);
            sum += line[31 - lane];
            arrive(&empty);
        }
    }
    if (threadIdx.x >= 32) out[blockIdx.x * 32 + lane] = sum;
}
