#include "sim/async/bulk_copy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "sim/async/async_copy.h"
#include "sim/async/async_operands.h"
#include "sim/async/bulk_bytes.h"
#include "sim/event/bulk_access.h"
#include "sim/warp/cluster.h"
#include "sim/warp/work.h"

namespace lanewise {

namespace {

using Copy = BulkCopies::Copy;

BulkAccess access_of(const BlockMemory& memory, const Copy& copy, Space space) {
    return {copy.instruction,
            space,
            (space == Space::shared) == copy.to_shared,
            memory.block,
            static_cast<uint16_t>(copy.warp),
            copy.lane,
            copy.pieces};
}

// even_none: also where it accesses nothing.
void announce(BlockMemory& memory, const Copy& copy, Space space, bool even_none = false) {
    BulkAccess access = access_of(memory, copy, space);
    if (access.count() > 0 || even_none) memory.observer->on_bulk_access(access);
}

// The same of what a copy from shared memory reads, in the block whose that is.
BulkAccess source_access(const BulkCopies::Copy& copy, const BulkPieces& read) {
    return {copy.instruction, Space::shared, false, copy.source->block,
            static_cast<uint16_t>(copy.warp), copy.lane, read};
}
BulkPieces source_pieces(const BulkCopies::Copy& copy) {
    BulkCut cut;
    for (size_t i = 0; i < copy.pieces.size(); ++i)
        cut.add({static_cast<uint32_t>(copy.pieces[i].global), copy.pieces[i].global});
    return cut;
}

// That the copy is done with its side of shared memory.
void complete(BlockMemory& memory, const Copy& copy, std::optional<uint32_t> mbarrier) {
    BulkAccess access = access_of(memory, copy, Space::shared);
    if (access.count() == 0) return;
    memory.observer->on_bulk_complete(access, mbarrier);
    if (!copy.source) return;
    BulkPieces read = source_pieces(copy);
    copy.source->observer->on_bulk_complete(source_access(copy, read), {});
}

void write_destination(BlockMemory& memory, const Copy& copy,
                       const std::function<void(const BulkAccess&)>* before_write) {
    if (copy.pieces.empty()) return;
    if (copy.to_shared) {
        write_shared(memory, copy.pieces, copy.data.get());
    } else {
        if (before_write) (*before_write)(access_of(memory, copy, Space::global));
        write_global(memory, copy.pieces, copy.data.get());
    }
    if (!copy.source) memory.observer->on_bulk_done(memory.block, copy.number);
}

void report(Warp& w, const Op& op, const Copy& copy, Fault::Kind kind, Space space,
            uint64_t address, uint32_t bytes) {
    bool is_store = (space == Space::shared) == copy.to_shared;
    w.memory->observer->on_fault({kind, space, is_store, static_cast<uint8_t>(bytes),
                                  op.instruction, w.memory->block, w.index * kLanes + copy.lane,
                                  address});
}

// Both addresses and the number of bytes must be multiples of 16.
constexpr uint64_t kBulkAlign = 16;

// A range of one lane; no pieces where it is misaligned, which is reported.
Copy range(Warp& w, const Op& op, int lane, bool to_shared) {
    const AsyncOperands& operands = async_operands(op);
    const AddressRows& shared_rows = to_shared ? operands.to : operands.from;
    const AddressRows& global_rows = to_shared ? operands.from : operands.to;
    auto n = static_cast<size_t>(lane);
    uint64_t shared = offset_in_shared(w, shared_rows.of(w)[n]), global = global_rows.of(w)[n];
    uint64_t bytes = w.words(operands.size)[lane];
    Copy copy;
    copy.instruction = op.instruction;
    copy.warp = w.index;
    copy.lane = static_cast<uint8_t>(lane);
    copy.to_shared = to_shared;
    copy.arriving = bytes;
    using enum Fault::Kind;
    if (shared % kBulkAlign != 0) {
        report(w, op, copy, misaligned, Space::shared, shared, kBulkAlign);
    } else if (global % kBulkAlign != 0 || bytes % kBulkAlign != 0) {
        uint64_t at = global % kBulkAlign != 0 ? global : global + bytes;  // the end is wrong, too
        report(w, op, copy, misaligned, Space::global, at, kBulkAlign);
    } else {
        // no block has more shared memory than this; beyond, the first piece is reported
        uint64_t most = std::min<uint64_t>(bytes, w.memory->shared_bytes + kBulkAlign);
        BulkCut cut;
        for (uint64_t at = 0; at < most; at += kBulkAlign)
            cut.add({static_cast<uint32_t>(shared + at), global + at});
        copy.pieces = std::move(cut);
    }
    drop_unreachable(w, op, copy);
    return copy;
}

}  // namespace

// Whether all lies between two places of one buffer, and two of shared memory.
static bool all_reachable(BlockMemory& memory, const Copy& copy) {
    const BulkCut& cut = copy.pieces.cut();
    if (cut.low > cut.high || cut.high_shared + cut.width > memory.shared_bytes) return false;
    uint64_t low = copy.pieces.base() + cut.low, bytes = cut.high - cut.low + cut.width;
    const Memory::Buffer* buffer = memory.global->find(low, bytes, memory.recent);
    if (!buffer || (!copy.to_shared && !buffer->storage)) return false;
    memory.recent = buffer;
    return true;
}

void drop_unreachable(Warp& w, const Op& op, Copy& copy) {
    BlockMemory& memory = *w.memory;
    if (all_reachable(memory, copy)) return;
    uint32_t width = copy.pieces.width();
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
    BulkCut rest;
    rest.width = copy.pieces.cut().width;
    for (size_t i = 0; i < copy.pieces.size(); ++i) {
        BulkPiece piece = copy.pieces[i];
        Space space;
        if (!unreachable(piece, space)) {
            rest.add(piece);
            continue;
        }
        uint64_t address = space == Space::shared ? piece.shared : piece.global;
        if (!reported) report(w, op, copy, Fault::Kind::out_of_bounds, space, address, width);
        reported = true;
    }
    if (reported) copy.pieces = std::move(rest);
}

void BulkCopies::start_block() {
    if (!is_used_) return;
    is_used_ = false;
    issued_ = 0;
    copies_.clear();
    for (auto& warp : open_) warp.fill(0);
}

void BulkCopies::add(BlockMemory& memory, Copy copy, bool reads) {
    is_used_ = true;
    memory.work += kWorkOfPiece * (1 + copy.pieces.size());
    copy.group = open_[copy.warp][copy.lane];
    copy.number = issued_++;
    // A picture of a copy has its place in global memory, and one from shared memory has none.
    if (!copy.pieces.empty() && !copy.source)
        memory.observer->on_bulk_copy({copy.instruction, memory.block,
                                       static_cast<uint16_t>(copy.warp), copy.lane, copy.to_shared,
                                       copy.pieces, copy.box ? &*copy.box : nullptr, copy.number});
    if (copy.to_shared) {
        // In a cluster of a box that lies outside, too: it tells the first block of a multicast.
        if (reads) announce(memory, copy, Space::global, memory.cluster && !copy.pieces.empty());
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
    size_t bytes = copy.pieces.size() * copy.pieces.width();
    // What lies outside the tensor comes as zeros.
    copy.data = copy.pieces.cut().some_outside ? std::make_unique<std::byte[]>(bytes)
                                               : std::make_unique_for_overwrite<std::byte[]>(bytes);
    if (copy.to_shared) return read_global(memory, copy.pieces, copy.data.get());
    read_shared(memory, copy.pieces, copy.data.get());
    complete(memory, copy, {});
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
        if (!only_reads) write_destination(memory, copy, before_write);
        return !only_reads;
    });
}

uint64_t BulkCopies::finish(BlockMemory& memory, uint64_t mbarrier) {
    uint64_t bytes = 0;
    std::erase_if(copies_, [&](const Copy& copy) {
        if (!copy.to_shared || copy.mbarrier != mbarrier) return false;
        bytes += copy.arriving;
        write_destination(memory, copy, before_write);
        complete(memory, copy, static_cast<uint32_t>(mbarrier));
        return true;
    });
    return bytes;
}

void BulkCopies::end_block(BlockMemory& memory) {
    for (Copy& copy : copies_) {
        if (copy.to_shared) continue;
        read_source(memory, copy);
        write_destination(memory, copy, before_write);
    }
    copies_.clear();
}

uint64_t offset_in_shared(const Warp& w, uint64_t address) {
    return w.memory->cluster ? offset_of(in_shared(address)) : in_shared(address);
}

void issue_load(Warp& w, const Op& op, uint64_t to, Copy copy) {
    BlockMemory& own = *w.memory;
    BlockCluster* cluster = own.cluster;
    if (!cluster) return own.copies->bulk.add(own, std::move(copy));
    const AsyncOperands& operands = async_operands(op);
    std::vector<uint32_t> ranks;
    if (operands.multicasts) {
        uint32_t mask = w.words(operands.blocks)[copy.lane] & 0xffff;
        for (; mask != 0; mask &= mask - 1)
            ranks.push_back(static_cast<uint32_t>(std::countr_zero(mask)));
    } else {
        uint32_t rank = rank_of(in_shared(to));
        ranks.push_back(rank == kOwn ? own.rank : rank);
    }
    bool is_first = true;
    for (uint32_t rank : ranks) {
        std::string problem = cluster->problem_with(rank);
        if (!problem.empty()) {
            own.observer->on_fault({Fault::Kind::out_of_bounds, Space::shared, true, kBulkAlign,
                                    op.instruction, own.block, w.index * kLanes + copy.lane, 0,
                                    "bulk copy to the shared memory of block " + problem});
            continue;
        }
        BlockMemory& there = *cluster->blocks[rank];
        if (rank != own.rank) cluster->observer->on_copy(own.rank, rank, copy.warp);
        there.copies->bulk.add(there, copy, std::exchange(is_first, false));
        ++cluster->changes;
    }
}

void run_bulk_load(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    LaneAddresses32 barriers = async_operands(op).barrier.of(w);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        Copy copy = range(w, op, lane, true);
        copy.mbarrier = offset_in_shared(w, barriers[static_cast<size_t>(lane)]);
        issue_load(w, op, async_operands(op).to.of(w)[static_cast<size_t>(lane)], std::move(copy));
    }
}

void run_bulk_store(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1)
        w.memory->copies->bulk.add(*w.memory, range(w, op, std::countr_zero(rest), false));
}

namespace {

// What is wrong with the blocks that a copy from shared memory names; empty where nothing is. to,
// barrier: by rank.
std::string problem_with(const BlockMemory& own, uint32_t from, uint32_t to, uint32_t barrier) {
    const std::string copy = "bulk copy to the shared memory of block ";
    if (from != own.rank)
        return "bulk copy from the shared memory of block " + std::to_string(from) +
               " of the cluster; a bulk copy reads the shared memory of its own block only";
    if (own.cluster)
        if (std::string problem = own.cluster->problem_with(to); !problem.empty())
            return copy + problem;
    if (barrier != to)
        return copy + std::to_string(to) + " of the cluster, and its mbarrier lies in that of block " +
               std::to_string(barrier) + "; give the mbarrier of the block that it goes to (mapa)";
    return "";
}

// Reads now; stores when a thread of the other block asks for the mbarrier's phase.
void copy_shared(Warp& w, const Op& op, int lane) {
    const AsyncOperands& operands = async_operands(op);
    BlockMemory& own = *w.memory;
    auto n = static_cast<size_t>(lane);
    auto rank = [&own](uint64_t address) {
        uint32_t said = own.cluster ? rank_of(in_shared(address)) : kOwn;
        return said == kOwn ? own.rank : said;
    };
    const uint64_t to = operands.to.of(w)[n], from = operands.from.of(w)[n],
                   barrier = operands.barrier.of(w)[n];
    const uint64_t to_offset = offset_in_shared(w, to), from_offset = offset_in_shared(w, from);
    const uint64_t bytes = w.words(operands.size)[lane];
    Copy copy;
    copy.instruction = op.instruction;
    copy.warp = w.index;
    copy.lane = static_cast<uint8_t>(lane);
    copy.to_shared = true;
    copy.arriving = bytes;
    copy.mbarrier = offset_in_shared(w, barrier);
    copy.source = &own;
    const uint32_t owner = rank(to);
    std::string problem = problem_with(own, rank(from), owner, rank(barrier));
    if (!problem.empty()) {
        own.observer->on_fault({Fault::Kind::out_of_bounds, Space::shared, rank(from) == own.rank,
                                kBulkAlign, op.instruction, own.block,
                                w.index * kLanes + copy.lane, to_offset, problem});
        return;
    }
    BlockMemory& there = own.cluster ? *own.cluster->blocks[owner] : own;
    using enum Fault::Kind;
    auto fits = [bytes](const BlockMemory& memory, uint64_t at) {
        return at <= memory.shared_bytes && memory.shared_bytes - at >= bytes;
    };
    auto fault = [&](Fault::Kind kind, bool is_store, uint64_t at) {
        own.observer->on_fault({kind, Space::shared, is_store, kBulkAlign, op.instruction, own.block,
                                w.index * kLanes + copy.lane, at});
    };
    if (to_offset % kBulkAlign != 0 || bytes % kBulkAlign != 0) {
        fault(misaligned, true, to_offset % kBulkAlign != 0 ? to_offset : to_offset + bytes);
    } else if (from_offset % kBulkAlign != 0) {
        fault(misaligned, false, from_offset);
    } else if (!fits(there, to_offset)) {
        fault(out_of_bounds, true, to_offset);
    } else if (!fits(own, from_offset)) {
        fault(out_of_bounds, false, from_offset);
    } else {
        BulkCut cut;
        for (uint64_t at = 0; at < bytes; at += kBulkAlign)
            cut.add({static_cast<uint32_t>(to_offset + at), from_offset + at});
        copy.pieces = std::move(cut);
        copy.data = std::make_unique_for_overwrite<std::byte[]>(bytes);
        std::memcpy(copy.data.get(), own.shared + from_offset, bytes);
    }
    copy.has_read = true;
    if (!copy.pieces.empty()) {
        BulkPieces read = source_pieces(copy);
        own.observer->on_bulk_access(source_access(copy, read));
    }
    if (own.cluster && owner != own.rank) {
        own.cluster->observer->on_copy(own.rank, owner, copy.warp);
        BulkAccess stored = access_of(there, copy, Space::shared);
        stored.block = own.block;
        each_event(stored, [&](const MemoryEvent& event) {
            own.cluster->observer->on_shared_copy({own.rank, owner, false, true, event},
                                                  static_cast<uint32_t>(copy.mbarrier));
        });
    }
    there.copies->bulk.add(there, std::move(copy), false);
    if (own.cluster) ++own.cluster->changes;
}

}  // namespace

void run_shared_copy(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1)
        copy_shared(w, op, std::countr_zero(rest));
}

void run_bulk_commit(Warp& w, const Op&) { w.memory->copies->bulk.commit(w.index, w.lanes); }
void run_bulk_wait(Warp& w, const Op& op) {
    w.memory->copies->bulk.wait(*w.memory, w.index, w.lanes, op.targets, op.c_flip != 0);
}

}  // namespace lanewise
