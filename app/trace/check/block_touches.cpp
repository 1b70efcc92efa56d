#include "trace/check/block_touches.h"

#include <algorithm>
#include <bit>

#include "ptx/grid_barrier.h"
#include "ptx/parts.h"
#include "trace/stored_value.h"

namespace lanewise {

namespace {

constexpr size_t kSlots = 8192;  // twice the most sectors of a block
constexpr uint64_t kSectorsOfLine = 4;

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

}  // namespace

BlockTouches::BlockTouches(const ptx::Kernel& kernel, const AtomicUse& use, const Memory& memory,
                           std::span<const size_t> outputs, size_t most_sectors)
    : most_sectors_(most_sectors) {
    is_watched_ = true;
    const ptx::GridBarrier grid = ptx::grid_barrier(kernel);
    for (size_t i = 0; i < kernel.instructions.size(); ++i)
        is_watched_ &=
            grid.accesses[i] || !may_order_blocks(kernel.instructions[i], use.is_unread[i]);
    for (size_t i = 0; i < memory.buffers().size(); ++i) {
        const Memory::Buffer& buffer = memory.buffers()[i];
        bool is_output = std::find(outputs.begin(), outputs.end(), i) != outputs.end();
        if (buffer.storage) ranges_.push_back({buffer.address, buffer.bytes, is_output});
    }
    for (const ptx::ModuleVariable& variable : kernel.variables)
        if (!variable.is_constant) ranges_.push_back({variable.address, variable.bytes, false});
    if (!is_watched_) return;
    slots_.resize(kSlots);
    // No page is there before it is used.
    most_of_a_block_ =
        static_cast<uint32_t>(std::min<size_t>(most_of_a_block_, most_sectors_));
    sectors_.reserve(most_sectors_ + most_of_a_block_);
    details_.reserve(most_sectors_ + most_of_a_block_);
}

const BlockTouches::Range* BlockTouches::range_of(uint64_t address) {
    auto holds = [&](const Range& range) { return address - range.address < range.bytes; };
    if (last_range_ && holds(*last_range_)) return last_range_;
    auto found = std::find_if(ranges_.begin(), ranges_.end(), holds);
    if (found == ranges_.end()) return nullptr;
    return last_range_ = &*found;
}

bool BlockTouches::look_up_line(uint64_t number) {
    if (number != last_number_) {
        last_line_ = find_line(number);
        last_number_ = number;
    }
    return last_line_ != 0;
}

// The present block's; null where it has as many as are kept.
TouchedSector* BlockTouches::sector(uint64_t number, uint32_t block) {
    if (!look_up_line(number / kSectorsOfLine)) return nullptr;
    uint32_t& place = lines_[last_line_ - 1].places[number % kSectorsOfLine];
    if (place != 0) return &sectors_[place - 1];
    if (is_full()) return nullptr;
    auto index = static_cast<uint32_t>(sectors_.size() - block_begin_);
    most_touched_ = std::max(most_touched_, index + 1);
    TouchedSector& added = sectors_.emplace_back();
    added.sector = number;
    added.block = block;
    added.part = part_;
    added.index = index;
    place = static_cast<uint32_t>(sectors_.size());
    lowest_ = std::min(lowest_, number);
    highest_ = std::max(highest_, number);
    return &added;
}

// 0 where the block has as many sectors as are kept, and none of them is of this line.
uint32_t BlockTouches::find_line(uint64_t number) {
    constexpr uint64_t kMix = 0x9e3779b97f4a7c15ull;
    bool is_beyond = number < lowest_ / kSectorsOfLine || number > highest_ / kSectorsOfLine;
    if (is_beyond && is_full()) return 0;
    size_t slot = static_cast<size_t>(number * kMix >> 32) % kSlots;
    for (; slots_[slot] != 0; slot = (slot + 1) % kSlots)
        if (lines_[slots_[slot] - 1].number == number) return slots_[slot];
    if (is_full()) return 0;
    lines_.push_back({number, static_cast<uint32_t>(slot), {}});
    return slots_[slot] = static_cast<uint32_t>(lines_.size());
}

TouchedWords& BlockTouches::detail(TouchedSector& touched) {
    if (touched.detail == 0) {
        TouchedWords& words = details_.emplace_back();
        words.loaders.fill(touched.loader);
        words.storers.fill(touched.storer);
        touched.detail = static_cast<uint32_t>(details_.size());
    }
    return details_[touched.detail - 1];
}

// Whether anything is kept of the event: not where it is of buffers that cannot change, nor where
// the block has as many sectors as are kept and it touches none of them, as with most of what a
// large block does.
bool BlockTouches::is_kept(const MemoryEvent& event) {
    const std::array<uint64_t, 32>& addresses = *event.addresses;
    // Whether one of 32 lanes is, inactive ones too. No compare, of which vectors of 64 bits have none in SSE2: of
    // what is less than half of all addresses, the difference's highest bit tells.
    auto some_within = [&](uint64_t begin, uint64_t bytes) {
        uint64_t some = 0;
        for (uint64_t address : addresses) some |= (address - begin - bytes) & ~(address - begin);
        return some >> 63 != 0;
    };
    // Most often the first lane tells.
    bool in_some = range_of(addresses[static_cast<size_t>(std::countr_zero(event.mask))]) ||
                   std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
                       return some_within(range.address, range.bytes);
                   });
    if (!in_some) return false;
    if (!is_full()) return true;
    // Accesses are aligned: no sector begins within one.
    return some_within(lowest_ * 32, (highest_ - lowest_ + 1) * 32);
}

void BlockTouches::add(const MemoryEvent& event, bool is_atomic) {
    if (!is_watched_ || !is_kept(event)) return;
    bool loads = !event.is_store && !is_atomic;
    if (loads)
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
        touch<how>(event, lane, address, event.bytes_per_lane);
    }
}

// Whether [begin, end) has something to do with buffers that can change, and with what is kept.
bool BlockTouches::is_kept(uint64_t begin, uint64_t end) const {
    if (is_full() && (begin / 32 > highest_ || (end - 1) / 32 < lowest_)) return false;
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
        return begin < range.address + range.bytes && range.address < end;
    });
}

void BlockTouches::add(const BulkAccess& access) {
    const BulkCut& cut = access.pieces.cut();
    uint64_t base = access.pieces.base();
    if (!is_watched_ || !is_kept(base + cut.low, base + cut.high + cut.width)) return;
    for (const BulkCut::Run& run : cut.runs) {
        uint64_t begin = base + cut.all[run.first].global;
        uint64_t end = begin + uint64_t{run.count} * cut.width;
        if (access.is_store)
            add_run<How::copy>(access, begin, end);
        else
            add_run<How::load>(access, begin, end);
    }
}

// What follows each other in global memory. It is all one thread's; as it most often is all of a
// sector, too, no words need be told apart.
template <BlockTouches::How how>
void BlockTouches::add_run(const BulkAccess& access, uint64_t begin, uint64_t end) {
    if (!is_kept(begin, end)) return;
    constexpr uint64_t kLineBytes = 32 * kSectorsOfLine;
    auto thread = static_cast<uint16_t>(access.warp * 32u + access.lane);
    for (uint64_t at = begin, next; at < end; at = next) {
        if (at % kLineBytes == 0 && end - at >= kLineBytes && add_line<how>(access, at)) {
            next = at + kLineBytes;
            continue;
        }
        next = std::min(end, (at / 32 + 1) * 32);
        const Range* range = range_of(at);
        if (!range || (how == How::load && range->is_output)) continue;
        TouchedSector* touched = sector(at / 32, access.block);
        if (!touched) continue;
        uint32_t known = how == How::load ? touched->loads
                                          : touched->stores | touched->atomics | touched->copies;
        uint32_t bytes = mark<how>(*touched, access.instruction, byte_mask(at % 32, next - at));
        uint16_t& one = how == How::load ? touched->loader : touched->storer;
        if (touched->detail == 0 && ((known & ~bytes) == 0 || one == thread)) {
            if (bytes != 0) one = thread;
            continue;
        }
        auto& threads = how == How::load ? detail(*touched).loaders : detail(*touched).storers;
        for (size_t word = 0; word < threads.size(); ++word)
            if (bytes >> 4 * word & 0xf) threads[word] = thread;
    }
}

// A whole line. False, and nothing done, where the block has touched some of it before, or may not
// touch all of it: then it must be taken sector by sector.
template <BlockTouches::How how>
bool BlockTouches::add_line(const BulkAccess& access, uint64_t begin) {
    const Range* range = range_of(begin);
    uint64_t first = begin / 32, last = begin + 32 * kSectorsOfLine - 1;
    if (!range || last - range->address >= range->bytes) return false;
    if (how == How::load && range->is_output) return true;  // nothing is to be marked
    uint64_t touched = sectors_.size() - block_begin_;
    if (touched + kSectorsOfLine > most_of_a_block_) return false;
    if (!look_up_line(first / kSectorsOfLine)) return false;
    std::array<uint32_t, kSectorsOfLine>& places = lines_[last_line_ - 1].places;
    if (places != std::array<uint32_t, kSectorsOfLine>{}) return false;
    TouchedSector added;
    added.block = access.block;
    added.part = part_;
    (how == How::load ? added.loads : added.copies) = ~0u;
    (how == How::load ? added.load_instruction : added.store_instruction) = access.instruction;
    (how == How::load ? added.loader : added.storer) =
        static_cast<uint16_t>(access.warp * 32u + access.lane);
    for (uint32_t i = 0; i < kSectorsOfLine; ++i) {
        added.sector = first + i;
        added.index = static_cast<uint32_t>(touched) + i;
        sectors_.push_back(added);
        places[i] = static_cast<uint32_t>(sectors_.size());
    }
    most_touched_ = std::max(most_touched_, static_cast<uint32_t>(touched + kSectorsOfLine));
    lowest_ = std::min(lowest_, first);
    highest_ = std::max(highest_, first + kSectorsOfLine - 1);
    return true;
}

// `count` bytes of one sector; `lane`: whose values are stored.
template <BlockTouches::How how>
void BlockTouches::touch(const MemoryEvent& event, uint32_t lane, uint64_t address,
                         uint32_t count) {
    TouchedSector* touched = sector(address / 32, event.block);
    if (!touched) return;
    uint64_t offset = address % 32;
    uint32_t bytes = mark<how>(*touched, event.instruction, byte_mask(offset, count));
    if (bytes == 0) return;
    TouchedWords& words = detail(*touched);
    auto& threads = how == How::load ? words.loaders : words.storers;
    for (uint64_t word = offset / 4; word <= (offset + count - 1) / 4; ++word)
        if (bytes >> 4 * word & 0xf) threads[word] = static_cast<uint16_t>(event.warp * 32u + lane);
    if constexpr (how == How::store) stored_bytes(event, lane, 0, count, &words.values[offset]);
}

// Which of the bytes are not left to the block's own stores before.
template <BlockTouches::How how>
uint32_t BlockTouches::mark(TouchedSector& touched, uint32_t instruction, uint32_t bytes) {
    uint32_t before = touched.loads;
    if constexpr (how == How::load) {
        bytes &= ~(touched.stores | touched.copies);
        if (bytes == 0) return 0;
        touched.loads |= bytes;
        if (before == 0) touched.load_instruction = instruction;
    } else {
        before = touched.stores | touched.atomics | touched.copies;
        (how == How::atomic  ? touched.atomics
         : how == How::store ? touched.stores
                             : touched.copies) |= bytes;
        if (before == 0) touched.store_instruction = instruction;
    }
    return bytes;
}

// What the block before stored last counts; what it shares with other blocks is found at the end.
void BlockTouches::end_block() {
    end_part();
    part_ = 0;
}

void BlockTouches::pass_grid_barrier() {
    end_part();
    ++part_;
}

void BlockTouches::end_part() {
    for (const Line& line : lines_) slots_[line.slot] = 0;
    lines_.clear();
    last_number_ = lowest_ = ~0ull;
    highest_ = 0;
    while (sectors_.size() > most_sectors_) halve();
    block_begin_ = sectors_.size();
}

// Fewer sectors of every block.
void BlockTouches::halve() {
    most_of_a_block_ /= 2;
    if (most_touched_ <= most_of_a_block_) return;
    most_touched_ = most_of_a_block_;
    std::erase_if(sectors_, [&](const TouchedSector& s) { return s.index >= most_of_a_block_; });
    if (details_.empty()) return;
    std::vector<TouchedWords> rest;
    rest.reserve(details_.capacity());
    for (TouchedSector& s : sectors_) {
        if (s.detail == 0) continue;
        rest.push_back(details_[s.detail - 1]);
        s.detail = static_cast<uint32_t>(rest.size());
    }
    details_ = std::move(rest);
}

}  // namespace lanewise
