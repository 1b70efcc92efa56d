// Four kernels of dependent steps: implied volatilities by guarded Newton steps, simulated queues at counters, decoding of rANS streams, and a join that follows chains of a hash table.
#include <cuda_fp16.h>

// launch implied_volatilities: --kernel implied_volatilities --grid 512 --block 128 --arg f64[65536]=90..110 --arg f64[65536]=80..120 --arg f64[65536]=0.1..2 --arg f64[65536]=0.5..12 --arg f64[65536] --arg i32[65536] --arg f64:0.02 --arg i32:65536
// Finance: the volatility at which the Black-Scholes call has the quoted price (quoted as premium over intrinsic value), by
// Newton within a bracket, halved where Newton leaves it. One thread an option, as many steps as it wants, in doubles.
__global__ void implied_volatilities(const double* __restrict__ spots, const double* __restrict__ strikes,
                                     const double* __restrict__ years, const double* __restrict__ premiums,
                                     double* __restrict__ vols, int* __restrict__ steps, double rate, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double S = spots[i], T = years[i];
    const double discounted = strikes[i] * exp(-rate * T);
    const double price = fmax(S - discounted, 0.0) + premiums[i];
    if (price >= S) { vols[i] = -1.0; steps[i] = 0; return; }

    const double root_t = sqrt(T);
    const double log_money = log(S / discounted);
    double low = 1e-4, high = 4.0;
    double sigma = sqrt(2.0 * fabs(log_money) / T);
    sigma = fmin(fmax(sigma, 0.05), 1.5);
    int k = 0;
    for (; k < 60; ++k) {
        const double sd = sigma * root_t;
        const double d1 = log_money / sd + 0.5 * sd;
        const double d2 = d1 - sd;
        const double n1 = 0.5 * erfc(-d1 * 0.7071067811865476);
        const double n2 = 0.5 * erfc(-d2 * 0.7071067811865476);
        const double error = S * n1 - discounted * n2 - price;
        if (fabs(error) < 1e-9 * S) break;
        if (error > 0.0) high = sigma; else low = sigma;
        const double vega = S * root_t * 0.3989422804014327 * exp(-0.5 * d1 * d1);
        double next = vega > 1e-12 ? sigma - error / vega : low;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        sigma = next;
        if (high - low < 1e-12) break;
    }
    vols[i] = sigma;
    steps[i] = k;
}

// launch counter_queues: --kernel counter_queues --grid 256 --block 64 --arg u32[16384]=1..2000000000 --arg f32[16384]=0.3..0.7 --arg f32[16384] --arg i32[16384] --arg i32[16384] --arg f32:400 --arg f32:5 --arg f32:8
// Operations research: a day at four counters with random arrivals and services; a customer takes the counter that is free
// first, and goes away if the wait is longer than his patience. One thread a day, its own generator, loop till closing time.
__global__ void counter_queues(const unsigned int* __restrict__ seeds, const float* __restrict__ rates,
                               float* __restrict__ mean_wait, int* __restrict__ served_out, int* __restrict__ left_out,
                               float closing, float mean_service, float patience)
{
    const int run = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int state = seeds[run] | 1u;
    const float mean_gap = 1.0f / rates[run];
    float f0 = 0.f, f1 = 0.f, f2 = 0.f, f3 = 0.f;
    float now = 0.f, waited = 0.f;
    int served = 0, left = 0;

    auto uniform = [&state]() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return (float)(state >> 8) * (1.0f / 16777216.0f) + 2.98e-8f;
    };

    for (int customer = 0; customer < 1000; ++customer) {
        now -= mean_gap * logf(uniform());
        if (now > closing) break;
        const float soonest = fminf(fminf(f0, f1), fminf(f2, f3));
        const float wait = fmaxf(soonest - now, 0.f);
        if (wait > 0.f && wait > -patience * logf(uniform())) { ++left; continue; }
        float service = -mean_service * logf(uniform());
        if (uniform() < 0.2f) service -= mean_service * logf(uniform());      // a second matter
        const float done = now + wait + service;
        if (soonest == f0) f0 = done;
        else if (soonest == f1) f1 = done;
        else if (soonest == f2) f2 = done;
        else f3 = done;
        waited += wait;
        ++served;
    }
    mean_wait[run] = served ? waited / served : 0.f;
    served_out[run] = served;
    left_out[run] = left;
}

// launch rans_decode: --kernel rans_decode --grid 128 --block 256 --arg u8[16777216]=0..255 --arg u32[256]=1..1000 --arg u32[2097152] --arg i32:512 --arg i32:256
// Compression: a range-coded (rANS) stream for each thread, 256 symbols of each. The block first makes frequencies of 12 bits
// of the counts (scan) and a table of 4096 slots in shared memory; then each symbol depends on the state that the last one left.
__global__ void rans_decode(const unsigned char* __restrict__ streams, const unsigned int* __restrict__ counts,
                            unsigned int* __restrict__ symbols, int stream_bytes, int stream_symbols)
{
    __shared__ unsigned int scan[256];
    __shared__ unsigned int starts[257];
    __shared__ unsigned int slots[4096];

    const int t = threadIdx.x;
    scan[t] = counts[t];
    __syncthreads();
    for (int d = 1; d < 256; d <<= 1) {
        const unsigned int add = t >= d ? scan[t - d] : 0u;
        __syncthreads();
        scan[t] += add;
        __syncthreads();
    }
    const unsigned int total = scan[255];
    starts[t + 1] = scan[t] * (4096u - 256u) / total + t + 1;      // at least one slot for each symbol
    if (t == 0) starts[0] = 0;
    __syncthreads();
    {
        const unsigned int from = starts[t], freq = starts[t + 1] - from;
        for (unsigned int k = 0; k < freq; ++k) slots[from + k] = (freq << 20) | (k << 8) | t;
    }
    __syncthreads();

    const int stream = blockIdx.x * blockDim.x + t;
    const unsigned char* in = streams + (size_t)stream * stream_bytes;
    const unsigned char* end = in + stream_bytes;
    unsigned int x = *reinterpret_cast<const unsigned int*>(in);
    x = (x & 0x7fffffffu) | (1u << 23);
    in += 4;
    unsigned int* out = symbols + (size_t)stream * (stream_symbols / 4);
    for (int s = 0; s < stream_symbols; s += 4) {
        unsigned int word = 0;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int e = slots[x & 4095u];
            word |= (e & 255u) << (8 * k);
            x = (e >> 20) * (x >> 12) + ((e >> 8) & 4095u);
            while (x < (1u << 23) && in < end) x = (x << 8) | *in++;
        }
        out[s / 4] = word;
    }
}

// launch chained_join: --kernel chained_join --grid 2048 --block 256 --arg u32[524288]=0..9999999 --arg i32[262144]=-60000..1048575 --arg i32[1048576]=-349525..1048575 --arg u8[1048576]=0..15 --arg i32[1048576]=0..1048575 --arg u32[1048576]=0..9999999 --arg f32[1048576]=0..100 --arg i32[524288] --arg f32[524288] --arg i32:18 --arg i32:524288
// Databases: probe side of a hash join whose buckets are chains (a link below 0 ends a chain). One thread a row; at each node a
// tag of 4 bits is compared, and only where it fits the key of the build row.
__global__ void chained_join(const unsigned int* __restrict__ probe_keys, const int* __restrict__ heads,
                             const int* __restrict__ next, const unsigned char* __restrict__ tags,
                             const int* __restrict__ rows, const unsigned int* __restrict__ build_keys,
                             const float* __restrict__ amounts, int* __restrict__ matches, float* __restrict__ totals,
                             int bits, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned int key = probe_keys[i];
    const unsigned int hash = (key ^ (key >> 16)) * 0x85ebca6bu;
    const unsigned int tag = hash & 15u;
    int node = heads[hash >> (32 - bits)];
    int found = 0;
    float total = 0.f;
    for (int step = 0; node >= 0 && step < 64; ++step) {
        if (tags[node] == tag) {
            const int row = rows[node];
            if (build_keys[row] == key) {
                ++found;
                total += amounts[row];
            }
        }
        node = next[node];
    }
    matches[i] = found;
    totals[i] = total;
}
