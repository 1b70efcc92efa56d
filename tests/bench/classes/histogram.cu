// 256 bins of a block in shared memory, counted with atomics; the data decide which lanes meet.
#include <cstdint>

__global__ void histogram(const uint8_t* data, uint32_t* bins, uint32_t count) {
    __shared__ uint32_t counts[256];
    for (uint32_t bin = threadIdx.x; bin < 256; bin += blockDim.x) counts[bin] = 0;
    __syncthreads();
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[data[i]], 1u);
    __syncthreads();
    for (uint32_t bin = threadIdx.x; bin < 256; bin += blockDim.x) atomicAdd(&bins[bin], counts[bin]);
}
