// Sparse data: sizes of a product's rows, a matrix by a narrow one, lists of words in documents, and bags of embeddings.

// launch product_row_sizes: --kernel product_row_sizes --grid 8192 --block 128 --arg i32[262144]=0..131071 --arg i32[1048576]=0..131071 --arg i32[32768] --arg i32:8 --arg i32:8
// Algebra: how many entries each row of a product of two sparse matrices will have, before space is asked for.
// A warp has a row and a hash table of 128 places; a lane claims places by compare and exchange.
__global__ void product_row_sizes(const int* __restrict__ left, const int* __restrict__ right, int* __restrict__ sizes,
                                  int in_left, int in_right) {
    __shared__ int table[4][128];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, row = blockIdx.x * 4 + warp;
    for (int i = lane; i < 128; i += 32) table[warp][i] = -1;
    __syncwarp();
    int fresh = 0;
    for (int i = lane; i < in_left * in_right; i += 32) {
        int middle = left[row * in_left + i / in_right];
        int column = right[middle * in_right + i % in_right];
        int at = (unsigned)column * 2654435761u >> 25;
        for (int tries = 0; tries < 128; ++tries) {
            int old = atomicCAS(&table[warp][at], -1, column);
            if (old == -1) ++fresh;
            if (old == -1 || old == column) break;
            at = (at + 1) & 127;
        }
    }
    __syncwarp();
    for (int step = 16; step > 0; step >>= 1) fresh += __shfl_down_sync(~0u, fresh, step);
    if (lane == 0) sizes[row] = fresh;
}

// launch rows_by_narrow: --kernel rows_by_narrow --grid 4096 --block 32,8 --arg i32[32769]=0+21 --arg i32[688128]=0..65535 --arg f32[688128]=-1..1 --arg f32[2097152]=-1..1 --arg f32[1048576] --arg i32:32768
// Eigenvectors of graphs: a sparse matrix in rows by a dense one of 32 columns, all of them at once.
// A warp has a row: lanes first load entries, then pass them round, and each has a column of the result.
__global__ void rows_by_narrow(const int* __restrict__ begins, const int* __restrict__ columns, const float* __restrict__ values,
                               const float* __restrict__ dense, float* __restrict__ out, int rows) {
    int lane = threadIdx.x, row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows) return;
    int from = begins[row], to = begins[row + 1];
    float sum = 0;
    for (int at = from; at < to; at += 32) {
        int mine = at + lane, c = 0;
        float v = 0;
        if (mine < to) c = columns[mine], v = values[mine];
        int many = min(32, to - at);
        for (int k = 0; k < many; ++k) {
            int column = __shfl_sync(~0u, c, k);
            float factor = __shfl_sync(~0u, v, k);
            sum += factor * dense[column * 32 + lane];
        }
    }
    out[row * 32 + lane] = sum;
}

// launch common_documents: --kernel common_documents --grid 1024 --block 128 --arg i32[1048576]=0+3 --arg i32[1048576]=0+5 --arg u32[1024] --arg i32:1048576 --arg i32:8
// Search engines: which documents two words have in common; both lists are in order, as numbers of documents.
// A thread takes eight numbers of the first list, gallops to the first in the second, and walks on from there.
__global__ void common_documents(const int* __restrict__ first, const int* __restrict__ second, unsigned* __restrict__ found, int n,
                                 int each) {
    int t = threadIdx.x, begin = (blockIdx.x * 128 + t) * each, key = first[begin], jump = 1, low = 0;
    while (jump < n && second[jump] < key) {
        low = jump;
        jump *= 2;
    }
    int high = min(jump, n);
    while (low < high) {
        int middle = (low + high) / 2;
        if (second[middle] < key) low = middle + 1;
        else high = middle;
    }
    unsigned common = 0;
    for (int k = 0; k < each && low < n; ++k) {
        key = first[begin + k];
        while (low < n && second[low] < key) ++low;
        if (low < n && second[low] == key) ++common;
    }
    common = __reduce_add_sync(~0u, common);
    __shared__ unsigned total;
    if (t == 0) total = 0;
    __syncthreads();
    if (t % 32 == 0) atomicAdd(&total, common);
    __syncthreads();
    if (t == 0) found[blockIdx.x] = total;
}

// launch bags_of_rows: --kernel bags_of_rows --grid 4096 --block 64 --arg i32[65536]=0..24 --arg i32[1572864]=0..399999 --arg f32[25600000]=-1..1 --arg f32[4194304]
// Recommendations: each bag of up to 24 items becomes the mean of their rows of 64 floats.
// Sixteen lanes a row, four floats each; half of a warp's two bags may end long before the other.
__global__ void bags_of_rows(const int* __restrict__ lengths, const int* __restrict__ items, const float4* __restrict__ table,
                             float4* __restrict__ out) {
    int part = threadIdx.x % 16;
    for (int bag = blockIdx.x * 4 + threadIdx.x / 16; bag < 65536; bag += gridDim.x * 4) {
        int length = min(lengths[bag], 24);
        float4 sum = make_float4(0, 0, 0, 0);
        for (int k = 0; k < length; ++k) {
            float4 v = table[(size_t)items[bag * 24 + k] * 16 + part];
            sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
        }
        float scale = length > 0 ? 1.0f / length : 0.0f;
        out[bag * 16 + part] = make_float4(sum.x * scale, sum.y * scale, sum.z * scale, sum.w * scale);
    }
}
