// Stencils: two steps in one launch, a column filter, a wave of high order in space, and a filter that looks at values.

// launch hotspot_steps: --kernel hotspot_steps --grid 171,171 --block 16,16 --arg f32[4194304]=20..80 --arg f32[4194304]=0..1 --arg f32[4194304] --arg i32:2048
// Heat of a chip, two steps at once: a block of 16 x 16 keeps the 12 x 12 in its middle.
__global__ void hotspot_steps(const float* __restrict__ heat, const float* __restrict__ power, float* __restrict__ out,
                              int n) {
    __shared__ float now[16][16], then[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 12 + tx - 2, y = blockIdx.y * 12 + ty - 2;
    bool inside = x >= 0 && y >= 0 && x < n && y < n;
    float added = 0;
    if (inside) {
        now[ty][tx] = heat[y * n + x];
        added = power[y * n + x];
    }
    __syncthreads();
    int north = y == 0 ? ty : ty - 1, south = y == n - 1 ? ty : ty + 1;
    int west = x == 0 ? tx : tx - 1, east = x == n - 1 ? tx : tx + 1;
    for (int step = 1; step <= 2; ++step) {
        bool mine = inside && tx >= step && tx < 16 - step && ty >= step && ty < 16 - step;
        float next = 0;
        if (mine) {
            float here = now[ty][tx];
            next = here + 0.1f * (added + (now[south][tx] + now[north][tx] - 2 * here) +
                                  (now[ty][east] + now[ty][west] - 2 * here) + (80 - here) * 0.05f);
            then[ty][tx] = next;
        }
        __syncthreads();
        if (step == 2) {
            if (mine) out[y * n + x] = next;
            return;
        }
        if (mine) now[ty][tx] = then[ty][tx];
        __syncthreads();
    }
}

__constant__ float weights[17] = {0.01f, 0.02f, 0.03f, 0.04f, 0.06f, 0.08f, 0.09f, 0.1f, 0.14f,
                                  0.1f, 0.09f, 0.08f, 0.06f, 0.04f, 0.03f, 0.02f, 0.01f};

// launch filter_columns: --kernel filter_columns --grid 256,64 --block 16,8 --arg f32[16777216]=0..1 --arg f32[16777216] --arg i32:4096 --arg i32:4096
// Seventeen points down a column: 16 x 64 results a block, eight a thread, with eight rows more above and below.
__global__ void filter_columns(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
    __shared__ float tile[16][81];
    int x = blockIdx.x * 16 + threadIdx.x, top = blockIdx.y * 64 - 8;
#pragma unroll
    for (int k = 0; k < 10; ++k) {
        int y = top + threadIdx.y + 8 * k;
        tile[threadIdx.x][threadIdx.y + 8 * k] = y >= 0 && y < height ? in[y * width + x] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        float sum = 0;
#pragma unroll
        for (int j = 0; j < 17; ++j) sum += weights[j] * tile[threadIdx.x][threadIdx.y + 8 * k + j];
        out[(top + 8 + threadIdx.y + 8 * k) * width + x] = sum;
    }
}

// launch wave_25_points: --kernel wave_25_points --grid 8,16,4 --block 32,16 --arg f32[18399744]=-1..1 --arg f32[18399744]=-1..1 --arg i32:264 --arg i32:64
// Four neighbours on each side in three dimensions: a tile of x and y in shared memory, nine values of z in registers.
__global__ void wave_25_points(const float* __restrict__ now, float* __restrict__ other, int pitch, int depth) {
    __shared__ float tile[24][40];
    const float c0 = -2.847f, c[5] = {0, 1.6f, -0.2f, 0.0254f, -0.00179f};
    int tx = threadIdx.x + 4, ty = threadIdx.y + 4, plane = pitch * pitch;
    int at = blockIdx.z * depth * plane + (blockIdx.y * 16 + ty) * pitch + blockIdx.x * 32 + tx;
    float column[9];
#pragma unroll
    for (int k = 0; k < 8; ++k) column[k] = now[at + k * plane];
    at += 4 * plane;
    for (int z = 0; z < depth; ++z, at += plane) {
        column[8] = now[at + 4 * plane];
        __syncthreads();
        tile[ty][tx] = column[4];
        if (threadIdx.y < 4) {
            tile[threadIdx.y][tx] = now[at - 4 * pitch];
            tile[threadIdx.y + 20][tx] = now[at + 16 * pitch];
        }
        if (threadIdx.x < 4) {
            tile[ty][threadIdx.x] = now[at - 4];
            tile[ty][threadIdx.x + 36] = now[at + 32];
        }
        __syncthreads();
        float sum = 3 * c0 * column[4];
#pragma unroll
        for (int k = 1; k <= 4; ++k)
            sum += c[k] * (column[4 - k] + column[4 + k] + tile[ty - k][tx] + tile[ty + k][tx] + tile[ty][tx - k] +
                           tile[ty][tx + k]);
        other[at] = 2 * column[4] - other[at] + 0.1f * sum;
#pragma unroll
        for (int k = 0; k < 8; ++k) column[k] = column[k + 1];
    }
}

// launch bilateral: --kernel bilateral --grid 128,128 --block 16,16 --arg u8[16777216]=0..255 --arg u8[16777216] --arg i32:2048 --arg f32:-0.0005
// Five by five pixels of four bytes, each weighted by how near its colour is.
__global__ void bilateral(const uchar4* __restrict__ in, uchar4* __restrict__ out, int n, float sharpness) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    uchar4 here = in[y * n + x];
    float red = 0, green = 0, blue = 0, total = 0;
    for (int dy = -2; dy <= 2; ++dy)
#pragma unroll
        for (int dx = -2; dx <= 2; ++dx) {
            uchar4 p = in[min(max(y + dy, 0), n - 1) * n + min(max(x + dx, 0), n - 1)];
            float r = (float)p.x - here.x, g = (float)p.y - here.y, b = (float)p.z - here.z;
            float weight = __expf((r * r + g * g + b * b) * sharpness - 0.2f * (dx * dx + dy * dy));
            red += weight * p.x;
            green += weight * p.y;
            blue += weight * p.z;
            total += weight;
        }
    float factor = 1 / total;
    out[y * n + x] = make_uchar4((unsigned char)(red * factor), (unsigned char)(green * factor),
                                 (unsigned char)(blue * factor), here.w);
}
