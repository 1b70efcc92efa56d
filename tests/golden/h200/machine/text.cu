// Bytes with and without a sign: lengths, cases, numbers read from text, hashes.
// lanewise-engine run text.cu --kernel text --grid 1 --block 32 --arg u32[96] --arg i8[320]
// results: exact
__device__ const char* words[4] = {"sector", "Wavefront 12", "BANK-7", "999"};

__device__ int length(const char* s) {
    int n = 0;
    while (s[n]) ++n;
    return n;
}

__global__ void text(unsigned* out, const signed char* in) {
    const char* word = words[threadIdx.x % 4];
    unsigned hash = 2166136261u, number = 0;
    for (const char* c = word; *c; ++c) {
        hash = (hash ^ (unsigned char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c)) * 16777619u;
        if (*c >= '0' && *c <= '9') number = number * 10 + *c - '0';
    }
    out[3 * threadIdx.x] = hash;
    out[3 * threadIdx.x + 1] = number * 100 + length(word);
    int sum = 0;
    for (int k = 0; k < 10; ++k) sum += in[threadIdx.x * 10 + k] / 3;
    out[3 * threadIdx.x + 2] = sum;
}
