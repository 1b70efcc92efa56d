// Scans: line and column of each character, running log-sum-exp of rows, carries of long integers, and gaps of alignments by prefix maxima.

// launch lines_and_columns: --kernel lines_and_columns --grid 1024 --block 256 --arg u8[4194304]=10..73 --arg u32[1024]=0+64 --arg i32[1024]=-1+4096 --arg u32[4194304] --arg u16[4194304] --arg i32:4194304
// Text: line number and column of every byte of a source file; sixteen bytes a thread, a scan over the block of the
// pair (newlines so far, place of the last one), with the state before each block from an earlier pass.
__global__ void lines_and_columns(const unsigned char *__restrict__ text, const unsigned *__restrict__ lines_before,
                                  const int *__restrict__ newline_before, unsigned *__restrict__ line_of,
                                  unsigned short *__restrict__ column_of, int length)
{
    __shared__ unsigned warp_lines[8];
    __shared__ int warp_last[8];
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    uint4 bytes = make_uint4(0, 0, 0, 0);
    if (first + 16 <= length) bytes = *reinterpret_cast<const uint4 *>(text + first);
    unsigned word[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
    unsigned mask = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k)
        if (((word[k / 4] >> (8 * (k % 4))) & 255u) == '\n') mask |= 1u << k;
    unsigned count = __popc(mask);
    int last = mask ? first + 31 - __clz(mask) : -1;
    unsigned lines = count;
    for (int d = 1; d < 32; d <<= 1) {
        unsigned c = __shfl_up_sync(0xffffffffu, lines, d);
        int l = __shfl_up_sync(0xffffffffu, last, d);
        if (lane >= d) {
            lines += c;
            last = max(last, l);
        }
    }
    if (lane == 31) {
        warp_lines[warp] = lines;
        warp_last[warp] = last;
    }
    int before = __shfl_up_sync(0xffffffffu, last, 1);
    if (lane == 0) before = -1;
    __syncthreads();
    unsigned line = lines - count + lines_before[blockIdx.x];
    before = max(before, newline_before[blockIdx.x]);
    for (int w = 0; w < warp; ++w) {
        line += warp_lines[w];
        before = max(before, warp_last[w]);
    }
    if (first + 16 > length) return;
    unsigned short columns[16];
    unsigned numbers[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        numbers[k] = line;
        columns[k] = (unsigned short)(first + k - before);
        if (mask >> k & 1u) {
            ++line;
            before = first + k;
        }
    }
    uint4 *out = reinterpret_cast<uint4 *>(line_of + first);
#pragma unroll
    for (int k = 0; k < 4; ++k)
        out[k] = make_uint4(numbers[4 * k], numbers[4 * k + 1], numbers[4 * k + 2], numbers[4 * k + 3]);
    uint4 *out_columns = reinterpret_cast<uint4 *>(column_of + first);
#pragma unroll
    for (int k = 0; k < 2; ++k)
        out_columns[k] = make_uint4(columns[8 * k] | columns[8 * k + 1] << 16, columns[8 * k + 2] | columns[8 * k + 3] << 16,
                                    columns[8 * k + 4] | columns[8 * k + 5] << 16,
                                    columns[8 * k + 6] | columns[8 * k + 7] << 16);
}

__device__ __forceinline__ float log_add(float a, float b)
{
    float high = fmaxf(a, b), low = fminf(a, b);
    return low == -INFINITY ? high : high + log1pf(__expf(low - high));
}

// launch running_log_sums: --kernel running_log_sums --grid 528 --block 256 --arg f32[2162688]=-5..5 --arg f32[2162688] --arg i32:4096
// ML libraries: running log-sum-exp along rows; a block per row goes over tiles of 1024 with four a thread, shuffles in
// the warp, sums of warps in shared memory and a carry from tile to tile.
__global__ void running_log_sums(const float *__restrict__ in, float *__restrict__ out, int columns)
{
    __shared__ float warp_sums[8];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const float *row = in + (size_t)blockIdx.x * columns;
    float *result = out + (size_t)blockIdx.x * columns;
    float carry = -INFINITY;
    for (int tile = 0; tile < columns; tile += 1024) {
        int at = tile + threadIdx.x * 4;
        float v[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) v[k] = -INFINITY;
        if (at + 3 < columns) {
            float4 q = *reinterpret_cast<const float4 *>(row + at);
            v[0] = q.x;
            v[1] = q.y;
            v[2] = q.z;
            v[3] = q.w;
        }
#pragma unroll
        for (int k = 1; k < 4; ++k) v[k] = log_add(v[k - 1], v[k]);
        float sum = v[3];
        for (int d = 1; d < 32; d <<= 1) {
            float below = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d) sum = log_add(below, sum);
        }
        if (lane == 31) warp_sums[warp] = sum;
        float before = __shfl_up_sync(0xffffffffu, sum, 1);
        if (lane == 0) before = -INFINITY;
        __syncthreads();
        if (warp == 0) {
            float s = lane < 8 ? warp_sums[lane] : -INFINITY;
            for (int d = 1; d < 8; d <<= 1) {
                float below = __shfl_up_sync(0xffffffffu, s, d);
                if (lane >= d) s = log_add(below, s);
            }
            if (lane < 8) warp_sums[lane] = s;
        }
        __syncthreads();
        float offset = carry;
        if (warp > 0) offset = log_add(offset, warp_sums[warp - 1]);
        offset = log_add(offset, before);
        if (at + 3 < columns) {
            float4 q;
            q.x = log_add(offset, v[0]);
            q.y = log_add(offset, v[1]);
            q.z = log_add(offset, v[2]);
            q.w = log_add(offset, v[3]);
            *reinterpret_cast<float4 *>(result + at) = q;
        }
        carry = log_add(carry, warp_sums[7]);
        __syncthreads();
    }
}

// launch add_big_integers: --kernel add_big_integers --grid 4096 --block 256 --arg u32[4194304]=0..4294967295 --arg u32[4194304]=0..4294967295 --arg u32[4194304] --arg u32[4096]
// Arithmetic of many digits: sums of pairs of 32768-bit numbers; a block per pair, four words a thread, carries by
// ballots of "makes one" and "passes one on" added as integers, within warps and then across them.
__global__ void add_big_integers(const uint4 *__restrict__ a, const uint4 *__restrict__ b, uint4 *__restrict__ sum,
                                 unsigned *__restrict__ carry_out)
{
    __shared__ unsigned makes_of_warp[8], passes_of_warp[8];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint4 x = a[at], y = b[at];
    unsigned xs[4] = {x.x, x.y, x.z, x.w};
    unsigned ys[4] = {y.x, y.y, y.z, y.w};
    unsigned s[4];
    unsigned carry = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        unsigned long long t = (unsigned long long)xs[k] + ys[k] + carry;
        s[k] = (unsigned)t;
        carry = (unsigned)(t >> 32);
    }
    bool passes = (s[0] & s[1] & s[2] & s[3]) == 0xffffffffu;
    unsigned make_bits = __ballot_sync(0xffffffffu, carry != 0);
    unsigned pass_bits = __ballot_sync(0xffffffffu, passes);
    unsigned long long either = make_bits | pass_bits;
    if (lane == 0) {
        makes_of_warp[warp] = (unsigned)((either + make_bits) >> 32);
        passes_of_warp[warp] = pass_bits == 0xffffffffu;
    }
    __syncthreads();
    unsigned makes = 0, all_pass = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        makes |= makes_of_warp[w] << w;
        all_pass |= passes_of_warp[w] << w;
    }
    unsigned warps_sum = (makes | all_pass) + makes;
    unsigned carry_into_warps = warps_sum ^ all_pass;
    unsigned into_warp = carry_into_warps >> warp & 1u;
    unsigned into_lanes = (unsigned)(either + make_bits + into_warp) ^ pass_bits;
    unsigned in = into_lanes >> lane & 1u;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        unsigned t = s[k] + in;
        in = t < in ? 1u : 0u;
        s[k] = t;
    }
    sum[at] = make_uint4(s[0], s[1], s[2], s[3]);
    if (threadIdx.x == 0) carry_out[blockIdx.x] = warps_sum >> 8 & 1u;
}

// launch gaps_by_prefix_maximum: --kernel gaps_by_prefix_maximum --grid 396 --block 256 --arg u8[96]=0..23 --arg u8[101376]=0..23 --arg i8[576]=-4..6 --arg i32[396] --arg i32:96 --arg i32:11 --arg i32:1
// Bioinformatics: local alignment scores of a protein with many, affine gaps; a block per subject of 256 letters goes
// down the rows, and gaps along a row come from a scan of maxima over the block.
__global__ void gaps_by_prefix_maximum(const unsigned char *__restrict__ query, const unsigned char *__restrict__ subjects,
                                       const signed char *__restrict__ matrix, int *__restrict__ scores, int rows,
                                       int open, int extend)
{
    __shared__ signed char table[24 * 24];
    __shared__ int warp_top[8], warp_edge[8];
    int column = threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int i = threadIdx.x; i < 24 * 24; i += blockDim.x) table[i] = matrix[i];
    if (threadIdx.x < 8) warp_edge[threadIdx.x] = 0;
    int letter = subjects[(size_t)blockIdx.x * blockDim.x + column];
    __syncthreads();
    const int low = -1000000;
    int h = 0, down = low, best = 0;
    for (int i = 0; i < rows; ++i) {
        int diagonal = __shfl_up_sync(0xffffffffu, h, 1);
        if (lane == 0) diagonal = warp > 0 ? warp_edge[warp - 1] : 0;
        down = max(down - extend, h - open);
        int m = max(max(0, diagonal + table[query[i] * 24 + letter]), down);
        int top = m + column * extend;
        for (int d = 1; d < 32; d <<= 1) {
            int other = __shfl_up_sync(0xffffffffu, top, d);
            if (lane >= d) top = max(top, other);
        }
        if (lane == 31) warp_top[warp] = top;
        int before = __shfl_up_sync(0xffffffffu, top, 1);
        if (lane == 0) before = low;
        __syncthreads();
        for (int w = 0; w < warp; ++w) before = max(before, warp_top[w]);
        h = max(m, before - open - (column - 1) * extend);
        if (lane == 31) warp_edge[warp] = h;
        best = max(best, h);
        __syncthreads();
    }
    best = __reduce_max_sync(0xffffffffu, best);
    if (lane == 0) warp_top[warp] = best;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) best = max(best, warp_top[w]);
        scores[blockIdx.x] = best;
    }
}
