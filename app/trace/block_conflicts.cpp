#include "trace/block_conflicts.h"

#include <algorithm>
#include <bit>

#include "ptx/parts.h"
#include "trace/stored_value.h"

namespace lanewise {

namespace {

constexpr size_t kSlots = 8192;  // twice the most sectors of a block
// Of the blocks that touch one sector, so many are compared with each other.
constexpr size_t kMostBlocks = 64;

// Whether blocks may use the instruction to wait for each other.
bool may_order_blocks(const ptx::Instruction& instruction, bool is_unread) {
    auto has = [&](std::string_view part) { return has_part(instruction, part); };
    const std::string& opcode = instruction.parts[0];
    if (has("shared") || has("shared::cta") || has("mbarrier")) return false;
    if (opcode == "membar" || opcode == "fence") return has("gl") || has("gpu") || has("sys");
    if (opcode == "atom") return !is_unread || has("acquire") || has("release") || has("acq_rel");
    if (opcode != "ld" && opcode != "st" && opcode != "red") return false;
    bool relaxed = has("relaxed") && opcode != "red";
    return has("volatile") || has("acquire") || has("release") || has("acq_rel") || relaxed ||
           has("cv") || has("mmio");
}

// Bytes [from, from + count) of a sector.
uint32_t byte_mask(uint64_t from, uint64_t count) {
    return (count >= 32 ? ~0u : (1u << count) - 1) << from;
}

uint32_t differing(const TouchedSector& a, const TouchedSector& b, uint32_t bytes) {
    uint32_t result = 0;
    for (; bytes != 0; bytes &= bytes - 1) {
        auto byte = static_cast<size_t>(std::countr_zero(bytes));
        if (a.values[byte] != b.values[byte]) result |= 1u << byte;
    }
    return result;
}

// One side of a conflict.
struct Side {
    const TouchedSector& sector;
    bool is_store;
    uint32_t instruction() const {
        return is_store ? sector.store_instruction : sector.load_instruction;
    }
    uint32_t thread(size_t word) const {
        return is_store ? sector.storers[word] : sector.loaders[word];
    }
};

void add_conflict(HazardCounts& hazards, const Side& side, const Side& other, uint32_t bytes) {
    uint32_t words = 0;
    for (uint32_t rest = bytes; rest != 0; rest &= rest - 1)
        words |= 1u << std::countr_zero(rest) / 4;
    if (words == 0) return;
    auto byte = static_cast<uint32_t>(std::countr_zero(bytes));
    Hazard hazard{HazardKind::block_order, side.instruction(),     other.instruction(),
                  side.is_store,           other.is_store,         side.sector.block,
                  side.thread(byte / 4),   other.thread(byte / 4), side.sector.sector * 32 + byte};
    hazard.other_block = other.sector.block;
    hazards[{hazard.instruction, hazard.kind, hazard.other_instruction}].add(
        hazard, static_cast<uint64_t>(std::popcount(words)));
}

// a is the block before b.
void compare(HazardCounts& hazards, const TouchedSector& a, const TouchedSector& b) {
    uint32_t either = differing(a, b, a.stores & b.stores);
    either |= (a.stores & b.atomics) | (a.atomics & b.stores);
    add_conflict(hazards, {b, true}, {a, true}, either);
    add_conflict(hazards, {b, false}, {a, true}, b.loads & (a.stores | a.atomics | a.copies));
    add_conflict(hazards, {a, false}, {b, true}, a.loads & (b.stores | b.atomics | b.copies));
}

}  // namespace

BlockTouches::BlockTouches(const ptx::Kernel& kernel, const AtomicUse& use, const Memory& memory,
                           std::span<const size_t> outputs) {
    is_watched_ = true;
    for (size_t i = 0; i < kernel.instructions.size(); ++i)
        is_watched_ &= !may_order_blocks(kernel.instructions[i], use.is_unread[i]);
    for (size_t i = 0; i < memory.buffers().size(); ++i) {
        const Memory::Buffer& buffer = memory.buffers()[i];
        bool is_output = std::find(outputs.begin(), outputs.end(), i) != outputs.end();
        if (buffer.storage) ranges_.push_back({buffer.address, buffer.bytes, is_output});
    }
    for (const ptx::ModuleVariable& variable : kernel.variables)
        if (!variable.is_constant) ranges_.push_back({variable.address, variable.bytes, false});
    if (!is_watched_) return;
    slots_.resize(kSlots);
    sectors_.reserve(kMostSectors + most_of_a_block_);  // no page is there before it is used
}

const BlockTouches::Range* BlockTouches::range_of(uint64_t address) {
    auto holds = [&](const Range& range) { return address - range.address < range.bytes; };
    if (last_range_ && holds(*last_range_)) return last_range_;
    auto found = std::find_if(ranges_.begin(), ranges_.end(), holds);
    if (found == ranges_.end()) return nullptr;
    return last_range_ = &*found;
}

// The present block's; null where it has as many as are kept.
TouchedSector* BlockTouches::sector(uint64_t number, uint32_t block) {
    if (number != last_number_) {
        last_place_ = find_sector(number, block);
        last_number_ = number;
    }
    return last_place_ == 0 ? nullptr : &sectors_[last_place_ - 1];
}

uint32_t BlockTouches::find_sector(uint64_t number, uint32_t block) {
    constexpr uint64_t kMix = 0x9e3779b97f4a7c15ull;
    bool is_full = sectors_.size() - block_begin_ >= most_of_a_block_;
    if (is_full && (number < lowest_ || number > highest_)) return 0;
    size_t slot = static_cast<size_t>(number * kMix >> 32) % kSlots;
    for (; slots_[slot] != 0; slot = (slot + 1) % kSlots)
        if (sectors_[slots_[slot] - 1].sector == number) return slots_[slot];
    if (is_full) return 0;
    auto index = static_cast<uint32_t>(sectors_.size() - block_begin_);
    most_touched_ = std::max(most_touched_, index + 1);
    TouchedSector& added = sectors_.emplace_back();
    added.sector = number;
    added.block = block;
    added.index = index;
    slots_[slot] = static_cast<uint32_t>(sectors_.size());
    used_.push_back(static_cast<uint32_t>(slot));
    lowest_ = std::min(lowest_, number);
    highest_ = std::max(highest_, number);
    return slots_[slot];
}

// Whether anything is kept of the event: not where it is of buffers that cannot change, nor where
// the block has as many sectors as are kept and it touches none of them, as with most of what a
// large block does.
bool BlockTouches::is_kept(const MemoryEvent& event) {
    const std::array<uint64_t, 32>& addresses = *event.addresses;
    // How many of 32 lanes, inactive ones too.
    auto lanes_within = [&](uint64_t begin, uint64_t bytes) {
        uint32_t some = 0;
        for (uint64_t address : addresses) some += address - begin < bytes ? 1u : 0u;
        return some;
    };
    // Most often the first lane tells.
    bool in_some = range_of(addresses[static_cast<size_t>(std::countr_zero(event.mask))]) ||
                   std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
                       return lanes_within(range.address, range.bytes) != 0;
                   });
    if (!in_some) return false;
    if (sectors_.size() - block_begin_ < most_of_a_block_) return true;
    // Accesses are aligned: no sector begins within one.
    return lanes_within(lowest_ * 32, (highest_ - lowest_ + 1) * 32) != 0;
}

void BlockTouches::add(const MemoryEvent& event, bool is_atomic) {
    if (!is_watched_ || !is_kept(event)) return;
    bool loads = !event.is_store && !is_atomic;
    if (event.kind == AccessKind::bulk_copy)
        loads ? add_copy<How::load>(event) : add_copy<How::copy>(event);
    else if (loads)
        add_lanes<How::load>(event);
    else if (is_atomic)
        add_lanes<How::atomic>(event);
    else
        event.registers ? add_lanes<How::store>(event) : add_lanes<How::copy>(event);
}

template <BlockTouches::How how>
void BlockTouches::add_lanes(const MemoryEvent& event) {
    const std::array<uint64_t, 32>& addresses = *event.addresses;
    for (uint32_t lanes = event.mask; lanes != 0;) {
        auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
        uint64_t address = addresses[lane];
        lanes &= lanes - 1;
        // Of neighbours at one place the last one remains.
        if (lanes != 0 && addresses[static_cast<size_t>(std::countr_zero(lanes))] == address)
            continue;
        const Range* range = range_of(address);
        if (!range || (how == How::load && range->is_output)) continue;
        touch<how>(event, lane, address, event.bytes_per_lane, event.warp * 32u + lane);
    }
}

// Pieces that follow each other go together.
template <BlockTouches::How how>
void BlockTouches::add_copy(const MemoryEvent& event) {
    const std::array<uint64_t, 32>& addresses = *event.addresses;
    auto count = static_cast<size_t>(std::popcount(event.mask));  // the lowest bits
    for (size_t piece = 0; piece < count;) {
        uint64_t begin = addresses[piece], end = begin + event.bytes_per_lane;
        ++piece;
        const Range* range = range_of(begin);
        if (!range || (how == How::load && range->is_output)) continue;
        uint64_t range_end = range->address + range->bytes;
        for (; piece < count && addresses[piece] == end && end < range_end; ++piece)
            end += event.bytes_per_lane;
        for (uint64_t at = begin, next; at < end; at = next) {
            next = std::min(end, (at / 32 + 1) * 32);
            auto bytes = static_cast<uint32_t>(next - at);
            touch<how>(event, 0, at, bytes, event.warp * 32u + event.issuing_lane);
        }
    }
}

// `count` bytes of one sector; `lane`: whose values are stored.
template <BlockTouches::How how>
void BlockTouches::touch(const MemoryEvent& event, uint32_t lane, uint64_t address, uint32_t count,
                         uint32_t thread) {
    TouchedSector* touched = sector(address / 32, event.block);
    if (!touched) return;
    uint64_t offset = address % 32;
    uint32_t bytes = byte_mask(offset, count);
    uint32_t& instruction =
        how == How::load ? touched->load_instruction : touched->store_instruction;
    uint32_t before = touched->loads;
    if constexpr (how == How::load) {
        bytes &= ~(touched->stores | touched->copies);
        if (bytes == 0) return;
        touched->loads |= bytes;
    } else {
        before = touched->stores | touched->atomics | touched->copies;
        (how == How::atomic  ? touched->atomics
         : how == How::store ? touched->stores
                             : touched->copies) |= bytes;
    }
    if (before == 0) instruction = event.instruction;
    auto& threads = how == How::load ? touched->loaders : touched->storers;
    for (uint64_t word = offset / 4; word <= (offset + count - 1) / 4; ++word)
        if (bytes >> 4 * word & 0xf) threads[word] = static_cast<uint16_t>(thread);
    if constexpr (how == How::store) stored_bytes(event, lane, 0, count, &touched->values[offset]);
}

// What the block before stored last counts; what it shares with other blocks is found at the end.
void BlockTouches::end_block() {
    for (uint32_t slot : used_) slots_[slot] = 0;
    used_.clear();
    last_number_ = lowest_ = ~0ull;
    highest_ = 0;
    while (sectors_.size() > kMostSectors) halve();
    block_begin_ = sectors_.size();
}

// Fewer sectors of every block.
void BlockTouches::halve() {
    most_of_a_block_ /= 2;
    if (most_touched_ <= most_of_a_block_) return;
    most_touched_ = most_of_a_block_;
    std::erase_if(sectors_, [&](const TouchedSector& s) { return s.index >= most_of_a_block_; });
}

namespace {

// How many there are of the first `most` of each block.
size_t kept(const BlockTouches& touches, uint32_t most) {
    const std::vector<TouchedSector>& sectors = touches.sectors();
    if (touches.most_of_a_block() <= most) return sectors.size();
    auto is_kept = [&](const TouchedSector& s) { return s.index < most; };
    return static_cast<size_t>(std::count_if(sectors.begin(), sectors.end(), is_kept));
}

// Those that several blocks may have touched, by sector and then by block. Most sectors are one
// block's own, and to sort them all would take longer than to find that out.
std::vector<const TouchedSector*> touched_by_several(std::span<const BlockTouches* const> touches,
                                                     uint32_t most, size_t count) {
    auto bits = static_cast<int>(std::bit_width(16 * count));  // 16 to 32 cells for each sector
    auto cell = [bits](uint64_t sector) { return sector * 0x9e3779b97f4a7c15ull >> (64 - bits); };
    std::vector<uint8_t> how_many(size_t{1} << bits);
    auto for_each_kept = [&](auto f) {
        for (const BlockTouches* t : touches)
            for (const TouchedSector& s : t->sectors())
                if (s.index < most) f(s);
    };
    for_each_kept([&](const TouchedSector& s) {
        uint8_t& blocks = how_many[cell(s.sector)];
        blocks = static_cast<uint8_t>(std::min(blocks + 1, 2));
    });
    std::vector<const TouchedSector*> several;
    for_each_kept([&](const TouchedSector& s) {
        if (how_many[cell(s.sector)] > 1) several.push_back(&s);
    });
    std::sort(several.begin(), several.end(), [](const TouchedSector* a, const TouchedSector* b) {
        return std::pair(a->sector, a->block) < std::pair(b->sector, b->block);
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
    std::vector<const TouchedSector*> all = touched_by_several(touches, most, total);
    for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        uint32_t written = 0;
        for (end = begin; end < all.size() && all[end]->sector == all[begin]->sector; ++end)
            written |= all[end]->stores | all[end]->atomics | all[end]->copies;
        if (written == 0) continue;
        size_t last = std::min(end, begin + kMostBlocks);
        for (size_t a = begin; a < last; ++a)
            for (size_t b = a + 1; b < last; ++b) compare(hazards, *all[a], *all[b]);
    }
}

}  // namespace lanewise
