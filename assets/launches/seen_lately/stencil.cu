// Stencils: a game of cells in bits, sound in the ground, a fluid on a lattice, and pictures made ready for two eyes.

// launch cells_in_bits: --kernel cells_in_bits --grid 2,2048 --block 64,4 --arg u64[1048576]=0..2000000000 --arg u64[1048576] --arg i32:128 --arg i32:8192
// Conway's game of life on 8,192 x 8,192 cells, 64 of them a word; left and right ends are joined, and so are top and bottom.
// Neighbours are counted for all bits at once with half and full adders.
__global__ void cells_in_bits(const unsigned long long* __restrict__ cells, unsigned long long* __restrict__ next, int words,
                              int rows) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    int left = (x - 1) & (words - 1), right = (x + 1) & (words - 1);
    unsigned long long ones = 0, twos = 0, fours = 0, alive = 0;
    auto count = [&](unsigned long long bit) {
        unsigned long long carry = ones & bit;
        ones ^= bit;
        unsigned long long more = twos & carry;
        twos ^= carry;
        fours |= more;
    };
#pragma unroll
    for (int r = -1; r < 2; ++r) {
        const unsigned long long* row = cells + (size_t)((y + r) & (rows - 1)) * words;
        unsigned long long here = row[x], before = row[left], after = row[right];
        count(here << 1 | before >> 63);
        count(here >> 1 | after << 63);
        if (r == 0) alive = here;
        else count(here);
    }
    next[(size_t)y * words + x] = twos & ~fours & (ones | alive);
}

// launch sound_in_ground: --kernel sound_in_ground --grid 7,28,2 --block 32,8 --arg f32[3875328]=-1..1 --arg f32[3875328]=-1..1 --arg f32[3875328]=0.01..0.1 --arg f32[3875328] --arg i32:232
// Search for oil: a step of the wave equation of eighth order in space, 25 points, in a box with a rim of four.
// A block goes down 32 planes: nine numbers of its column are in registers, and this plane's tile is in shared memory.
__global__ void __launch_bounds__(256) sound_in_ground(const float* __restrict__ now, const float* __restrict__ before,
                                                       const float* __restrict__ speeds, float* __restrict__ next, int width) {
    __shared__ float tile[16][40];
    int tx = threadIdx.x, ty = threadIdx.y, plane = width * width;
    int x = blockIdx.x * 32 + tx + 4, y = blockIdx.y * 8 + ty + 4, z = blockIdx.z * 32 + 4;
    const float c0 = -2.8472222f, c1 = 1.6f, c2 = -0.2f, c3 = 0.025396825f, c4 = -0.0017857143f;
    int at = z * plane + y * width + x, t = ty * 32 + tx;
    float column[9];
#pragma unroll
    for (int k = 0; k < 8; ++k) column[k + 1] = now[at + (k - 4) * plane];
    int corner = z * plane + blockIdx.y * 8 * width + blockIdx.x * 32;
    for (int step = 0; step < 32; ++step) {
#pragma unroll
        for (int k = 0; k < 8; ++k) column[k] = column[k + 1];
        column[8] = now[at + 4 * plane];
        __syncthreads();
        for (int i = t; i < 640; i += 256) tile[i / 40][i % 40] = now[corner + i / 40 * width + i % 40];
        __syncthreads();
        float v = column[4], sum = 3 * c0 * v;
        sum += c1 * (column[3] + column[5] + tile[ty + 3][tx + 4] + tile[ty + 5][tx + 4] + tile[ty + 4][tx + 3] + tile[ty + 4][tx + 5]);
        sum += c2 * (column[2] + column[6] + tile[ty + 2][tx + 4] + tile[ty + 6][tx + 4] + tile[ty + 4][tx + 2] + tile[ty + 4][tx + 6]);
        sum += c3 * (column[1] + column[7] + tile[ty + 1][tx + 4] + tile[ty + 7][tx + 4] + tile[ty + 4][tx + 1] + tile[ty + 4][tx + 7]);
        sum += c4 * (column[0] + column[8] + tile[ty][tx + 4] + tile[ty + 8][tx + 4] + tile[ty + 4][tx] + tile[ty + 4][tx + 8]);
        next[at] = 2 * v - before[at] + speeds[at] * sum;
        at += plane;
        corner += plane;
    }
}

// launch fluid_on_lattice: --kernel fluid_on_lattice --grid 8,640 --block 128 --arg f32[5898240]=0.05..0.15 --arg u8[655360]=0..20 --arg f32[5898240] --arg i32:1024 --arg i32:640 --arg f32:1.2
// Flow through a porous stone: nine directions a place stream in from the neighbours and collide; solid places throw them back.
// One place in 21 is solid; each direction is a plane of its own.
__global__ void __launch_bounds__(128) fluid_on_lattice(const float* __restrict__ f, const unsigned char* __restrict__ solid,
                                                        float* __restrict__ next, int width, int height, float omega) {
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y, plane = width * height, at = y * width + x;
    int west = x == 0 ? width - 1 : x - 1, east = x == width - 1 ? 0 : x + 1;
    int south = (y == 0 ? height - 1 : y - 1) * width, north = (y == height - 1 ? 0 : y + 1) * width, level = y * width;
    float a = f[at], b = f[plane + level + west], c = f[2 * plane + south + x], d = f[3 * plane + level + east];
    float e = f[4 * plane + north + x], g = f[5 * plane + south + west], h = f[6 * plane + south + east];
    float i = f[7 * plane + north + east], j = f[8 * plane + north + west];
    if (solid[at] == 0) {
        next[at] = a;
        next[plane + at] = d, next[3 * plane + at] = b, next[2 * plane + at] = e, next[4 * plane + at] = c;
        next[5 * plane + at] = i, next[7 * plane + at] = g, next[6 * plane + at] = j, next[8 * plane + at] = h;
        return;
    }
    float rho = a + b + c + d + e + g + h + i + j, inverse = 1 / rho;
    float ux = (b + g + j - d - h - i) * inverse, uy = (c + g + h - e - i - j) * inverse;
    float base = 1 - 1.5f * (ux * ux + uy * uy), keep = 1 - omega, w0 = omega * rho * (4.0f / 9), w1 = w0 * 0.25f, w2 = w1 * 0.25f;
    auto after = [&](float old, float weight, float along) { return keep * old + weight * (base + 3 * along + 4.5f * along * along); };
    next[at] = keep * a + w0 * base;
    next[plane + at] = after(b, w1, ux);
    next[2 * plane + at] = after(c, w1, uy);
    next[3 * plane + at] = after(d, w1, -ux);
    next[4 * plane + at] = after(e, w1, -uy);
    next[5 * plane + at] = after(g, w2, ux + uy);
    next[6 * plane + at] = after(h, w2, uy - ux);
    next[7 * plane + at] = after(i, w2, -ux - uy);
    next[8 * plane + at] = after(j, w2, ux - uy);
}

// launch census_of_pixels: --kernel census_of_pixels --grid 40,90 --block 32,8 --arg u8[921600]=0..255 --arg u64[921600] --arg i32:1280 --arg i32:720
// Depth from two cameras: which of 62 neighbours in a window of 9 x 7 are darker than the pixel itself, as bits of a word.
// A tile of bytes with its rim lies in shared memory.
__global__ void __launch_bounds__(256) census_of_pixels(const unsigned char* __restrict__ pixels,
                                                        unsigned long long* __restrict__ words, int width, int height) {
    __shared__ unsigned char tile[14][40];
    int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 32 - 4, top = blockIdx.y * 8 - 3;
    for (int i = ty * 32 + tx; i < 560; i += 256) {
        int x = min(max(left + i % 40, 0), width - 1), y = min(max(top + i / 40, 0), height - 1);
        tile[i / 40][i % 40] = pixels[y * width + x];
    }
    __syncthreads();
    unsigned char middle = tile[ty + 3][tx + 4];
    unsigned high = 0, low = 0;
#pragma unroll
    for (int r = 0; r < 7; ++r)
#pragma unroll
        for (int c = 0; c < 9; ++c) {
            if (r == 3 && c == 4) continue;
            unsigned darker = tile[ty + r][tx + c] < middle;
            if (r * 9 + c < 31) high = high << 1 | darker;
            else low = low << 1 | darker;
        }
    words[(blockIdx.y * 8 + ty) * width + blockIdx.x * 32 + tx] = (unsigned long long)high << 32 | low;
}
