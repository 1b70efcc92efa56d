// Stencils: smoothing that keeps edges, smoke carried by the wind, shaded relief of a map, and a surface that moves.

// launch keep_edges: --kernel keep_edges --grid 96,540 --block 32,4 --arg f32[6635520]=0..255 --arg f32[6635520] --arg i32:3072 --arg i32:2160 --arg f32:0.0044 --arg f32:0.2
// Perona and Malik's smoothing of a medical picture: grey flows to four neighbours, the less the steeper the step is.
// Straight from memory, with the rim repeated.
__global__ void keep_edges(const float* __restrict__ in, float* __restrict__ out, int width, int height, float sharp, float rate) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float c = in[y * width + x];
    float n = in[max(y - 1, 0) * width + x] - c, s = in[min(y + 1, height - 1) * width + x] - c;
    float w = in[y * width + max(x - 1, 0)] - c, e = in[y * width + min(x + 1, width - 1)] - c;
    float flow = n * expf(-n * n * sharp) + s * expf(-s * s * sharp) + w / (1 + w * w * sharp) + e / (1 + e * e * sharp);
    out[y * width + x] = c + rate * flow;
}

// launch carry_smoke: --kernel carry_smoke --grid 128,128 --block 16,16 --arg f32[8388608]=-6..6 --arg f32[4194304]=0..1 --arg f32[4194304] --arg i32:2048 --arg f32:0.5 --arg f32:0.995
// Simulation for films: smoke comes from where the wind has blown it, traced back in two halves.
// The second half reads the wind between four places, and so does the smoke.
__global__ void carry_smoke(const float2* __restrict__ wind, const float* __restrict__ smoke, float* __restrict__ next, int side,
                            float dt, float fade) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float2 v = wind[y * side + x];
    float limit = side - 1.001f;
    float hx = fminf(fmaxf(x - 0.5f * dt * v.x, 0.0f), limit), hy = fminf(fmaxf(y - 0.5f * dt * v.y, 0.0f), limit);
    int ix = (int)hx, iy = (int)hy, at = iy * side + ix;
    float fx = hx - ix, fy = hy - iy;
    float2 a = wind[at], b = wind[at + 1], c = wind[at + side], d = wind[at + side + 1];
    v.x = (a.x * (1 - fx) + b.x * fx) * (1 - fy) + (c.x * (1 - fx) + d.x * fx) * fy;
    v.y = (a.y * (1 - fx) + b.y * fx) * (1 - fy) + (c.y * (1 - fx) + d.y * fx) * fy;
    hx = fminf(fmaxf(x - dt * v.x, 0.0f), limit), hy = fminf(fmaxf(y - dt * v.y, 0.0f), limit);
    ix = (int)hx, iy = (int)hy, at = iy * side + ix;
    fx = hx - ix, fy = hy - iy;
    float s = (smoke[at] * (1 - fx) + smoke[at + 1] * fx) * (1 - fy) + (smoke[at + side] * (1 - fx) + smoke[at + side + 1] * fx) * fy;
    next[y * side + x] = s * fade;
}

// launch shaded_relief: --kernel shaded_relief --grid 14,896 --block 256 --arg f32[12859396]=0..800 --arg u8[12845056] --arg i32:3584 --arg i32:3586 --arg f32:0.05 --arg f32:0.6 --arg f32:0.7
// Maps: brightness of a landscape under the sun, from Horn's slopes over 3 x 3 heights.
// A thread goes down four rows of one column and keeps three rows of heights in registers.
__global__ void shaded_relief(const float* __restrict__ heights, unsigned char* __restrict__ shade, int width, int pitch,
                              float scale, float sun_x, float sun_up) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, top = blockIdx.y * 4;
    const float* from = heights + (size_t)top * pitch + x;
    float a = from[0], b = from[1], c = from[2];
    from += pitch;
    float d = from[0], e = from[1], f = from[2];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        from += pitch;
        float g = from[0], h = from[1], i = from[2];
        float dx = ((c + 2 * f + i) - (a + 2 * d + g)) * scale, dy = ((g + 2 * h + i) - (a + 2 * b + c)) * scale;
        float light = (sun_up - sun_x * dx - 0.38f * dy) * rsqrtf(1 + dx * dx + dy * dy);
        float steep = atanf(sqrtf(dx * dx + dy * dy)) * 0.63661977f;
        shade[(size_t)(top + r) * width + x] = (unsigned char)(255 * __saturatef(0.8f * light + 0.2f * (1 - steep)));
        a = d, b = e, c = f;
        d = g, e = h, f = i;
    }
}

// launch moving_surface: --kernel moving_surface --grid 3,48,192 --block 64,4 --arg f64[7077888]=-3..3 --arg f32[7077888]=-1..1 --arg f64[7077888] --arg i32:192 --arg f64:0.1 --arg f64:1
// Level sets: a flame's front in a box of 192 points a side moves along its own normal, upwind, in doubles.
__global__ void moving_surface(const double* __restrict__ phi, const float* __restrict__ speed, double* __restrict__ next, int side,
                               double dt, double inverse) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z, at = (z * side + y) * side + x;
    double c = phi[at];
    if (x == 0 || y == 0 || z == 0 || x == side - 1 || y == side - 1 || z == side - 1) {
        next[at] = c;
        return;
    }
    double xm = (c - phi[at - 1]) * inverse, xp = (phi[at + 1] - c) * inverse;
    double ym = (c - phi[at - side]) * inverse, yp = (phi[at + side] - c) * inverse;
    double zm = (c - phi[at - side * side]) * inverse, zp = (phi[at + side * side] - c) * inverse;
    double f = speed[at], size = 0;
    if (f > 0) {
        double p = fmax(xm, 0.0), q = fmin(xp, 0.0);
        size += fmax(p * p, q * q);
        p = fmax(ym, 0.0), q = fmin(yp, 0.0);
        size += fmax(p * p, q * q);
        p = fmax(zm, 0.0), q = fmin(zp, 0.0);
        size += fmax(p * p, q * q);
    } else {
        double p = fmin(xm, 0.0), q = fmax(xp, 0.0);
        size += fmax(p * p, q * q);
        p = fmin(ym, 0.0), q = fmax(yp, 0.0);
        size += fmax(p * p, q * q);
        p = fmin(zm, 0.0), q = fmax(zp, 0.0);
        size += fmax(p * p, q * q);
    }
    next[at] = c - dt * f * sqrt(size);
}
