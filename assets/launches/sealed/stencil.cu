// Four stencils: springs of a cloth, smoothing by the calmest quadrant, a step of the Heston equation, stresses of elastic waves.
#include <cuda_fp16.h>

// launch cloth_springs: --kernel cloth_springs --grid 16,64 --block 32,8 --arg f32[1048576]=-1..1 --arg f32[1048576]=-1..1 --arg f32[1048576] --arg i32:512 --arg i32:512 --arg f32:0.02 --arg f32:40 --arg f32:0.005
// Games, animation: a step of a cloth of masses and springs (near, diagonal and two apart), by Verlet. A thread a mass,
// which gathers its twelve springs; w of a position is the inverse mass, small ones being pinned.
__global__ void cloth_springs(const float4* __restrict__ pos, const float4* __restrict__ last, float4* __restrict__ next,
    int width, int height, float rest, float stiff, float dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int at = y * width + x;
    float4 p = pos[at];
    float4 q = last[at];
    if (p.w < -0.99f) {
        next[at] = p;
        return;
    }
    float vx = p.x - q.x, vy = p.y - q.y, vz = p.z - q.z;
    float fx = -0.1f * vx, fy = -9.81f - 0.1f * vy, fz = -0.1f * vz;

    auto spring = [&](int dx, int dy, float length, float k) {
        int nx = x + dx, ny = y + dy;
        if (nx < 0 || nx >= width || ny < 0 || ny >= height) return;
        float4 o = pos[ny * width + nx];
        float ex = o.x - p.x, ey = o.y - p.y, ez = o.z - p.z;
        float d2 = ex * ex + ey * ey + ez * ez + 1e-12f;
        float s = k * (1.0f - length * rsqrtf(d2));
        fx += s * ex;
        fy += s * ey;
        fz += s * ez;
    };
    float diagonal = rest * 1.41421356f, far = 2.0f * rest;
    spring(-1, 0, rest, stiff);
    spring(1, 0, rest, stiff);
    spring(0, -1, rest, stiff);
    spring(0, 1, rest, stiff);
    spring(-1, -1, diagonal, 0.5f * stiff);
    spring(1, -1, diagonal, 0.5f * stiff);
    spring(-1, 1, diagonal, 0.5f * stiff);
    spring(1, 1, diagonal, 0.5f * stiff);
    spring(-2, 0, far, 0.25f * stiff);
    spring(2, 0, far, 0.25f * stiff);
    spring(0, -2, far, 0.25f * stiff);
    spring(0, 2, far, 0.25f * stiff);

    float a = dt * dt;
    float4 r = make_float4(p.x + vx + a * fx, p.y + vy + a * fy, p.z + vz + a * fz, p.w);
    // a ball under the cloth
    float bx = r.x, by = r.y + 1.0f, bz = r.z;
    float d2 = bx * bx + by * by + bz * bz;
    if (d2 < 0.25f) {
        float s = 0.5f * rsqrtf(d2 + 1e-12f);
        r.x = bx * s;
        r.y = by * s - 1.0f;
        r.z = bz * s;
    }
    next[at] = r;
}

// launch quadrant_smoothing: --kernel quadrant_smoothing --grid 32,64 --block 32,8 --arg u8[2097152] --arg u8[2097152] --arg i32:1024 --arg i32:512
// Image processing, paint-like (Kuwahara): of the four quadrants of a 7 by 7 window the mean of that whose luma varies
// least. Tiles with their rim in shared memory, edges clamped; a thread a pixel.
__global__ void quadrant_smoothing(const uchar4* __restrict__ in, uchar4* __restrict__ out, int width, int height)
{
    const int R = 3, TX = 32, TY = 8;
    __shared__ uchar4 tile[TY + 2 * R][TX + 2 * R];
    __shared__ float luma[TY + 2 * R][TX + 2 * R];
    int x0 = blockIdx.x * TX - R, y0 = blockIdx.y * TY - R;
    for (int i = threadIdx.y * TX + threadIdx.x; i < (TX + 2 * R) * (TY + 2 * R); i += TX * TY) {
        int ty = i / (TX + 2 * R), tx = i % (TX + 2 * R);
        int gx = min(max(x0 + tx, 0), width - 1);
        int gy = min(max(y0 + ty, 0), height - 1);
        uchar4 c = in[gy * width + gx];
        tile[ty][tx] = c;
        luma[ty][tx] = 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;
    }
    __syncthreads();
    int x = blockIdx.x * TX + threadIdx.x;
    int y = blockIdx.y * TY + threadIdx.y;
    if (x >= width || y >= height) return;

    float best = 1e30f;
    int br = 0, bg = 0, bb = 0;
    for (int q = 0; q < 4; q++) {
        int sx = threadIdx.x + (q & 1) * R;
        int sy = threadIdx.y + (q >> 1) * R;
        float s = 0.0f, s2 = 0.0f;
        int r = 0, g = 0, b = 0;
#pragma unroll
        for (int j = 0; j <= R; j++) {
#pragma unroll
            for (int i = 0; i <= R; i++) {
                float l = luma[sy + j][sx + i];
                uchar4 c = tile[sy + j][sx + i];
                s += l;
                s2 += l * l;
                r += c.x;
                g += c.y;
                b += c.z;
            }
        }
        float mean = s * (1.0f / 16.0f);
        float var = s2 * (1.0f / 16.0f) - mean * mean;
        if (var < best) {
            best = var;
            br = r;
            bg = g;
            bb = b;
        }
    }
    unsigned char alpha = tile[threadIdx.y + R][threadIdx.x + R].w;
    out[y * width + x] = make_uchar4((br + 8) >> 4, (bg + 8) >> 4, (bb + 8) >> 4, alpha);
}

// launch heston_grid_step: --kernel heston_grid_step --grid 4,32,24 --block 64,4 --arg f64[786432]=0..1 --arg f64[786432] --arg f64[120]=0.1..0.9 --arg i32:256 --arg i32:128 --arg f64:0.0001
// Finance: an explicit step of the Heston equation for a book of options, price along x and variance along y, with the
// mixed derivative; double. A thread a point of the grid, z the option; edges have conditions of their own.
__global__ void heston_grid_step(const double* __restrict__ u, double* __restrict__ w, const double* __restrict__ params, int ns, int nv, double dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int b = blockIdx.z;
    if (i >= ns || j >= nv) return;
    const double* p = params + b * 5;
    double kappa = 3.0 * p[0], theta = 0.1 * p[1], sigma = p[2], rho = -p[3], rate = 0.05 * p[4];
    const double* g = u + (size_t)b * ns * nv;
    double ds = 1.0 / ns, dv = 1.0 / nv;
    double s = i * ds, v = j * dv;
    int at = j * ns + i;
    double r;
    if (i == 0) {
        r = 0.0;
    } else if (j == nv - 1) {
        r = s;
    } else if (i == ns - 1) {
        r = g[at - 1] + ds;
    } else {
        double c = g[at];
        double us = (g[at + 1] - g[at - 1]) * (0.5 * ns);
        if (j == 0) {
            // no variance: only drift, upwind into the grid
            double uv = (g[at + ns] - c) * nv;
            r = c + dt * (rate * s * us + kappa * theta * uv - rate * c);
        } else {
            double n = g[at + ns], q = g[at - ns];
            double uss = (g[at + 1] - 2.0 * c + g[at - 1]) * ((double)ns * ns);
            double uvv = (n - 2.0 * c + q) * ((double)nv * nv);
            double uv = (n - q) * (0.5 * nv);
            double usv = (g[at + ns + 1] - g[at + ns - 1] - g[at - ns + 1] + g[at - ns - 1]) * (0.25 * ns * nv);
            r = c + dt * (0.5 * v * s * s * uss + rho * sigma * v * s * usv + 0.5 * sigma * sigma * v * uvv
                + rate * s * us + kappa * (theta - v) * uv - rate * c);
        }
    }
    w[(size_t)b * ns * nv + at] = r;
}

// launch elastic_stresses: --kernel elastic_stresses --grid 4,32,32 --block 32,4,2 --arg f32[1048576]=-1..1 --arg f32[1048576]=-1..1 --arg f32[1048576]=-1..1 --arg f32[1048576]=1..2 --arg f32[1048576]=0.5..1 --arg f32[1048576]=0 --arg f32[1048576]=0 --arg f32[1048576]=0 --arg f32[1048576]=0 --arg f32[1048576]=0 --arg f32[1048576]=0 --arg i32:128 --arg i32:128 --arg i32:64 --arg f32:0.001
// Seismology: the six stresses of elastic waves in 3-D from the velocities, on a staggered grid, of fourth order.
// A thread a cell; two cells at each side stay as they are.
__global__ void elastic_stresses(const float* __restrict__ vx, const float* __restrict__ vy, const float* __restrict__ vz,
    const float* __restrict__ lambda, const float* __restrict__ mu, float* __restrict__ sxx, float* __restrict__ syy, float* __restrict__ szz,
    float* __restrict__ sxy, float* __restrict__ sxz, float* __restrict__ syz, int nx, int ny, int nz, float dth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 2 || y < 2 || z < 2 || x >= nx - 2 || y >= ny - 2 || z >= nz - 2) return;
    const float c1 = 9.0f / 8.0f, c2 = -1.0f / 24.0f;
    int sy = nx, sz = nx * ny;
    int i = z * sz + y * sy + x;

    // backward differences for the normal stresses
    float dxx = c1 * (vx[i] - vx[i - 1]) + c2 * (vx[i + 1] - vx[i - 2]);
    float dyy = c1 * (vy[i] - vy[i - sy]) + c2 * (vy[i + sy] - vy[i - 2 * sy]);
    float dzz = c1 * (vz[i] - vz[i - sz]) + c2 * (vz[i + sz] - vz[i - 2 * sz]);
    float la = lambda[i], m = mu[i];
    float div = la * (dxx + dyy + dzz);
    sxx[i] += dth * (div + 2.0f * m * dxx);
    syy[i] += dth * (div + 2.0f * m * dyy);
    szz[i] += dth * (div + 2.0f * m * dzz);

    // forward differences for the shears, the modulus being the harmonic mean around the edge
    float mx = mu[i + 1], my = mu[i + sy], mz = mu[i + sz];
    float r = 1.0f / m, rx = 1.0f / mx, ry = 1.0f / my, rz = 1.0f / mz;
    float mxy = 4.0f / (r + rx + ry + 1.0f / mu[i + 1 + sy]);
    float mxz = 4.0f / (r + rx + rz + 1.0f / mu[i + 1 + sz]);
    float myz = 4.0f / (r + ry + rz + 1.0f / mu[i + sy + sz]);
    float dxy = c1 * (vx[i + sy] - vx[i]) + c2 * (vx[i + 2 * sy] - vx[i - sy]);
    float dyx = c1 * (vy[i + 1] - vy[i]) + c2 * (vy[i + 2] - vy[i - 1]);
    float dxz = c1 * (vx[i + sz] - vx[i]) + c2 * (vx[i + 2 * sz] - vx[i - sz]);
    float dzx = c1 * (vz[i + 1] - vz[i]) + c2 * (vz[i + 2] - vz[i - 1]);
    float dyz = c1 * (vy[i + sz] - vy[i]) + c2 * (vy[i + 2 * sz] - vy[i - sz]);
    float dzy = c1 * (vz[i + sy] - vz[i]) + c2 * (vz[i + 2 * sy] - vz[i - sy]);
    sxy[i] += dth * mxy * (dxy + dyx);
    sxz[i] += dth * mxz * (dxz + dzx);
    syz[i] += dth * myz * (dyz + dzy);
}
