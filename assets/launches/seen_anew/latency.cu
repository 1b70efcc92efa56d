// Four kernels of dependent steps: common ancestors in a taxonomy, cross sections looked up for neutrons, streamlines through a field, and evolved programs run by an interpreter.

// launch common_ancestors: --kernel common_ancestors --grid 512 --block 256 --arg u32[1048576]=0..4294967295 --arg u32[524288]=0..1048575 --arg u32[131072] --arg i32[131072] --arg i32:131072
// Metagenomics: the lowest common ancestor of the four taxa that a read hit (0: no hit). A parent has a smaller number
// than its child (here made from a random fraction). A thread climbs for one read.
__global__ void common_ancestors(const unsigned* __restrict__ fraction, const unsigned* __restrict__ hits,
                                 unsigned* taxon, int* steps_taken, int n_reads)
{
    int read = blockIdx.x * blockDim.x + threadIdx.x;
    if (read >= n_reads) return;
    unsigned a = 0;
    int steps = 0;
    for (int h = 0; h < 4; ++h) {
        unsigned b = hits[read * 4 + h];
        if (b == 0) continue;
        if (a == 0) { a = b; continue; }
        while (a != b) {
            if (a > b) a = a <= 1 ? 0 : 1 + __umulhi(fraction[a], a - 1);
            else       b = b <= 1 ? 0 : 1 + __umulhi(fraction[b], b - 1);
            ++steps;
        }
        if (a <= 1) break;
    }
    taxon[read] = a;
    steps_taken[read] = steps;
}

// launch cross_sections: --kernel cross_sections --grid 512 --block 128 --arg i32[65536]=0..16383 --arg i32[65536]=0..11 --arg i32[12]=4..34 --arg i32[408]=0..63 --arg f32[408]=0..1 --arg i32[65]=0+16384 --arg i32[262144]=0+4 --arg f32[1310720]=0..10 --arg f32[327680] --arg i32:4096 --arg i32:65536
// Reactor physics: macroscopic cross sections of a material at an energy. For every nuclide of it a binary search in that
// nuclide's energies (whole numbers that run on from nuclide to nuclide), then five values interpolated. A thread a neutron.
__global__ void cross_sections(const int* __restrict__ energy, const int* __restrict__ material,
                               const int* __restrict__ n_nuclides, const int* __restrict__ nuclides,
                               const float* __restrict__ density, const int* __restrict__ origin,
                               const int* __restrict__ grid, const float* __restrict__ micro, float* __restrict__ macro,
                               int points, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int e = energy[i], mat = material[i];
    float sum[5] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    const int count = n_nuclides[mat];
    for (int j = 0; j < count; ++j) {
        const int nuc = nuclides[mat * 34 + j];
        const float conc = density[mat * 34 + j];
        const int* levels = grid + (size_t)nuc * points;
        const int wanted = e + origin[nuc];
        int low = 0, high = points - 1;
        while (high - low > 1) {
            int middle = low + (high - low) / 2;
            if (levels[middle] > wanted) high = middle;
            else low = middle;
        }
        int e0 = levels[low], e1 = levels[low + 1];
        float f = __fdividef((float)(e1 - wanted), (float)(e1 - e0));
        const float* lo = micro + ((size_t)nuc * points + low) * 5;
#pragma unroll
        for (int k = 0; k < 5; ++k) sum[k] += conc * (lo[k + 5] - f * (lo[k + 5] - lo[k]));
    }
#pragma unroll
    for (int k = 0; k < 5; ++k) macro[(size_t)i * 5 + k] = sum[k];
}

// launch trace_streamlines: --kernel trace_streamlines --grid 256 --block 64 --arg f32[1048576]=-1..1 --arg f32[49152]=1..62 --arg f32[65536] --arg i32[16384] --arg i32:64 --arg f32:0.8 --arg f32:0.7 --arg i32:48 --arg i32:16384
// Flow visualisation: a particle a thread goes through a grid of velocities by Runge-Kutta steps of fourth order, the
// velocity interpolated between eight cells, until it leaves the box, stands still or has made its steps.
__device__ __forceinline__ bool velocity_at(const float4* __restrict__ field, int size, float x, float y, float z,
                                            float drift, float3& v)
{
    float top = (float)(size - 1);
    if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f && x < top && y < top && z < top)) return false;
    int ix = (int)x, iy = (int)y, iz = (int)z;
    float fx = x - ix, fy = y - iy, fz = z - iz;
    float sx = 0.0f, sy = 0.0f, sz = 0.0f;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
        int dx = c & 1, dy = (c >> 1) & 1, dz = c >> 2;
        float4 u = field[((iz + dz) * size + iy + dy) * size + ix + dx];
        float w = (dx ? fx : 1.0f - fx) * (dy ? fy : 1.0f - fy) * (dz ? fz : 1.0f - fz);
        sx += w * u.x;
        sy += w * u.y;
        sz += w * u.z;
    }
    v = make_float3(sx + drift, sy, sz);
    return true;
}

__global__ void trace_streamlines(const float4* __restrict__ field, const float* __restrict__ seeds,
                                  float4* __restrict__ ends, int* __restrict__ steps_made, int size, float h, float drift,
                                  int max_steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = seeds[3 * i], y = seeds[3 * i + 1], z = seeds[3 * i + 2];
    float length = 0.0f;
    int step = 0;
    for (; step < max_steps; ++step) {
        float3 a, b, c, d;
        if (!velocity_at(field, size, x, y, z, drift, a)) break;
        if (!velocity_at(field, size, x + 0.5f * h * a.x, y + 0.5f * h * a.y, z + 0.5f * h * a.z, drift, b)) break;
        if (!velocity_at(field, size, x + 0.5f * h * b.x, y + 0.5f * h * b.y, z + 0.5f * h * b.z, drift, c)) break;
        if (!velocity_at(field, size, x + h * c.x, y + h * c.y, z + h * c.z, drift, d)) break;
        float dx = h / 6.0f * (a.x + 2.0f * (b.x + c.x) + d.x);
        float dy = h / 6.0f * (a.y + 2.0f * (b.y + c.y) + d.y);
        float dz = h / 6.0f * (a.z + 2.0f * (b.z + c.z) + d.z);
        float moved = sqrtf(dx * dx + dy * dy + dz * dz);
        if (moved < 1e-5f) break;
        x += dx;
        y += dy;
        z += dz;
        length += moved;
    }
    ends[i] = make_float4(x, y, z, length);
    steps_made[i] = step;
}

// launch run_programs: --kernel run_programs --grid 528 --block 128 --arg u32[33792]=0..4294967295 --arg f32[2048]=-2..2 --arg f32[512]=-2..2 --arg f32[528] --arg i32:64 --arg i32:512
// Genetic programming: a block interprets one evolved program for all cases and sums the squared errors. Eight registers
// a thread in shared memory, instructions of three registers and an operation; one of them skips the next.
__global__ void run_programs(const unsigned* __restrict__ programs, const float* __restrict__ inputs,
                             const float* __restrict__ wanted, float* __restrict__ fitness, int length, int n_cases)
{
    __shared__ float reg[8][128];
    __shared__ unsigned code[64];
    __shared__ float parts[4];
    const int t = threadIdx.x;
    for (int i = t; i < length; i += blockDim.x) code[i] = programs[(size_t)blockIdx.x * length + i];
    __syncthreads();

    float error = 0.0f;
    for (int k = t; k < n_cases; k += blockDim.x) {
        for (int r = 0; r < 4; ++r) reg[r][t] = inputs[k * 4 + r];
        for (int r = 4; r < 8; ++r) reg[r][t] = (float)(r - 3);
        int pc = 0;
        while (pc < length) {
            unsigned word = code[pc++];
            int dst = word & 7;
            float a = reg[(word >> 3) & 7][t], b = reg[(word >> 6) & 7][t], v;
            switch ((word >> 9) & 7) {
            case 0: v = a + b; break;
            case 1: v = a - b; break;
            case 2: v = a * b; break;
            case 3: v = fabsf(b) > 1e-3f ? a / b : 1.0f; break;
            case 4: v = __sinf(a); break;
            case 5: v = sqrtf(fabsf(a)); break;
            case 6: v = fmaxf(a, b); break;
            default:
                if (a < b) ++pc;
                continue;
            }
            reg[dst][t] = fminf(fmaxf(v, -1e4f), 1e4f);
        }
        float d = reg[0][t] - wanted[k];
        error += d * d;
    }
    for (int o = 16; o > 0; o >>= 1) error += __shfl_down_sync(0xffffffffu, error, o);
    if ((t & 31) == 0) parts[t >> 5] = error;
    __syncthreads();
    if (t == 0) fitness[blockIdx.x] = (parts[0] + parts[1] + parts[2] + parts[3]) / n_cases;
}
