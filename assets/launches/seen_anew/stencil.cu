// Four stencils: flux-limited diffusion of a weather model, corners by a circle of pixels, tubes in a scanned volume, and a relaxation step of optical flow.
#include <cuda_fp16.h>

// launch limited_diffusion: --kernel limited_diffusion --grid 8,32,40 --block 32,8 --arg f64[2704000]=-1..1 --arg f64[2704000]=0..0.1 --arg f64[2704000] --arg i32:260 --arg i32:260
// Weather: fourth-order horizontal diffusion with limited fluxes on each level, doubles; a tile of 32 x 8 points for
// each block, the field and its Laplacian staged in shared memory with a halo of two.
__global__ void limited_diffusion(const double* __restrict__ field, const double* __restrict__ coeff,
                                  double* __restrict__ out, int nx, int ny)
{
    __shared__ double tile[12][36];
    __shared__ double lap[10][34];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 32 + tx;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    const size_t level = (size_t)blockIdx.z * nx * ny;

    for (int s = tid; s < 12 * 36; s += 256) {
        int ly = s / 36, lx = s - ly * 36;
        int gx = x0 + lx, gy = y0 + ly;
        tile[ly][lx] = (gx < nx && gy < ny) ? field[level + (size_t)gy * nx + gx] : 0.0;
    }
    __syncthreads();

    for (int s = tid; s < 10 * 34; s += 256) {
        int ly = s / 34 , lx = s - ly * 34;
        int cy = ly + 1, cx = lx + 1;
        lap[ly][lx] = 4.0 * tile[cy][cx] - (tile[cy][cx - 1] + tile[cy][cx + 1] + tile[cy - 1][cx] + tile[cy + 1][cx]);
    }
    __syncthreads();

    const int gx = x0 + tx + 2, gy = y0 + ty + 2;
    if (gx >= nx - 2 || gy >= ny - 2) return;
    const double c = tile[ty + 2][tx + 2];
    const double l = lap[ty + 1][tx + 1];

    double fxr = lap[ty + 1][tx + 2] - l;
    if (fxr * (tile[ty + 2][tx + 3] - c) > 0.0) fxr = 0.0;
    double fxl = l - lap[ty + 1][tx];
    if (fxl * (c - tile[ty + 2][tx + 1]) > 0.0) fxl = 0.0;
    double fyd = lap[ty + 2][tx + 1] - l;
    if (fyd * (tile[ty + 3][tx + 2] - c) > 0.0) fyd = 0.0;
    double fyu = l - lap[ty][tx + 1];
    if (fyu * (c - tile[ty + 1][tx + 2]) > 0.0) fyu = 0.0;

    const size_t at = level + (size_t)gy * nx + gx;
    out[at] = c - coeff[at] * (fxr - fxl + fyd - fyu);
}

// launch corners_on_circle: --kernel corners_on_circle --grid 60,135 --block 32,8 --arg u8[2211840]=0..255 --arg u8[2211840] --arg i32:1920 --arg i32:1080 --arg i32:2048 --arg i32:60
// Vision: the FAST-9 corner test, sixteen pixels of a circle of radius 3 against the middle, with a score; a pixel for
// each thread, straight from global memory, a quick test of four pixels first.
__global__ void corners_on_circle(const unsigned char* __restrict__ image, unsigned char* __restrict__ score,
                                  int width, int height, int pitch, int threshold)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int at = y * pitch + x;
    int result = 0;

    if (x >= 3 && y >= 3 && x < width - 3 && y < height - 3) {
        const unsigned char* p = image + at;
        const int centre = p[0];
        const int hi = centre + threshold, lo = centre - threshold;
        const int north = p[-3 * pitch], south = p[3 * pitch];
        const int east = p[3], west = p[-3];
        const bool bright = (north > hi || south > hi) && (east > hi || west > hi);
        const bool dark = (north < lo || south < lo) && (east < lo || west < lo);
        if (bright || dark) {
            constexpr int dx[16] = {0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1};
            constexpr int dy[16] = {-3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3};
            unsigned above = 0, below = 0;
            int sum_above = 0, sum_below = 0;
#pragma unroll
            for (int k = 0; k < 16; ++k) {
                const int v = p[dy[k] * pitch + dx[k]];
                if (v > hi) { above |= 1u << k; sum_above += v - hi; }
                if (v < lo) { below |= 1u << k; sum_below += lo - v; }
            }
            unsigned m = above | (above << 16);
            unsigned r = m & (m >> 1);
            r &= r >> 2;
            r &= r >> 4;
            r &= m >> 8;
            if (r & 0xffffu) result = sum_above;
            m = below | (below << 16);
            r = m & (m >> 1);
            r &= r >> 2;
            r &= r >> 4;
            r &= m >> 8;
            if (r & 0xffffu) result = max(result, sum_below);
            result = min(255, (result + 7) >> 3);
        }
    }
    score[at] = (unsigned char)result;
}

// launch tube_likeness: --kernel tube_likeness --grid 5,18,120 --block 32,8 --arg f32[2419200]=0..255 --arg f32[2419200] --arg i32:144 --arg i32:140 --arg i32:120 --arg f32:0.5 --arg f32:0.5 --arg f32:0.001
// Medical images: vessels of a volume (Frangi): second differences of 19 neighbours, the three eigenvalues of the
// Hessian in closed form, and their likeness to a bright tube; one voxel for each thread.
__global__ void tube_likeness(const float* __restrict__ vol, float* __restrict__ out, int nx, int ny, int nz,
                              float inv2a, float inv2b, float inv2c)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z;
    if (x >= nx || y >= ny) return;
    const int sy = nx, sz = nx * ny;
    const int at = z * sz + y * sy + x;
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
        out[at] = 0.f;
        return;
    }
    const float* p = vol + at;
    const float c2 = 2.f * p[0];
    const float xx = p[1] + p[-1] - c2;
    const float yy = p[sy] + p[-sy] - c2;
    const float zz = p[sz] + p[-sz] - c2;
    const float xy = 0.25f * (p[1 + sy] - p[1 - sy] - p[-1 + sy] + p[-1 - sy]);
    const float xz = 0.25f * (p[1 + sz] - p[1 - sz] - p[-1 + sz] + p[-1 - sz]);
    const float yz = 0.25f * (p[sy + sz] - p[sy - sz] - p[-sy + sz] + p[-sy - sz]);

    float e1, e2, e3;
    const float off = xy * xy + xz * xz + yz * yz;
    const float q = (xx + yy + zz) * (1.f / 3.f);
    const float ax = xx - q, ay = yy - q, az = zz - q;
    const float pp = ax * ax + ay * ay + az * az + 2.f * off;
    if (pp < 1e-12f) {
        e1 = e2 = e3 = q;
    } else {
        const float s = sqrtf(pp * (1.f / 6.f));
        const float det = ax * (ay * az - yz * yz) - xy * (xy * az - yz * xz) + xz * (xy * yz - ay * xz);
        float r = det / (2.f * s * s * s);
        r = fminf(1.f, fmaxf(-1.f, r));
        const float phi = acosf(r) * (1.f / 3.f);
        e1 = q + 2.f * s * __cosf(phi);
        e3 = q + 2.f * s * __cosf(phi + 2.0943951f);
        e2 = 3.f * q - e1 - e3;
    }
    // smallest magnitude first
    float t;
    if (fabsf(e1) > fabsf(e2)) { t = e1; e1 = e2; e2 = t; }
    if (fabsf(e2) > fabsf(e3)) { t = e2; e2 = e3; e3 = t; }
    if (fabsf(e1) > fabsf(e2)) { t = e1; e1 = e2; e2 = t; }

    float v = 0.f;
    if (e2 < 0.f && e3 < 0.f) {
        const float prod = e2 * e3;
        const float ra = e2 / e3;
        const float rb2 = e1 * e1 / fmaxf(prod, 1e-20f);
        const float s2 = e1 * e1 + e2 * e2 + e3 * e3;
        v = (1.f - __expf(-ra * ra * inv2a)) * __expf(-rb2 * inv2b) * (1.f - __expf(-s2 * inv2c));
    }
    out[at] = v;
}

// launch flow_relaxation: --kernel flow_relaxation --grid 40,180 --block 32,4 --arg f32[921600]=-40..40 --arg f32[921600]=-40..40 --arg f32[921600]=-40..40 --arg f32[921600]=-2..2 --arg f32[921600]=-2..2 --arg f32[921600] --arg f32[921600] --arg i32:1280 --arg i32:720 --arg f32:225
// Vision: one relaxation of optical flow after Horn and Schunck: weighted means of eight neighbours of both parts of
// the flow, borders clamped, corrected by the image gradients; one pixel for each thread.
__global__ void flow_relaxation(const float* ix, const float* iy, const float* it, const float* u, const float* v,
                                float* u_new, float* v_new, int width, int height, float alpha2)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int xl = max(x - 1, 0), xr = min(x + 1, width - 1);
    const int up = max(y - 1, 0) * width, mid = y * width, dn = min(y + 1, height - 1) * width;

    const float ub = (u[mid + xl] + u[mid + xr] + u[up + x] + u[dn + x]) * (1.f / 6.f) +
                     (u[up + xl] + u[up + xr] + u[dn + xl] + u[dn + xr]) * (1.f / 12.f);
    const float vb = (v[mid + xl] + v[mid + xr] + v[up + x] + v[dn + x]) * (1.f / 6.f) +
                     (v[up + xl] + v[up + xr] + v[dn + xl] + v[dn + xr]) * (1.f / 12.f);
    const int at = mid + x;
    const float gx = ix[at], gy = iy[at];
    const float k = (gx * ub + gy * vb + it[at]) / (alpha2 + gx * gx + gy * gy);
    u_new[at] = ub - gx * k;
    v_new[at] = vb - gy * k;
}
