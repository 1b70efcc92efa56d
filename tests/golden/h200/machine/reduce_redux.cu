// Every reduction of a warp in one instruction, over all lanes and over some.
// lanewise-engine run reduce_redux.cu --kernel reduce --grid 2 --block 64 --arg u32[1024] --arg u32[128]
// results: exact
__global__ void reduce(unsigned* out, const unsigned* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = in[i];
    out += i * 8;
    out[0] = __reduce_add_sync(~0u, v);
    out[1] = __reduce_min_sync(~0u, v);
    out[2] = __reduce_max_sync(~0u, v);
    out[3] = __reduce_min_sync(~0u, (int)v);
    out[4] = __reduce_max_sync(~0u, (int)v);
    out[5] = __reduce_and_sync(~0u, v | 0xff);
    out[6] = __reduce_xor_sync(~0u, v);
    if (threadIdx.x % 3 == 0)
        out[7] = __reduce_or_sync(0x49249249u << (threadIdx.x / 32 * 32 % 3 ? 1 : 0), v & 0xffff);
    else
        out[7] = 7;
}
