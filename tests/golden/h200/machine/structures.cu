// Structures by value to functions and back, small and large, and a lambda with captures.
// lanewise-engine run structures.cu --kernel structures --grid 1 --block 64 --arg i32[192] --arg i32:5 --arg f32:1.5 --arg i64:-7 --arg u8:200
// results: exact
struct Vector {
    int x, y, z;
};
struct Matrix {
    int m[3][3];
    unsigned char tag;
};
__device__ __noinline__ Vector times(Matrix m, Vector v) {
    Vector d;
    d.x = m.m[0][0] * v.x + m.m[0][1] * v.y + m.m[0][2] * v.z;
    d.y = m.m[1][0] * v.x + m.m[1][1] * v.y + m.m[1][2] * v.z;
    d.z = m.m[2][0] * v.x + m.m[2][1] * v.y + m.m[2][2] * v.z + m.tag;
    return d;
}
template <class F>
__device__ __noinline__ Vector each(Vector v, F f) {
    return {f(v.x), f(v.y), f(v.z)};
}

__global__ void structures(Vector* out, int by, float scale, long long shift, unsigned char tag) {
    Matrix m;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) m.m[r][c] = r * by - c;
    m.tag = tag;
    Vector v{(int)threadIdx.x, (int)(threadIdx.x * scale), (int)shift};
    out[threadIdx.x] = each(times(m, v), [=](int n) { return n * by + (int)shift; });
}
