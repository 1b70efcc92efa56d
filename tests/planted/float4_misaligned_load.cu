// A float4 is loaded from a row whose length is not a multiple of four.
// grid: 1 4
// block: 8 8
// arguments: in[1056] out[1056] 32 33
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int row = blockIdx.y * 8 + threadIdx.y, col = 4 * threadIdx.x;
    float4 v = *reinterpret_cast<const float4*>(in + row * cols + col);  // expect: misaligned
    out[(col + 0) * rows + row] = v.x;
    out[(col + 1) * rows + row] = v.y;
    out[(col + 2) * rows + row] = v.z;
    out[(col + 3) * rows + row] = v.w;
}
