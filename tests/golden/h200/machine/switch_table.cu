// A switch of many cases, some falling through, in a loop with continue and break.
// lanewise-engine run switch_table.cu --kernel interpret --grid 1 --block 64 --arg i32[64] --arg u8[64]
// results: exact
__global__ void interpret(int* out, const unsigned char* program) {
    int a = threadIdx.x, steps = 0;
    for (int at = threadIdx.x; at < 64 && steps < 40; ++at, ++steps) {
        switch (program[at] % 12) {
            case 0: a += 3; continue;
            case 1: a = -a; break;
            case 2: a ^= at;
            case 3: a += at; break;
            case 4: a *= 3; break;
            case 5: if (a & 1) goto done; a /= 2; break;
            case 6: a = a << 1 | (unsigned)a >> 31; break;
            case 7: at += 2; break;
            case 8: for (int k = 0; k < (a & 3); ++k) a += k * at; break;
            case 9: a -= 7; break;
            case 10: a %= 1000; break;
            default: a = ~a;
        }
        a += 1;
    }
done:
    out[threadIdx.x] = a * 64 + steps;
}
