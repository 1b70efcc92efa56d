#include "model/carveout.h"

#include <algorithm>

namespace lanewise {
namespace {

constexpr int kTuring[] = {32, 64};
constexpr int kUpTo100[] = {0, 8, 16, 32, 64, 100};
constexpr int kUpTo164[] = {0, 8, 16, 32, 64, 100, 132, 164};
constexpr int kUpTo228[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

struct Sizes {
    const char* arch;
    std::span<const int> kib;
};
constexpr Sizes kSizes[] = {
    {"sm_75", kTuring},   {"sm_80", kUpTo164},  {"sm_86", kUpTo100},
    {"sm_87", kUpTo164},  {"sm_89", kUpTo100},  {"sm_90", kUpTo228},
    {"sm_100", kUpTo228}, {"sm_103", kUpTo228}, {"sm_120", kUpTo100},
};

}  // namespace

std::span<const int> carveouts_kib(const std::string& arch) {
    std::string plain = arch.substr(0, arch.find_last_of("0123456789") + 1);
    for (const Sizes& known : kSizes)
        if (plain == known.arch) return known.kib;
    return {};
}

int64_t shared_carveout_bytes(const std::string& arch, int64_t bytes) {
    for (int64_t kib : carveouts_kib(arch))
        if (bytes <= kib * 1024) return kib * 1024;
    return bytes;
}

int64_t driver_carveout_bytes(const std::string& arch, const CarvedFor& launch) {
    constexpr int kMostBlocks = 32, kManyThreads = 512;
    constexpr int64_t kMostBeyondNeed = 132 * 1024;
    const int64_t each = launch.shared_bytes + launch.reserved_bytes, needed = launch.blocks * each;
    const bool is_alone = launch.blocks <= 1;
    int64_t wanted = std::min(2 * launch.blocks, kMostBlocks) * each;
    if (launch.shared_bytes == 0) wanted = std::min(4 * launch.blocks_by_threads, kMostBlocks) * each;
    else if (launch.threads > kManyThreads) wanted = needed;
    if (is_alone) wanted = needed;
    return shared_carveout_bytes(arch, std::max(needed, std::min(wanted, kMostBeyondNeed)));
}

}  // namespace lanewise
