// 128-bit integers and bit-fields.
// lanewise-engine run wide_integers.cu --kernel wide --grid 1 --block 32 --arg u64[160] --arg u64[64]
// results: exact
__global__ void wide(unsigned long long* out, const unsigned long long* in) {
    int t = threadIdx.x;
    unsigned __int128 a = (unsigned __int128)in[t] << 64 | in[t + 32], b = a * (in[t] | 1) + t;
    __int128 s = -(__int128)(in[t] >> 8) * 1000003;
    out[t * 5] = (unsigned long long)(b >> 64);
    out[t * 5 + 1] = (unsigned long long)b;
    out[t * 5 + 2] = (unsigned long long)(b / 1000000007u);
    out[t * 5 + 3] = (unsigned long long)(b % (in[t + 32] | 1));
    out[t * 5 + 4] = (unsigned long long)(s / 77777 >> 5);
}
struct Bits {
    unsigned a : 3, b : 13;
    int c : 7;
    unsigned long long d : 41;
};
__global__ void fields(unsigned* out, const unsigned* in) {
    Bits x{};
    x.a = in[threadIdx.x];
    x.b = in[threadIdx.x] >> 5;
    x.c = in[threadIdx.x] >> 9;
    x.d = 0x1ffffffff00ull + in[threadIdx.x];
    Bits* p = &x;
    out[threadIdx.x] = p->a + p->b + p->c + (unsigned)(p->d >> 8);
}
