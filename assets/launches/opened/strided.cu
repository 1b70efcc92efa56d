// Strided: patches of pictures, stages of a transform, structures in memory, and channels that change places.
#include <cuda_fp16.h>

// launch im2col: --kernel im2col --grid 784,8 --block 256 --arg f32[6422528]=-1..1 --arg f32[14450688] --arg i32:64 --arg i32:112 --arg i32:56
// Patches of 3 x 3, two apart, with a rim of zeros: each thread writes nine words, which lie planes apart.
__global__ void im2col(const float* __restrict__ in, float* __restrict__ out, int channels, int size, int out_size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= channels * out_size * out_size) return;
    int x = i % out_size, y = i / out_size % out_size, channel = i / (out_size * out_size), plane = out_size * out_size;
    const float* from = in + (blockIdx.y * channels + channel) * size * size;
    float* to = out + (blockIdx.y * channels + channel) * 9 * plane + y * out_size + x;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) {
            int row = 2 * y + dy - 1, col = 2 * x + dx - 1;
            *to = row >= 0 && col >= 0 && row < size && col < size ? from[row * size + col] : 0;
            to += plane;
        }
}

// launch fourier_stage: --kernel fourier_stage --grid 4096,2 --block 256 --arg f32[16777216]=-1..1 --arg f32[16777216] --arg i32:4
// A stage of a Fourier transform of four million points (Stockham, radix four): read far apart, written SPAN apart.
__global__ void fourier_stage(const float2* __restrict__ in, float2* __restrict__ out, int span) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, quarter = gridDim.x * blockDim.x, k = j & (span - 1);
    in += (size_t)blockIdx.y * quarter * 4;
    out += (size_t)blockIdx.y * quarter * 4;
    float2 v[4];
    float angle = -1.57079633f * k / span;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        float2 x = in[j + r * quarter];
        float s, c;
        __sincosf(angle * r, &s, &c);
        v[r] = make_float2(x.x * c - x.y * s, x.x * s + x.y * c);
    }
    float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
    int to = (j - k) * 4 + k;
    out[to] = make_float2(a.x + c.x, a.y + c.y);
    out[to + span] = make_float2(b.x + d.x, b.y + d.y);
    out[to + 2 * span] = make_float2(a.x - c.x, a.y - c.y);
    out[to + 3 * span] = make_float2(b.x - d.x, b.y - d.y);
}

struct Particle {
    float x, y, z, vx, vy, vz, mass, charge;
    int cell, kind;
};

// launch move_particles: --kernel move_particles --grid 8192 --block 256 --arg f32[20971520]=0..1 --arg f32:0.001
// An array of structures of forty bytes, moved in place inside a box.
__global__ void move_particles(Particle* particles, float dt) {
    Particle* p = &particles[blockIdx.x * blockDim.x + threadIdx.x];
    float factor = dt * p->charge / (p->mass + 1);
    float x = p->x, y = p->y, z = p->z;
    float vx = p->vx * 0.999f + factor * (0.5f - x), vy = p->vy * 0.999f + factor * (0.5f - y);
    float vz = p->vz * 0.999f + factor * (0.5f - z);
    x += dt * vx;
    y += dt * vy;
    z += dt * vz;
    x -= floorf(x);
    y -= floorf(y);
    z -= floorf(z);
    p->vx = vx, p->vy = vy, p->vz = vz;
    p->x = x, p->y = y, p->z = z;
    p->cell = ((int)(z * 32) * 32 + (int)(y * 32)) * 32 + (int)(x * 32);
}

// launch channels_first: --kernel channels_first --grid 50176 --block 256 --arg f16[12845056]=-1..1 --arg f16[12845056] --arg i32:64 --arg i32:3136 --arg i32:12845056
// From channels that lie beside each other to planes, with nothing in between: stores in order, loads 128 bytes apart.
__global__ void channels_first(const half* __restrict__ in, half* __restrict__ out, int channels, int plane, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int pixel = i % plane, channel = i / plane % channels, picture = i / (plane * channels);
    out[i] = in[(picture * plane + pixel) * channels + channel];
}
