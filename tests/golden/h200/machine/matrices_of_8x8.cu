// Matrices of 8 x 8 halves loaded, transposed, moved and stored by a warp (sm_90).
// lanewise-engine run matrices_of_8x8.cu --kernel move --grid 1 --block 32 --arg u32[256] --arg u32[128]
// results: exact
__global__ void move(unsigned* out, const unsigned* in) {
    __shared__ __align__(16) unsigned tile[128], copy[128];
    for (int k = threadIdx.x; k < 128; k += 32) tile[k] = in[k], copy[k] = 0;
    __syncwarp();
    unsigned from = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 4), r[4], t;
    unsigned to = (unsigned)__cvta_generic_to_shared(copy + (threadIdx.x ^ 3) * 4);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(t) : "r"(r[1]));
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(to), "r"(r[0]), "r"(t), "r"(r[2]), "r"(r[3]) : "memory");
#else
    for (int m = 0; m < 4; ++m) {
        int row = (m * 8 + threadIdx.x / 4) ^ 3;
        copy[row * 4 + threadIdx.x % 4] = m == 1 ? t : r[m];
    }
#endif
    __syncwarp();
    for (int k = threadIdx.x; k < 128; k += 32) out[k] = copy[k];
    out[128 + threadIdx.x] = r[0];
    out[160 + threadIdx.x] = t;
    out[192 + threadIdx.x] = r[3];
    out[224 + threadIdx.x] = 0;
}
