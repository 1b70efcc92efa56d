#include "trace/check/block_conflicts.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>
#include <vector>

namespace lanewise {

namespace {

// Of the blocks that touch one sector, so many are compared with each other.
constexpr size_t kMostBlocks = 64;

// A sector, and where the rest of it is.
struct Touched {
    const TouchedSector* sector;
    const BlockTouches* of;
};

uint32_t differing(const Touched& a, const Touched& b, uint32_t bytes) {
    if (bytes == 0) return 0;
    const auto &x = a.of->values(*a.sector), &y = b.of->values(*b.sector);
    uint32_t result = 0;
    for (; bytes != 0; bytes &= bytes - 1) {
        auto byte = static_cast<size_t>(std::countr_zero(bytes));
        if (x[byte] != y[byte]) result |= 1u << byte;
    }
    return result;
}

// One side of a conflict.
struct Side {
    const Touched& touched;
    bool is_store;
    const TouchedSector& sector() const { return *touched.sector; }
    uint32_t instruction() const {
        return is_store ? sector().store_instruction : sector().load_instruction;
    }
    uint32_t thread(size_t word) const {
        return is_store ? touched.of->storer(sector(), word) : touched.of->loader(sector(), word);
    }
};

void add_conflict(HazardCounts& hazards, const Side& side, const Side& other, uint32_t bytes) {
    uint32_t words = 0;
    for (uint32_t rest = bytes; rest != 0; rest &= rest - 1)
        words |= 1u << std::countr_zero(rest) / 4;
    if (words == 0) return;
    auto byte = static_cast<uint32_t>(std::countr_zero(bytes));
    Hazard hazard{
        HazardKind::block_order, side.instruction(),     other.instruction(),
        side.is_store,           other.is_store,         side.sector().block,
        side.thread(byte / 4),   other.thread(byte / 4), side.sector().sector * 32 + byte};
    hazard.other_block = other.sector().block;
    hazards[{hazard.instruction, hazard.kind, hazard.other_instruction}].add(
        hazard, static_cast<uint64_t>(std::popcount(words)));
}

// a is the block before b.
void compare(HazardCounts& hazards, const Touched& first, const Touched& second) {
    const TouchedSector &a = *first.sector, &b = *second.sector;
    uint32_t either = differing(first, second, a.stores & b.stores);
    either |= (a.stores & b.atomics) | (a.atomics & b.stores);
    add_conflict(hazards, {second, true}, {first, true}, either);
    add_conflict(hazards, {second, false}, {first, true},
                 b.loads & (a.stores | a.atomics | a.copies));
    add_conflict(hazards, {first, false}, {second, true},
                 a.loads & (b.stores | b.atomics | b.copies));
}

// How many there are of the first `most` of each block.
size_t kept(const BlockTouches& touches, uint32_t most) {
    const std::vector<TouchedSector>& sectors = touches.sectors();
    if (touches.most_of_a_block() <= most) return sectors.size();
    auto is_kept = [&](const TouchedSector& s) { return s.index < most; };
    return static_cast<size_t>(std::count_if(sectors.begin(), sectors.end(), is_kept));
}

// A set of small numbers.
class Cells {
  public:
    explicit Cells(size_t count) : words_(count / 64 + 1) {}
    bool is_set(uint64_t cell) const { return words_[cell / 64] >> cell % 64 & 1; }
    // Whether it was set before.
    bool set(uint64_t cell) {
        bool before = is_set(cell);
        words_[cell / 64] |= uint64_t{1} << cell % 64;
        return before;
    }

  private:
    std::vector<uint64_t> words_;
};

// Those that several blocks may have touched in one part, by sector, part and block. Most sectors are one
// block's own, and to sort them all would take longer than to find that out.
std::vector<Touched> touched_by_several(std::span<const BlockTouches* const> touches, uint32_t most,
                                        size_t count) {
    auto bits = static_cast<int>(std::bit_width(16 * count));  // 16 to 32 cells for each sector
    auto cell = [bits](const TouchedSector& s) {
        return (s.sector ^ uint64_t{s.part} << 40) * 0x9e3779b97f4a7c15ull >> (64 - bits);
    };
    Cells once(size_t{1} << bits), again(size_t{1} << bits);
    auto for_each_kept = [&](auto f) {
        for (const BlockTouches* t : touches)
            for (const TouchedSector& s : t->sectors())
                if (s.index < most) f(s, t);
    };
    for_each_kept([&](const TouchedSector& s, const BlockTouches*) {
        if (once.set(cell(s))) again.set(cell(s));
    });
    std::vector<Touched> several;
    for_each_kept([&](const TouchedSector& s, const BlockTouches* t) {
        if (again.is_set(cell(s))) several.push_back({&s, t});
    });
    std::sort(several.begin(), several.end(), [](const Touched& a, const Touched& b) {
        return std::tuple(a.sector->sector, a.sector->part, a.sector->block) <
               std::tuple(b.sector->sector, b.sector->part, b.sector->block);
    });
    return several;
}

}  // namespace

void add_block_conflicts(std::span<const BlockTouches* const> touches, HazardCounts& hazards) {
    // As many of each block as one alone would have kept.
    uint32_t most = ~0u;
    for (const BlockTouches* t : touches) most = std::min(most, t->most_of_a_block());
    auto count = [&] {
        size_t all_blocks = 0;
        for (const BlockTouches* t : touches) all_blocks += kept(*t, most);
        return all_blocks;
    };
    size_t total = count();
    for (; most > 1 && total > BlockTouches::kMostSectors; total = count()) most /= 2;
    if (total == 0) return;
    std::vector<Touched> all = touched_by_several(touches, most, total);
    for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        uint32_t written = 0;
        auto is_with_first = [&](const Touched& one) {
            return one.sector->sector == all[begin].sector->sector &&
                   one.sector->part == all[begin].sector->part;
        };
        for (end = begin; end < all.size() && is_with_first(all[end]); ++end)
            written |= all[end].sector->stores | all[end].sector->atomics | all[end].sector->copies;
        if (written == 0) continue;
        size_t last = std::min(end, begin + kMostBlocks);
        for (size_t a = begin; a < last; ++a)
            for (size_t b = a + 1; b < last; ++b) compare(hazards, all[a], all[b]);
    }
}

}  // namespace lanewise
