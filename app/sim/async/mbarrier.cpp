#include "sim/async/mbarrier.h"

#include <algorithm>
#include <bit>

#include "sim/async/async_copy.h"
#include "sim/async/async_operands.h"
#include "sim/operation/cluster_access.h"
#include "sim/warp/cluster.h"

namespace lanewise {

namespace {

constexpr uint32_t kCountBits = 20, kBytesBits = 21;
constexpr uint32_t kMostCount = (1u << kCountBits) - 1;
constexpr uint32_t kBarrierBytes = 8;

void tell(BlockMemory& owner, const Warp& w, const Op& op, uint64_t address, uint32_t lanes,
          MbarrierEvent::What what) {
    owner.observer->on_mbarrier({owner.block, static_cast<uint16_t>(w.index), lanes, op.instruction,
                                 static_cast<uint32_t>(address), what});
}

// The lanes whose barriers are in shared memory. Announced as an access of it.
Reach reached_barriers(Warp& w, const Op& op, uint32_t lanes, bool is_store) {
    const AddressRows& rows = async_operands(op).barrier;
    Reach result = reach(w, op, rows.where, lanes, rows.of(w), kBarrierBytes, true);
    result.global = result.local = result.cluster = 0;  // no barrier can be there, or may be asked
    announce_reach(w, op, result, AccessKind::barrier, is_store, kBarrierBytes);
    return result;
}

class Access {
  public:
    // owner: the block in whose shared memory it is
    Access(Warp& w, const Op& op, BlockMemory& owner, uint64_t address)
        : w_(w), op_(op), owner_(owner), address_(address), place_(owner.shared + address) {
        std::memcpy(&before, place_, kBarrierBytes);
        now = unpacked(before);
    }
    // Ends the phase where nothing is left to come, and keeps what is in `now`.
    void store() {
        if (now.expected != 0 && now.pending == 0 && now.bytes == 0) {
            now.pending = now.expected;
            now.parity = !now.parity;
            tell(owner_, w_, op_, address_, w_.lanes, MbarrierEvent::What::phase_ends);
        }
        uint64_t bits = packed(now);
        std::memcpy(place_, &bits, kBarrierBytes);
        ++owner_.copies->changes;
        if (owner_.cluster) ++owner_.cluster->changes;
    }
    void arrive(uint32_t count) { now.pending -= std::min(count, now.pending); }
    // What the copies that this barrier tracks have to add once they are done.
    void finish_copies() {
        AsyncCopies::Finished done = owner_.copies->finish(owner_, address_);
        if (done.arrivals == 0 && done.bytes == 0) return;
        now.bytes -= static_cast<int32_t>(done.bytes);
        arrive(done.arrivals);
        store();
    }

    uint64_t before = 0;
    Mbarrier now;

  private:
    Warp& w_;
    const Op& op_;
    BlockMemory& owner_;
    uint64_t address_;
    std::byte* place_;
};

// The same of barriers in another block's shared memory: the lanes that are done.
template <class F>
uint32_t each_of_cluster(Warp& w, const Op& op, bool arrives, F f) {
    BlockCluster* cluster = w.memory->cluster;
    if (!cluster) return 0;
    const AddressRows& rows = async_operands(op).barrier;
    ClusterLanes there;
    uint32_t elsewhere = reach_cluster(w, op, rows.where, w.lanes, rows.of(w), kBarrierBytes, true,
                                       true, there);
    for (uint32_t rank = 0; rank < cluster->count; ++rank)
        for (uint32_t rest = there.by_rank[rank]; rest != 0; rest &= rest - 1) {
            int lane = std::countr_zero(rest);
            uint64_t address = there.inside[static_cast<size_t>(lane)];
            Access access(w, op, *cluster->blocks[rank], address);
            if (arrives)
                cluster->observer->on_remote_arrive(w.memory->rank, rank,
                                                    static_cast<uint32_t>(address));
            if (arrives && access.now.pending == 0) access.finish_copies();
            f(lane, access);
            if (arrives) access.store();
        }
    return elsewhere;
}

// f(lane, access), lane by lane, as if each came after the other.
template <class F>
void each_barrier(Warp& w, const Op& op, bool is_store, F f) {
    if (w.lanes == 0) return;
    uint32_t elsewhere = each_of_cluster(w, op, false, f);
    if (elsewhere == w.lanes) return;
    Reach reached = reached_barriers(w, op, w.lanes & ~elsewhere, is_store);
    for (uint32_t rest = reached.shared; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        Access access(w, op, *w.memory, reached.addresses[static_cast<size_t>(lane)]);
        f(lane, access);
    }
}

// Arrivals of lanes: as each_barrier, where what a lane did so far is known to those who find the
// phase over. A phase that waits for nothing but copies is over by now.
template <class F>
void each_arrival(Warp& w, const Op& op, F f) {
    if (w.lanes == 0) return;
    uint32_t elsewhere = each_of_cluster(w, op, true, f);
    if (elsewhere == w.lanes) return;
    Reach reached = reached_barriers(w, op, w.lanes & ~elsewhere, false);
    uint64_t* state = w.wides(op.d);
    for (uint32_t rest = reached.shared; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        uint64_t address = reached.addresses[static_cast<size_t>(lane)];
        Access access(w, op, *w.memory, address);
        if (access.now.pending == 0) access.finish_copies();
        tell(*w.memory, w, op, address, 1u << lane, MbarrierEvent::What::arrive);
        state[lane] = packed(access.now);
        f(lane, access);
        access.store();
    }
}

}  // namespace

// Whether it is a phase of parity 1.
static bool is_odd(uint64_t bits) { return bits >> 63 != 0; }

Mbarrier unpacked(uint64_t bits) {
    Mbarrier result;
    result.expected = static_cast<uint32_t>(bits) & kMostCount;
    result.pending = static_cast<uint32_t>(bits >> kCountBits) & kMostCount;
    // sign-extended from its 21 bits
    auto bytes = static_cast<int64_t>(bits << (64 - 2 * kCountBits - kBytesBits));
    result.bytes = static_cast<int32_t>(bytes >> (64 - kBytesBits));
    result.parity = is_odd(bits);
    return result;
}

uint64_t packed(const Mbarrier& barrier) {
    uint64_t bytes = static_cast<uint32_t>(barrier.bytes) & ((1u << kBytesBits) - 1);
    return uint64_t{barrier.expected & kMostCount} |
           uint64_t{barrier.pending & kMostCount} << kCountBits | bytes << (2 * kCountBits) |
           (barrier.parity ? 1ull << 63 : 0);
}

void run_mbarrier_init(Warp& w, const Op& op) {
    const uint32_t* count = w.words(op.a);
    each_barrier(w, op, true, [&](int lane, Access& access) {
        access.now = {count[lane] & kMostCount, count[lane] & kMostCount, 0, false};
        access.store();
    });
}

void run_mbarrier_inval(Warp& w, const Op& op) {
    each_barrier(w, op, true, [&](int, Access& access) {
        access.now = {};
        access.store();
    });
}

void run_mbarrier_arrive(Warp& w, const Op& op) {
    const uint32_t* count = w.words(op.a);
    each_arrival(w, op, [&](int lane, Access& access) {
        if (op.c_flip) access.now.expected -= std::min(count[lane], access.now.expected);
        access.arrive(count[lane]);
    });
}

void run_mbarrier_arrive_expect(Warp& w, const Op& op) {
    const uint32_t* bytes = w.words(op.a);
    each_arrival(w, op, [&](int lane, Access& access) {
        access.now.bytes += static_cast<int32_t>(bytes[lane]);
        if (op.c_flip) access.now.expected -= std::min(1u, access.now.expected);
        access.arrive(1);
    });
}

void run_mbarrier_expect(Warp& w, const Op& op) {
    const uint32_t* bytes = w.words(op.a);
    each_barrier(w, op, false, [&](int lane, Access& access) {
        if (access.now.pending == 0) access.finish_copies();
        access.now.bytes += static_cast<int32_t>(bytes[lane]);
        access.store();
    });
}

void run_mbarrier_complete(Warp& w, const Op& op) {
    const uint32_t* bytes = w.words(op.a);
    each_barrier(w, op, false, [&](int lane, Access& access) {
        access.now.bytes -= static_cast<int32_t>(bytes[lane]);
        access.store();
    });
}

// The lanes that ask for the end of a phase of parity 1: by its parity or by its state.
static uint32_t odd_phases(Warp& w, const Op& op) {
    uint32_t odd = 0;
    for (size_t n = 0; n < kLanes; ++n) {
        bool is_one = op.c_flip ? (w.words(op.a)[n] & 1) != 0 : is_odd(w.wides(op.a)[n]);
        odd |= (is_one ? 1u : 0u) << n;
    }
    return odd;
}

// A barrier that nobody has initialised keeps nobody waiting: that it is none is a finding already.
void run_mbarrier_wait(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    Reach reached = reached_barriers(w, op, w.lanes, false);
    uint32_t over = w.lanes & ~reached.shared, odd = odd_phases(w, op);
    for (uint32_t rest = reached.shared; rest != 0;) {
        uint64_t address = reached.addresses[static_cast<size_t>(std::countr_zero(rest))];
        Access access(w, op, *w.memory, address);
        access.finish_copies();
        uint32_t asking = 0;  // of this barrier
        for (size_t n = 0; n < kLanes; ++n)
            asking |= (reached.addresses[n] == address ? 1u : 0u) << n;
        asking &= rest;
        uint32_t waiting = access.now.expected == 0 ? 0 : access.now.parity ? odd : ~odd;
        uint32_t passing = asking & ~waiting;
        if (passing != 0) tell(*w.memory, w, op, address, passing, MbarrierEvent::What::pass);
        over |= passing;
        rest &= ~asking;
    }
    uint32_t& d = w.predicate(op.d);
    d = (d & ~w.lanes) | over;
    w.waits = over == 0;
}

void run_mbarrier_pending_count(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        w.words(op.d)[lane] = unpacked(w.wides(op.a)[lane]).pending;
    }
}

void run_cp_async_arrive(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    Reach reached = reached_barriers(w, op, w.lanes, false);
    for (uint32_t rest = reached.shared; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        uint64_t address = reached.addresses[static_cast<size_t>(lane)];
        Access access(w, op, *w.memory, address);
        if (access.now.pending == 0) access.finish_copies();
        if (!op.c_flip) ++access.now.pending;  // the arrival is one more than was expected
        access.store();
        w.memory->copies->arrive_when_done(address, w.index, lane);
    }
}

}  // namespace lanewise
