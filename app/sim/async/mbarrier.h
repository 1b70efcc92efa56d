// mbarriers: barriers in shared memory that count arrivals and bytes (PTX manual, "Parallel
// Synchronization and Communication Instructions: mbarrier").
//
// The manual leaves open how the 64 bits of a barrier are used; here, from the lowest:
//   20 bits  how many arrivals end a phase (0: this is no barrier)
//   20 bits  how many are still to come in the present one
//   21 bits  tx-count: bytes that are still to arrive in it, signed
//   bit 63   the parity of the present phase
// A state that an arrival gives is the barrier's bits as they were before it.
//
// Copies whose end a barrier tracks are done when a thread asks whether its phase is over, and not
// before: as late as the hardware may be, too (async_copy.h).
#pragma once
#include <cstdint>

#include "sim/warp/warp.h"

namespace lanewise {

struct Mbarrier {
    uint32_t expected = 0, pending = 0;
    int32_t bytes = 0;
    bool parity = false;
};
Mbarrier unpacked(uint64_t bits);
uint64_t packed(const Mbarrier& barrier);

// Operands: async_operands.h, where `barrier` is the address. Op::d is the row of the state, or of
// the predicate of a wait; Op::a of the count or the bytes; for waits of the state or the parity.
void run_mbarrier_init(Warp& w, const Op& op);
void run_mbarrier_inval(Warp& w, const Op& op);
// Op::a: the count; Op::c_flip: drop, the later phases expect that many fewer
void run_mbarrier_arrive(Warp& w, const Op& op);
// Op::a: the bytes
void run_mbarrier_arrive_expect(Warp& w, const Op& op);
void run_mbarrier_expect(Warp& w, const Op& op);
void run_mbarrier_complete(Warp& w, const Op& op);
// Op::c_flip: Op::a is a parity, not a state. Sets Warp::waits where no lane's phase is over.
void run_mbarrier_wait(Warp& w, const Op& op);
// Op::d = arrivals that Op::a's state says are still to come
void run_mbarrier_pending_count(Warp& w, const Op& op);
// cp.async.mbarrier.arrive: once the lane's copies so far are done. Op::c_flip: .noinc
void run_cp_async_arrive(Warp& w, const Op& op);

}  // namespace lanewise
