#include "trace/check/checker.h"

#include <algorithm>
#include <bit>

#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"
#include "ptx/parts.h"
#include "ptx/reserved.h"
#include "sim/event/bulk_access.h"
#include "trace/check/atomic_use.h"
#include "trace/check/checker_state.h"
#include "trace/stored_value.h"

namespace lanewise {

namespace {

// A block that reads more bytes than this before they are written reports no more of them.
constexpr size_t kMostUnwritten = 65'536;
// What a block does after so many accesses of its lanes to shared memory is not checked: by then
// its loops have gone round often, and it may be one that never ends.
constexpr uint64_t kMostAccesses = 8'000'000;

// How much order an access promises by itself: PastAccess::strength.
enum Strength : uint8_t { plain, is_volatile, strong };

bool is_atomic(const ptx::Instruction& instruction) {
    return instruction.parts[0] == "atom" || instruction.parts[0] == "red";
}

// mbarrier init and inval count as stores. Whatever else concerns it may come in any order
// between the two, as reads may.
bool uses_barrier(const ptx::Instruction& instruction) {
    return has_part(instruction, "mbarrier") && !has_part(instruction, "init") &&
           !has_part(instruction, "inval");
}

Strength strength_of(const ptx::Instruction& instruction) {
    auto has = [&](std::string_view part) { return has_part(instruction, part); };
    if (is_atomic(instruction) || uses_barrier(instruction)) return strong;
    if (has("relaxed") || has("acquire") || has("release")) return strong;
    return has("volatile") ? is_volatile : plain;
}

bool may_conflict(const PastAccess& a, const PastAccess& b) {
    if (a.strength == strong && b.strength == strong) return false;
    return a.strength == plain || b.strength == plain || a.warp() == b.warp();
}

// Whether the lane stores into [address, address + bytes) what is there: what memory holds, or what
// the other lane of the same instruction stores.
bool stores_the_same(const MemoryEvent& event, uint32_t lane, const PastAccess& other, bool at_once,
                     uint64_t address, uint32_t bytes) {
    if (!event.registers || !event.shared) return false;
    for (uint64_t a = address; a < address + bytes; ++a) {
        uint32_t n = other.lane();
        std::byte there =
            at_once ? stored_byte(event, n, a - (*event.addresses)[n]) : event.shared[a];
        if (stored_byte(event, lane, a - (*event.addresses)[lane]) != there) return false;
    }
    return true;
}

// Who makes the access of lane (or, of a bulk copy, piece) `lane`.
uint16_t thread_of(const MemoryEvent& event, uint32_t lane) {
    if (event.kind == AccessKind::bulk_copy) lane = event.issuing_lane;
    return static_cast<uint16_t>(event.warp * 32u + lane);
}

bool is_asynchronous(const MemoryEvent& event) {
    return event.kind == AccessKind::async_copy || event.kind == AccessKind::bulk_copy;
}

// The read, among the two that are kept (shared_shadow.h).
void remember_read(ShadowPiece& piece, const PastAccess& now, const BlockOrder& order) {
    auto& [first, second] = piece.reads;
    if (order.before(first, now.warp(), now.lane())) {
        first = now;
        if (order.before(second, now.warp(), now.lane())) second = {};
    } else if (order.before(second, now.warp(), now.lane()) ||
               (first.warp() == second.warp() && first.warp() != now.warp())) {
        second = now;
    }
}

}  // namespace

Checker::Checker(const ptx::Kernel& kernel, const Memory& memory, std::span<const size_t> given,
                 size_t most_sectors)
    : state_(new State) {
    AtomicUse use = atomic_use(kernel);
    const ptx::GridBarrier grid = ptx::grid_barrier(kernel);
    state_->in_clusters = ptx::works_in_clusters(kernel);
    std::span<const size_t> outputs =
        grid.is_used || state_->in_clusters ? std::span<const size_t>() : given;
    for (size_t i = 0; i < kernel.instructions.size(); ++i) {
        const ptx::Instruction& instruction = kernel.instructions[i];
        Strength strength = use.feeds_swap[i] ? strong : strength_of(instruction);
        bool is_unread = use.is_unread[i] || instruction.parts[0] == "red";
        bool is_product = instruction.parts[0] == "wgmma";
        bool is_grid = grid.accesses[i] && instruction.parts[0] == "ld";
        state_->traits.push_back({strength, is_atomic(instruction), is_unread, is_product, is_grid});
        state_->places.push_back({instruction.position.file, instruction.position.line});
    }
    for (const ptx::Variable& variable : kernel.shared)
        if (variable.name == ptx::kReservedShared)
            state_->reserved = {variable.offset, variable.bytes};
    state_->touches.emplace(kernel, use, memory, outputs, most_sectors);
    for (size_t index : outputs) {
        const Memory::Buffer& buffer = memory.buffers().at(index);
        state_->outputs.push_back({buffer.address, buffer.bytes});
    }
}
Checker::~Checker() = default;

void Checker::State::race(const PastAccess& now, bool now_stores, const PastAccess& then,
                          bool then_stores, uint64_t address) {
    // The later one in the program: within a warp that of the machine's order. The instruction of a
    // copy lies before its end.
    bool swapped = now.warp() != then.warp() && !then.is_copy &&
                   std::pair(order.progress(now), now.instruction) <
                       std::pair(order.progress(then), then.instruction);
    const PastAccess& later = swapped ? then : now;
    const PastAccess& other = swapped ? now : then;
    add({HazardKind::race, later.instruction, other.instruction, swapped ? then_stores : now_stores,
         swapped ? now_stores : then_stores, block, later.thread, other.thread, address});
}

// Whether nothing orders the two, and that matters.
bool Checker::State::meets(const PastAccess& then, const PastAccess& now) const {
    return !order.before(then, now.warp(), now.lane()) && may_conflict(then, now);
}

// True where it raced.
bool Checker::State::read(const ShadowPiece& piece, const PastAccess& now, uint64_t address) {
    bool raced = true;
    if (meets(piece.write, now))
        race(now, false, piece.write, true, address);
    else if (meets(piece.before_atomics, now))
        race(now, false, piece.before_atomics, true, address);
    else
        raced = false;
    return raced;
}

bool Checker::State::write(ShadowPiece& piece, const PastAccess& now, const MemoryEvent& event,
                           uint64_t address) {
    bool raced = false;
    for (const PastAccess& read : piece.reads) {
        if (!meets(read, now)) continue;
        race(now, true, read, false, address);
        raced = true;
        break;
    }
    for (const PastAccess& last : {piece.write, piece.before_atomics}) {
        if (raced || !meets(last, now)) continue;
        bool at_once = last.warp() == now.warp() && last.time == now.time;
        is_clean = false;  // another block may store other values
        raced = !stores_the_same(event, now.lane(), last, at_once, address, shadow.piece_bytes());
        if (raced) race(now, true, last, true, address);
    }
    if (now.strength != strong)
        piece.before_atomics = {};
    else if (piece.write.strength != strong)
        piece.before_atomics = piece.write;
    piece.write = now;
    piece.reads = {};
    return raced;
}

// What the access has learnt from `last`, which stored here before it, and from those before that;
// and what it tells those that come after. A lane learns from an atomic of another lane of its
// warp, if that is not the same instruction.
void Checker::State::exchange(const PastAccess& now, const PastAccess& last, const Traits& how,
                              bool stores, uint64_t address) {
    bool reads = how.is_atomic ? !how.is_unread : !stores;
    if (reads) order.acquire(now.warp(), address);
    bool by_lane = last.warp() == now.warp() && last.lane() != now.lane();
    if (reads && by_lane && last.time != now.time && last.strength == strong &&
        now.strength == strong)
        order.acquire(now.warp(), now.lane(), last);
    if (stores) order.publish(now.warp(), address, how.is_atomic);
}

void Checker::State::fit(const MemoryEvent& event) {
    uint64_t bits = 0, high = 0;
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t address = (*event.addresses)[static_cast<size_t>(__builtin_ctz(lanes))];
        bits |= address;
        high = std::max(high, address);
    }
    shadow.fit(bits, event.bytes_per_lane, high + event.bytes_per_lane);
}

// Where not even the copy's issue is ordered before the access, a barrier is missing first.
void Checker::State::meet_pending(const PastAccess& now, bool now_stores, const PastAccess& copy,
                                  uint64_t address) {
    if (!order.before(copy, now.warp(), now.lane()))
        return race(now, now_stores, copy, true, address);
    add({HazardKind::race, now.instruction, copy.instruction, now_stores, true, block, now.thread,
         copy.thread, address, true});
}

void Checker::State::check_shared(const MemoryEvent& event) {
    fit(event);
    Traits traits_here = traits[event.instruction];
    bool stores = event.is_store || traits_here.is_atomic;
    bool reads = !event.is_store || traits_here.is_atomic;
    bool issues_copy = is_asynchronous(event) && event.is_store;
    bool by_bulk = event.kind == AccessKind::bulk_copy && reads;
    PastAccess now{order.tick(event.warp), event.instruction, 0, traits_here.strength};
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
        auto lane = static_cast<uint32_t>(__builtin_ctz(lanes));
        now.thread = thread_of(event, lane);
        uint64_t begin = (*event.addresses)[lane], end = begin + event.bytes_per_lane;
        PastAccess last = shadow.at(begin).write;
        bool missed = false;
        for (uint64_t at = begin; at < end; at += shadow.piece_bytes()) {
            ShadowPiece& piece = shadow.at(at);
            if (shadow.has_pending() && shadow.pending(at).time != 0) {
                meet_pending(now, stores, shadow.pending(at), at);
                piece.raced = true;
                if (issues_copy) shadow.set_pending(at, now);
                continue;
            }
            if (reads && piece.write.time == 0 && !missed) {
                missed = true;
                if (unwritten.size() < kMostUnwritten)
                    unwritten.push_back({HazardKind::uninitialized_shared, event.instruction, 0,
                                         false, false, event.block, now.thread, 0, at});
            }
            if (stores && meet_reading(now, at)) {
                piece.raced = true;
                continue;
            }
            bool raced = stores ? write(piece, now, event, at) : read(piece, now, at);
            // A product is the warpgroup's: which of its warps tells others that it is done is left
            // to them. Who stores before any has waited is found by meet_reading.
            if (!stores && !traits_here.is_product) remember_read(piece, now, order);
            if (by_bulk && !raced) raced = read_unfenced(piece, now, at);
            piece.raced |= raced;
            if (issues_copy) shadow.set_pending(at, now);
            if (by_bulk) shadow.set_reading(at, now);
        }
        if (now.strength != plain && !issues_copy) exchange(now, last, traits_here, stores, begin);
    }
}

// True where a bulk copy may still be reading what is stored into now.
bool Checker::State::meet_reading(const PastAccess& now, uint64_t address) {
    const PastAccess& copy = shadow.reading(address);
    if (copy.time == 0) return false;
    if (!order.before(copy, now.warp(), now.lane()))
        race(now, true, copy, false, address);
    else
        add({HazardKind::race, now.instruction, copy.instruction, true, false, block, now.thread,
             copy.thread, address, true});
    return true;
}

// True where a bulk copy reads what a thread has stored without a fence between.
bool Checker::State::read_unfenced(const ShadowPiece& piece, const PastAccess& now,
                                   uint64_t address) {
    const PastAccess& last = piece.write;
    bool by_agent = last.warp() >= 32;
    if (last.time == 0 || by_agent || order.fenced(last, now.warp())) return false;
    Hazard hazard{HazardKind::race, now.instruction, last.instruction, false, true, block,
                  now.thread,       last.thread,     address,          true};
    hazard.is_unfenced = true;
    add(hazard);
    return true;
}

// The copy's thread has waited until its source was read.
void Checker::State::end_read(const MemoryEvent& event) {
    fit(event);
    PastAccess now{order.tick(event.warp), event.instruction, thread_of(event, 0), plain, true};
    for (uint32_t pieces = event.mask; pieces != 0; pieces &= pieces - 1) {
        uint64_t begin = (*event.addresses)[static_cast<size_t>(__builtin_ctz(pieces))];
        for (uint64_t at = begin; at < begin + event.bytes_per_lane; at += shadow.piece_bytes()) {
            shadow.set_reading(at, {});
            if (!traits[event.instruction].is_product) remember_read(shadow.at(at), now, order);
        }
    }
}

// The copy's bytes are the thread's, as of now. Whether it may store there was settled when it was
// issued; whoever came since has raced with it.
void Checker::State::finish_copy(const MemoryEvent& event, std::optional<uint32_t> mbarrier) {
    fit(event);
    PastAccess now{0, event.instruction, 0, plain, true};
    if (!event.is_store) return end_read(event);
    if (mbarrier) {
        auto [time, thread] = order.agent_access(*mbarrier);
        now.time = time;
        now.thread = thread;
    } else {
        now.time = order.tick(event.warp);
    }
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
        auto lane = static_cast<uint32_t>(__builtin_ctz(lanes));
        if (!mbarrier) now.thread = thread_of(event, lane);
        uint64_t begin = (*event.addresses)[lane], end = begin + event.bytes_per_lane;
        for (uint64_t at = begin; at < end; at += shadow.piece_bytes()) {
            ShadowPiece& piece = shadow.at(at);
            piece.write = now;
            piece.before_atomics = {};
            piece.reads = {};
            shadow.set_pending(at, {});
        }
    }
}

// Lanes that touch an output.
uint32_t Checker::State::lanes_in_outputs(const MemoryEvent& event) const {
    const std::array<uint64_t, 32>& addresses = *event.addresses;
    uint32_t lanes = 0;
    for (const Range& range : outputs) {
        uint32_t some = 0;
        for (uint64_t address : addresses) some += address - range.address < range.bytes ? 1u : 0u;
        if (some == 32) return event.mask;
        for (size_t n = 0; n < 32 && some != 0; ++n)
            lanes |= (addresses[n] - range.address < range.bytes ? 1u : 0u) << n;
    }
    return lanes & event.mask;
}

void Checker::State::check_global(const MemoryEvent& event) {
    bool is_atomic = traits[event.instruction].is_atomic;
    bool reads = !event.is_store || is_atomic;
    uint32_t touching = lanes_in_outputs(event);
    if (touching != 0 && !reads) written.add(event);
    for (uint32_t lanes = touching; reads && lanes != 0; lanes &= lanes - 1) {
        auto lane = static_cast<uint32_t>(__builtin_ctz(lanes));
        uint64_t address = (*event.addresses)[lane];
        if (!written.holds(address, event.bytes_per_lane))
            add({HazardKind::uninitialized_global, event.instruction, 0, false, false, event.block,
                 thread_of(event, lane), 0, address});
        if (is_atomic) written.add(address, event.bytes_per_lane);
    }
}

void Checker::State::check_global(const BulkAccess& access) {
    const BulkCut& cut = access.pieces.cut();
    uint64_t begin = access.pieces.base() + cut.low;
    uint64_t end = access.pieces.base() + cut.high + cut.width;
    auto touches_it = [&](const Range& output) {
        return begin < output.address + output.bytes && output.address < end;
    };
    auto holds_all = [&](const Range& output) {
        return begin >= output.address && end <= output.address + output.bytes;
    };
    if (std::none_of(outputs.begin(), outputs.end(), touches_it)) return;
    if (access.is_store && std::any_of(outputs.begin(), outputs.end(), holds_all))
        return written.add(access);
    each_event(access, [this](const MemoryEvent& event) { check_global(event); });
}

void Checker::State::search_access(const MemoryEvent& event) {
    check_shared(event);
    accesses += static_cast<uint64_t>(std::popcount(event.mask));
    is_broken |= accesses > kMostAccesses;
    is_clean &= !is_broken;
}

void Checker::State::search_mbarrier(MbarrierEvent::What what, uint32_t warp, uint32_t lanes,
                                     uint32_t address) {
    switch (what) {
        case MbarrierEvent::What::arrive:
            return order.arrive(warp, lanes, address);
        case MbarrierEvent::What::phase_ends:
            return order.end_phase(address);
        case MbarrierEvent::What::pass:
            return order.pass(warp, lanes, address);
    }
}

// __syncthreads() must be the same one for every thread: two of them that release each other are a
// branch around a barrier. Copies that the compiler made of one have one source line.
void Checker::State::search_barrier(const BarrierEvent& event) {
    uint32_t first = (*event.instructions)[static_cast<size_t>(__builtin_ctz(event.warps))];
    uint32_t alone = 0;
    for (uint32_t w = 0; w < 32; ++w) {
        bool elsewhere = event.warps >> w & 1 && places[(*event.instructions)[w]] != places[first];
        alone |= elsewhere ? 1u << w : 0;
    }
    if (event.whole_block && alone != 0) {
        auto other = static_cast<uint32_t>(__builtin_ctz(alone));
        auto warp = static_cast<uint32_t>(__builtin_ctz(event.warps));
        uint32_t there = (*event.instructions)[other];
        // The one that comes first in the source is the one that the others went around.
        if (places[there] < places[first]) std::swap(first, there), std::swap(warp, other);
        add({HazardKind::split_barrier, first, there, false, false, event.block, warp * 32,
             other * 32, 0});
        is_broken = true;
    }
    order.barrier(event.warps, event.whole_block ? event.finished : 0, event.barrier);
}

void Checker::State::end_search() {
    for (const Hazard& read : unwritten)
        if (!went_astray && !shadow.at(read.address).raced &&
            read.address - reserved.address >= reserved.bytes)
            add(read);
    unwritten.clear();
    is_broken = went_astray = false;
    accesses = 0;
    shadow.start_block();
    order.start_block();
}

bool is_checked(uint64_t block, const Dim3& grid) {
    constexpr uint64_t kAll = 4096, kSpread = 512, kOfAnEdge = 32;
    uint64_t blocks = grid.count();
    if (blocks <= kAll || block == 0 || block + 1 == blocks) return true;
    if (block % (blocks / kSpread | 1) == 0) return true;  // odd, so that all columns come up
    uint64_t x = block % grid.x, y = block / grid.x % grid.y;
    bool side = x == 0 || x + 1 == grid.x, end = y == 0 || y + 1 == grid.y;
    bool some_y = y % (grid.y / kOfAnEdge + 1) == 0, some_x = x % (grid.x / kOfAnEdge + 1) == 0;
    if (grid.z > 1 && block / grid.x / grid.y % (grid.z / kOfAnEdge + 1) != 0) return false;
    return (side && end) || (side && some_y) || (end && some_x);
}

}  // namespace lanewise
