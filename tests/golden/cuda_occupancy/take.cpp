// Writes by_arch.csv: what NVIDIA's own calculator, cuda_occupancy.h of the CUDA toolkit, says of
// how many blocks fit a multiprocessor, and of the least shared memory that it sets aside for them.
//   g++ -I/usr/local/cuda/include take.cpp -o take && ./take > by_arch.csv
#include <climits>
#include <cstdio>
#include <initializer_list>

#include "cuda_occupancy.h"

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; what the header
// expects from the device's properties.
struct Chip {
    int major, minor, threads, shared_kib, optin_kib, reserved;
};
constexpr Chip kChips[] = {
    {7, 5, 1024, 64, 64, 0},       {8, 0, 2048, 164, 163, 1024}, {8, 6, 1536, 100, 99, 1024},
    {8, 7, 1536, 164, 163, 1024},  {8, 9, 1536, 100, 99, 1024},  {9, 0, 2048, 228, 227, 1024},
    {10, 0, 2048, 228, 227, 1024},
};

int main() {
    std::printf("arch,threads,registers,shared,blocks,allocated_shared,carveout\n");
    for (const Chip& chip : kChips) {
        cudaOccDeviceProp device;
        device.computeMajor = chip.major;
        device.computeMinor = chip.minor;
        device.maxThreadsPerBlock = 1024;
        device.maxThreadsPerMultiprocessor = chip.threads;
        device.regsPerBlock = device.regsPerMultiprocessor = 65536;
        device.warpSize = 32;
        device.sharedMemPerBlock = 48 * 1024;
        device.sharedMemPerMultiprocessor = chip.shared_kib * 1024;
        device.numSms = 1;
        device.sharedMemPerBlockOptin = chip.optin_kib * 1024;
        device.reservedSharedMemPerBlock = chip.reserved;
        for (int threads : {1, 32, 96, 200, 256, 512, 1024})
            for (int registers : {16, 32, 33, 40, 64, 96, 168, 255})
                for (size_t shared : {0, 1, 4224, 16640, 49152, 65536, 101376, 166912, 232448}) {
                    cudaOccFuncAttributes kernel;
                    kernel.maxThreadsPerBlock = INT_MAX;
                    kernel.numRegs = registers;
                    kernel.maxDynamicSharedSizeBytes = shared;
                    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
                    kernel.numBlockBarriers = 1;
                    cudaOccDeviceState state;
                    cudaOccResult result;
                    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state,
                                                                threads, shared))
                        continue;
                    size_t taken = size_t(result.activeBlocksPerMultiprocessor) *
                                   result.allocatedSharedMemPerBlock;
                    if (cudaOccAlignUpShmemSizeVoltaPlus(&taken, &device)) continue;
                    std::printf("sm_%d%d,%d,%d,%zu,%d,%zu,%zu\n", chip.major, chip.minor, threads,
                                registers, shared, result.activeBlocksPerMultiprocessor,
                                result.allocatedSharedMemPerBlock, taken);
                }
    }
}
