// cp.async.bulk and cp.async.bulk.tensor: copies of whole ranges and boxes between global and
// shared memory, and of ranges to another block's shared memory, by the tensor memory accelerator
// (PTX manual, "Data Movement and Conversion Instructions: Bulk copy").
//
// They are done as late as they may be. A copy to shared memory reads its source when it is issued
// and stores when a thread asks for the phase of its mbarrier (mbarrier.h). A copy to global memory
// reads its source when its thread waits for its group and stores when it waits for more than the
// reads, or when the block ends.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/event/tensor_box.h"
#include "sim/warp/warp.h"

namespace lanewise {

class BulkCopies {
  public:
    // One lane's copy.
    struct Copy {
        uint32_t instruction = 0;
        uint32_t warp = 0;
        uint8_t lane = 0;
        bool to_shared = false, has_read = false;
        uint64_t mbarrier = 0;  // to shared memory
        uint64_t arriving = 0;  // bytes that the mbarrier is told of
        uint32_t group = 0;     // to global memory; set by add()
        uint64_t number = 0;    // of the block's copies; set by add()
        std::optional<TensorBox> box;
        // Of a copy from shared memory: whose it is. It has read, and `data` is there; its pieces'
        // global addresses are places in that block's memory.
        BlockMemory* source = nullptr;
        BulkPieces pieces;
        std::shared_ptr<std::byte[]> data;  // of all pieces; once it has read. Nobody changes it
    };

    void start_block();
    // Tells the observer of both accesses, and keeps the copy under way. reads: its source is told of;
    // not where the same bytes go to several blocks, and one has been told.
    void add(BlockMemory& memory, Copy copy, bool reads = true);
    void commit(uint32_t warp, uint32_t lanes);
    // As cp.async.bulk.wait_group{.read} of these lanes.
    void wait(BlockMemory& memory, uint32_t warp, uint32_t lanes, uint32_t pending,
              bool only_reads);
    // Ends the copies that the mbarrier tracks; how many bytes these are.
    uint64_t finish(BlockMemory& memory, uint64_t mbarrier);
    void end_block(BlockMemory& memory);

    TensorBoxes boxes;
    // Is told before a copy's bytes go to global memory; null where nobody wants to know. For who
    // keeps what they replace.
    const std::function<void(const BulkAccess&)>* before_write = nullptr;

  private:
    void read_source(BlockMemory& memory, Copy& copy);
    std::vector<Copy> copies_;
    std::array<std::array<uint32_t, kLanes>, 32> open_{};  // each thread's open group
    uint64_t issued_ = 0;
    bool is_used_ = false;
};

// Operands: async_operands.h.
void run_bulk_load(Warp& w, const Op& op);
void run_bulk_store(Warp& w, const Op& op);
// From the block's shared memory to that of a block of its cluster, or its own
void run_shared_copy(Warp& w, const Op& op);
void run_bulk_commit(Warp& w, const Op& op);
// op.targets: how many groups may stay under way; op.c_flip: only their reads are waited for
void run_bulk_wait(Warp& w, const Op& op);

// Adds a copy to shared memory to the block that it goes to, or to several of the cluster. to: the
// address as the instruction has it.
void issue_load(Warp& w, const Op& op, uint64_t to, BulkCopies::Copy copy);
// Within shared memory, whichever block's it is.
uint64_t offset_in_shared(const Warp& w, uint64_t address);

// The pieces that lie in memory that the block may touch. The first of the others is reported.
void drop_unreachable(Warp& w, const Op& op, BulkCopies::Copy& copy);

}  // namespace lanewise
