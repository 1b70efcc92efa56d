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

// What comes back from the L2 for one sector of shared memory, and the halves of sectors that it
// moves: bit 2 * source + destination, so 1 and 8 straight, 9 a whole sector, 2 and 4 across.
struct Transfer {
    uint64_t from, to;  // sectors
    uint32_t halves;
    auto operator<=>(const Transfer&) const = default;
};

class Transfers {
  public:
    explicit Transfers(const CopyAccess& copy) {
        each_lane(copy.reading, [&](size_t lane) { add((*copy.from)[lane], (*copy.to)[lane]); });
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
        Transfers transfers(copy);
        cost = {transfers.count(), transfers.of_lines(), transfers.wavefronts()};
    }
    uint32_t taking_turns = copy.through_cache ? ~0u : ~copy.reading;
    each_phase(copy,
               [&](uint32_t lanes) { cost.wavefronts += turns_of(copy, lanes & taking_turns); });
    return cost;
}

}  // namespace lanewise
