// Stencils: reaction and diffusion, thin edges, 27 points of doubles, and a census of neighbours.

// launch reaction_diffusion: --kernel reaction_diffusion --grid 64,240 --block 32,8 --arg f32[3932160]=0..1 --arg f32[3932160]=0..0.5 --arg f32[3932160] --arg f32[3932160] --arg i32:2048 --arg i32:1920 --arg f32:0.037 --arg f32:0.06
// A step of Gray and Scott's reaction on a torus: two fields, whose tiles and borders are in shared memory.
__global__ void reaction_diffusion(const float* __restrict__ u, const float* __restrict__ v, float* __restrict__ next_u,
                                   float* __restrict__ next_v, int width, int height, float feed, float kill) {
    __shared__ float us[10][34], vs[10][34];
    int t = threadIdx.y * 32 + threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 8;
    for (int i = t; i < 340; i += 256) {
        int y = top + i / 34 - 1, x = left + i % 34 - 1;
        y = y < 0 ? y + height : y >= height ? y - height : y;
        x = x < 0 ? x + width : x >= width ? x - width : x;
        us[i / 34][i % 34] = u[y * width + x];
        vs[i / 34][i % 34] = v[y * width + x];
    }
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    float a = us[y][x], b = vs[y][x], rate = a * b * b;
    float du = 0.2f * (us[y - 1][x] + us[y + 1][x] + us[y][x - 1] + us[y][x + 1]) +
               0.05f * (us[y - 1][x - 1] + us[y - 1][x + 1] + us[y + 1][x - 1] + us[y + 1][x + 1]) - a;
    float dv = 0.2f * (vs[y - 1][x] + vs[y + 1][x] + vs[y][x - 1] + vs[y][x + 1]) +
               0.05f * (vs[y - 1][x - 1] + vs[y - 1][x + 1] + vs[y + 1][x - 1] + vs[y + 1][x + 1]) - b;
    int at = (top + threadIdx.y) * width + left + threadIdx.x;
    next_u[at] = a + du - rate + feed * (1 - a);
    next_v[at] = b + 0.5f * dv + rate - (kill + feed) * b;
}

// launch thin_edges: --kernel thin_edges --grid 40,720 --block 64,2 --arg f32[3686400]=-100..100 --arg f32[3686400]=-100..100 --arg u8[3686400] --arg i32:2560 --arg i32:1440 --arg f32:2500 --arg f32:6400
// Canny's edges: a pixel stays only where its gradient is greatest along its own direction.
// Which neighbours are compared depends on the direction, so that lanes read different places.
__global__ void thin_edges(const float* __restrict__ gx, const float* __restrict__ gy, unsigned char* __restrict__ out,
                           int width, int height, float weak, float strong) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = y * width + x;
    unsigned char mark = 0;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        float dx = gx[at], dy = gy[at], size = dx * dx + dy * dy;
        if (size > weak) {
            float flat = fabsf(dx), steep = fabsf(dy);
            int step;
            if (steep < 0.41421356f * flat) step = 1;
            else if (flat < 0.41421356f * steep) step = width;
            else if (dx * dy > 0) step = width + 1;
            else step = width - 1;
            float ax = gx[at - step], ay = gy[at - step], bx = gx[at + step], by = gy[at + step];
            if (size >= ax * ax + ay * ay && size > bx * bx + by * by) mark = size > strong ? 255 : 128;
        }
    }
    out[at] = mark;
}

// launch poisson_27: --kernel poisson_27 --grid 4,30,126 --block 64,4 --arg f64[3932160]=-1..1 --arg f64[3932160]=-1..1 --arg f64[3932160] --arg i32:256 --arg i32:120 --arg i32:128
// A weighted sweep for Poisson's equation in three dimensions, with all 27 points of doubles, straight from memory.
__global__ void poisson_27(const double* __restrict__ u, const double* __restrict__ right, double* __restrict__ out, int nx,
                           int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z + 1;
    if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
    int at = (z * ny + y) * nx + x;
    double faces = 0, edges = 0, corners = 0, centre = 0;
#pragma unroll
    for (int k = -1; k <= 1; ++k)
#pragma unroll
        for (int j = -1; j <= 1; ++j)
#pragma unroll
            for (int i = -1; i <= 1; ++i) {
                double v = u[at + (k * ny + j) * nx + i];
                int far = i * i + j * j + k * k;
                if (far == 0) centre = v;
                else if (far == 1) faces += v;
                else if (far == 2) edges += v;
                else corners += v;
            }
    double wanted = (14.0 * faces + 3.0 * edges + corners - 30.0 * right[at]) * (1.0 / 128.0);
    out[at] = centre + 0.8 * (wanted - centre);
}

// launch census_bits: --kernel census_bits --grid 60,135 --block 32,8 --arg u8[2073600]=0..255 --arg u64[2073600] --arg i32:1920 --arg i32:1080
// Stereo vision: 62 bits a pixel, which of its 9 x 7 neighbours are darker.
// A tile with its borders is in shared memory, byte by byte.
__global__ void census_bits(const unsigned char* __restrict__ image, unsigned long long* __restrict__ out, int width,
                            int height) {
    __shared__ unsigned char tile[14][40];
    int t = threadIdx.y * 32 + threadIdx.x, left = blockIdx.x * 32 - 4, top = blockIdx.y * 8 - 3;
    for (int i = t; i < 560; i += 256) {
        int x = min(max(left + i % 40, 0), width - 1), y = min(max(top + i / 40, 0), height - 1);
        tile[i / 40][i % 40] = image[y * width + x];
    }
    __syncthreads();
    unsigned centre = tile[threadIdx.y + 3][threadIdx.x + 4], low = 0, high = 0;
#pragma unroll
    for (int k = 0; k < 62; ++k) {
        int at = k < 31 ? k : k + 1;
        bool darker = tile[threadIdx.y + at / 9][threadIdx.x + at % 9] < centre;
        if (k < 31) low = low * 2 + darker;
        else high = high * 2 + darker;
    }
    out[(blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x] = (unsigned long long)high << 31 | low;
}
