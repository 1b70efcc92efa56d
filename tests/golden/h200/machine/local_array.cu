// Sorts 16 numbers of each thread in an array of its own, whose addresses are computed.
// lanewise-engine run local_array.cu --kernel sort --grid 1 --block 40 --arg i32[640] --arg i32[640]
// results: exact
__global__ void sort(int* out, const int* in) {
    int keys[16];
    for (int k = 0; k < 16; ++k) keys[k] = in[threadIdx.x * 16 + k];
    for (int k = 1; k < 16; ++k) {
        int key = keys[k], at = k;
        for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
        keys[at] = key;
    }
    for (int k = 0; k < 16; ++k) out[threadIdx.x * 16 + k] = keys[(k + threadIdx.x) % 16];
}
