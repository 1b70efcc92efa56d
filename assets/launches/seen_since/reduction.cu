// Reductions: likeness of pictures, the first difference of two files, genotypes of patients, and moments of inertia.

// launch structure_likeness: --kernel structure_likeness --grid 240,135 --block 64 --arg u8[8294400]=0..255 --arg u8[8294400]=0..255 --arg f32[1] --arg i32:3840
// Video quality: structural similarity of two frames over squares of 8 x 8, summed over the frame.
// A block has 16 x 16 pixels, sixteen threads a square, four pixels a thread.
__global__ void structure_likeness(const unsigned char* __restrict__ a, const unsigned char* __restrict__ b, float* total,
                                   int width) {
    __shared__ float held[4];
    int t = threadIdx.x, square = t / 16, part = t % 16;
    int x = blockIdx.x * 16 + square % 2 * 8 + part % 2 * 4, y = blockIdx.y * 16 + square / 2 * 8 + part / 2;
    uchar4 p = *(const uchar4*)(a + (size_t)y * width + x), q = *(const uchar4*)(b + (size_t)y * width + x);
    float ps[4] = {(float)p.x, (float)p.y, (float)p.z, (float)p.w}, qs[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    float sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (int k = 0; k < 4; ++k) {
        sa += ps[k], sb += qs[k];
        saa += ps[k] * ps[k], sbb += qs[k] * qs[k], sab += ps[k] * qs[k];
    }
    for (int step = 8; step > 0; step /= 2) {
        sa += __shfl_down_sync(~0u, sa, step, 16);
        sb += __shfl_down_sync(~0u, sb, step, 16);
        saa += __shfl_down_sync(~0u, saa, step, 16);
        sbb += __shfl_down_sync(~0u, sbb, step, 16);
        sab += __shfl_down_sync(~0u, sab, step, 16);
    }
    if (part == 0) {
        float ma = sa / 64, mb = sb / 64, va = saa / 64 - ma * ma, vb = sbb / 64 - mb * mb, cov = sab / 64 - ma * mb;
        held[square] = (2 * ma * mb + 6.5025f) * (2 * cov + 58.5225f) /
                       ((ma * ma + mb * mb + 6.5025f) * (va + vb + 58.5225f));
    }
    __syncthreads();
    if (t == 0) atomicAdd(total, held[0] + held[1] + held[2] + held[3]);
}

// launch first_difference: --kernel first_difference --grid 528 --block 1024 --arg u64[4194304]=7 --arg u64[4194304]=7 --arg i32[1]=2000000000 --arg i32:4194304
// Checking of backups: where two files differ first; here they never do, so that all of both is read.
// Two words of 64 bits a load, a vote a block.
__global__ void __launch_bounds__(1024) first_difference(const unsigned long long* __restrict__ a,
                                                         const unsigned long long* __restrict__ b, int* first, int n) {
    int lowest = 0x7fffffff;
    for (int i = blockIdx.x * 1024 + threadIdx.x; i < n / 2; i += gridDim.x * 1024) {
        ulonglong2 p = ((const ulonglong2*)a)[i], q = ((const ulonglong2*)b)[i];
        if (p.x != q.x) lowest = min(lowest, 2 * i);
        else if (p.y != q.y) lowest = min(lowest, 2 * i + 1);
    }
    if (__syncthreads_or(lowest != 0x7fffffff)) {
        lowest = __reduce_min_sync(~0u, lowest);
        if (threadIdx.x % 32 == 0) atomicMin(first, lowest);
    }
}

// launch genotype_counts: --kernel genotype_counts --grid 5000 --block 256 --arg u32[20480000]=0..2000000000 --arg u32[512]=0..2000000000 --arg i32[160000] --arg f32[40000]
// Genetics: at each of 40,000 places of the genome, genotypes of 8,192 people, two bits each, are counted in patients
// and in others, and compared by a chi-squared test. A warp has a place.
__global__ void genotype_counts(const uint4* __restrict__ genotypes, const uint4* __restrict__ patients, int4* __restrict__ counts,
                                float* __restrict__ scores) {
    int lane = threadIdx.x % 32, place = blockIdx.x * 8 + threadIdx.x / 32;
    const uint4* row = genotypes + (size_t)place * 128;
    int one_in = 0, two_in = 0, one = 0, two = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        uint4 g = row[k * 32 + lane], c = __ldg(&patients[k * 32 + lane]);
        unsigned gs[4] = {g.x, g.y, g.z, g.w}, cs[4] = {c.x, c.y, c.z, c.w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            unsigned low = gs[j] & 0x55555555u, high = gs[j] >> 1 & 0x55555555u, in = cs[j] & 0x55555555u;
            unsigned het = low & ~high, hom = low & high;
            one += __popc(het);
            two += __popc(hom);
            one_in += __popc(het & in);
            two_in += __popc(hom & in);
        }
    }
    one = __reduce_add_sync(~0u, one);
    two = __reduce_add_sync(~0u, two);
    one_in = __reduce_add_sync(~0u, one_in);
    two_in = __reduce_add_sync(~0u, two_in);
    if (lane == 0) {
        counts[place] = make_int4(one, two, one_in, two_in);
        float alleles = one + 2.0f * two, inside = one_in + 2.0f * two_in, expected = alleles * 0.5f + 0.5f;
        scores[place] = (inside - expected) * (inside - expected) / expected;
    }
}

// launch inertia_sums: --kernel inertia_sums --grid 264 --block 256 --arg f32[6000000]=-1..1 --arg f32[2000000]=0.5..2 --arg f64[10] --arg i32:2000000
// Physics of rigid bodies: mass, centre and moments of inertia of a cloud of two million grains, in doubles.
// Ten sums a thread, through shared memory one after another.
__global__ void inertia_sums(const float* __restrict__ places, const float* __restrict__ masses, double* sums, int n) {
    __shared__ double held[256];
    double s[10] = {};
    int t = threadIdx.x;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        double x = places[3 * i], y = places[3 * i + 1], z = places[3 * i + 2], m = masses[i];
        s[0] += m;
        s[1] += m * x, s[2] += m * y, s[3] += m * z;
        s[4] += m * (y * y + z * z), s[5] += m * (x * x + z * z), s[6] += m * (x * x + y * y);
        s[7] -= m * x * y, s[8] -= m * x * z, s[9] -= m * y * z;
    }
#pragma unroll
    for (int k = 0; k < 10; ++k) {
        held[t] = s[k];
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
            if (t < half) held[t] += held[t + half];
            __syncthreads();
        }
        if (t == 0) atomicAdd(&sums[k], held[0]);
        __syncthreads();
    }
}
