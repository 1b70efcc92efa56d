// Streaming: colours as the eye sees them, places on the globe, time series made small, and tracks of sound mixed.

// launch colours_to_lab: --kernel colours_to_lab --grid 8100 --block 256 --arg u8[8294400]=0..255 --arg f32[2073600] --arg f32[2073600] --arg f32[2073600]
// Printing: pixels of four bytes become lightness and two colours of CIE L*a*b*, a plane each.
__global__ void colours_to_lab(const uchar4* __restrict__ pixels, float* __restrict__ lightness, float* __restrict__ a,
                               float* __restrict__ b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uchar4 p = pixels[i];
    float rgb[3] = {p.x / 255.0f, p.y / 255.0f, p.z / 255.0f};
#pragma unroll
    for (int k = 0; k < 3; ++k)
        rgb[k] = rgb[k] <= 0.04045f ? rgb[k] / 12.92f : powf((rgb[k] + 0.055f) / 1.055f, 2.4f);
    float x = (0.4124f * rgb[0] + 0.3576f * rgb[1] + 0.1805f * rgb[2]) / 0.9505f;
    float y = 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
    float z = (0.0193f * rgb[0] + 0.1192f * rgb[1] + 0.9505f * rgb[2]) / 1.089f;
    x = x > 0.008856f ? cbrtf(x) : 7.787f * x + 0.13793f;
    y = y > 0.008856f ? cbrtf(y) : 7.787f * y + 0.13793f;
    z = z > 0.008856f ? cbrtf(z) : 7.787f * z + 0.13793f;
    lightness[i] = 116 * y - 16;
    a[i] = 500 * (x - y);
    b[i] = 200 * (y - z);
}

// launch geodetic_to_space: --kernel geodetic_to_space --grid 528 --block 192 --arg f64[1500000]=-1.5..1.5 --arg f64[1500000]=-3.1..3.1 --arg f32[1500000]=0..4000 --arg f64[4500000] --arg i32:1500000
// Geodesy: latitude, longitude and height over the ellipsoid become three coordinates from the middle of the earth.
// Sines and cosines in doubles; the grid strides through the points.
__global__ void geodetic_to_space(const double* __restrict__ latitudes, const double* __restrict__ longitudes,
                                  const float* __restrict__ heights, double* __restrict__ places, int n) {
    const double a = 6378137.0, e2 = 6.69437999014e-3;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double sin_lat, cos_lat, sin_lon, cos_lon, h = heights[i];
        sincos(latitudes[i], &sin_lat, &cos_lat);
        sincos(longitudes[i], &sin_lon, &cos_lon);
        double radius = a / sqrt(1 - e2 * sin_lat * sin_lat);
        places[3 * (size_t)i] = (radius + h) * cos_lat * cos_lon;
        places[3 * (size_t)i + 1] = (radius + h) * cos_lat * sin_lon;
        places[3 * (size_t)i + 2] = (radius * (1 - e2) + h) * sin_lat;
    }
}

// launch xor_of_doubles: --kernel xor_of_doubles --grid 3000 --block 512 --arg f64[6144000]=20..21 --arg u64[6144000] --arg u8[12288000]
// Databases of measurements: each double is XORed with the one before it, and how many zeros are in front and behind is noted.
// A thread has four doubles that lie in order, and reads one more on their left.
__global__ void xor_of_doubles(const double* __restrict__ values, ulonglong2* __restrict__ words, uchar2* __restrict__ zeros) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double2 a = ((const double2*)values)[2 * i], b = ((const double2*)values)[2 * i + 1];
    double left = i == 0 ? 0.0 : values[4 * i - 1];
    unsigned long long w[5] = {(unsigned long long)__double_as_longlong(left), (unsigned long long)__double_as_longlong(a.x),
                               (unsigned long long)__double_as_longlong(a.y), (unsigned long long)__double_as_longlong(b.x),
                               (unsigned long long)__double_as_longlong(b.y)};
    uchar2 z[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        w[k] ^= w[k + 1];
        z[k] = make_uchar2(__clzll(w[k]), w[k] != 0 ? __ffsll(w[k]) - 1 : 64);
    }
    words[2 * i] = make_ulonglong2(w[0], w[1]);
    words[2 * i + 1] = make_ulonglong2(w[2], w[3]);
    for (int k = 0; k < 4; ++k) zeros[4 * i + k] = z[k];
}

// launch mix_tracks: --kernel mix_tracks --grid 2250 --block 128 --arg u8[36864000]=0..255 --arg f32[8]=-0.4..0.4 --arg u8[4608000] --arg i32:288000
// Sound: eight tracks of 16-bit samples are mixed with a gain each, bent softly at the top, and rounded to 16 bits.
// Eight samples of sixteen bytes a load, each track from its own stream.
__global__ void mix_tracks(const uint4* __restrict__ tracks, const float* __restrict__ gains, uint4* __restrict__ mixed, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sums[8] = {};
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        uint4 v = __ldcs(&tracks[(size_t)k * n + i]);
        float gain = gains[k];
        int words[4] = {(int)v.x, (int)v.y, (int)v.z, (int)v.w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            sums[2 * j] += gain * (words[j] << 16 >> 16);
            sums[2 * j + 1] += gain * (words[j] >> 16);
        }
    }
    unsigned out[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        float a = sums[2 * j] * (1.0f / 32768), b = sums[2 * j + 1] * (1.0f / 32768);
        a = a / (1 + fabsf(a)), b = b / (1 + fabsf(b));
        out[j] = ((unsigned)__float2int_rn(a * 32767) & 0xffffu) | (unsigned)__float2int_rn(b * 32767) << 16;
    }
    mixed[i] = make_uint4(out[0], out[1], out[2], out[3]);
}
