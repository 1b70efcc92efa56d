#include "trace/copy_rules.h"

#include <algorithm>
#include <bit>

namespace lanewise {
namespace {

// The banks of one memory during a turn, as wide as a lane's piece: which piece each holds.
class Banks {
  public:
    explicit Banks(int bytes) : bytes_(static_cast<uint64_t>(bytes)), count_(kLineBytes / bytes_) {}

    uint32_t bank_of(uint64_t address) const { return 1u << (address / bytes_ % count_); }
    bool has_room(uint64_t address) const {
        uint64_t piece = address / bytes_;
        return !(taken_ & bank_of(address)) || pieces_[piece % count_] == piece;
    }
    void take(uint64_t address) {
        taken_ |= bank_of(address);
        pieces_[address / bytes_ % count_] = address / bytes_;
    }

  private:
    uint64_t bytes_, count_;
    uint32_t taken_ = 0;
    std::array<uint64_t, kBanks> pieces_;
};

template <class Do>
void each_lane(uint32_t lanes, Do act) {
    for (; lanes != 0; lanes &= lanes - 1) act(static_cast<size_t>(std::countr_zero(lanes)));
}

// The turns that a phase's lanes need to get from the cache's banks to those of shared memory. In a
// turn the zeros go first, by lane. A bank of the cache waits if any of its readers wants a bank
// that a zero has. Then the readers go, by lane: one that finds its place in shared memory free
// takes it, even if its bank of the cache is busy and it has to try again.
int turns_of(const CopyAccess& copy, uint32_t lanes) {
    const LaneAddresses &from = *copy.from, &to = *copy.to;
    uint32_t readers = lanes & copy.reading, zeros = lanes & ~copy.reading;
    int turns = 0;
    for (; (readers | zeros) != 0; ++turns) {
        Banks written(copy.bytes_per_lane), read(copy.bytes_per_lane);
        each_lane(zeros, [&](size_t lane) {
            if (!written.has_room(to[lane])) return;
            written.take(to[lane]);
            zeros &= ~(1u << lane);
        });
        uint32_t waiting = 0;  // banks of the cache
        each_lane(readers, [&](size_t lane) {
            if (!written.has_room(to[lane])) waiting |= read.bank_of(from[lane]);
        });
        each_lane(readers, [&](size_t lane) {
            if (!written.has_room(to[lane])) return;
            written.take(to[lane]);
            if (!read.has_room(from[lane]) || (waiting & read.bank_of(from[lane]))) return;
            read.take(from[lane]);
            readers &= ~(1u << lane);
        });
    }
    return turns;
}

// Lanes that are served together: 32, 16 or 8 of 4, 8 or 16 bytes.
template <class Do>
void each_phase(const CopyAccess& copy, Do act) {
    int lanes = kLineBytes / copy.bytes_per_lane;
    uint32_t first = lanes == 32 ? ~0u : (1u << lanes) - 1;
    for (int at = 0; at < 32; at += lanes)
        if (uint32_t phase = first << at & copy.mask) act(phase);
}

int pairs_of(const CopyAccess& copy, uint64_t bytes_read_at_once) {
    std::array<std::pair<uint64_t, uint64_t>, 32> pairs;
    size_t count = 0;
    each_lane(copy.reading, [&](size_t lane) {
        pairs[count++] = {(*copy.from)[lane] / bytes_read_at_once,
                          (*copy.to)[lane] / kSectorBytes};
    });
    std::sort(pairs.begin(), pairs.begin() + count);
    return static_cast<int>(std::unique(pairs.begin(), pairs.begin() + count) - pairs.begin());
}

}  // namespace

CopyCost copy_cost(const CopyAccess& copy) {
    CopyCost cost;
    if (copy.through_cache) {
        cost.sectors = cost.tag_sectors = sectors(*copy.from, copy.bytes_per_lane, copy.reading);
    } else {
        cost.sectors = pairs_of(copy, kSectorBytes);
        cost.tag_sectors = pairs_of(copy, kLineBytes);
    }
    each_phase(copy, [&](uint32_t lanes) { cost.wavefronts += turns_of(copy, lanes); });
    return cost;
}

}  // namespace lanewise
