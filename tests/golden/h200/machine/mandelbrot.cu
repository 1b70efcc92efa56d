// Points that escape after different times, in f32 without contraction.
// lanewise-engine run mandelbrot.cu --kernel mandelbrot --grid 4 --block 64 --arg i32[256]
// results: exact
__global__ void mandelbrot(int* out) {
    int i = blockIdx.x * 64 + threadIdx.x;
    float cx = __fadd_rn(__fmul_rn(i % 16, 0.19f), -2), cy = __fadd_rn(__fmul_rn(i / 16, 0.15f), -1.2f), x = 0, y = 0;
    int steps = 0;
    while (steps < 100) {
        float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
        if (__fadd_rn(xx, yy) > 4) break;
        y = __fadd_rn(__fmul_rn(__fmul_rn(2, x), y), cy);
        x = __fadd_rn(__fsub_rn(xx, yy), cx);
        ++steps;
    }
    out[i] = steps;
}
