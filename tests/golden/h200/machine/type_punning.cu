// Unions, bit casts, bytes of structures, and copies that are not aligned.
// lanewise-engine run type_punning.cu --kernel punning --grid 1 --block 64 --arg u32[256] --arg u32[64]
// results: exact
union Word {
    unsigned u;
    float f;
    unsigned char bytes[4];
    struct {
        unsigned low : 5, middle : 11;
        int high : 16;
    } fields;
};
struct Packed {
    char tag;
    short number;
    double value;
};

__global__ void punning(unsigned* out, const unsigned* in) {
    Word w;
    w.u = in[threadIdx.x];
    out += threadIdx.x * 4;
    unsigned sum = w.fields.low * 3 + w.fields.middle;
    w.fields.high = w.fields.high / 2;
    out[0] = sum + w.fields.high;
    for (int k = 0; k < 4; ++k) w.bytes[k] ^= w.bytes[(k + threadIdx.x) % 4] << 1;
    out[1] = w.u;
    Packed packed{(char)w.bytes[0], (short)w.u, w.bytes[1] * 0.25}, copies[2];
    memcpy(&copies[threadIdx.x % 2], &packed, sizeof packed);
    copies[1 - threadIdx.x % 2].value = 8;
    out[2] = (unsigned)(copies[0].value * copies[1].value * 4) + copies[threadIdx.x % 2].number + copies[threadIdx.x % 2].tag;
    unsigned char text[11];
    memset(text, 7, sizeof text);
    memcpy(text + 3, &w, 4);
    out[3] = text[2] + 256 * text[3] + 65536 * text[6] + (text[7] << 24);
}
