// Four stencils: vorticity confinement in a volume, windowed optical flow of two images, Arakawa's bracket on a periodic plane, and the exchange field of a magnet of several regions.

// launch confine_swirls: --kernel confine_swirls --grid 4,16,16 --block 32,4,4 --arg f32[524288]=-1..1 --arg f32[524288]=-1..1 --arg f32[524288]=-1..1 --arg f32[524288] --arg f32[524288] --arg f32[524288] --arg i32:128 --arg i32:64 --arg i32:64 --arg f32:0.35 --arg f32:16.0
// Smoke in graphics: force of vorticity confinement eps * h * (N x w), N the normalised gradient of |w|, from the
// six neighbours of each cell, clamped at the walls; one cell a thread.
__device__ __forceinline__ float swirl_length(const float* wx, const float* wy, const float* wz, int i)
{
    float a = wx[i], b = wy[i], c = wz[i];
    return sqrtf(a * a + b * b + c * c);
}
__global__ void confine_swirls(const float* __restrict__ wx, const float* __restrict__ wy, const float* __restrict__ wz,
                               float* __restrict__ fx, float* __restrict__ fy, float* __restrict__ fz,
                               int nx, int ny, int nz, float eps, float inv_h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    int plane = nx * ny;
    int i = x + nx * y + plane * z;
    int xm = x > 0 ? i - 1 : i, xp = x < nx - 1 ? i + 1 : i;
    int ym = y > 0 ? i - nx : i, yp = y < ny - 1 ? i + nx : i;
    int zm = z > 0 ? i - plane : i, zp = z < nz - 1 ? i + plane : i;
    float gx = 0.5f * inv_h * (swirl_length(wx, wy, wz, xp) - swirl_length(wx, wy, wz, xm));
    float gy = 0.5f * inv_h * (swirl_length(wx, wy, wz, yp) - swirl_length(wx, wy, wz, ym));
    float gz = 0.5f * inv_h * (swirl_length(wx, wy, wz, zp) - swirl_length(wx, wy, wz, zm));
    float r = rsqrtf(gx * gx + gy * gy + gz * gz + 1e-12f);
    gx *= r; gy *= r; gz *= r;
    float a = wx[i], b = wy[i], c = wz[i];
    float k = eps / inv_h;
    fx[i] = k * (gy * c - gz * b);
    fy[i] = k * (gz * a - gx * c);
    fz[i] = k * (gx * b - gy * a);
}

// launch window_flow: --kernel window_flow --grid 32,80 --block 32,8 --arg f32[655360]=0..255 --arg f32[655360]=0..255 --arg f32[1310720] --arg i32:1024 --arg i32:640 --arg f32:1.0
// Computer vision: optical flow after Lucas and Kanade; gradients of a tile with a rim of two go to shared memory,
// each thread sums the 5 x 5 window's normal equations and solves the 2 x 2 system.
#define LK_R 2
#define LK_W (32 + 2 * LK_R)
#define LK_H (8 + 2 * LK_R)
__global__ void window_flow(const float* __restrict__ first, const float* __restrict__ second,
                            float2* __restrict__ flow, int width, int height, float min_det)
{
    __shared__ float image[LK_H + 2][LK_W + 2];
    __shared__ float sx[LK_H][LK_W], sy[LK_H][LK_W], st[LK_H][LK_W];
    int t = threadIdx.y * 32 + threadIdx.x;
    int x0 = blockIdx.x * 32 - LK_R, y0 = blockIdx.y * 8 - LK_R;
    for (int k = t; k < (LK_H + 2) * (LK_W + 2); k += 256) {
        int ly = k / (LK_W + 2), lx = k % (LK_W + 2);
        int gx = min(max(x0 - 1 + lx, 0), width - 1);
        int gy = min(max(y0 - 1 + ly, 0), height - 1);
        image[ly][lx] = first[gy * width + gx];
    }
    __syncthreads();
    for (int k = t; k < LK_H * LK_W; k += 256) {
        int ly = k / LK_W, lx = k % LK_W;
        int gx = min(max(x0 + lx, 0), width - 1);
        int gy = min(max(y0 + ly, 0), height - 1);
        sx[ly][lx] = 0.5f * (image[ly + 1][lx + 2] - image[ly + 1][lx]);
        sy[ly][lx] = 0.5f * (image[ly + 2][lx + 1] - image[ly][lx + 1]);
        st[ly][lx] = second[gy * width + gx] - image[ly + 1][lx + 1];
    }
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    float xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
#pragma unroll
    for (int dy = 0; dy <= 2 * LK_R; dy++)
#pragma unroll
        for (int dx = 0; dx <= 2 * LK_R; dx++) {
            float a = sx[threadIdx.y + dy][threadIdx.x + dx];
            float b = sy[threadIdx.y + dy][threadIdx.x + dx];
            float c = st[threadIdx.y + dy][threadIdx.x + dx];
            xx += a * a; xy += a * b; yy += b * b; xt += a * c; yt += b * c;
        }
    float det = xx * yy - xy * xy;
    float2 v = make_float2(0.f, 0.f);
    if (det > min_det) {
        float inv = 1.f / det;
        v.x = (xy * yt - yy * xt) * inv;
        v.y = (xy * xt - xx * yt) * inv;
    }
    flow[y * width + x] = v;
}

// launch arakawa_bracket: --kernel arakawa_bracket --grid 16,128 --block 64,8 --arg f64[1048576]=-1..1 --arg f64[1048576]=-1..1 --arg f64[1048576] --arg i32:1024 --arg i32:1024 --arg f64:4096.0
// Plasma and ocean codes: Poisson bracket {potential, vorticity} that keeps energy and enstrophy (Arakawa 1966) on a
// periodic plane, nine points of each field in double; one point a thread.
__global__ void arakawa_bracket(const double* __restrict__ p, const double* __restrict__ w, double* __restrict__ rate,
                                int nx, int ny, double inv_area)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    int e = x + 1 == nx ? 0 : x + 1, v = x == 0 ? nx - 1 : x - 1;
    int rn = (y + 1 == ny ? 0 : y + 1) * nx, rs = (y == 0 ? ny - 1 : y - 1) * nx, r = y * nx;
    double pE = p[r + e], pW = p[r + v], pN = p[rn + x], pS = p[rs + x];
    double pNE = p[rn + e], pNW = p[rn + v], pSE = p[rs + e], pSW = p[rs + v];
    double wE = w[r + e], wW = w[r + v], wN = w[rn + x], wS = w[rs + x];
    double wNE = w[rn + e], wNW = w[rn + v], wSE = w[rs + e], wSW = w[rs + v];
    double jpp = (pE - pW) * (wN - wS) - (pN - pS) * (wE - wW);
    double jpx = pE * (wNE - wSE) - pW * (wNW - wSW) - pN * (wNE - wNW) + pS * (wSE - wSW);
    double jxp = wN * (pNE - pNW) - wS * (pSE - pSW) - wE * (pNE - pSE) + wW * (pNW - pSW);
    rate[r + x] = (jpp + jpx + jxp) * inv_area * (1.0 / 12.0);
}

// launch exchange_field: --kernel exchange_field --grid 4,16,40 --block 32,8,1 --arg f32[655360]=-1..1 --arg f32[655360]=-1..1 --arg f32[655360]=-1..1 --arg u8[655360]=0..7 --arg f32[36]=0.5..1.5 --arg f32[8]=0.1..0.3 --arg f32[655360] --arg f32[655360] --arg f32[655360] --arg i32:128 --arg i32:128 --arg i32:40 --arg f32:1.0 --arg f32:1.0 --arg f32:0.25
// Micromagnetism: exchange plus uniaxial anisotropy field of spins on a 3-D mesh; the coupling of two cells stands in a
// triangular table by their regions; missing neighbours give nothing. One cell a thread.
__device__ __forceinline__ float coupling_of(const float* table, int a, int b)
{
    int hi = max(a, b), lo = min(a, b);
    return table[hi * (hi + 1) / 2 + lo];
}
__device__ __forceinline__ void add_neighbour(float3& h, float3 m, const float* mx, const float* my, const float* mz,
                                              const unsigned char* regions, const float* table, int r, int j, float w)
{
    float a = w * coupling_of(table, r, regions[j]);
    h.x += a * (mx[j] - m.x);
    h.y += a * (my[j] - m.y);
    h.z += a * (mz[j] - m.z);
}
__global__ void exchange_field(const float* __restrict__ mx, const float* __restrict__ my, const float* __restrict__ mz,
                               const unsigned char* __restrict__ regions, const float* __restrict__ table,
                               const float* __restrict__ anisotropy,
                               float* __restrict__ hx, float* __restrict__ hy, float* __restrict__ hz,
                               int nx, int ny, int nz, float wx, float wy, float wz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    int i = (z * ny + y) * nx + x;
    float3 m = make_float3(mx[i], my[i], mz[i]);
    int r = regions[i];
    float3 h = make_float3(0.f, 0.f, 2.f * anisotropy[r] * m.z);
    if (x > 0)      add_neighbour(h, m, mx, my, mz, regions, table, r, i - 1, wx);
    if (x + 1 < nx) add_neighbour(h, m, mx, my, mz, regions, table, r, i + 1, wx);
    if (y > 0)      add_neighbour(h, m, mx, my, mz, regions, table, r, i - nx, wy);
    if (y + 1 < ny) add_neighbour(h, m, mx, my, mz, regions, table, r, i + nx, wy);
    if (z > 0)      add_neighbour(h, m, mx, my, mz, regions, table, r, i - nx * ny, wz);
    if (z + 1 < nz) add_neighbour(h, m, mx, my, mz, regions, table, r, i + nx * ny, wz);
    hx[i] = h.x; hy[i] = h.y; hz[i] = h.z;
}
