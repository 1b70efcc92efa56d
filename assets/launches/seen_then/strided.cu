// Four rearrangements: packed 4:2:2 video to planes, a matrix into the panels of a product's micro-kernel, the octants of a spectrum swapped in place, and words to planes of bits.

// launch split_packed_video: --kernel split_packed_video --grid 4,135,8 --block 64,8 --arg u8[33177600]=0..255 --arg u8[17694720] --arg u8[8294400] --arg u8[8294400] --arg i32:1920 --arg i32:1080 --arg i32:2048 --arg i32:960
// Video capture: frames of UYVY bytes to planes of Y, U and V with their own pitches; sixteen bytes (eight pixels) a
// thread, one frame for each z.
__global__ void split_packed_video(const unsigned char* __restrict__ packed, unsigned char* __restrict__ luma,
                                   unsigned char* __restrict__ u, unsigned char* __restrict__ v,
                                   int width, int height, int luma_pitch, int chroma_pitch)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (g * 8 >= width || y >= height) return;
    size_t row = (size_t)blockIdx.z * height + y;
    uint4 q = *reinterpret_cast<const uint4*>(packed + row * width * 2 + g * 16);
    uint2 l;
    l.x = __byte_perm(q.x, q.y, 0x7531);
    l.y = __byte_perm(q.z, q.w, 0x7531);
    unsigned c0 = __byte_perm(q.x, q.y, 0x6420);
    unsigned c1 = __byte_perm(q.z, q.w, 0x6420);
    *reinterpret_cast<uint2*>(luma + row * luma_pitch + g * 8) = l;
    *reinterpret_cast<unsigned*>(u + row * chroma_pitch + g * 4) = __byte_perm(c0, c1, 0x6420);
    *reinterpret_cast<unsigned*>(v + row * chroma_pitch + g * 4) = __byte_perm(c0, c1, 0x7531);
}

// launch pack_panels: --kernel pack_panels --grid 32,126 --block 256 --arg f64[4096047]=-1..1 --arg f64[4128768] --arg i32:2001 --arg i32:2040 --arg i32:2047 --arg f64:1.5
// Linear algebra library: packs alpha * A (rows in memory, leading dimension lda) into panels of 16 rows, depth by depth,
// as the product's inner kernel reads it; rows past the end become zeros. A tile of 16 x 64 a block, by shared memory.
__global__ void pack_panels(const double* a, double* packed, int rows, int depth, int lda, double alpha)
{
    __shared__ double tile[16][65];
    int k0 = blockIdx.x * 64, r0 = blockIdx.y * 16;
    int tk = threadIdx.x & 63, tr = threadIdx.x >> 6;
#pragma unroll
    for (int r = tr; r < 16; r += 4) {
        double x = 0.0;
        if (r0 + r < rows && k0 + tk < depth) x = alpha * a[(size_t)(r0 + r) * lda + k0 + tk];
        tile[r][tk] = x;
    }
    __syncthreads();
    double* panel = packed + (size_t)blockIdx.y * 16 * depth;
    int wr = threadIdx.x & 15, wk = threadIdx.x >> 4;
#pragma unroll
    for (int k = wk; k < 64; k += 16)
        if (k0 + k < depth) panel[(size_t)(k0 + k) * 16 + wr] = tile[wr][k];
}

// launch swap_octants: --kernel swap_octants --grid 1,32,64 --block 128,4 --arg f32[4194304]=-1..1 --arg i32:128 --arg i32:128 --arg i32:128
// Imaging by Fourier transforms: moves the zero frequency of a complex cube to its middle by swapping opposite octants
// in place; one pair a thread, over the lower half of z.
__global__ void swap_octants(float2* cube, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz / 2) return;
    int hx = nx / 2, hy = ny / 2, hz = nz / 2;
    int ox = x < hx ? x + hx : x - hx;
    int oy = y < hy ? y + hy : y - hy;
    size_t here = ((size_t)z * ny + y) * nx + x;
    size_t there = ((size_t)(z + hz) * ny + oy) * nx + ox;
    float2 a = cube[here];
    float2 b = cube[there];
    cube[here] = b;
    cube[there] = a;
}

// launch planes_of_bits: --kernel planes_of_bits --grid 2048 --block 256 --arg u32[2097152]=0..4000000000 --arg u32[2097152] --arg i32:2048
// Compression of scientific data: differences of neighbouring words, then bit i of 1024 words gathered in plane i. Each
// warp turns 32 x 32 bits by shuffles; the planes meet in shared memory and go out in rows.
__global__ void planes_of_bits(const unsigned* __restrict__ words, unsigned* __restrict__ planes, int chunks)
{
    __shared__ unsigned held[32][33];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int chunk = blockIdx.x;
    if (chunk >= chunks) return;
    const unsigned* in = words + (size_t)chunk * 1024;
#pragma unroll
    for (int g = warp; g < 32; g += 8) {
        int i = g * 32 + lane;
        unsigned x = in[i];
        unsigned before = i ? in[i - 1] : 0u;
        int d = (int)(x - before);
        x = ((unsigned)d << 1) ^ (unsigned)(d >> 31);
        unsigned mask = 0x0000ffffu;
#pragma unroll
        for (int s = 16; s > 0; s >>= 1) {
            unsigned other = __shfl_xor_sync(0xffffffffu, x, s);
            if (lane & s) x = (x & ~mask) | ((other >> s) & mask);
            else          x = (x & mask) | ((other << s) & ~mask);
            mask ^= mask << (s >> 1);
        }
        held[lane][g] = x;
    }
    __syncthreads();
    unsigned* out = planes + (size_t)chunk * 1024;
#pragma unroll
    for (int p = warp; p < 32; p += 8) out[p * 32 + lane] = held[p][lane];
}
