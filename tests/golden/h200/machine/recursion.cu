// Functions that call themselves and each other: Ackermann, Fibonacci, parity, and a tree in memory.
// lanewise-engine run recursion.cu --kernel recursive --grid 1 --block 64 --arg i32[320] --arg u32[64]
// results: exact
__device__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int is_odd(int n);
__device__ __noinline__ int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
__device__ __noinline__ int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
struct Range { int low, high; };
__device__ __noinline__ int sum_of(const unsigned* in, Range r) {
    if (r.high - r.low == 1) return in[r.low] & 255;
    int middle = (r.low + r.high) / 2;
    return sum_of(in, {r.low, middle}) + sum_of(in, {middle, r.high});
}
__device__ void permute(int* a, int k, int n, int& best) {
    if (k == n) {
        int v = 0;
        for (int i = 0; i < n; ++i) v = v * 10 + a[i] * (i & 1 ? 1 : -1);
        best = max(best, v);
        return;
    }
    for (int i = k; i < n; ++i) {
        int t = a[k]; a[k] = a[i]; a[i] = t;
        permute(a, k + 1, n, best);
        t = a[k]; a[k] = a[i]; a[i] = t;
    }
}
__global__ void recursive(int* out, const unsigned* in) {
    int i = threadIdx.x;
    out[i] = ackermann(2, i % 3);  // a thread has 1 KiB of stack on the card
    out[64 + i] = fibonacci(i % 9);
    out[128 + i] = is_even(i % 9) * 2 + is_odd(i % 9);
    out[192 + i] = sum_of(in, {i - i % 7, i + 1});
    int a[4] = {i % 3, i % 5, i % 7, 9}, best = -1000000;
    permute(a, 0, 4, best);
    out[256 + i] = best;
}
