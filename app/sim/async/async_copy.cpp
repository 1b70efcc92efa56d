#include "sim/async/async_copy.h"

#include <bit>

#include "sim/async/async_operands.h"

namespace lanewise {

namespace {

// So many unfinished copies of a warp are kept, some 30 times what the hardware has room for; a
// kernel that never waits in a loop would else fill the memory. Beyond, the oldest is done.
constexpr size_t kMostCopies = 1024;

void end(BlockMemory& memory, uint32_t warp, const AsyncCopies::Copy& copy, uint32_t lanes,
         std::optional<uint32_t> mbarrier = {}) {
    MemoryEvent event{copy.instruction,
                      Space::shared,
                      true,
                      copy.bytes,
                      memory.block,
                      static_cast<uint16_t>(warp),
                      lanes,
                      &copy.addresses,
                      AccessKind::async_copy,
                      memory.shared};
    memory.observer->on_copy_complete(event, mbarrier);
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        auto n = static_cast<size_t>(std::countr_zero(rest));
        std::byte* to = memory.shared + copy.addresses[n];
        if (copy.bytes == 16)  // one instruction
            std::memcpy(to, copy.data[n].data(), 16);
        else
            std::memcpy(to, copy.data[n].data(), copy.bytes);
    }
}

}  // namespace

void AsyncCopies::start_block() {
    bulk.start_block();
    products.start_block();
    if (!is_used_) return;
    is_used_ = false;
    arrivals_.clear();
    for (WarpCopies& warp : warps_) {
        warp.open.fill(0);
        warp.copies.clear();
    }
}

void AsyncCopies::add(Warp& w, Copy copy) {
    is_used_ = true;
    WarpCopies& warp = warps_[w.index];
    copy.groups = warp.open;
    copy.number = issued_++;
    if (warp.copies.size() == kMostCopies) {
        end(*w.memory, w.index, warp.copies.front(), warp.copies.front().lanes);
        warp.copies.erase(warp.copies.begin());
    }
    warp.copies.push_back(std::move(copy));
}

void AsyncCopies::commit(uint32_t warp, uint32_t lanes) {
    is_used_ = true;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        ++warps_[warp].open[static_cast<size_t>(std::countr_zero(rest))];
}

void AsyncCopies::wait(Warp& w, uint32_t lanes, uint32_t pending) {
    WarpCopies& warp = warps_[w.index];
    for (Copy& copy : warp.copies) {
        uint32_t done = 0;
        for (uint32_t rest = lanes & copy.lanes; rest != 0; rest &= rest - 1) {
            auto n = static_cast<size_t>(std::countr_zero(rest));
            if (uint64_t{copy.groups[n]} + pending < warp.open[n]) done |= 1u << n;
        }
        if (done == 0) continue;
        end(*w.memory, w.index, copy, done);
        copy.lanes &= ~done;
    }
    std::erase_if(warp.copies, [](const Copy& copy) { return copy.lanes == 0; });
}

void AsyncCopies::arrive_when_done(uint64_t mbarrier, uint32_t warp, int lane) {
    is_used_ = true;
    arrivals_.push_back({mbarrier, warp, lane, issued_});
}

AsyncCopies::Finished AsyncCopies::finish(BlockMemory& memory, uint64_t mbarrier) {
    Finished result;
    std::erase_if(arrivals_, [&](const Arrival& arrival) {
        if (arrival.mbarrier != mbarrier) return false;
        for (Copy& copy : warps_[arrival.warp].copies) {
            uint32_t lane = copy.lanes & 1u << arrival.lane;
            if (copy.number >= arrival.before || lane == 0) continue;
            end(memory, arrival.warp, copy, lane, static_cast<uint32_t>(mbarrier));
            copy.lanes &= ~lane;
        }
        ++result.arrivals;
        return true;
    });
    result.bytes = bulk.finish(memory, mbarrier);
    return result;
}

void run_cp_async(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const AsyncOperands& operands = async_operands(op);
    const uint32_t* wanted = w.words(operands.source);
    uint32_t reading = 0;
    for (int n = 0; n < kLanes; ++n) reading |= (wanted[n] != 0 ? 1u : 0u) << n;
    reading &= ~(w.predicate(operands.ignore) ^ operands.ignore_flip);
    uint32_t bytes = operands.bytes;
    Reach from =
        reach(w, op, operands.from.where, w.lanes & reading, operands.from.of(w), bytes, false);
    announce_reach(w, op, from, AccessKind::async_copy, false, bytes);
    Reach to = reach(w, op, operands.to.where, w.lanes, operands.to.of(w), bytes, true);
    announce_reach(w, op, to, AccessKind::async_copy, true, bytes);
    if (to.shared == 0) return;
    AsyncCopies::Copy copy;
    copy.instruction = op.instruction;
    copy.lanes = to.shared;
    copy.bytes = static_cast<uint8_t>(bytes);
    copy.addresses = to.addresses;
    for (uint32_t rest = to.shared & from.lanes(); rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        auto n = static_cast<size_t>(lane);
        fetch(from, lane, copy.data[n].data(), std::min(wanted[lane], bytes));
    }
    w.memory->copies->add(w, std::move(copy));
}

void run_cp_async_commit(Warp& w, const Op&) { w.memory->copies->commit(w.index, w.lanes); }
void run_cp_async_wait(Warp& w, const Op& op) { w.memory->copies->wait(w, w.lanes, op.targets); }
void run_cp_async_wait_all(Warp& w, const Op&) {
    w.memory->copies->commit(w.index, w.lanes);
    w.memory->copies->wait(w, w.lanes, 0);
}

}  // namespace lanewise
