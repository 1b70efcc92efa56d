#include "sim/async/cluster_barrier.h"

#include <algorithm>
#include <bit>

#include "sim/async/mbarrier.h"
#include "sim/warp/cluster.h"

namespace lanewise {

namespace {

constexpr uint32_t kBarrier = 16;
// What a turn of the other blocks takes of this one's budget, in which it only looks again.
constexpr uint64_t kWorkOfLook = 32;

template <class T>
void map(Warp& w, const T* a, T* d, const uint32_t* rank) {
    constexpr T kMask = ~(T{0xff} << kRankShift);
    const bool has_others = w.memory->cluster != nullptr;
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        T number = std::min(rank[n], 0xfeu) + 1;  // none that is too large is there
        d[n] = has_others ? (a[n] & kMask) | number << kRankShift : a[n];
    }
}

template <class T>
void rank(Warp& w, const T* a, uint32_t* d) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        uint32_t said = rank_of(a[n] & 0xffff'ffff);
        d[n] = said == kOwn ? w.memory->rank : said;
    }
}

}  // namespace

void run_cluster_arrive(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    BlockMemory& memory = *w.memory;
    memory.cluster->arrive(memory.rank, w.index, w.lanes, op.instruction);
    memory.cluster->observer->on_arrive(memory.rank, memory.cluster->phase);
    memory.observer->on_arrive(memory.block, w.index, kBarrier);
}

void run_cluster_wait(Warp& w, const Op&) {
    if (w.lanes == 0) return;
    BlockCluster& cluster = *w.memory->cluster;
    uint32_t rank = w.memory->rank;
    cluster.observer->on_pass(rank, cluster.arrived[rank].phase[w.index]);
}

void run_map_word(Warp& w, const Op& op) { map(w, w.words(op.a), w.words(op.d), w.words(op.b)); }
void run_map_wide(Warp& w, const Op& op) { map(w, w.wides(op.a), w.wides(op.d), w.words(op.b)); }
void run_rank_word(Warp& w, const Op& op) { rank(w, w.words(op.a), w.words(op.d)); }
void run_rank_wide(Warp& w, const Op& op) { rank(w, w.wides(op.a), w.words(op.d)); }

bool waits_for_blocks(Warp& w, const Op& op, bool was_asked, bool before) {
    BlockCluster& cluster = *w.memory->cluster;
    if (op.execute == run_cluster_wait) return !cluster.is_over(w.memory->rank, w.index);
    if (was_asked) return false;
    if (op.execute == run_mbarrier_wait) return before;
    w.memory->work += kWorkOfLook;
    ++cluster.changes;  // nobody can know that it looks in vain, until its budget is used up
    return true;
}

}  // namespace lanewise
