// cp.async: copies from global to shared memory that go on by themselves (PTX manual, "Data
// Movement and Conversion Instructions: cp.async").
//
// The hardware may finish a copy at any time until the thread that issued it has waited for it.
// Here it always takes that long: shared memory changes at the wait and not before, so a kernel
// that forgets to wait reads what was there. Source bytes are read when the copy is issued.
#pragma once
#include <array>
#include <vector>

#include "sim/async/bulk_copy.h"
#include "sim/async/matrix_reads.h"
#include "sim/operation/reach.h"

namespace lanewise {

// The copies of a block that are under way.
class AsyncCopies {
  public:
    void start_block();

    // One warp instruction's copies; they join the open group of each lane.
    struct Copy {
        uint32_t instruction = 0;
        uint32_t lanes = 0;  // whose copy is still under way
        uint8_t bytes = 0;
        LaneAddresses32 addresses{};            // in shared memory
        std::array<uint32_t, kLanes> groups{};  // by lane; set by add()
        std::array<std::array<std::byte, 16>, kLanes> data{};
        uint64_t number = 0;  // of all copies of the block; set by add()
    };
    void add(Warp& w, Copy copy);
    // Closes the open group of each lane.
    void commit(uint32_t warp, uint32_t lanes);
    // Finishes all copies of the lanes but those of their `pending` newest closed groups, and those
    // of open groups.
    void wait(Warp& w, uint32_t lanes, uint32_t pending);

    // An mbarrier gets an arrival once the lane's copies so far are done.
    void arrive_when_done(uint64_t mbarrier, uint32_t warp, int lane);
    // Finishes all copies that the mbarrier tracks, and says what it is to be told of them.
    struct Finished {
        uint32_t arrivals = 0;
        uint64_t bytes = 0;
    };
    Finished finish(BlockMemory& memory, uint64_t mbarrier);

    BulkCopies bulk;
    MatrixReads products;

    // Counts whatever may end somebody's wait, so that the executor sees when nothing does.
    uint64_t changes = 0;

  private:
    struct Arrival {
        uint64_t mbarrier;
        uint32_t warp;
        int lane;
        uint64_t before;  // copies of lower numbers
    };
    struct WarpCopies {
        std::array<uint32_t, kLanes> open{};  // number of each lane's open group
        std::vector<Copy> copies;             // in order
    };
    std::array<WarpCopies, 32> warps_;
    std::vector<Arrival> arrivals_;
    uint64_t issued_ = 0;
    bool is_used_ = false;
};

// cp.async.ca.shared.global [to], [from], bytes {, source bytes | ignore}: operands in
// async_operands.h.
void run_cp_async(Warp& w, const Op& op);
void run_cp_async_commit(Warp& w, const Op& op);
// op.targets: how many groups may stay under way
void run_cp_async_wait(Warp& w, const Op& op);
void run_cp_async_wait_all(Warp& w, const Op& op);

}  // namespace lanewise
