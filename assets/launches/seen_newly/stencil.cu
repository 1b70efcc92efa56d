// Four stencils: corner response of an image, extrema in a scale space, a multigrid prolongation in doubles, a Cahn-Hilliard step.
#include <cuda_fp16.h>

// launch harris_corners: --kernel harris_corners --grid 60,68 --block 32,16 --arg u8[2073600]=0..255 --arg f32[2073600] --arg i32:1920 --arg i32:1080 --arg f32:0.04
// Computer vision: Harris corner measure of a byte image. A block has a tile of 32x16 pixels: pixels with a border of 3 in
// shared memory, then products of Sobel gradients with a border of 2, then a 5x5 binomial window over these.
__global__ void harris_corners(const unsigned char* __restrict__ image, float* __restrict__ response, int width,
                               int height, float k) {
    constexpr int TX = 32, TY = 16;
    __shared__ float pixels[TY + 6][TX + 6];
    __shared__ float xx[TY + 4][TX + 4];
    __shared__ float xy[TY + 4][TX + 4];
    __shared__ float yy[TY + 4][TX + 4];
    const int x0 = blockIdx.x * TX, y0 = blockIdx.y * TY;
    const int tid = threadIdx.y * TX + threadIdx.x;

    for (int i = tid; i < (TY + 6) * (TX + 6); i += TX * TY) {
        int ly = i / (TX + 6), lx = i - ly * (TX + 6);
        int gx = min(max(x0 + lx - 3, 0), width - 1);
        int gy = min(max(y0 + ly - 3, 0), height - 1);
        pixels[ly][lx] = image[gy * width + gx] * (1.0f / 255.0f);
    }
    __syncthreads();

    for (int i = tid; i < (TY + 4) * (TX + 4); i += TX * TY) {
        int ly = i / (TX + 4), lx = i - ly * (TX + 4);
        const float a = pixels[ly][lx], b = pixels[ly][lx + 1], c = pixels[ly][lx + 2];
        const float d = pixels[ly + 1][lx], f = pixels[ly + 1][lx + 2];
        const float g = pixels[ly + 2][lx], h = pixels[ly + 2][lx + 1], m = pixels[ly + 2][lx + 2];
        const float gx = (c - a) + 2.0f * (f - d) + (m - g);
        const float gy = (g - a) + 2.0f * (h - b) + (m - c);
        xx[ly][lx] = gx * gx;
        xy[ly][lx] = gx * gy;
        yy[ly][lx] = gy * gy;
    }
    __syncthreads();

    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= width || y >= height) return;
    const float weight[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    float sxx = 0.0f, sxy = 0.0f, syy = 0.0f;
#pragma unroll
    for (int j = 0; j < 5; j++) {
#pragma unroll
        for (int i = 0; i < 5; i++) {
            const float w = weight[j] * weight[i];
            sxx += w * xx[threadIdx.y + j][threadIdx.x + i];
            sxy += w * xy[threadIdx.y + j][threadIdx.x + i];
            syy += w * yy[threadIdx.y + j][threadIdx.x + i];
        }
    }
    const float trace = sxx + syy;
    response[y * width + x] = sxx * syy - sxy * sxy - k * trace * trace;
}

// launch scale_space_extrema: --kernel scale_space_extrema --grid 32,128,3 --block 32,8 --arg f32[5242880]=-1..1 --arg f32[1048576] --arg u32[1]=0 --arg i32:1024 --arg i32:1024 --arg f32:0.1 --arg f32:10.0
// Features of images (SIFT): points of a difference-of-Gaussians stack that are above or below all 26 neighbours and do not
// lie on an edge; a thread for a point, the found ones appended to a list of 262144 places (round and round).
__global__ void scale_space_extrema(const float* __restrict__ stack, float4* __restrict__ found, unsigned int* count,
                                    int width, int height, float contrast, float edge_ratio) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int level = blockIdx.z + 1;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const int plane = width * height;
    const float* here = stack + level * plane + y * width + x;
    const float v = *here;
    if (fabsf(v) < contrast) return;

    // the plane itself first, as most points fail here
    float high = -1e30f, low = 1e30f;
#pragma unroll
    for (int dy = -1; dy <= 1; dy++) {
#pragma unroll
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0) continue;
            const float u = here[dy * width + dx];
            high = fmaxf(high, u);
            low = fminf(low, u);
        }
    }
    if (!(v > high || v < low)) return;
#pragma unroll
    for (int dz = -1; dz <= 1; dz += 2) {
#pragma unroll
        for (int dy = -1; dy <= 1; dy++) {
#pragma unroll
            for (int dx = -1; dx <= 1; dx++) {
                const float u = here[dz * plane + dy * width + dx];
                high = fmaxf(high, u);
                low = fminf(low, u);
            }
        }
    }
    if (!(v > high || v < low)) return;

    const float dxx = here[1] + here[-1] - 2.0f * v;
    const float dyy = here[width] + here[-width] - 2.0f * v;
    const float dxy = 0.25f * (here[width + 1] - here[width - 1] - here[1 - width] + here[-width - 1]);
    const float trace = dxx + dyy, det = dxx * dyy - dxy * dxy;
    const float r1 = edge_ratio + 1.0f;
    if (det <= 0.0f || trace * trace * edge_ratio >= r1 * r1 * det) return;

    const float dx = 0.5f * (here[1] - here[-1]);
    const float dy = 0.5f * (here[width] - here[-width]);
    const float inv = 1.0f / det;
    const float ox = -(dyy * dx - dxy * dy) * inv;
    const float oy = -(dxx * dy - dxy * dx) * inv;
    const unsigned int slot = atomicAdd(count, 1u) & 262143u;
    found[slot] = make_float4(x + ox, y + oy, (float)level, v + 0.5f * (dx * ox + dy * oy));
}

// launch prolong_correction: --kernel prolong_correction --grid 3,24,48 --block 32,4,2 --arg f64[941192]=-1..1 --arg f64[7077888]=-1..1 --arg i32:96 --arg i32:96 --arg i32:96
// Multigrid: adds the coarse grid's correction to the fine grid by trilinear interpolation between cell centres. The coarse
// grid has a layer of ghost cells; a thread takes a coarse cell with its 26 neighbours and updates eight fine cells.
__global__ void prolong_correction(const double* __restrict__ coarse, double* __restrict__ fine, int nx, int ny,
                                   int nz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= nx || j >= ny || k >= nz) return;
    const int pitch = nx + 2;
    const int slab = pitch * (ny + 2);
    const double* c = coarse + (size_t)(k + 1) * slab + (j + 1) * pitch + (i + 1);

    // along x first: the left and the right fine cell for each of nine rows
    double left[3][3], right[3][3];
#pragma unroll
    for (int dk = 0; dk < 3; dk++) {
#pragma unroll
        for (int dj = 0; dj < 3; dj++) {
            const double* row = c + (dk - 1) * slab + (dj - 1) * pitch;
            const double mid = 0.75 * row[0];
            left[dk][dj] = mid + 0.25 * row[-1];
            right[dk][dj] = mid + 0.25 * row[1];
        }
    }
    const size_t fx = 2 * (size_t)nx, fy = 2 * (size_t)ny;
#pragma unroll
    for (int sk = 0; sk < 2; sk++) {
#pragma unroll
        for (int sj = 0; sj < 2; sj++) {
            const int ok = sk * 2, oj = sj * 2;
            const double l = 0.75 * (0.75 * left[1][1] + 0.25 * left[1][oj]) +
                             0.25 * (0.75 * left[ok][1] + 0.25 * left[ok][oj]);
            const double r = 0.75 * (0.75 * right[1][1] + 0.25 * right[1][oj]) +
                             0.25 * (0.75 * right[ok][1] + 0.25 * right[ok][oj]);
            double2* out = reinterpret_cast<double2*>(fine + ((2 * k + sk) * fy + (2 * j + sj)) * fx + 2 * i);
            double2 f = *out;
            f.x += l;
            f.y += r;
            *out = f;
        }
    }
}

// launch phase_separation: --kernel phase_separation --grid 64,64 --block 32,8 --arg f32[2097152]=-1..1 --arg f32[2097152] --arg i32:2048 --arg i32:1024 --arg f32:0.01 --arg f32:0.5
// Materials science: an explicit step of the Cahn-Hilliard equation on a periodic grid. A block has 32x16 points: the
// concentration with a border of 2 in shared memory, the chemical potential with a border of 1, then its Laplacian.
__global__ void phase_separation(const float* __restrict__ c, float* __restrict__ next, int nx, int ny, float dt,
                                 float gamma) {
    __shared__ float conc[20][36];
    __shared__ float potential[18][34];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 16;

    for (int ly = threadIdx.y; ly < 20; ly += 8) {
        int gy = y0 + ly - 2;
        if (gy < 0) gy += ny;
        if (gy >= ny) gy -= ny;
        for (int lx = threadIdx.x; lx < 36; lx += 32) {
            int gx = x0 + lx - 2;
            if (gx < 0) gx += nx;
            if (gx >= nx) gx -= nx;
            conc[ly][lx] = c[gy * nx + gx];
        }
    }
    __syncthreads();
    for (int ly = threadIdx.y; ly < 18; ly += 8) {
        for (int lx = threadIdx.x; lx < 34; lx += 32) {
            const float m = conc[ly + 1][lx + 1];
            const float lap = conc[ly][lx + 1] + conc[ly + 2][lx + 1] + conc[ly + 1][lx] + conc[ly + 1][lx + 2] - 4.0f * m;
            potential[ly][lx] = m * m * m - m - gamma * lap;
        }
    }
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const int ly = threadIdx.y + half * 8, lx = threadIdx.x;
        const int gx = x0 + lx, gy = y0 + ly;
        if (gx < nx && gy < ny) {
            const float lap = potential[ly][lx + 1] + potential[ly + 2][lx + 1] + potential[ly + 1][lx] +
                              potential[ly + 1][lx + 2] - 4.0f * potential[ly + 1][lx + 1];
            next[gy * nx + gx] = conc[ly + 2][lx + 2] + dt * lap;
        }
    }
}
