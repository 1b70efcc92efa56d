#include "trace/count/copy_rules.h"

#include <algorithm>
#include <bit>

namespace lanewise {
namespace {

template <class Do>
void each_lane(uint32_t lanes, Do act) {
    for (; lanes != 0; lanes &= lanes - 1) act(std::countr_zero(lanes));
}

// The wavefronts of lanes that are served together: the most that one of them shares a bank with,
// as if each of those took a turn that no other of them could use. Who fills in zeros has no bank
// of the cache. Lanes never share, not even a word.
int wavefronts_of(const CopyAccess& copy, uint32_t lanes) {
    uint64_t bytes = static_cast<uint64_t>(copy.bytes_per_lane), banks = kLineBytes / bytes;
    auto bank = [&](const LaneAddresses& addresses, int lane) {
        return addresses[static_cast<size_t>(lane)] / bytes % banks;
    };
    std::array<uint32_t, kBanks> from{}, to{};  // lanes of each bank
    each_lane(lanes, [&](int lane) { to[bank(*copy.to, lane)] |= 1u << lane; });
    each_lane(lanes & copy.reading, [&](int lane) { from[bank(*copy.from, lane)] |= 1u << lane; });
    int most = 0;
    each_lane(lanes, [&](int lane) {
        uint32_t sharing = to[bank(*copy.to, lane)];
        if (copy.reading >> lane & 1) sharing |= from[bank(*copy.from, lane)];
        most = std::max(most, std::popcount(sharing));
    });
    return most;
}

// Lanes that are served together: 32, 16 or 8 of 4, 8 or 16 bytes.
template <class Do>
void each_phase(const CopyAccess& copy, Do act) {
    int lanes = kLineBytes / copy.bytes_per_lane;
    uint32_t first = lanes == 32 ? ~0u : (1u << lanes) - 1;
    for (int at = 0; at < 32; at += lanes)
        if (uint32_t phase = first << at & copy.mask) act(phase);
}

// What comes back from the L2 for one sector of shared memory, and the halves of sectors that it
// moves: bit 2 * source + destination, so 1 and 8 straight, 9 a whole sector, 2 and 4 across.
struct Transfer {
    uint64_t from, to;  // sectors
    uint32_t halves;
    auto operator<=>(const Transfer&) const = default;
};

class Transfers {
  public:
    // Of the `contending` lanes that write to one place only the first has its way; what comes back
    // is for those that read.
    Transfers(const CopyAccess& copy, uint32_t contending) {
        std::array<uint64_t, 32> taken;
        size_t places = 0;
        each_lane(contending, [&](int lane) {
            auto i = static_cast<size_t>(lane);
            auto end = taken.begin() + places;
            if (std::find(taken.begin(), end, (*copy.to)[i]) != end) return;
            taken[places++] = (*copy.to)[i];
            if (copy.reading >> lane & 1) add((*copy.from)[i], (*copy.to)[i]);
        });
    }

    int count() const { return static_cast<int>(size_); }
    int of_lines() const {
        return distinct([](Transfer t) { return Transfer{t.from / kSectors, t.to, 0}; });
    }
    // Those between the same two lines that move the same halves go together.
    int wavefronts() const {
        return distinct([](Transfer t) {
            return Transfer{t.from / kSectors, t.to / kSectors, t.halves};
        });
    }

  private:
    static constexpr uint64_t kHalf = kSectorBytes / 2, kSectors = kLineBytes / kSectorBytes;

    void add(uint64_t from, uint64_t to) {
        Transfer added{from / kSectorBytes, to / kSectorBytes,
                       1u << (2 * (from / kHalf % 2) + to / kHalf % 2)};
        for (size_t i = 0; i < size_; ++i)
            if (all_[i].from == added.from && all_[i].to == added.to) {
                all_[i].halves |= added.halves;
                return;
            }
        all_[size_++] = added;
    }

    template <class Key>
    int distinct(Key key) const {
        std::array<Transfer, 32> keys;
        auto end = std::transform(all_.begin(), all_.begin() + size_, keys.begin(), key);
        std::sort(keys.begin(), end);
        return static_cast<int>(std::unique(keys.begin(), end) - keys.begin());
    }

    std::array<Transfer, 32> all_;
    size_t size_ = 0;
};

}  // namespace

CopyCost copy_cost(const CopyAccess& copy) {
    CopyCost cost;
    if (copy.through_cache) {
        cost.sectors = cost.tag_sectors = sectors(*copy.from, copy.bytes_per_lane, copy.reading);
    } else {
        Transfers asked_for(copy, copy.reading);
        cost.sectors = asked_for.count();
        cost.tag_sectors = asked_for.of_lines();
        cost.wavefronts = Transfers(copy, copy.mask).wavefronts();
    }
    bool all_read = (copy.mask & ~copy.reading) == 0;
    if (!copy.through_cache && all_read && copy.zeros == CopyZeros::by_predicate) return cost;
    CopyAccess moved = copy;
    if (!copy.through_cache && copy.zeros == CopyZeros::by_first_predicate) {
        cost.wavefronts = 0;
        moved.reading = 0;  // where from does not matter
    }
    each_phase(copy, [&](uint32_t lanes) { cost.wavefronts += wavefronts_of(moved, lanes); });
    return cost;
}

}  // namespace lanewise
