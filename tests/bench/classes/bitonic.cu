// Each block sorts 1,024 keys in shared memory; half of the lanes exchange, as their keys want.
#include <cstdint>

__global__ void bitonic(uint32_t* keys) {
    __shared__ uint32_t part[1024];
    uint32_t* own = keys + 1024 * blockIdx.x;
    part[threadIdx.x] = own[threadIdx.x];
    for (uint32_t size = 2; size <= 1024; size *= 2) {
        for (uint32_t distance = size / 2; distance > 0; distance /= 2) {
            __syncthreads();
            uint32_t other = threadIdx.x ^ distance;
            if (other > threadIdx.x) {
                bool up = (threadIdx.x & size) == 0;
                uint32_t low = part[threadIdx.x], high = part[other];
                if ((low > high) == up) {
                    part[threadIdx.x] = high;
                    part[other] = low;
                }
            }
        }
    }
    __syncthreads();
    own[threadIdx.x] = part[threadIdx.x];
}
