#include "trace/copy_rules.h"

#include <algorithm>
#include <bit>

namespace lanewise {
namespace {

template <class Do>
void each_lane(uint32_t lanes, Do act) {
    for (; lanes != 0; lanes &= lanes - 1) act(std::countr_zero(lanes));
}

// For each bank of one memory, the lane that has it for a turn.
class Owners {
  public:
    Owners() { lanes_.fill(kNobody); }
    // The one that wants the higher line has it, of two the first.
    void offer(uint32_t bank, int lane, uint64_t line) {
        int8_t& owner = lanes_[bank];
        bool is_better =
            owner == kNobody || line > lines_[bank] || (line == lines_[bank] && lane < owner);
        if (!is_better) return;
        owner = static_cast<int8_t>(lane);
        lines_[bank] = line;
    }
    template <class Do>
    void each(Do act) const {
        for (int8_t lane : lanes_)
            if (lane != kNobody) act(static_cast<int>(lane));
    }

  private:
    static constexpr int8_t kNobody = -1;
    std::array<int8_t, kBanks> lanes_;
    std::array<uint64_t, kBanks> lines_;
};

// The turns that a phase's lanes need to get from the cache's banks to those of shared memory. In a
// turn the zeros go first, by lane. A bank of the cache waits if any of its readers wants a bank
// that a zero has. Each other bank sends for one of its readers, and each bank of shared memory
// takes one of what is sent to it; the rest try again. Lanes never share, not even a word.
int turns_of(const CopyAccess& copy, uint32_t lanes) {
    const LaneAddresses &from = *copy.from, &to = *copy.to;
    uint64_t bytes = static_cast<uint64_t>(copy.bytes_per_lane), banks = kLineBytes / bytes;
    auto bank = [&](uint64_t address) { return static_cast<uint32_t>(address / bytes % banks); };
    auto at = [](const LaneAddresses& all, int lane) { return all[static_cast<size_t>(lane)]; };
    uint32_t readers = lanes & copy.reading, zeros = lanes & ~copy.reading;
    int turns = 0;
    for (; (readers | zeros) != 0; ++turns) {
        uint32_t taken = 0, waiting = 0;  // banks: of shared memory, of the cache
        each_lane(zeros, [&](int lane) {
            uint32_t wanted = 1u << bank(at(to, lane));
            if (taken & wanted) return;
            taken |= wanted;
            zeros &= ~(1u << lane);
        });
        each_lane(readers, [&](int lane) {
            if (taken >> bank(at(to, lane)) & 1) waiting |= 1u << bank(at(from, lane));
        });
        Owners sent, received;
        each_lane(readers, [&](int lane) {
            uint32_t source = bank(at(from, lane));
            if (!(waiting >> source & 1)) sent.offer(source, lane, at(to, lane) / kLineBytes);
        });
        sent.each([&](int lane) {
            received.offer(bank(at(to, lane)), lane, at(from, lane) / kLineBytes);
        });
        received.each([&](int lane) { readers &= ~(1u << lane); });
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
        each_lane(copy.reading, [&](int lane) {
            auto i = static_cast<size_t>(lane);
            add((*copy.from)[i], (*copy.to)[i]);
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
        Transfers transfers(copy);
        cost = {transfers.count(), transfers.of_lines(), transfers.wavefronts()};
    }
    bool all_read = (copy.mask & ~copy.reading) == 0;
    if (!copy.through_cache && all_read && copy.zeros == CopyZeros::by_predicate) return cost;
    CopyAccess taking_turns = copy;
    if (!copy.through_cache && copy.zeros == CopyZeros::by_first_predicate) {
        cost.wavefronts = 0;
        taking_turns.reading = 0;  // where from does not matter
    }
    each_phase(copy, [&](uint32_t lanes) { cost.wavefronts += turns_of(taking_turns, lanes); });
    return cost;
}

}  // namespace lanewise
