// Four products without tensor cores: electron density of a grid in doubles, exponentials of 20 by 20 rate matrices, a batched float product with three stages of cp.async, and traces of SU(3) plaquettes.

// launch density_on_grid: --kernel density_on_grid --grid 250 --block 16,16 --arg f64[2048000]=-1..1 --arg f64[16384]=-1..1 --arg f64[16000] --arg i32:16000 --arg i32:128
// Quantum chemistry: density of each grid point, phi P phi, of 128 basis functions. A block takes 64 points and goes over
// the columns of the density matrix in tiles of 64; each thread keeps 4 by 4 sums, which are folded with phi at once.
__global__ void __launch_bounds__(256) density_on_grid(const double* __restrict__ phi, const double* __restrict__ density,
                                                       double* __restrict__ rho, int points, int functions)
{
    __shared__ double phi_tile[16][64 + 1];
    __shared__ double density_tile[16][64];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 16 + tx;
    const int first = blockIdx.x * 64;

    double total[4] = {0.0, 0.0, 0.0, 0.0};
    for (int column = 0; column < functions; column += 64) {
        double sum[4][4];
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++) sum[i][j] = 0.0;

        for (int k0 = 0; k0 < functions; k0 += 16) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int row = ty + i * 16;
                const int point = first + row;
                phi_tile[tx][row] = point < points ? phi[(size_t)point * functions + k0 + tx] : 0.0;
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int e = tid + i * 256;
                density_tile[e >> 6][e & 63] = density[(size_t)(k0 + (e >> 6)) * functions + column + (e & 63)];
            }
            __syncthreads();
#pragma unroll
            for (int k = 0; k < 16; k++) {
                double a[4], b[4];
#pragma unroll
                for (int i = 0; i < 4; i++) a[i] = phi_tile[k][ty * 4 + i];
#pragma unroll
                for (int j = 0; j < 4; j++) b[j] = density_tile[k][tx + j * 16];
#pragma unroll
                for (int i = 0; i < 4; i++)
#pragma unroll
                    for (int j = 0; j < 4; j++) sum[i][j] = fma(a[i], b[j], sum[i][j]);
            }
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int point = first + ty * 4 + i;
            if (point < points) {
#pragma unroll
                for (int j = 0; j < 4; j++)
                    total[i] = fma(sum[i][j], phi[(size_t)point * functions + column + tx + j * 16], total[i]);
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        double t = total[i];
        for (int offset = 8; offset > 0; offset >>= 1) t += __shfl_down_sync(0xffffffffu, t, offset, 16);
        const int point = first + ty * 4 + i;
        if (tx == 0 && point < points) rho[point] = t;
    }
}

// launch exponentials_of_generators: --kernel exponentials_of_generators --grid 800 --block 20,20 --arg f64[1600]=0.0..0.1 --arg f64[800]=0.01..2.0 --arg i32[800]=0..3 --arg f64[320000] --arg i32:800
// Phylogenetics: the transition probabilities exp(Q t) of each branch for 20 amino acids, by scaling, a Taylor polynomial
// of degree 8 (Horner) and repeated squaring. A block takes a branch, a thread one entry.
__global__ void exponentials_of_generators(const double* rates, const double* branch_length, const int* model_of_branch,
                                           double* transition, int branches)
{
    const int n = 20;
    __shared__ double q[20][21];
    __shared__ double x[20][21];
    __shared__ double row_sum[20];
    __shared__ int squarings;

    const int branch = blockIdx.x;
    if (branch >= branches) return;
    const int i = threadIdx.y, j = threadIdx.x;
    const double* rate = rates + model_of_branch[branch] * n * n;

    q[i][j] = i == j ? 0.0 : rate[i * n + j];
    __syncthreads();
    if (i == 0) {
        double s = 0.0;
        for (int k = 0; k < n; k++) s += q[j][k];
        row_sum[j] = s;
    }
    __syncthreads();
    if (i == 0 && j == 0) {
        double norm = 0.0;
        for (int k = 0; k < n; k++) norm = fmax(norm, 2.0 * row_sum[k]);
        norm *= branch_length[branch];
        int s = 0;
        while (norm > 0.25 && s < 20) { norm *= 0.5; s++; }
        squarings = s;
    }
    __syncthreads();
    const int s = squarings;
    const double scale = branch_length[branch] / (double)(1 << s);
    const double mine = (i == j ? -row_sum[i] : q[i][j]) * scale;
    q[i][j] = mine;
    x[i][j] = i == j ? 1.0 : 0.0;
    __syncthreads();

    for (int term = 8; term >= 1; term--) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) sum += q[i][k] * x[k][j];
        __syncthreads();
        x[i][j] = sum / term + (i == j ? 1.0 : 0.0);
        __syncthreads();
    }
    for (int step = 0; step < s; step++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) sum += x[i][k] * x[k][j];
        __syncthreads();
        x[i][j] = sum;
        __syncthreads();
    }
    transition[(size_t)branch * n * n + i * n + j] = fmax(x[i][j], 0.0);
}

__device__ __forceinline__ void copy_16_or_zero(void* to, const void* from, bool valid)
{
    const unsigned address = (unsigned)__cvta_generic_to_shared(to);
    const int bytes = valid ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(address), "l"(from), "r"(bytes));
}

// launch batched_heads_async: --kernel 'batched_heads_async<128, 64, 16>' --grid 4,2,24 --block 128 --arg f32[1536000]=-1..1 --arg f32[1548288]=-1..1 --arg f32[6000]=-1..1 --arg f32[1512000] --arg i32:250 --arg i32:252 --arg i32:256 --arg f32:0.0625
// A linear head for each of 24 groups: C = alpha A B + bias of row, floats. 128 by 64 tiles, three stages of cp.async,
// 8 by 8 sums in each of 128 threads, edges filled with zeros.
template <int TM, int TN, int TK>
__global__ void __launch_bounds__(128) batched_heads_async(const float* __restrict__ a, const float* __restrict__ b,
                                                           const float* __restrict__ bias, float* __restrict__ c,
                                                           int m, int n, int depth, float alpha)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float a_tile[stages][TM][TK + 4];
    __shared__ __align__(16) float b_tile[stages][TK][TN + 4];
    const int tid = threadIdx.x;
    const int tx = tid % 8, ty = tid / 8;
    const int row0 = blockIdx.y * TM, column0 = blockIdx.x * TN;
    a += (size_t)blockIdx.z * m * depth;
    b += (size_t)blockIdx.z * depth * n;
    c += (size_t)blockIdx.z * m * n;
    bias += (size_t)blockIdx.z * m;

    auto load = [&](int stage, int k0) {
#pragma unroll
        for (int i = 0; i < TM * TK / 4 / 128; i++) {
            const int e = tid + i * 128;
            const int r = e / (TK / 4), k = e % (TK / 4) * 4;
            const bool valid = row0 + r < m;
            copy_16_or_zero(&a_tile[stage][r][k], a + (size_t)(valid ? row0 + r : 0) * depth + k0 + k, valid);
        }
#pragma unroll
        for (int i = 0; i < TK * TN / 4 / 128; i++) {
            const int e = tid + i * 128;
            const int k = e / (TN / 4), col = e % (TN / 4) * 4;
            const bool valid = column0 + col < n;
            copy_16_or_zero(&b_tile[stage][k][col], b + (size_t)(k0 + k) * n + (valid ? column0 + col : 0), valid);
        }
    };

    float sum[8][8];
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sum[i][j] = 0.f;

    const int tiles = depth / TK;
#pragma unroll
    for (int s = 0; s < stages - 1; s++) {
        if (s < tiles) load(s, s * TK);
        asm volatile("cp.async.commit_group;\n");
    }
    int stage = 0;
    for (int t = 0; t < tiles; t++) {
        asm volatile("cp.async.wait_group 1;\n");
        __syncthreads();
        const int ahead = t + stages - 1;
        if (ahead < tiles) load(stage == 0 ? stages - 1 : stage - 1, ahead * TK);
        asm volatile("cp.async.commit_group;\n");
#pragma unroll
        for (int k = 0; k < TK; k++) {
            float left[8];
#pragma unroll
            for (int i = 0; i < 8; i++) left[i] = a_tile[stage][ty + i * 16][k];
            const float4 r0 = *reinterpret_cast<const float4*>(&b_tile[stage][k][tx * 4]);
            const float4 r1 = *reinterpret_cast<const float4*>(&b_tile[stage][k][tx * 4 + 32]);
            const float right[8] = {r0.x, r0.y, r0.z, r0.w, r1.x, r1.y, r1.z, r1.w};
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }

#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int row = row0 + ty + i * 16;
        if (row >= m) continue;
        const float add = bias[row];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int column = column0 + tx * 4 + half * 32;
            if (column >= n) continue;
            float4 out;
            out.x = fmaf(alpha, sum[i][half * 4 + 0], add);
            out.y = fmaf(alpha, sum[i][half * 4 + 1], add);
            out.z = fmaf(alpha, sum[i][half * 4 + 2], add);
            out.w = fmaf(alpha, sum[i][half * 4 + 3], add);
            *reinterpret_cast<float4*>(c + (size_t)row * n + column) = out;
        }
    }
}

struct Su3 { float2 e[9]; };

__device__ __forceinline__ Su3 load_link(const float2* links, int direction, int site, int volume)
{
    Su3 u;
#pragma unroll
    for (int k = 0; k < 9; k++) u.e[k] = links[(size_t)(direction * 9 + k) * volume + site];
    return u;
}

__device__ __forceinline__ Su3 times(const Su3& a, const Su3& b)
{
    Su3 c;
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            float re = 0.f, im = 0.f;
#pragma unroll
            for (int k = 0; k < 3; k++) {
                const float2 x = a.e[i * 3 + k], y = b.e[k * 3 + j];
                re += x.x * y.x - x.y * y.y;
                im += x.x * y.y + x.y * y.x;
            }
            c.e[i * 3 + j] = make_float2(re, im);
        }
    return c;
}

// launch plaquette_traces: --kernel plaquette_traces --grid 512 --block 128 --arg f32[4718592]=-1..1 --arg f32[65536] --arg f32[512] --arg i32:16 --arg i32:16
// Lattice gauge theory: the real trace of the six plaquettes of a site, tr U_mu(x) U_nu(x+mu) (U_nu(x) U_mu(x+nu))^dagger.
// A thread takes a site of the periodic lattice; entries of a link lie a volume apart. The action is summed by block.
__global__ void __launch_bounds__(128) plaquette_traces(const float2* __restrict__ links, float* __restrict__ action,
                                                        float* __restrict__ partial, int space, int time)
{
    __shared__ float of_warp[4];
    const int volume = space * space * space * time;
    const int site = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.f;
    if (site < volume) {
        const int x = site % space, y = site / space % space, z = site / (space * space) % space;
        const int t = site / (space * space * space);
        const int plane = space * space, slab = plane * space;
        int next[4];
        next[0] = x + 1 < space ? site + 1 : site - (space - 1);
        next[1] = y + 1 < space ? site + space : site - (space - 1) * space;
        next[2] = z + 1 < space ? site + plane : site - (space - 1) * plane;
        next[3] = t + 1 < time ? site + slab : site - (time - 1) * slab;
#pragma unroll
        for (int mu = 0; mu < 3; mu++) {
            const Su3 along = load_link(links, mu, site, volume);
#pragma unroll
            for (int nu = mu + 1; nu < 4; nu++) {
                const Su3 there = times(along, load_link(links, nu, next[mu], volume));
                const Su3 back = times(load_link(links, nu, site, volume), load_link(links, mu, next[nu], volume));
#pragma unroll
                for (int k = 0; k < 9; k++) sum += there.e[k].x * back.e[k].x + there.e[k].y * back.e[k].y;
            }
        }
        action[site] = sum * (1.f / 3.f);
    }
    for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = sum;
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = (of_warp[0] + of_warp[1]) + (of_warp[2] + of_warp[3]);
}
