// Variables of the module with and without initial values, of several types.
// lanewise-engine run module_variables.cu --kernel variables --grid 1 --block 64 --arg i64[64]
// results: exact
struct Point {
    short x;
    double y;
};
__device__ int counter = 100;
__device__ unsigned char letters[] = "lanewise";
__device__ Point points[3] = {{1, 0.5}, {2, -1.5}, {-3, 1e3}};
__device__ int cleared[64];
__device__ int* where = cleared + 1;
__device__ volatile int flag = -1;
static __device__ const double table[4] = {1, 10, 100, 1000};

__global__ void variables(long long* out) {
    int i = threadIdx.x;
    atomicAdd(&counter, 1);
    where[i < 63 ? i : -1] = i;
    __syncthreads();
    if (i == 5) flag = flag - 1;
    __syncthreads();
    out[i] = counter + letters[i % 9] * 1000 + (long long)(points[i % 3].x * points[i % 3].y) + cleared[i] + flag +
             (long long)table[i % 4];
}
