// Quotients and remainders of 64 bits, of 32 and of 16, signed and not, also by constants.
// lanewise-engine run long_division.cu --kernel divide --grid 1 --block 64 --arg u64[768] --arg u64[128]
// results: exact
__global__ void divide(unsigned long long* out, const unsigned long long* in) {
    unsigned long long a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1] >> threadIdx.x % 60 | 1;
    long long s = (long long)a, t = (long long)b * (threadIdx.x % 2 ? -1 : 1);
    out += threadIdx.x * 12;
    out[0] = a / b;
    out[1] = a % b;
    out[2] = s / t;
    out[3] = s % t;
    out[4] = a / 1000000007ull;
    out[5] = s % 86400;
    out[6] = (unsigned)a / (unsigned)(b | 1);
    out[7] = (int)a % (int)(t | 3);
    out[8] = (unsigned short)a / (unsigned short)(b | 1);
    out[9] = (int)a / 7 + (short)a % 10;
    out[10] = (unsigned)a % 641u;
    out[11] = a >> (b & 63) | s >> (b & 31);
}
