// Assertions that hold, and lines that some threads print.
// lanewise-engine run asserts.cu --kernel checked --grid 1 --block 40 --arg i32[40] --arg u32[40]
// results: exact
__global__ void checked(int* out, const unsigned* in) {
    int i = threadIdx.x, v = in[i] % 100;
    assert(v >= 0 && v < 100);
    if (v > 95) printf("thread %d has %d (%5.2f, %s, %c, %#x, %llu)\n", i, v, v / 3.0, "large", 'a' + i % 26, in[i], 1ull << 40);
    out[i] = v;
    assert(out[i] == v && "kept");
}
