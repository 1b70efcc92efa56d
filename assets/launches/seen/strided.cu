// Strided: pairs of amplitudes, an order with its bits turned round, a mosaic of colours, and rows of a table.

// launch quantum_gate: --kernel quantum_gate --grid 4096 --block 1024 --arg f32[16777216]=-1..1 --arg i32:2 --arg f32:0.8 --arg f32:0.6
// A rotation of one qubit of 23, in place: each thread has the two amplitudes that differ in that bit.
__global__ void quantum_gate(float2* amplitudes, int qubit, float cosine, float sine) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, low = i & ((1u << qubit) - 1);
    unsigned zero = (i - low) * 2 + low, one = zero | 1u << qubit;
    float2 a = amplitudes[zero], b = amplitudes[one];
    amplitudes[zero] = make_float2(cosine * a.x + sine * b.y, cosine * a.y - sine * b.x);
    amplitudes[one] = make_float2(cosine * b.x + sine * a.y, cosine * b.y - sine * a.x);
}

// launch bit_reversal: --kernel bit_reversal --grid 8192 --block 512 --arg f32[8388608]=-1..1 --arg f32[8388608] --arg i32:22
// What goes before a Fourier transform of four million points: written in order, read with the bits of the place in
// reverse, so that neighbours come from far apart.
__global__ void bit_reversal(const float2* __restrict__ in, float2* __restrict__ out, int bits) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[__brev(i) >> (32 - bits)];
}

// launch demosaic: --kernel demosaic --grid 64,192 --block 32,8 --arg u8[12582912]=0..255 --arg u8[37748736] --arg i32:4096 --arg i32:3072
// The picture of a sensor with one colour a pixel becomes one with three: a thread has 2 x 2 pixels, reads the 4 x 4
// bytes round them, and writes twelve.
__global__ void demosaic(const unsigned char* __restrict__ in, unsigned char* __restrict__ out, int width, int height) {
    int x = (blockIdx.x * 32 + threadIdx.x) * 2, y = (blockIdx.y * 8 + threadIdx.y) * 2;
    int cols[4] = {x == 0 ? 1 : x - 1, x, x + 1, x + 2 == width ? width - 2 : x + 2};
    int rows[4] = {y == 0 ? 1 : y - 1, y, y + 1, y + 2 == height ? height - 2 : y + 2};
    int p[4][4];
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c) p[r][c] = in[rows[r] * width + cols[c]];
    unsigned char* at = out + (y * width + x) * 3;
    at[0] = (unsigned char)p[1][1];
    at[1] = (unsigned char)((p[0][1] + p[2][1] + p[1][0] + p[1][2] + 2) / 4);
    at[2] = (unsigned char)((p[0][0] + p[0][2] + p[2][0] + p[2][2] + 2) / 4);
    at[3] = (unsigned char)((p[1][1] + p[1][3] + 1) / 2);
    at[4] = (unsigned char)p[1][2];
    at[5] = (unsigned char)((p[0][2] + p[2][2] + 1) / 2);
    at += width * 3;
    at[0] = (unsigned char)((p[1][1] + p[3][1] + 1) / 2);
    at[1] = (unsigned char)p[2][1];
    at[2] = (unsigned char)((p[2][0] + p[2][2] + 1) / 2);
    at[3] = (unsigned char)((p[1][1] + p[1][3] + p[3][1] + p[3][3] + 2) / 4);
    at[4] = (unsigned char)((p[1][2] + p[3][2] + p[2][1] + p[2][3] + 2) / 4);
    at[5] = (unsigned char)p[2][2];
}

struct Row {
    unsigned key, date, flags, customer;
    float price, discount, tax;
    unsigned amount, comment[4];
};

// launch rows_to_columns: --kernel rows_to_columns --grid 12288 --block 256 --arg f32[37748736]=0..1 --arg u32[3145728] --arg f32[3145728] --arg u32[3145728]
// A table of rows of 48 bytes gives three columns: two fields as they are, and one that is worked out from three.
__global__ void rows_to_columns(const Row* __restrict__ rows, unsigned* __restrict__ keys, float* __restrict__ totals,
                                unsigned* __restrict__ amounts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Row& row = rows[i];
    keys[i] = row.key;
    totals[i] = row.price * (1 - row.discount) * (1 + row.tax);
    amounts[i] = row.amount;
}
