// Tables in constant memory, one of pointers into another, read by all lanes and by each.
// lanewise-engine run constants.cu --kernel constants --grid 1 --block 64 --arg i32[64]
// results: exact
__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__constant__ float weights[2][3] = {{0.5f, 0.25f}, {2, 4, 8}};
struct Entry {
    char name[4];
    const int* at;
    short by;
};
__constant__ Entry entries[2] = {{"ab", primes + 2, 7}, {"xyz", &primes[4], -1}};
__constant__ int unset[4];

__global__ void constants(int* out) {
    int i = threadIdx.x;
    const Entry& entry = entries[i % 2];
    out[i] = primes[i % 8] + (int)(weights[i % 2][i % 3] * 100) + entry.at[i % 3] * entry.by +
             entry.name[i % 4] + primes[3] + unset[i % 4];
}
