// mma.sync of several shapes and types on small whole numbers.
// lanewise-engine run tensor_mma.cu --kernel product --grid 1 --block 32 --arg f32[896] --arg u32[32]
// results: exact
__device__ unsigned tf32(float f) {
    unsigned u;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u) : "f"(f));
    return u;
}
__device__ float small(unsigned w, int k) { return (int)(w >> 4 * k & 7) - 3; }
__device__ unsigned halves(float low, float high) {
    unsigned u;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(high), "f"(low));
    return u;
}
__device__ unsigned brains(float low, float high) {
    unsigned u;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(high), "f"(low));
    return u;
}

__global__ void product(float* out, const unsigned* in) {
    unsigned w = in[threadIdx.x], v = w * 0x9e3779b1u;
    float c[4] = {1, 2, 3, 4}, d[4];
    auto store = [&](int at) {
        for (int k = 0; k < 4; ++k) out[at * 128 + k * 32 + threadIdx.x] = d[k];
    };
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(halves(small(w, 0), small(w, 1))), "r"(halves(small(w, 2), small(w, 3))),
          "r"(halves(small(w, 4), small(w, 5))), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    store(0);
    asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(brains(small(w, 0), small(w, 1))), "r"(brains(small(w, 2), small(w, 3))),
          "r"(brains(small(w, 4), small(w, 5))), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    store(1);
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(tf32(small(w, 0))), "r"(tf32(small(w, 1))), "r"(tf32(small(w, 2))), "r"(tf32(small(w, 3))),
          "r"(tf32(small(w, 4))), "r"(tf32(small(w, 5))), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    store(2);
    asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(tf32(small(w, 0))), "r"(tf32(small(w, 1))), "r"(tf32(small(w, 4))), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    store(3);
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(brains(small(w, 0), small(w, 1))), "r"(brains(small(w, 2), small(w, 3))),
          "r"(brains(small(v, 0), small(v, 1))), "r"(brains(small(v, 2), small(v, 3))),
          "r"(brains(small(w, 4), small(w, 5))), "r"(brains(small(v, 4), small(v, 5))), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    store(4);
    int n[4];
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
        : "=r"(n[0]), "=r"(n[1]), "=r"(n[2]), "=r"(n[3])
        : "r"(w), "r"(v), "r"(w ^ v), "r"(w + v), "r"(v >> 1), "r"(w >> 2), "r"(1), "r"(2), "r"(3), "r"(4));
    for (int k = 0; k < 4; ++k) d[k] = (float)n[k];
    store(5);
    double x = 0, y = 0;
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
        : "=d"(x), "=d"(y) : "d"((double)small(w, 0)), "d"((double)small(w, 1)), "d"(0.5), "d"(0.25));
    d[0] = (float)x;
    d[1] = (float)y;
    d[2] = d[3] = 0;
    store(6);
}
