// Normalisation: tokens under a picture's own scale, classes of pixels, weights of particles, and features of speech.
#include <cuda_fp16.h>

// launch modulated_norm: --kernel modulated_norm --grid 12800 --block 192 --arg f16[14745600]=-2..2 --arg f16[73728]=-0.5..0.5 --arg f16[73728]=-0.5..0.5 --arg f16[14745600] --arg i32:200
// Diffusion transformers: each token of 1,152 halves gets mean nought and deviation one, then its picture's scale and shift.
// A block has a token, three pairs a thread, and 200 tokens share a scale.
__global__ void __launch_bounds__(192) modulated_norm(const half2* __restrict__ in, const half2* __restrict__ shift,
                                                      const half2* __restrict__ scale, half2* __restrict__ out,
                                                      int tokens) {
    __shared__ float held[2][6];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, picture = blockIdx.x / tokens;
    size_t base = (size_t)blockIdx.x * 576 + t;
    float2 v[3];
    float sum = 0, squares = 0;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        v[k] = __half22float2(in[base + 192 * k]);
        sum += v[k].x + v[k].y;
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) held[0][warp] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int w = 0; w < 6; ++w) sum += held[0][w];
    float mean = sum / 1152;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        v[k].x -= mean;
        v[k].y -= mean;
        squares += v[k].x * v[k].x + v[k].y * v[k].y;
    }
    for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(~0u, squares, step);
    if (lane == 0) held[1][warp] = squares;
    __syncthreads();
    squares = 0;
#pragma unroll
    for (int w = 0; w < 6; ++w) squares += held[1][w];
    float factor = rsqrtf(squares / 1152 + 1e-6f);
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        float2 g = __half22float2(scale[picture * 576 + t + 192 * k]);
        float2 o = __half22float2(shift[picture * 576 + t + 192 * k]);
        out[base + 192 * k] =
            __floats2half2_rn(v[k].x * factor * (1 + g.x) + o.x, v[k].y * factor * (1 + g.y) + o.y);
    }
}

// launch pixel_classes: --kernel pixel_classes --grid 338,10 --block 256 --arg f16[36288000]=-6..6 --arg f16[36288000] --arg u8[1728000] --arg i32:86400
// Segmentation of street scenes: a softmax over 21 classes for each pixel of ten pictures of 480 x 360, and the best class.
// Classes are planes; a thread has two neighbouring pixels and keeps all classes of both in registers.
__global__ void __launch_bounds__(256) pixel_classes(const half2* __restrict__ scores, half2* __restrict__ chances,
                                                     unsigned char* __restrict__ labels, int pairs) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= pairs) return;
    size_t base = (size_t)blockIdx.y * 21 * pairs + i;
    float2 v[21];
    float left = -1e30f, right = -1e30f, left_sum = 0, right_sum = 0;
    int left_best = 0, right_best = 0;
#pragma unroll
    for (int c = 0; c < 21; ++c) {
        v[c] = __half22float2(scores[base + (size_t)c * pairs]);
        if (v[c].x > left) left = v[c].x, left_best = c;
        if (v[c].y > right) right = v[c].y, right_best = c;
    }
#pragma unroll
    for (int c = 0; c < 21; ++c) {
        left_sum += v[c].x = __expf(v[c].x - left);
        right_sum += v[c].y = __expf(v[c].y - right);
    }
    left = 1 / left_sum;
    right = 1 / right_sum;
#pragma unroll
    for (int c = 0; c < 21; ++c) chances[base + (size_t)c * pairs] = __floats2half2_rn(v[c].x * left, v[c].y * right);
    ((uchar2*)labels)[(size_t)blockIdx.y * pairs + i] = make_uchar2(left_best, right_best);
}

// launch particle_weights: --kernel particle_weights --grid 2400 --block 256 --arg f64[3600000]=-30..0 --arg f64[3600000] --arg f64[2400] --arg i32:1500
// Robots that look for where they are: logarithms of the weights of 1,500 particles become weights that sum to one,
// in doubles, and the effective number of particles. A filter a block; each of three sums is the textbook's tree.
__global__ void particle_weights(const double* logs, double* weights, double* effective, int particles) {
    __shared__ double held[256];
    int t = threadIdx.x, first = blockIdx.x * particles;
    double most = -1e300, sum = 0, squares = 0;
    for (int i = t; i < particles; i += blockDim.x) most = fmax(most, logs[first + i]);
    held[t] = most;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) held[t] = fmax(held[t], held[t + s]);
        __syncthreads();
    }
    most = held[0];
    __syncthreads();
    for (int i = t; i < particles; i += blockDim.x) {
        double w = exp(logs[first + i] - most);
        weights[first + i] = w;
        sum += w;
    }
    held[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) held[t] += held[t + s];
        __syncthreads();
    }
    sum = held[0];
    __syncthreads();
    for (int i = t; i < particles; i += blockDim.x) {
        double w = weights[first + i] / sum;
        weights[first + i] = w;
        squares += w * w;
    }
    held[t] = squares;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) held[t] += held[t + s];
        __syncthreads();
    }
    if (t == 0) effective[blockIdx.x] = 1 / held[0];
}

// launch cepstral_means: --kernel cepstral_means --grid 350 --block 80 --arg f32[13440000]=-4..4 --arg i32[350]=150..480 --arg f32[13440000] --arg i32:480 --arg i32:80
// Speech recognition: each of 80 features of an utterance gets mean nought and variance one over its frames.
// An utterance a block and a feature a thread, which goes through 150 to 480 frames three times.
__global__ void cepstral_means(const float* features, const int* lengths, float* out, int frames, int width) {
    int utterance = blockIdx.x, feature = threadIdx.x;
    int n = lengths[utterance], base = utterance * frames * width + feature;
    float mean = 0;
    for (int k = 0; k < n; k++) mean += features[base + k * width];
    mean /= n;
    float variance = 0;
    for (int k = 0; k < n; k++) {
        float off = features[base + k * width] - mean;
        variance += off * off;
    }
    float deviation = sqrtf(variance / n + 1e-6f);
    for (int k = 0; k < n; k++) out[base + k * width] = (features[base + k * width] - mean) / deviation;
}
