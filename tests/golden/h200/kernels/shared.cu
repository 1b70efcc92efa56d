// Tiles, banks, broadcasts, stencils and reductions in shared memory.

template <typename T, int PITCH>
__global__ void transpose(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[32][PITCH];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < rows && col < cols)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * cols + col];
    __syncthreads();
    col = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < cols && col < rows)
            out[(row + j) * rows + col] = tile[threadIdx.x][threadIdx.y + j];
}

// 16 bytes a lane on both sides: a 32 x 32 tile by 8 x 32 threads, transposed in shared memory.
template <int PITCH>
__global__ void transpose4(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][PITCH];
    int col = blockIdx.x * 32 + 4 * threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float4 v = *reinterpret_cast<const float4*>(in + row * cols + col);
    tile[threadIdx.y][4 * threadIdx.x] = v.x;
    tile[threadIdx.y][4 * threadIdx.x + 1] = v.y;
    tile[threadIdx.y][4 * threadIdx.x + 2] = v.z;
    tile[threadIdx.y][4 * threadIdx.x + 3] = v.w;
    __syncthreads();
    col = blockIdx.y * 32 + 4 * threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
    float4 w = {tile[4 * threadIdx.x][threadIdx.y], tile[4 * threadIdx.x + 1][threadIdx.y],
                tile[4 * threadIdx.x + 2][threadIdx.y], tile[4 * threadIdx.x + 3][threadIdx.y]};
    *reinterpret_cast<float4*>(out + row * rows + col) = w;
}

template <typename T>
__global__ void strided(const T* in, T* out, int stride) {
    __shared__ T s[32 * 33];
    for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x % 32 * stride];
    __syncthreads();
    s[threadIdx.x % 32 * stride] = in[threadIdx.x % 32];
    __syncthreads();
    out[32 + threadIdx.x] = s[threadIdx.x];
}

// 8 and 16 bytes a lane that lanes share in pairs, in fours, crosswise, or not at all.
template <typename V>
__global__ void broadcast(const V* in, V* out) {
    __shared__ V s[64];
    int i = threadIdx.x;
    s[i] = in[i];
    s[i + 32] = in[i + 32];
    __syncthreads();
    V a = s[i / 2], b = s[i / 4], c = s[i % 2], d = s[(i / 4) * 2 + i % 2], e = s[0],
      f = s[i ^ 1], g = s[(i * 2) % 64], h = s[i % 16];
    out[8 * i] = a;
    out[8 * i + 1] = b;
    out[8 * i + 2] = c;
    out[8 * i + 3] = d;
    out[8 * i + 4] = e;
    out[8 * i + 5] = f;
    out[8 * i + 6] = g;
    out[8 * i + 7] = h;
}

// The same under a mask: every third lane takes no part.
template <typename V>
__global__ void broadcast_masked(const V* in, V* out) {
    __shared__ V s[32];
    int i = threadIdx.x;
    s[i] = in[i];
    __syncthreads();
    if (i % 3 != 1) {
        out[2 * i] = s[i / 2];
        out[2 * i + 1] = s[i % 8];
    }
}

__global__ void stencil_1d(const float* in, float* out, int n) {
    __shared__ float s[128 + 6];
    int i = blockIdx.x * 128 + threadIdx.x, at = threadIdx.x + 3;
    s[at] = i < n ? in[i] : 0;
    if (threadIdx.x < 3) {
        s[at - 3] = i >= 3 && i - 3 < n ? in[i - 3] : 0;
        s[at + 128] = i + 128 < n ? in[i + 128] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int j = -3; j <= 3; ++j) sum += s[at + j];
    if (i < n) out[i] = sum;
}

__global__ void stencil_2d(const float* in, float* out, int rows, int cols) {
    __shared__ float s[18][34];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    auto at = [&](int r, int c) {
        return r >= 0 && r < rows && c >= 0 && c < cols ? in[r * cols + c] : 0.f;
    };
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    s[y][x] = at(row, col);
    if (threadIdx.y == 0) s[0][x] = at(row - 1, col);
    if (threadIdx.y == 15) s[17][x] = at(row + 1, col);
    if (threadIdx.x == 0) s[y][0] = at(row, col - 1);
    if (threadIdx.x == 31) s[y][33] = at(row, col + 1);
    __syncthreads();
    if (row < rows && col < cols)
        out[row * cols + col] = s[y][x] + s[y - 1][x] + s[y + 1][x] + s[y][x - 1] + s[y][x + 1];
}

// Sums of a block, in dynamic shared memory; bank conflicts of the interleaved textbook version.
__global__ void reduce(const unsigned* in, unsigned* out, int interleaved) {
    extern __shared__ unsigned partial[];
    unsigned i = threadIdx.x;
    partial[i] = in[blockIdx.x * blockDim.x + i];
    __syncthreads();
    if (interleaved) {
        for (unsigned step = 1; step < blockDim.x; step *= 2) {
            if (2 * step * i < blockDim.x) partial[2 * step * i] += partial[2 * step * i + step];
            __syncthreads();
        }
    } else {
        for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
            if (i < step) partial[i] += partial[i + step];
            __syncthreads();
        }
    }
    if (i == 0) out[blockIdx.x] = partial[0];
}

__global__ void reduce_by_shuffles(const unsigned* in, unsigned* out) {
    __shared__ unsigned of_warp[32];
    unsigned sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}

// A 32 x 32 tile turned by shuffles alone: row r of the warp's registers to column r.
__global__ void transpose_by_shuffles(const unsigned* in, unsigned* out) {
    unsigned row[32];
    int lane = threadIdx.x;
    for (int r = 0; r < 32; ++r) row[r] = in[blockIdx.x * 1024 + r * 32 + lane];
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
#pragma unroll
        for (int r = 0; r < 32; ++r) {
            if (r & d) continue;
            unsigned mine = lane & d ? row[r] : row[r | d];
            unsigned theirs = __shfl_xor_sync(~0u, mine, d);
            if (lane & d)
                row[r] = theirs;
            else
                row[r | d] = theirs;
        }
    for (int r = 0; r < 32; ++r) out[blockIdx.x * 1024 + r * 32 + lane] = row[r];
}

// Prefix sums of 64 words with both kinds of neighbours.
__global__ void scan(const unsigned* in, unsigned* out) {
    __shared__ unsigned s[2][64];
    int i = threadIdx.x, now = 0;
    s[0][i] = in[blockIdx.x * 64 + i];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        s[1 - now][i] = s[now][i] + (i >= d ? s[now][i - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[blockIdx.x * 64 + i] = s[now][i];
}
