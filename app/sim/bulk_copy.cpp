#include "sim/bulk_copy.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/async_copy.h"
#include "sim/async_operands.h"
#include "sim/work.h"

namespace lanewise {

namespace {

using Copy = BulkCopies::Copy;

// The addresses in `space` of up to 32 pieces from `next` on, which moves on behind them. Returns
// how many they are.
uint32_t take_addresses(const Copy& copy, Space space, size_t& next, LaneAddresses32& addresses) {
    const std::vector<BulkPiece>& pieces = copy.pieces.all;
    bool in_shared = space == Space::shared;
    // What lies outside the tensor is no access, but for the zeros that go to shared memory.
    if (copy.pieces.some_outside && !(in_shared && copy.to_shared)) {
        uint32_t count = 0;
        for (; next < pieces.size() && count < kLanes; ++next)
            if (!pieces[next].is_outside)
                addresses[count++] = in_shared ? pieces[next].shared : pieces[next].global;
        return count;
    }
    size_t count = std::min<size_t>(pieces.size() - next, kLanes);
    const BulkPiece* from = pieces.data() + next;
    if (in_shared)
        for (size_t i = 0; i < count; ++i) addresses[i] = from[i].shared;
    else
        for (size_t i = 0; i < count; ++i) addresses[i] = from[i].global;
    next += count;
    return static_cast<uint32_t>(count);
}

// f(event) for every 32 pieces of the copy's side in `space`.
template <class F>
void each_event(BlockMemory& memory, const Copy& copy, Space space, F f) {
    LaneAddresses32 addresses{};
    MemoryEvent event{copy.instruction,  space,        (space == Space::shared) == copy.to_shared,
                      copy.pieces.width, memory.block, static_cast<uint16_t>(copy.warp),
                      kAllLanes,         &addresses,   AccessKind::bulk_copy};
    event.issuing_lane = copy.lane;
    event.copy = &copy.pieces;
    for (size_t next = 0; next < copy.pieces.all.size();) {
        uint32_t count = take_addresses(copy, space, next, addresses);
        if (count == 0) return;
        event.mask = count == kLanes ? kAllLanes : (1u << count) - 1;
        f(event);
        event.copy = nullptr;
    }
}

void announce(BlockMemory& memory, const Copy& copy, Space space) {
    each_event(memory, copy, space, [&](const MemoryEvent& e) { memory.observer->on_memory(e); });
}

// Of pieces of a width that is known here a copy is one instruction.
void copy_piece(std::byte* to, const std::byte* from, uint32_t width) {
    if (width == 16)
        std::memcpy(to, from, 16);
    else
        std::memcpy(to, from, width);
}

// How many bytes from piece `first` on follow each other within the buffer.
uint32_t run_bytes(const BulkPieces& pieces, size_t first, const Memory::Buffer& buffer) {
    const std::vector<BulkPiece>& all = pieces.all;
    size_t end = first + 1;
    while (end < all.size() && !all[end].is_outside &&
           all[end].global - all[end - 1].global == pieces.width &&
           buffer.holds(all[end].global, pieces.width))
        ++end;
    return static_cast<uint32_t>((end - first) * pieces.width);
}

// f(buffer, offset in it, offset in the copy's data, bytes) for each run of pieces that follow each
// other in global memory; the buffers are there (drop_unreachable).
template <class F>
void each_global_run(BlockMemory& memory, const BulkPieces& pieces, F f) {
    const Memory::Buffer*& buffer = memory.recent;
    for (size_t i = 0; i < pieces.all.size();) {
        const BulkPiece& piece = pieces.all[i];
        if (piece.is_outside) {
            ++i;
            continue;
        }
        buffer = memory.global->find(piece.global, pieces.width, buffer);
        uint32_t bytes = run_bytes(pieces, i, *buffer);
        f(*buffer, piece.global - buffer->address, i * pieces.width, bytes);
        i += bytes / pieces.width;
    }
}

// What the accelerator reads of global memory.
void read_global(BlockMemory& memory, Copy& copy) {
    each_global_run(memory, copy.pieces,
                    [&](const Memory::Buffer& buffer, uint64_t from, size_t to, uint32_t bytes) {
                        if (buffer.storage)
                            std::memcpy(copy.data.get() + to, buffer.storage + from, bytes);
                        else
                            read_unique(from, copy.data.get() + to, bytes);
                    });
}

void write_destination(BlockMemory& memory, const Copy& copy) {
    if (copy.pieces.all.empty()) return;
    const std::byte* from = copy.data.get();
    if (copy.to_shared) {
        for (const BulkPiece& piece : copy.pieces.all) {
            copy_piece(memory.shared + piece.shared, from, copy.pieces.width);
            from += copy.pieces.width;
        }
    } else {
        each_global_run(memory, copy.pieces,
                        [&](const Memory::Buffer& buffer, uint64_t to, size_t at, uint32_t bytes) {
                            std::memcpy(buffer.storage + to, from + at, bytes);
                        });
    }
    memory.observer->on_bulk_done(memory.block, copy.number);
}

void report(Warp& w, const Op& op, const Copy& copy, Fault::Kind kind, Space space,
            uint64_t address, uint32_t bytes) {
    bool is_store = (space == Space::shared) == copy.to_shared;
    w.memory->observer->on_fault({kind, space, is_store, static_cast<uint8_t>(bytes),
                                  op.instruction, w.memory->block, w.index * kLanes + copy.lane,
                                  address});
}

// Both addresses and the number of bytes must be multiples of 16.
constexpr uint64_t kAlign = 16;

// A range of one lane; no pieces where it is misaligned, which is reported.
Copy range(Warp& w, const Op& op, int lane, bool to_shared) {
    const AsyncOperands& operands = async_operands(op);
    const AddressRows& shared_rows = to_shared ? operands.to : operands.from;
    const AddressRows& global_rows = to_shared ? operands.from : operands.to;
    auto n = static_cast<size_t>(lane);
    uint64_t shared = in_shared(shared_rows.of(w)[n]), global = global_rows.of(w)[n];
    uint64_t bytes = w.words(operands.size)[lane];
    Copy copy;
    copy.instruction = op.instruction;
    copy.warp = w.index;
    copy.lane = static_cast<uint8_t>(lane);
    copy.to_shared = to_shared;
    copy.arriving = bytes;
    using enum Fault::Kind;
    if (shared % kAlign != 0) {
        report(w, op, copy, misaligned, Space::shared, shared, kAlign);
    } else if (global % kAlign != 0 || bytes % kAlign != 0) {
        uint64_t at = global % kAlign != 0 ? global : global + bytes;  // the end is wrong, too
        report(w, op, copy, misaligned, Space::global, at, kAlign);
    } else {
        // no block has more shared memory than this; beyond, the first piece is reported
        uint64_t most = std::min<uint64_t>(bytes, w.memory->shared_bytes + kAlign);
        for (uint64_t at = 0; at < most; at += kAlign)
            copy.pieces.add({static_cast<uint32_t>(shared + at), global + at});
    }
    drop_unreachable(w, op, copy);
    return copy;
}

}  // namespace

// Whether all lies between two places of one buffer, and two of shared memory.
static bool all_reachable(BlockMemory& memory, const Copy& copy) {
    const BulkPieces& pieces = copy.pieces;
    if (pieces.low > pieces.high || pieces.high_shared + pieces.width > memory.shared_bytes)
        return false;
    uint64_t bytes = pieces.high - pieces.low + pieces.width;
    const Memory::Buffer* buffer = memory.global->find(pieces.low, bytes, memory.recent);
    if (!buffer || (!copy.to_shared && !buffer->storage)) return false;
    memory.recent = buffer;
    return true;
}

void drop_unreachable(Warp& w, const Op& op, Copy& copy) {
    BlockMemory& memory = *w.memory;
    if (all_reachable(memory, copy)) return;
    uint32_t width = copy.pieces.width;
    bool reported = false;
    auto unreachable = [&](const BulkPiece& piece, Space& space) {
        space = Space::shared;
        if (piece.shared > memory.shared_bytes || memory.shared_bytes - piece.shared < width)
            return true;
        space = Space::global;
        if (piece.is_outside) return false;
        const Memory::Buffer* buffer = memory.global->find(piece.global, width, memory.recent);
        if (buffer) memory.recent = buffer;
        return !buffer || (!copy.to_shared && !buffer->storage);
    };
    copy.pieces.pattern = 0;
    std::erase_if(copy.pieces.all, [&](const BulkPiece& piece) {
        Space space;
        if (!unreachable(piece, space)) return false;
        uint64_t address = space == Space::shared ? piece.shared : piece.global;
        if (!reported) report(w, op, copy, Fault::Kind::out_of_bounds, space, address, width);
        reported = true;
        return true;
    });
}

void BulkCopies::start_block() {
    if (!is_used_) return;
    is_used_ = false;
    issued_ = 0;
    copies_.clear();
    for (auto& warp : open_) warp.fill(0);
}

void BulkCopies::add(BlockMemory& memory, Copy copy) {
    is_used_ = true;
    memory.work += kWorkOfPiece * (1 + copy.pieces.all.size());
    copy.group = open_[copy.warp][copy.lane];
    copy.number = issued_++;
    if (!copy.pieces.all.empty())
        memory.observer->on_bulk_copy({copy.instruction, memory.block,
                                       static_cast<uint16_t>(copy.warp), copy.lane,
                                       copy.pieces.width, copy.to_shared, copy.pieces.all,
                                       copy.box ? &*copy.box : nullptr, copy.number});
    if (copy.to_shared) {
        announce(memory, copy, Space::global);
        read_source(memory, copy);
        announce(memory, copy, Space::shared);
    } else {
        announce(memory, copy, Space::shared);
        announce(memory, copy, Space::global);
    }
    copies_.push_back(std::move(copy));
}

void BulkCopies::read_source(BlockMemory& memory, Copy& copy) {
    if (copy.has_read) return;
    copy.has_read = true;
    uint32_t width = copy.pieces.width;
    size_t bytes = copy.pieces.all.size() * width;
    // What lies outside the tensor comes as zeros.
    copy.data = copy.pieces.some_outside ? std::make_unique<std::byte[]>(bytes)
                                         : std::make_unique_for_overwrite<std::byte[]>(bytes);
    if (copy.to_shared) return read_global(memory, copy);
    std::byte* to = copy.data.get();
    for (const BulkPiece& piece : copy.pieces.all) {
        copy_piece(to, memory.shared + piece.shared, width);
        to += width;
    }
    each_event(memory, copy, Space::shared,
               [&](const MemoryEvent& event) { memory.observer->on_copy_complete(event, {}); });
}

void BulkCopies::commit(uint32_t warp, uint32_t lanes) {
    is_used_ = true;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        ++open_[warp][static_cast<size_t>(std::countr_zero(rest))];
}

void BulkCopies::wait(BlockMemory& memory, uint32_t warp, uint32_t lanes, uint32_t pending,
                      bool only_reads) {
    std::erase_if(copies_, [&](Copy& copy) {
        bool waited_for = !copy.to_shared && copy.warp == warp && (lanes >> copy.lane & 1) &&
                          uint64_t{copy.group} + pending < open_[warp][copy.lane];
        if (!waited_for) return false;
        read_source(memory, copy);
        if (!only_reads) write_destination(memory, copy);
        return !only_reads;
    });
}

uint64_t BulkCopies::finish(BlockMemory& memory, uint64_t mbarrier) {
    uint64_t bytes = 0;
    std::erase_if(copies_, [&](const Copy& copy) {
        if (!copy.to_shared || copy.mbarrier != mbarrier) return false;
        bytes += copy.arriving;
        write_destination(memory, copy);
        each_event(memory, copy, Space::shared, [&](const MemoryEvent& event) {
            memory.observer->on_copy_complete(event, static_cast<uint32_t>(mbarrier));
        });
        return true;
    });
    return bytes;
}

void BulkCopies::end_block(BlockMemory& memory) {
    for (Copy& copy : copies_) {
        if (copy.to_shared) continue;
        read_source(memory, copy);
        write_destination(memory, copy);
    }
    copies_.clear();
}

void run_bulk_load(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    LaneAddresses32 barriers = async_operands(op).barrier.of(w);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        Copy copy = range(w, op, lane, true);
        copy.mbarrier = in_shared(barriers[static_cast<size_t>(lane)]);
        w.memory->copies->bulk.add(*w.memory, std::move(copy));
    }
}

void run_bulk_store(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1)
        w.memory->copies->bulk.add(*w.memory, range(w, op, std::countr_zero(rest), false));
}

void run_bulk_commit(Warp& w, const Op&) { w.memory->copies->bulk.commit(w.index, w.lanes); }
void run_bulk_wait(Warp& w, const Op& op) {
    w.memory->copies->bulk.wait(*w.memory, w.index, w.lanes, op.targets, op.c_flip != 0);
}

}  // namespace lanewise
