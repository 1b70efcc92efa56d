// Ranks by digit with ballots and matches, as radix sorts do within a warp.
// lanewise-engine run radix_rank.cu --kernel rank --grid 1 --block 96 --arg u32[288] --arg u32[96]
// results: exact
__global__ void rank(unsigned* out, const unsigned* in) {
    unsigned digit = in[threadIdx.x] & 7, below = (1u << threadIdx.x % 32) - 1;
    unsigned same = ~0u;
    for (int bit = 0; bit < 3; ++bit) {
        unsigned ones = __ballot_sync(~0u, digit >> bit & 1);
        same &= digit >> bit & 1 ? ones : ~ones;
    }
    out[3 * threadIdx.x] = __popc(same & below);
    out[3 * threadIdx.x + 1] = __match_any_sync(~0u, digit);
    int all;
    unsigned mask = __match_all_sync(~0u, threadIdx.x < 32 ? 5 : digit, &all);
    out[3 * threadIdx.x + 2] = mask + all;
}
