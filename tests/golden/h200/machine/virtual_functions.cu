// Objects of different classes in one array, called through their base.
// lanewise-engine run virtual_functions.cu --kernel area --grid 1 --block 64 --arg i32[64]
// results: exact
struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual int corners() const { return 4; }
};
struct Square : Shape {
    int side;
    __device__ Square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};
struct Box : Shape {
    int width, height;
    __device__ Box(int w, int h) : width(w), height(h) {}
    __device__ int area() const override { return width * height; }
};
struct Triangle : Box {
    __device__ Triangle(int w, int h) : Box(w, h) {}
    __device__ int area() const override { return Box::area() / 2; }
    __device__ int corners() const override { return 3; }
};

__device__ __noinline__ int measure(const Shape& shape) { return 10 * shape.area() + shape.corners(); }

__global__ void area(int* out) {
    int i = threadIdx.x;
    Square square(i);
    Box box(i, i + 2);
    Triangle triangle(2 * i, 5);
    const Shape* shapes[3] = {&square, &box, &triangle};
    out[i] = measure(*shapes[i % 3]) + measure(*shapes[(i + 1) % 3]);
}
