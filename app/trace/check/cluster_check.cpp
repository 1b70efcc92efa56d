#include "trace/check/cluster_check.h"

#include <algorithm>
#include <bit>
#include <string>

#include "ptx/parts.h"
#include "trace/check/atomic_use.h"
#include "trace/check/join.h"
#include "trace/stored_value.h"

namespace lanewise {

namespace {

bool is_strong(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.parts[0];
    if (opcode == "atom" || opcode == "red" || opcode == "mbarrier") return true;
    for (const char* part : {"volatile", "relaxed", "acquire", "release"})
        if (ptx::has_part(instruction, part)) return true;
    return false;
}

bool may_be_shared(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.parts[0];
    if (opcode != "ld" && opcode != "st" && opcode != "atom" && opcode != "red") return false;
    for (const char* part : {"global", "local", "param", "const"})
        if (ptx::has_part(instruction, part)) return false;
    return true;
}

uint32_t width(const ptx::Instruction& instruction) {
    for (const char* part : {"b8", "u8", "s8"})
        if (ptx::has_part(instruction, part)) return 1;
    for (const char* part : {"b16", "u16", "s16", "f16", "bf16"})
        if (ptx::has_part(instruction, part)) return 2;
    return 4;
}

std::string access_words(bool stores) {
    return std::string(stores ? "store to" : "load of") + " the shared memory of block ";
}

}  // namespace

struct ClusterCheck::Tap : Observer {
    Tap(ClusterCheck& check, uint32_t rank) : check_(check), rank_(rank) {}
    void on_memory(const MemoryEvent& event) override { check_.own_access(rank_, event); }
    void on_mbarrier(const MbarrierEvent& event) override { check_.own_mbarrier(rank_, event); }

  private:
    ClusterCheck& check_;
    const uint32_t rank_;
};

ClusterCheck::ClusterCheck(const ptx::Kernel& kernel, std::span<Checker* const> checkers,
                           std::span<Observer* const> faults)
    : count_(static_cast<uint32_t>(checkers.size())),
      checkers_(checkers.begin(), checkers.end()),
      faults_(faults.begin(), faults.end()),
      shadow_(checkers.size()) {
    const AtomicUse use = atomic_use(kernel);
    for (size_t i = 0; i < kernel.instructions.size(); ++i) {
        const ptx::Instruction& instruction = kernel.instructions[i];
        bool is_unread = use.is_unread[i] || instruction.parts[0] == "red";
        traits_.push_back({is_strong(instruction) || use.feeds_swap[i], is_unread});
        is_used_ |= instruction.parts[0] == "mapa";
        if (may_be_shared(instruction)) piece_bytes_ = std::min(piece_bytes_, width(instruction));
    }
    for (uint32_t rank = 0; rank < count_; ++rank)
        taps_.push_back(std::make_unique<Tap>(*this, rank));
}
ClusterCheck::~ClusterCheck() = default;

Observer& ClusterCheck::of_block(uint32_t rank) { return *taps_[rank]; }

void ClusterCheck::on_start(std::span<const uint32_t> blocks) {
    std::copy(blocks.begin(), blocks.end(), blocks_.begin());
    for (uint32_t rank = 0; rank < clocks_.size(); ++rank) {
        clocks_[rank].fill(0);
        clocks_[rank][rank] = 1;
    }
    barrier_ = {};
    mbarriers_.clear();
    flags_.clear();
    global_.fill(0);
    for (auto& pieces : shadow_) std::fill(pieces.begin(), pieces.end(), Piece{});
    last_ = {};
    copies_.clear();
}

// ---- What blocks learn of each other

void ClusterCheck::on_arrive(uint32_t rank, uint32_t phase) {
    Gathered& gathered = barrier_[phase & 1];
    if (gathered.phase != phase) gathered = {phase, {}};
    join(gathered.clock, clocks_[rank]);
    release(rank);
}

void ClusterCheck::on_pass(uint32_t rank, uint32_t phase) {
    const Gathered& gathered = barrier_[phase & 1];
    if (gathered.phase == phase) join(clocks_[rank], gathered.clock);
}

void ClusterCheck::on_remote_arrive(uint32_t rank, uint32_t owner, uint32_t address) {
    join(mbarriers_[{owner, address}], clocks_[rank]);
    release(rank);
    checkers_[owner]->on_arrive_from_outside(address);
}

void ClusterCheck::on_copy(uint32_t, uint32_t owner, uint32_t warp) {
    checkers_[owner]->on_copy_from_outside(warp);
}

void ClusterCheck::own_mbarrier(uint32_t rank, const MbarrierEvent& event) {
    Clock& clock = mbarriers_[{rank, event.address}];
    if (event.what == MbarrierEvent::What::pass) {
        join(clocks_[rank], clock);
        find_copies(rank, event.address);
    }
    if (event.what != MbarrierEvent::What::arrive) return;
    join(clock, clocks_[rank]);
    release(rank);
}

// At a place where strong accesses meet.
void ClusterCheck::exchange(uint32_t rank, Clock& place, bool loads, bool stores) {
    if (loads) join(clocks_[rank], place);
    if (!stores) return;
    join(place, clocks_[rank]);
    release(rank);
}

// ---- Accesses

void ClusterCheck::own_access(uint32_t rank, const MemoryEvent& event) {
    if (!is_used_ || event.kind == AccessKind::bulk_copy || event.kind == AccessKind::barrier)
        return;
    const Traits& traits = traits_[event.instruction];
    bool is_atomic = event.kind == AccessKind::atomic;
    bool loads = (!event.is_store || is_atomic) && !(is_atomic && traits.is_unread);
    bool stores = event.is_store || is_atomic;
    if (event.space == Space::global) {
        if (traits.is_strong) exchange(rank, global_, loads, stores);
        return;
    }
    touch(rank, rank, event, loads, stores);
}

void ClusterCheck::on_access(const ClusterAccess& access) {
    const MemoryEvent& event = access.event;
    if (access.rank != access.owner) note_access(access);
    bool loads = access.loads && !traits_[event.instruction].is_unread;
    touch(access.rank, access.owner, event, loads, access.stores);
    if (!access.stores) return;
    checkers_[access.owner]->on_store_from_outside(event);
    if (!traits_[event.instruction].is_strong) return;
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1)
        checkers_[access.owner]->on_publish_from_outside(
            (*event.addresses)[static_cast<size_t>(std::countr_zero(lanes))]);
}

void ClusterCheck::on_shared_copy(const ClusterAccess& access, uint32_t mbarrier) {
    note_access(access);
    const MemoryEvent& event = access.event;
    const Past now{clocks_[access.rank][access.rank],
                   event.instruction,
                   event.block,
                   static_cast<uint16_t>(event.warp * 32u + event.issuing_lane),
                   static_cast<uint8_t>(access.rank),
                   false,
                   true};
    const std::vector<Piece>& pieces = shadow_[access.owner];
    bool raced = false;  // once for a copy is enough
    for (uint32_t lanes = event.mask; lanes != 0 && !raced; lanes &= lanes - 1) {
        uint64_t begin = (*event.addresses)[static_cast<size_t>(std::countr_zero(lanes))];
        for (uint64_t at = begin; at < begin + event.bytes_per_lane && !raced; at += piece_bytes_) {
            if (at / piece_bytes_ >= pieces.size()) break;
            const Piece& piece = pieces[at / piece_bytes_];
            for (const Past* then : {&piece.write, &piece.reads[0], &piece.reads[1]}) {
                if (raced || !meets(*then, now)) continue;
                race(now, true, *then, then->is_store, access.owner, at);
                raced = true;
            }
        }
    }
    // Whoever finds the phase over knows of the copy.
    join(mbarriers_[{access.owner, mbarrier}], clocks_[access.rank]);
    keep_copy(now, access.owner, mbarrier);
}

// Whoever knows that the last of them is there knows it of those before.
void ClusterCheck::keep_copy(const Past& issued, uint32_t owner, uint32_t mbarrier) {
    for (SharedCopy& copy : copies_)
        if (copy.issued.rank == issued.rank && copy.issued.instruction == issued.instruction &&
            copy.owner == owner && copy.mbarrier == mbarrier) {
            if (copy.there_at != 0) copy = {issued, owner, mbarrier};
            return;
        }
    copies_.push_back({issued, owner, mbarrier});
}

void ClusterCheck::find_copies(uint32_t owner, uint64_t mbarrier) {
    for (SharedCopy& copy : copies_) {
        if (copy.owner != owner || copy.mbarrier != mbarrier || copy.there_at != 0) continue;
        copy.there_at = clocks_[owner][owner];
        if (copy.source_left) left_too_soon(copy);
    }
}

void ClusterCheck::left_too_soon(const SharedCopy& copy) {
    const Past& issued = copy.issued;
    faults_[issued.rank]->on_fault(
        {Fault::Kind::out_of_bounds, Space::shared, false, 16, issued.instruction, issued.block,
         issued.thread, 0,
         "bulk copy from the shared memory of block " + std::to_string(issued.rank) +
             " of the cluster to that of block " + std::to_string(copy.owner) +
             ", and the first may have returned before all is read: its shared memory is gone. Let it "
             "wait until the other has found the copy there: cluster.sync() at the end"});
}

// That the owner has to be there.
void ClusterCheck::note_access(const ClusterAccess& access) {
    const MemoryEvent& event = access.event;
    auto lane = static_cast<uint32_t>(std::countr_zero(event.mask));
    auto thread = static_cast<uint16_t>(event.warp * 32u + lane);
    last_[access.owner][access.rank] = {clocks_[access.rank][access.rank],
                                        event.instruction,
                                        event.block,
                                        thread,
                                        static_cast<uint8_t>(access.rank),
                                        false,
                                        access.stores};
    if (clocks_[access.rank][access.owner] != 0) return;
    faults_[access.rank]->on_fault(
        {Fault::Kind::out_of_bounds, Space::shared, access.stores, event.bytes_per_lane,
         event.instruction, event.block, thread, (*event.addresses)[lane],
         access_words(access.stores) + std::to_string(access.owner) +
             " of the cluster, which may not have begun; call cluster.sync() before the first "
             "access to another block's shared memory"});
    // Once for each pair is enough.
    clocks_[access.rank][access.owner] = 1;
}

void ClusterCheck::on_leave(uint32_t rank) {
    for (SharedCopy& copy : copies_) {
        if (copy.issued.rank != rank) continue;
        copy.source_left = true;  // where the other never waits for it, that is said instead
        if (copy.there_at > clocks_[rank][copy.owner]) left_too_soon(copy);
    }
    for (uint32_t other = 0; other < count_; ++other) {
        const Past& last = last_[rank][other];
        if (last.time == 0 || last.time <= clocks_[rank][other]) continue;
        faults_[other]->on_fault(
            {Fault::Kind::out_of_bounds, Space::shared, last.is_store, 4, last.instruction,
             last.block, last.thread, 0,
             access_words(last.is_store) + std::to_string(rank) +
                 " of the cluster, which may have returned by then: its shared memory is gone. Let "
                 "all blocks wait until no block needs it any more: cluster.sync() at the end"});
    }
}

// Whether nothing orders the two, which are of different blocks, and that matters.
bool ClusterCheck::meets(const Past& then, const Past& now) const {
    return then.time != 0 && then.rank != now.rank && !(then.is_strong && now.is_strong) &&
           then.time > clocks_[now.rank][then.rank];
}

void ClusterCheck::race(const Past& now, bool now_stores, const Past& then, bool then_stores,
                        uint32_t owner, uint64_t address) {
    // Whose turn it was is the machine's choice: the later one in the program comes first.
    bool swapped = now.instruction < then.instruction;
    const Past& later = swapped ? then : now;
    const Past& other = swapped ? now : then;
    Hazard hazard{HazardKind::race,
                  later.instruction,
                  other.instruction,
                  swapped ? then_stores : now_stores,
                  swapped ? now_stores : then_stores,
                  later.block,
                  later.thread,
                  other.thread,
                  address};
    hazard.other_block = other.block;
    hazard.owner_block = blocks_[owner];
    checkers_[now.rank]->add(hazard);
}

// Into `piece_bytes_` bytes at the address.
bool ClusterCheck::stores_the_same(const MemoryEvent& event, uint32_t lane,
                                   uint64_t address) const {
    if (!event.registers || !event.shared) return false;
    for (uint64_t a = address; a < address + piece_bytes_; ++a)
        if (stored_byte(event, lane, a - (*event.addresses)[lane]) != event.shared[a]) return false;
    return true;
}

void ClusterCheck::touch(uint32_t rank, uint32_t owner, const MemoryEvent& event, bool loads,
                         bool stores) {
    const Traits& traits = traits_[event.instruction];
    std::vector<Piece>& pieces = shadow_[owner];
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
        auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
        uint64_t begin = (*event.addresses)[lane], end = begin + event.bytes_per_lane;
        if (pieces.size() * piece_bytes_ < end)
            pieces.resize((end + 4095) / 4096 * 4096 / piece_bytes_);
        Past now{clocks_[rank][rank],
                 event.instruction,
                 event.block,
                 static_cast<uint16_t>(event.warp * 32u + lane),
                 static_cast<uint8_t>(rank),
                 traits.is_strong,
                 stores};
        for (uint64_t at = begin; at < end; at += piece_bytes_) {
            Piece& piece = pieces[at / piece_bytes_];
            bool raced = meets(piece.write, now) && !(stores && stores_the_same(event, lane, at));
            if (raced) race(now, stores, piece.write, true, owner, at);
            if (!stores) {
                Past& mine = piece.reads[0].time == 0 || piece.reads[0].rank == now.rank
                                 ? piece.reads[0]
                                 : piece.reads[1];
                mine = now;
                continue;
            }
            for (const Past& read : piece.reads)
                if (!raced && meets(read, now) && !stores_the_same(event, lane, at)) {
                    race(now, true, read, false, owner, at);
                    raced = true;
                }
            piece.write = now;
            piece.reads = {};
        }
        if (traits.is_strong) exchange(rank, flags_[{owner, begin}], loads, stores);
    }
}

}  // namespace lanewise
