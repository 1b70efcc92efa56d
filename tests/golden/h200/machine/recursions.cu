// Recursion whose depth differs from lane to lane: once, twice, and of two functions in turn.
// lanewise-engine run recursions.cu --kernel walks --grid 1 --block 64 --arg i32[64] --arg i32[64]
// results: exact
__device__ __noinline__ int walk(int d, int* out) {
    if (d == 0) return 1;
    int v = walk(d - 1, out);
    out[threadIdx.x] += v;
    return v + d;
}
__global__ void walks(int* out, const int* in) {
    int i = threadIdx.x;
    out[i] = 0;
    out[i] = walk((in[i] & 1023) % 7, out);
}
__device__ __noinline__ int tree(int d, int* out) {
    if (d <= 1) return 1;
    int v = tree(d - 1, out);
    v += tree(d - 2, out);
    out[threadIdx.x] += v;
    return v;
}
__global__ void trees(int* out, const int* in) {
    int i = threadIdx.x;
    out[i] = 0;
    out[i] = tree((in[i] & 1023) % 6, out);
}
__device__ int odd(int d, int* out);
__device__ __noinline__ int even(int d, int* out) {
    if (d == 0) return 1;
    out[threadIdx.x] += d;
    return odd(d - 1, out) + 1;
}
__device__ __noinline__ int odd(int d, int* out) {
    if (d == 0) return 0;
    out[threadIdx.x] += 2 * d;
    int v = even(d - 1, out);
    out[threadIdx.x] += v;
    return v + 3;
}
__global__ void in_turn(int* out, const int* in) {
    int i = threadIdx.x;
    out[i] = 0;
    int d = (in[i] & 1023) % 9;
    out[i] += even(d, out);
}
