// What the machine tells the checker, and whether that has to be searched: known_blocks.h.
#include <algorithm>

#include "sim/event/bulk_access.h"
#include "trace/check/checker_state.h"

namespace lanewise {

template <class Words>
bool Checker::State::is_known(const SharedEvent& event, const Words* words) {
    return known.follow(event, words,
                        [this](const SharedEvent& missed, std::span<const EventWords> with) {
                            search(missed, with);
                        });
}

void Checker::State::abandon_known() {
    known.abandon([this](const SharedEvent& missed, std::span<const EventWords> with) {
        search(missed, with);
    });
}

void Checker::State::search(const SharedEvent& event, std::span<const EventWords> words) {
    using enum SharedEvent::What;
    if (event.pieces != 0) return search_bulk(event, words);
    std::array<uint64_t, 32> addresses{};
    if (!words.empty()) std::copy(words[0].begin(), words[0].end(), addresses.begin());
    MemoryEvent memory{event.instruction,    Space::shared, event.is_store,
                       event.bytes_per_lane, block,         event.warp,
                       event.lanes,          &addresses};
    memory.kind = static_cast<AccessKind>(event.kind);
    memory.issuing_lane = event.issuing_lane;
    switch (event.what) {
        case access:
        case matrix_read:
            return search_access(memory);
        case copy_complete:
            return finish_copy(memory, event.has_place ? std::optional(event.place) : std::nullopt);
        case proxy_fence:
            return order.proxy_fence(event.warp);
        case mbarrier:
            return search_mbarrier(static_cast<MbarrierEvent::What>(event.kind), event.warp,
                                   event.lanes, event.place);
        case barrier:
            return search_barrier(
                {block, event.lanes, event.finished, event.has_place, &words[0], event.place});
        case arrive:
            return order.arrive(event.warp, event.place);
        case warp_sync:
            return order.warp_sync(event.warp, event.lanes);
    }
}

void Checker::State::search_bulk(const SharedEvent& event, std::span<const EventWords> words) {
    SharedEvent part = event;
    part.pieces = 0;
    for (uint32_t rest = event.pieces; !words.empty(); words = words.subspan(1)) {
        part.lanes = rest >= 32 ? ~0u : (1u << rest) - 1;
        rest -= std::min(rest, 32u);
        search(part, words.first(1));
    }
}

void Checker::on_memory(const MemoryEvent& event) {
    State& s = *state_;
    s.block = event.block;
    if (s.is_broken) return;
    if (event.space == Space::global) {
        if (s.traits[event.instruction].is_grid) return s.touches->pass_grid_barrier();
        s.touches->add(event, s.traits[event.instruction].is_atomic);
        if (!s.outputs.empty()) s.check_global(event);
    } else if (!s.is_known(SharedEvent::of(event, SharedEvent::What::access), event.addresses)) {
        s.search_access(event);
    }
}

void Checker::on_bulk_access(const BulkAccess& access) {
    State& s = *state_;
    s.block = access.block;
    if (s.is_broken) return;
    if (access.space == Space::global) {
        s.touches->add(access);
        if (!s.outputs.empty()) s.check_global(access);
    } else if (!s.is_known(SharedEvent::of(access, SharedEvent::What::access), &access)) {
        each_event(access, [&](const MemoryEvent& event) {
            if (!s.is_broken) s.search_access(event);
        });
    }
}

void Checker::on_bulk_complete(const BulkAccess& access, std::optional<uint32_t> mbarrier) {
    State& s = *state_;
    s.block = access.block;
    if (s.is_broken) return;
    if (s.is_known(SharedEvent::completed(access, mbarrier), &access)) return;
    each_event(access, [&](const MemoryEvent& event) { s.finish_copy(event, mbarrier); });
}

void Checker::on_matrix_read(const MemoryEvent& event) {
    State& s = *state_;
    s.block = event.block;
    if (s.is_broken) return;
    if (!s.is_known(SharedEvent::of(event, SharedEvent::What::matrix_read), event.addresses))
        s.search_access(event);
}

void Checker::on_copy_complete(const MemoryEvent& event, std::optional<uint32_t> mbarrier) {
    State& s = *state_;
    s.block = event.block;
    if (s.is_broken) return;
    if (!s.is_known(SharedEvent::completed(event, mbarrier), event.addresses))
        s.finish_copy(event, mbarrier);
}

void Checker::on_proxy_fence(uint32_t block, uint32_t warp, uint32_t lanes) {
    State& s = *state_;
    s.block = block;
    if (!s.is_known<EventWords>(
            SharedEvent::of_warp(SharedEvent::What::proxy_fence, warp, lanes, 0), nullptr))
        s.order.proxy_fence(warp);
}

void Checker::on_mbarrier(const MbarrierEvent& event) {
    State& s = *state_;
    s.block = event.block;
    if (!s.is_known<EventWords>(SharedEvent::of(event), nullptr))
        s.search_mbarrier(event.what, event.warp, event.lanes, event.address);
}

void Checker::on_fault(const Fault& fault) {
    using enum Fault::Kind;
    State& s = *state_;
    s.block = fault.block;
    s.abandon_known();
    bool access = fault.kind == out_of_bounds || fault.kind == misaligned;
    s.is_broken |= !access;
    s.went_astray |= access && fault.is_store && fault.space == Space::shared;
}

void Checker::on_barrier(const BarrierEvent& event) {
    State& s = *state_;
    s.block = event.block;
    if (s.is_broken) return;
    constexpr uint32_t kOfCluster = 16;
    if (s.in_clusters && event.barrier == kOfCluster) s.touches->pass_grid_barrier();
    if (!s.is_known(SharedEvent::of(event), event.instructions)) s.search_barrier(event);
}

void Checker::on_arrive(uint32_t block, uint32_t warp, uint32_t barrier) {
    State& s = *state_;
    s.block = block;
    if (!s.is_known<EventWords>(SharedEvent::of_warp(SharedEvent::What::arrive, warp, 0, barrier),
                                nullptr))
        s.order.arrive(warp, barrier);
}

void Checker::on_warp_sync(uint32_t block, uint32_t warp, uint32_t lanes) {
    State& s = *state_;
    s.block = block;
    if (!s.is_known<EventWords>(SharedEvent::of_warp(SharedEvent::What::warp_sync, warp, lanes, 0),
                                nullptr))
        s.order.warp_sync(warp, lanes);
}

void Checker::on_store_from_outside(const MemoryEvent& event) {
    State& s = *state_;
    if (s.is_broken) return;
    s.abandon_known();
    s.fit(event);
    auto [time, thread] = s.order.known_to_all();
    PastAccess now{time, event.instruction, thread, 0, false};
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t begin = (*event.addresses)[static_cast<size_t>(__builtin_ctz(lanes))];
        for (uint64_t at = begin; at < begin + event.bytes_per_lane; at += s.shadow.piece_bytes()) {
            ShadowPiece& piece = s.shadow.at(at);
            piece.write = now;
            piece.before_atomics = {};
            piece.reads = {};
        }
    }
}

void Checker::on_arrive_from_outside(uint32_t mbarrier) {
    State& s = *state_;
    s.abandon_known();
    for (uint32_t warp = 0; warp < 32; ++warp) s.order.arrive(warp, ~0u, mbarrier);
}

void Checker::on_publish_from_outside(uint64_t address) {
    State& s = *state_;
    s.abandon_known();
    s.order.publish_all(address);
}

// Whoever issues it knows that the block is done with what was there, or it is another's mistake.
void Checker::on_copy_from_outside(uint32_t warp) {
    constexpr uint64_t kNowhere = ~uint64_t{0};
    on_publish_from_outside(kNowhere);
    state_->order.warp_sync(warp, ~0u);
    state_->order.acquire(warp, kNowhere);
}

void Checker::add(const Hazard& hazard) {
    state_->abandon_known();
    state_->add(hazard);
}

void Checker::on_block_end(uint32_t block) {
    State& s = *state_;
    s.block = block;
    bool is_known = s.known.end([&s](const SharedEvent& missed, std::span<const EventWords> with) {
        s.search(missed, with);
    });
    if (!is_known) s.end_search();
    s.known.start_next(s.is_clean);
    s.is_clean = true;
    s.written.start_block();
    s.touches->end_block();
}

}  // namespace lanewise
