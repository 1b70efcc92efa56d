// Sorts 256 numbers of a block with a bitonic network.
// lanewise-engine run bitonic_sort.cu --kernel sort --grid 2 --block 128 --arg i32[512] --arg i32[512]
// results: exact
__global__ void sort(int* out, const int* in) {
    __shared__ int keys[256];
    in += blockIdx.x * 256;
    out += blockIdx.x * 256;
    for (int i = threadIdx.x; i < 256; i += 128) keys[i] = in[i];
    for (int size = 2; size <= 256; size *= 2)
        for (int by = size / 2; by > 0; by /= 2) {
            __syncthreads();
            int low = 2 * threadIdx.x - (threadIdx.x & (by - 1)), high = low + by;
            bool up = (low & size) == 0;
            int a = keys[low], b = keys[high];
            if ((a > b) == up) {
                keys[low] = b;
                keys[high] = a;
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 128) out[i] = keys[i];
}
