#include "model/carveout.h"

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

}  // namespace lanewise
