#include "trace/count/rules.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lanewise {

namespace {

bool active(uint32_t mask, int lane) { return mask >> lane & 1; }
uint64_t address_of(const LaneAddresses& addresses, int lane) {
    return addresses[static_cast<size_t>(lane)];
}
int lanes_per_phase(int bytes_per_lane) {
    return bytes_per_lane <= 4 ? 32 : bytes_per_lane == 8 ? 16 : 8;
}

// Every active lane whose neighbour `lane ^ distance` is active too has the same address as it.
bool agree(const LaneAddresses& addresses, uint32_t mask, int distance) {
    for (int lane = 0; lane < 32; ++lane) {
        int other = lane ^ distance;
        if (active(mask, lane) && active(mask, other) &&
            address_of(addresses, lane) != address_of(addresses, other))
            return false;
    }
    return true;
}

// The lanes that are served together, phase by phase; phases without an active lane are left out.
class Phases {
  public:
    Phases(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask, bool is_store) {
        int lanes = lanes_per_phase(bytes_per_lane);
        if (lanes < 32 && !is_store && (agree(addresses, mask, 1) || agree(addresses, mask, 2)))
            lanes *= 2;
        for (int first = 0; first < 32; first += lanes) {
            uint32_t all = lanes == 32 ? ~0u : ((1u << lanes) - 1) << first;
            if (mask & all) masks_[size_++] = mask & all;
        }
    }
    const uint32_t* begin() const { return masks_.data(); }
    const uint32_t* end() const { return masks_.data() + size_; }
    size_t size() const { return size_; }

  private:
    std::array<uint32_t, 4> masks_;
    size_t size_ = 0;
};

// The distinct words of one phase, each with its lanes, by word.
std::vector<WavefrontWord> words_of(const LaneAddresses& addresses, int bytes_per_lane,
                                    uint32_t lanes) {
    std::vector<WavefrontWord> words;
    for (int lane = 0; lane < 32; ++lane) {
        if (!active(lanes, lane)) continue;
        uint64_t address = address_of(addresses, lane);
        uint64_t last = address + static_cast<uint64_t>(bytes_per_lane) - 1;
        for (uint64_t word = address / 4; word <= last / 4; ++word)
            words.push_back({static_cast<uint32_t>(word), 1u << lane});
    }
    std::sort(words.begin(), words.end(), [](const WavefrontWord& a, const WavefrontWord& b) {
        return a.word < b.word || (a.word == b.word && a.lanes < b.lanes);
    });
    size_t kept = 0;
    for (const WavefrontWord& word : words) {
        if (kept > 0 && words[kept - 1].word == word.word)
            words[kept - 1].lanes |= word.lanes;
        else
            words[kept++] = word;
    }
    words.resize(kept);
    return words;
}

// The largest number of distinct words in any one bank. The same as counting those of words_of(),
// which sorts and allocates: this is what most of the time of a conflicting kernel went into.
int conflicts(const LaneAddresses& addresses, int bytes_per_lane, uint32_t lanes) {
    constexpr uint8_t kNone = 255;
    struct Word {
        uint64_t word;
        uint8_t next;  // another word of its bank
    };
    std::array<Word, 16 * 9> words;  // 16 lanes of 32 bytes, wherever they begin, have the most
    std::array<uint8_t, kBanks> first, count{};
    first.fill(kNone);
    uint8_t size = 0;
    int most = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t address = address_of(addresses, std::countr_zero(lanes));
        uint64_t last = (address + static_cast<uint64_t>(bytes_per_lane) - 1) / 4;
        for (uint64_t word = address / 4; word <= last; ++word) {
            size_t bank = word % kBanks;
            uint8_t seen = first[bank];
            while (seen != kNone && words[seen].word != word) seen = words[seen].next;
            if (seen != kNone) continue;
            words[size] = {word, first[bank]};
            first[bank] = size++;
            most = std::max<int>(most, ++count[bank]);
        }
    }
    return most;
}

// Start addresses of the active lanes, ascending.
class Sorted {
  public:
    Sorted(const LaneAddresses& addresses, uint32_t mask) {
        for (int lane = 0; lane < 32; ++lane)
            if (active(mask, lane))
                starts_[static_cast<size_t>(size_++)] = address_of(addresses, lane);
        if (!std::is_sorted(begin(), end())) std::sort(starts_.begin(), starts_.begin() + size_);
    }
    const uint64_t* begin() const { return starts_.data(); }
    const uint64_t* end() const { return starts_.data() + size_; }
    size_t size() const { return static_cast<size_t>(size_); }
    uint64_t operator[](size_t i) const { return starts_[i]; }

  private:
    std::array<uint64_t, 32> starts_;
    std::ptrdiff_t size_ = 0;
};

}  // namespace

int sectors(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask) {
    int count = 0;
    uint64_t next = 0;  // the first sector that is not counted yet
    for (uint64_t address : Sorted(addresses, mask)) {
        uint64_t last = (address + static_cast<uint64_t>(bytes_per_lane) - 1) / kSectorBytes;
        uint64_t first = std::max(address / kSectorBytes, next);
        if (first > last) continue;
        count += static_cast<int>(last - first + 1);
        next = last + 1;
    }
    return count;
}

int sectors_ideal(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask) {
    uint64_t bytes = 0, next = 0;  // the first byte that is not counted yet
    for (uint64_t address : Sorted(addresses, mask)) {
        uint64_t end = address + static_cast<uint64_t>(bytes_per_lane);
        bytes += end - std::max(address, std::min(next, end));
        next = std::max(next, end);
    }
    return static_cast<int>((bytes + kSectorBytes - 1) / kSectorBytes);
}

int wavefronts(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask, bool is_store) {
    int total = 0;
    for (uint32_t lanes : Phases(addresses, bytes_per_lane, mask, is_store))
        total += conflicts(addresses, bytes_per_lane, lanes);
    return total;
}

int atomic_sectors(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask) {
    int total = 0, most = 0, lanes = 0;  // most, lanes: in the sector, at the address
    Sorted starts(addresses, mask);
    auto width = static_cast<uint64_t>(bytes_per_lane);
    for (size_t i = 0; i < starts.size(); ++i) {
        bool new_sector = i == 0 || starts[i] / kSectorBytes != starts[i - 1] / kSectorBytes;
        if (new_sector) total += std::exchange(most, 0);
        lanes = i > 0 && starts[i] / width == starts[i - 1] / width ? lanes + 1 : 1;
        most = std::max(most, lanes);
    }
    return total + most;
}

int atomic_wavefronts(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask,
                      bool by_swap) {
    if (by_swap) return 2 * wavefronts(addresses, bytes_per_lane, mask, true);
    int total = 0;
    for (uint32_t lanes : Phases(addresses, bytes_per_lane, mask, true)) {
        std::array<uint8_t, kBanks> lanes_in_bank{};
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            uint64_t address = address_of(addresses, std::countr_zero(rest));
            uint64_t last = (address + static_cast<uint64_t>(bytes_per_lane) - 1) / 4;
            for (uint64_t word = address / 4; word <= last; ++word) ++lanes_in_bank[word % kBanks];
        }
        total += *std::max_element(lanes_in_bank.begin(), lanes_in_bank.end());
    }
    return total;
}

int bulk_sectors(const BulkPieces& copy, bool to_shared) {
    const std::vector<BulkPiece>& pieces = copy.cut().all;
    constexpr uint32_t kUnit = 16;
    int count = 0;
    uint32_t zeros = 0;     // of the line: bit n, its sector n
    uint64_t last = ~0ull;  // sector of global memory that the line has
    for (size_t i = 0; i < pieces.size();) {
        const BulkPiece& first = pieces[i];
        auto is_of_unit = [&](const BulkPiece& piece) {
            return piece.row == first.row && piece.shared / kUnit == first.shared / kUnit;
        };
        bool is_new = i == 0 || first.row != pieces[i - 1].row ||
                      first.shared / kLineBytes != pieces[i - 1].shared / kLineBytes;
        if (is_new) {
            count += std::popcount(std::exchange(zeros, 0));
            last = ~0ull;
        }
        bool is_outside = true;
        for (; i < pieces.size() && is_of_unit(pieces[i]); ++i) {
            if (pieces[i].is_outside) continue;
            is_outside = false;
            uint64_t sector = (copy.base() + pieces[i].global) / kSectorBytes;
            if (sector != std::exchange(last, sector)) ++count;
        }
        if (is_outside && to_shared) zeros |= 1u << first.shared / kSectorBytes % 4;
    }
    return count + std::popcount(zeros);
}

int wavefronts_ideal(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask,
                     bool is_store) {
    return static_cast<int>(Phases(addresses, bytes_per_lane, mask, is_store).size());
}

std::vector<Wavefront> wavefront_schedule(const LaneAddresses& addresses, int bytes_per_lane,
                                          uint32_t mask, bool is_store) {
    std::vector<Wavefront> result;
    for (uint32_t lanes : Phases(addresses, bytes_per_lane, mask, is_store)) {
        size_t first = result.size();
        std::array<size_t, kBanks> words_in_bank{};
        for (const WavefrontWord& word : words_of(addresses, bytes_per_lane, lanes)) {
            size_t turn = first + words_in_bank[word.word % kBanks]++;
            if (result.size() <= turn) result.resize(turn + 1);
            result[turn].push_back(word);
        }
    }
    return result;
}

}  // namespace lanewise
