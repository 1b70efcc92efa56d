// A state machine of gotos, with jumps into the middle of a loop and out of two at once.
// lanewise-engine run goto_state.cu --kernel machine --grid 1 --block 96 --arg u32[96] --arg u32[96]
// results: exact
__global__ void machine(unsigned* out, const unsigned* in) {
    unsigned v = in[threadIdx.x], n = 0;
    if (v & 1) goto middle;
start:
    while (n < 50) {
        v = v * 1664525u + 1013904223u;
        if ((v >> 28) == 7) goto start;
        ++n;
    middle:
        for (unsigned k = 0; k < (v >> 30); ++k) {
            v ^= v << 13;
            n += 2;
            if (v % 5 == 0) goto done;
            if (v % 7 == 0) goto after;
        }
        v += n;
    after:
        n += 1;
    }
done:
    out[threadIdx.x] = v + n;
}
