// Four of sparse data: a matrix in coordinates times a vector, the commonest label among neighbours, rows of a sparse product by hashing, normal equations of a user's ratings.

// launch coordinate_product: --kernel coordinate_product --grid 2048 --block 256 --arg u64[4000000]=0+613566757 --arg f32[4000000]=-1..1 --arg f32[262144]=-1..1 --arg f32[571500]=0 --arg i32:4000000
// Sparse linear algebra: y += A x with A in sorted coordinates, row and column packed in one key; a warp takes 256
// entries, sums runs of one row by a segmented scan of shuffles and adds each run's end atomically.
__global__ void coordinate_product(const unsigned long long* __restrict__ key, const float* __restrict__ value,
                                   const float* __restrict__ x, float* __restrict__ y, int entries)
{
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int begin = warp * 256;
    int end = min(begin + 256, entries);
    int carried_row = -1;
    float carried = 0.0f;
    for (int base = begin; base < end; base += 32) {
        int i = base + lane;
        int row = -1;
        float sum = 0.0f;
        if (i < end) {
            unsigned long long k = key[i];
            row = (int)(k >> 32);
            sum = value[i] * __ldg(x + ((unsigned)k >> 14));
        }
        if (lane == 0 && carried_row >= 0) {
            if (carried_row == row) sum += carried;
            else atomicAdd(&y[carried_row], carried);
        }
        for (int o = 1; o < 32; o <<= 1) {
            int r = __shfl_up_sync(0xffffffffu, row, o);
            float s = __shfl_up_sync(0xffffffffu, sum, o);
            if (lane >= o && r == row) sum += s;
        }
        int next = __shfl_down_sync(0xffffffffu, row, 1);
        if (lane < 31 && row >= 0 && next != row) atomicAdd(&y[row], sum);
        carried_row = __shfl_sync(0xffffffffu, row, 31);
        carried = __shfl_sync(0xffffffffu, sum, 31);
    }
    if (lane == 0 && carried_row >= 0) atomicAdd(&y[carried_row], carried);
}

// launch common_label: --kernel common_label --grid 16384 --block 256 --arg i32[131073]=0+32 --arg u8[131072]=1..32 --arg i32[4194304]=0..131071 --arg i32[131072]=0..15 --arg i32[131072] --arg i32[16384] --arg i32:131072
// Graphs: one round of label propagation for communities; a warp holds the labels of a vertex's neighbours, counts equal
// ones by matching lanes and takes the commonest, ties by the smaller label. Lists of neighbours have slack at their ends.
__global__ void common_label(const int* __restrict__ start, const unsigned char* __restrict__ degree, const int* __restrict__ neighbour,
                             const int* __restrict__ label, int* __restrict__ new_label, int* __restrict__ changed, int vertices)
{
    __shared__ int changes;
    if (threadIdx.x == 0) changes = 0;
    __syncthreads();
    int vertex = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    int lane = threadIdx.x & 31;
    if (vertex < vertices) {
        int d = min((int)degree[vertex], 32);
        bool has = lane < d;
        unsigned active = __ballot_sync(0xffffffffu, has);
        unsigned best = 0;
        if (has) {
            int l = label[neighbour[start[vertex] + lane]];
            unsigned same = __match_any_sync(active, l);
            best = ((unsigned)__popc(same) << 24) | (0xffffffu - (unsigned)l);
        }
        best = __reduce_max_sync(0xffffffffu, best);
        if (lane == 0) {
            int old = label[vertex];
            int now = best ? (int)(0xffffffu - (best & 0xffffffu)) : old;
            new_label[vertex] = now;
            if (now != old) atomicAdd(&changes, 1);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) changed[blockIdx.x] = changes;
}

#define SLOTS 128

// launch hash_row_product: --kernel hash_row_product --grid 8192 --block 256 --arg i32[65537]=0+8 --arg u8[65536]=1..8 --arg i32[524288]=0..32767 --arg f32[524288]=-1..1 --arg i32[32769]=0+8 --arg u8[32768]=1..8 --arg i32[262144]=0..8191 --arg f32[262144]=-1..1 --arg i32[4194304] --arg f32[4194304] --arg i32[65536] --arg i32:65536
// Sparse linear algebra: values of the product of two sparse matrices, row by row; a warp keeps the row's columns and
// sums in a hash table in shared memory, eight lanes for each row of B, and packs what it finds with ballots.
__global__ void __launch_bounds__(256) hash_row_product(const int* __restrict__ a_start, const unsigned char* __restrict__ a_length,
                                                        const int* __restrict__ a_column, const float* __restrict__ a_value,
                                                        const int* __restrict__ b_start, const unsigned char* __restrict__ b_length,
                                                        const int* __restrict__ b_column, const float* __restrict__ b_value,
                                                        int* __restrict__ c_column, float* __restrict__ c_value, int* __restrict__ c_length, int rows)
{
    __shared__ int columns[8][SLOTS];
    __shared__ float sums[8][SLOTS];
    int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    int row = blockIdx.x * 8 + warp;
    if (row >= rows) return;
    int* column = columns[warp];
    float* sum = sums[warp];
    for (int s = lane; s < SLOTS; s += 32) {
        column[s] = -1;
        sum[s] = 0.0f;
    }
    __syncwarp();
    int a_first = a_start[row];
    int a_last = a_first + a_length[row];
    for (int i = a_first + (lane >> 3); i < a_last; i += 4) {
        int k = a_column[i];
        float a = a_value[i];
        int b_first = b_start[k];
        int b_last = b_first + b_length[k];
        for (int j = b_first + (lane & 7); j < b_last; j += 8) {
            int c = b_column[j];
            float product = a * b_value[j];
            int slot = (c * 107) & (SLOTS - 1);
            while (true) {
                int found = atomicCAS(&column[slot], -1, c);
                if (found == -1 || found == c) {
                    atomicAdd(&sum[slot], product);
                    break;
                }
                slot = (slot + 1) & (SLOTS - 1);
            }
        }
    }
    __syncwarp();
    int filled = 0;
    size_t base = (size_t)row * 64;
    for (int s = lane; s < SLOTS; s += 32) {
        int c = column[s];
        unsigned taken = __ballot_sync(0xffffffffu, c >= 0);
        if (c >= 0) {
            int at = filled + __popc(taken & ((1u << lane) - 1u));
            c_column[base + at] = c;
            c_value[base + at] = sum[s];
        }
        filled += __popc(taken);
    }
    if (lane == 0) c_length[row] = filled;
}

// launch ratings_normal_matrix: --kernel ratings_normal_matrix --grid 2640 --block 256 --arg i32[2641]=0+96 --arg i32[2640]=8..96 --arg i32[253440]=0..16383 --arg f32[253440]=1..5 --arg f32[524288]=-1..1 --arg f32[2703360] --arg f32[84480] --arg f32:0.05
// Recommenders: builds the regularised 32 by 32 normal matrix and right side of each user from the factors of the items
// they rated (alternating least squares); one block for a user, sixteen gathered items at a time in shared memory.
__global__ void __launch_bounds__(256) ratings_normal_matrix(const int* __restrict__ start, const int* __restrict__ count,
                                                             const int* __restrict__ item, const float* __restrict__ rating,
                                                             const float* __restrict__ factors, float* __restrict__ matrix,
                                                             float* __restrict__ right_side, float lambda)
{
    __shared__ float tile[16][32];
    __shared__ float rated[16];
    int user = blockIdx.x;
    int t = threadIdx.x;
    int i = (t >> 4) * 2, j = (t & 15) * 2;
    int begin = start[user];
    int n = count[user];
    float m00 = 0.0f, m01 = 0.0f, m10 = 0.0f, m11 = 0.0f, b = 0.0f;
    for (int base = 0; base < n; base += 16) {
        int here = min(16, n - base);
        for (int e = t; e < here * 32; e += 256) {
            int r = e >> 5;
            tile[r][e & 31] = factors[(size_t)item[begin + base + r] * 32 + (e & 31)];
        }
        if (t < here) rated[t] = rating[begin + base + t];
        __syncthreads();
        for (int r = 0; r < here; r++) {
            float2 p = *reinterpret_cast<const float2*>(&tile[r][i]);
            float2 q = *reinterpret_cast<const float2*>(&tile[r][j]);
            m00 += p.x * q.x;
            m01 += p.x * q.y;
            m10 += p.y * q.x;
            m11 += p.y * q.y;
            if (t < 32) b += rated[r] * tile[r][t];
        }
        __syncthreads();
    }
    if (i == j) {
        m00 += lambda * n;
        m11 += lambda * n;
    }
    float* out = matrix + (size_t)user * 1024;
    *reinterpret_cast<float2*>(out + i * 32 + j) = make_float2(m00, m01);
    *reinterpret_cast<float2*>(out + (i + 1) * 32 + j) = make_float2(m10, m11);
    if (t < 32) right_side[user * 32 + t] = b;
}
