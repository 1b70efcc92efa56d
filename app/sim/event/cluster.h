// What the blocks of a cluster do to each other (sim/run/clusters.h), for whoever judges it. Other
// observers do not hear of these accesses: they are not in the block's own shared memory.
#pragma once
#include <cstdint>
#include <span>

#include "sim/event/event.h"

namespace lanewise {

// Lanes of one warp that access the shared memory of one block of their cluster by its place in the
// cluster (mapa). That block may be their own.
struct ClusterAccess {
    uint32_t rank;       // of the block whose warp it is, within the cluster
    uint32_t owner;      // whose shared memory it is, likewise
    bool loads, stores;  // atomics and mbarriers: both
    // As an access to shared memory, where addresses and `shared` are the owner's; `block` is that
    // of the warp.
    const MemoryEvent& event;
};

class ClusterObserver {
  public:
    virtual ~ClusterObserver() = default;
    // A cluster begins, of these blocks by rank: linear, within the grid.
    virtual void on_start(std::span<const uint32_t> /*blocks*/) {}
    virtual void on_access(const ClusterAccess&) {}
    // A warp of this block arrives at the cluster's barrier, and goes on behind it. Phases are
    // counted from 0.
    virtual void on_arrive(uint32_t /*rank*/, uint32_t /*phase*/) {}
    virtual void on_pass(uint32_t /*rank*/, uint32_t /*phase*/) {}
    // One arrives at the mbarrier at this address of the shared memory of block `owner`. That some
    // find its phase over, its own block's observer hears (MbarrierEvent).
    virtual void on_remote_arrive(uint32_t /*rank*/, uint32_t /*owner*/, uint32_t /*address*/) {}
    // A warp issues a bulk copy into the shared memory of another block; what it is, that block's
    // observer hears, as a copy by the warp of this number.
    virtual void on_copy(uint32_t /*rank*/, uint32_t /*owner*/, uint32_t /*warp*/) {}
    // Such a copy comes from the shared memory of the warp's own block: 32 pieces of it or fewer, which
    // take the place of what is there. mbarrier: of the owner; who finds its phase over has them.
    virtual void on_shared_copy(const ClusterAccess&, uint32_t /*mbarrier*/) {}
    // All threads of the block have returned.
    virtual void on_leave(uint32_t /*rank*/) {}
};

}  // namespace lanewise
