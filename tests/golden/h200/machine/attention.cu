// A tile of attention: 16 queries, 32 keys, softmax as it goes (running maximum and sum).
// lanewise-engine run attention.cu --kernel attend --grid 2 --block 16,4 --arg f32[512] --arg u32[512] --arg u32[512] --arg u32[512]
// results: within 1e-4 of the value, f32
template <int D> struct Row { float v[D]; };
__device__ float number(unsigned w) { return (int)(w % 2048) / 1024.0f - 1; }
__global__ void attend(float* out, const unsigned* q, const unsigned* k, const unsigned* v) {
    __shared__ float key[8][16 + 1], value[8][16];
    int lane = threadIdx.x, row = threadIdx.y, at = (blockIdx.x * 16) * 16;
    for (int query = row; query < 16; query += 4) {
        float acc = 0, most = -1e30f, sum = 0, mine = number(q[at + query * 16 + lane]);
        for (int tile = 0; tile < 16; tile += 8) {
            __syncthreads();
            for (int i = row; i < 8; i += 4) {
                key[i][lane] = number(k[at + (tile + i) * 16 + lane]);
                value[i][lane] = number(v[at + (tile + i) * 16 + lane]);
            }
            __syncthreads();
            for (int j = 0; j < 8; ++j) {
                float dot = mine * key[j][lane];
                for (int d = 8; d; d /= 2) dot += __shfl_xor_sync(0xffffffff, dot, d, 16);
                float now = fmaxf(most, dot), keep = __expf(most - now), p = __expf(dot - now);
                acc = acc * keep + p * value[j][lane];
                sum = sum * keep + p;
                most = now;
            }
        }
        out[at + query * 16 + lane] = 4 + acc / sum;
    }
}
