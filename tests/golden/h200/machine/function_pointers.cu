// Each lane calls a function through a pointer that it picks from a table.
// lanewise-engine run function_pointers.cu --kernel call --grid 2 --block 64 --arg i32[128] --arg i32[128]
// results: exact
typedef int (*Step)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int larger(int a, int b) {
    if (a > b) return a;
    return b;
}
__device__ Step steps[3] = {add, subtract, larger};

__device__ __noinline__ int twice(Step step, int a, int b) { return step(step(a, b), b); }

__global__ void call(int* out, const int* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int k = 0; k < 3; ++k) v = steps[(i + k) % 3](v, i);
    if (i % 5 == 0) v = twice(steps[i % 3], v, 17);
    out[i] = v;
}
