// A float4 is stored one float too far.
// grid: 4
// block: 64
// arguments: in[1024] out[1028] 1 1
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    float v = in[4 * i];
    reinterpret_cast<float4*>(out + 1)[i] = make_float4(v, v, v, v);  // expect: misaligned
}
