// Sparse and gathered: blocks of a matrix, neighbours in a list, cells of a mesh, and corners in a hash table.
#include <cuda_fp16.h>

// launch block_rows: --kernel block_rows --grid 16384 --block 64 --arg i32[32769]=0+16 --arg u32[524288]=0..32767 --arg f32[8388608]=-1..1 --arg f32[131072]=-1..1 --arg f32[131072]
// A matrix of dense blocks of 4 x 4, sixteen in each row of blocks, by a vector: a warp a row, two blocks at a time.
__global__ void block_rows(const int* __restrict__ begins, const unsigned* __restrict__ columns,
                           const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y) {
    int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32, entry = lane % 16;
    int end = begins[row + 1];
    float sum = 0;
    for (int k = begins[row] + lane / 16; k < end; k += 2) sum += values[k * 16 + entry] * x[columns[k] * 4 + entry % 4];
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    sum += __shfl_xor_sync(~0u, sum, 16);
    if (lane < 16 && lane % 4 == 0) y[row * 4 + lane / 4] = sum;
}

// launch neighbour_forces: --kernel neighbour_forces --grid 1024 --block 128 --arg u32[8388608]=0..2047 --arg f32[528384]=0..8 --arg f32[524288] --arg i32:64 --arg f32:36
// Molecular dynamics: Lennard-Jones forces from a list of 64 neighbours an atom, stored neighbour by neighbour; the
// neighbours lie within two thousand atoms. What is too far away is left out.
__global__ void neighbour_forces(const unsigned* __restrict__ list, const float4* __restrict__ places,
                                 float4* __restrict__ forces, int neighbours, float reach) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, atoms = gridDim.x * blockDim.x, region = i & ~1023;
    float4 mine = places[i];
    float fx = 0, fy = 0, fz = 0, energy = 0;
    for (int k = 0; k < neighbours; ++k) {
        float4 other = places[region + list[k * atoms + i]];
        float x = mine.x - other.x, y = mine.y - other.y, z = mine.z - other.z, square = x * x + y * y + z * z + 0.25f;
        if (square < reach) {
            float inverse = __fdividef(1.0f, square), sixth = inverse * inverse * inverse;
            float force = sixth * (48 * sixth - 24) * inverse;
            fx += force * x;
            fy += force * y;
            fz += force * z;
            energy += 4 * sixth * (sixth - 1);
        }
    }
    forces[i] = make_float4(fx, fy, fz, energy);
}

// launch mesh_fluxes: --kernel mesh_fluxes --grid 1024 --block 192 --arg u32[786432]=0..200000 --arg f32[2359296]=-1..1 --arg f32[983040]=0.5..1 --arg f32[983040] --arg i32:196608
// Gas on an unstructured mesh: each cell adds up the flux through its four faces; five quantities of each neighbour are
// gathered, and a few neighbours are walls.
__global__ void mesh_fluxes(const unsigned* __restrict__ neighbours, const float* __restrict__ normals,
                            const float* __restrict__ states, float* __restrict__ fluxes, int cells) {
    int cell = blockIdx.x * blockDim.x + threadIdx.x;
    float density = states[cell], mx = states[cells + cell], my = states[2 * cells + cell];
    float mz = states[3 * cells + cell], energy = states[4 * cells + cell];
    float inverse = 1 / density, ux = mx * inverse, uy = my * inverse, uz = mz * inverse;
    float speed = ux * ux + uy * uy + uz * uz, pressure = 0.4f * (energy - 0.5f * density * speed);
    float wave = sqrtf(speed) + sqrtf(1.4f * fabsf(pressure) * inverse);
    float f0 = 0, f1 = 0, f2 = 0, f3 = 0, f4 = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        unsigned other = neighbours[k * cells + cell];
        float nx = normals[3 * k * cells + cell], ny = normals[(3 * k + 1) * cells + cell];
        float nz = normals[(3 * k + 2) * cells + cell];
        if (other < cells) {
            float density2 = states[other], mx2 = states[cells + other], my2 = states[2 * cells + other];
            float mz2 = states[3 * cells + other], energy2 = states[4 * cells + other];
            float inverse2 = 1 / density2, ux2 = mx2 * inverse2, uy2 = my2 * inverse2, uz2 = mz2 * inverse2;
            float speed2 = ux2 * ux2 + uy2 * uy2 + uz2 * uz2;
            float pressure2 = 0.4f * (energy2 - 0.5f * density2 * speed2);
            float wave2 = sqrtf(speed2) + sqrtf(1.4f * fabsf(pressure2) * inverse2);
            float damping = 0.2f * sqrtf(nx * nx + ny * ny + nz * nz) * (wave + wave2);
            float across = 0.5f * (ux * nx + uy * ny + uz * nz), across2 = 0.5f * (ux2 * nx + uy2 * ny + uz2 * nz);
            float push = 0.5f * (pressure + pressure2);
            f0 += density * across + density2 * across2 + damping * (density - density2);
            f1 += mx * across + mx2 * across2 + push * nx + damping * (mx - mx2);
            f2 += my * across + my2 * across2 + push * ny + damping * (my - my2);
            f3 += mz * across + mz2 * across2 + push * nz + damping * (mz - mz2);
            f4 += (energy + pressure) * across + (energy2 + pressure2) * across2 + damping * (energy - energy2);
        } else {
            f1 += pressure * nx;
            f2 += pressure * ny;
            f3 += pressure * nz;
        }
    }
    fluxes[cell] = f0;
    fluxes[cells + cell] = f1;
    fluxes[2 * cells + cell] = f2;
    fluxes[3 * cells + cell] = f3;
    fluxes[4 * cells + cell] = f4;
}

// launch hash_grid: --kernel hash_grid --grid 512,16 --block 256 --arg f32[393216]=0..1 --arg f16[16777216]=-1..1 --arg f16[4194304] --arg i32:131072
// Features of points for a neural field: on each of sixteen grids, finer and finer, the eight corners round a point are
// looked up in a table of half a million pairs, by a hash where the grid has more corners than that.
__global__ void hash_grid(const float* __restrict__ points, const half2* __restrict__ tables, half2* __restrict__ out,
                          int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, level = blockIdx.y;
    float scale = 16 * exp2f(0.5f * level);
    unsigned side = (unsigned)scale + 2;
    float x = points[3 * i] * scale, y = points[3 * i + 1] * scale, z = points[3 * i + 2] * scale;
    unsigned x0 = (unsigned)x, y0 = (unsigned)y, z0 = (unsigned)z;
    float fx = x - x0, fy = y - y0, fz = z - z0, first = 0, second = 0;
    const half2* table = tables + level * 524288;
    bool dense = side <= 80;
#pragma unroll
    for (int corner = 0; corner < 8; ++corner) {
        unsigned cx = x0 + (corner & 1), cy = y0 + (corner >> 1 & 1), cz = z0 + (corner >> 2);
        unsigned at = dense ? (cz * side + cy) * side + cx : cx ^ cy * 2654435761u ^ cz * 805459861u;
        float2 features = __half22float2(table[at & 524287]);
        float weight = (corner & 1 ? fx : 1 - fx) * (corner & 2 ? fy : 1 - fy) * (corner & 4 ? fz : 1 - fz);
        first += weight * features.x;
        second += weight * features.y;
    }
    out[level * n + i] = __floats2half2_rn(first, second);
}
