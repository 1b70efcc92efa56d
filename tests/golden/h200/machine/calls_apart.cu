// Where lanes meet again that have called different functions: behind the call, where the warp waits
// for all, in a loop, in an if.
// lanewise-engine run calls_apart.cu --kernel then_warp --grid 1 --block 64 --arg i32[64] --arg i32[64]
// results: exact
struct Shape {
    int side;
    __device__ Shape(int s) : side(s) {}
    __device__ virtual int area(int v) const = 0;
};
struct Square : Shape {
    using Shape::Shape;
    __device__ int area(int v) const override { return side * side + v; }
};
struct Line : Shape {
    using Shape::Shape;
    __device__ int area(int v) const override { return side - v; }
};
struct Point : Shape {
    using Shape::Shape;
    __device__ int area(int v) const override { return 7 * v; }
};
#define SHAPES                       \
    int i = threadIdx.x;             \
    Square square(i);                \
    Line line(i + 2);                \
    Point point(5);                  \
    const Shape* shapes[3] = {&square, &line, &point};
__global__ void then_warp(int* out, const int* in) {
    SHAPES
    int v = shapes[i % 3]->area(in[i]);
    out[i] = v;
    __syncwarp();
    out[i ^ 1] += v;
}
__global__ void then_shuffle(int* out, const int* in) {
    SHAPES
    int v = shapes[i % 3]->area(in[i]);
    v += __shfl_xor_sync(~0u, v, 1);
    out[i] = v;
}
__global__ void in_loop(int* out, const int* in) {
    SHAPES
    int v = in[i];
#pragma unroll 1
    for (int k = 0; k < 3; ++k) {
        v = shapes[(i + k) % 3]->area(v + in[k]);
        out[i] = v;
    }
}
__global__ void in_if(int* out, const int* in) {
    SHAPES
    int v = in[i];
    if (v & 8) v = shapes[i % 3]->area(v);
    out[i] = v;
    if (v & 4) out[i] = shapes[(i + 1) % 3]->area(v);
    out[i] += 1;
}
__global__ void twice(int* out, const int* in) {
    SHAPES
    const Shape* shape = shapes[i % 3];
    out[i] = shape->area(in[i]);
    out[i] += shape->area(3);
}
