// Counts one instruction that is no plain load or store: an atomic, cp.async, a matrix load, wmma,
// a bulk copy. The rules are in trace/count/rules.h.
#pragma once
#include <array>
#include <memory>
#include <optional>

#include "trace/count/access_cost.h"
#include "trace/count/counter.h"
#include "trace/count/rules.h"

namespace lanewise {

class OtherCounts {
  public:
    OtherCounts(const ptx::Instruction& instruction, CountAs::Executed executed);
    void count(const MemoryEvent& event);
    // A bulk store of which nothing lies within the tensor.
    void count_store_outside() { ++counts_.bulk_store.instructions; }
    void count(const BulkAccess& access);
    const Counts& counts() const { return counts_; }

  private:
    void count_atomic(const MemoryEvent& event);
    Counts global_atomic(const MemoryEvent& event) const;
    Counts shared_atomic(const MemoryEvent& event) const;
    void count_copy(const MemoryEvent& event);
    CopyCounts copy_counts(const CopyAccesses& copy) const;
    void count_matrix(const MemoryEvent& event);
    // Of an access of a kind that does not change.
    const AccessCost& remembered_cost(const MemoryEvent& event);
    const BulkCounts& bulk_cost(const BulkPieces& copy, bool to_shared);
    void count_pair(const MemoryEvent& second);
    void count_plain(const MemoryEvent& event, const LaneAddresses& addresses, int bytes);

    CountAs::Executed executed_;
    bool swaps_ = false;          // atom.cas
    bool through_cache_ = false;  // cp.async.ca
    Counts counts_;
    // Made by the first one.
    std::unique_ptr<CostMemory<Counts>> atomics_;
    std::unique_ptr<CostMemory<CopyCounts, CopyPattern>> copies_;
    std::unique_ptr<CostMemory<AccessCost>> plain_;
    // wmma: the element before, until its neighbour comes; cp.async: the read, until the write
    // comes.
    std::optional<LaneAddresses> first_;
    bool multicasts_ = false, source_is_told_ = false;  // the latter of the bulk load that comes next
    // The last bulk copy and what it cost: most are the same box elsewhere in the tensor.
    BulkPieces last_copy_;
    BulkCounts last_cost_;
    // Likewise of boxes, of which a block asks for several in turn: by pattern.
    struct KnownBox {
        uint64_t pattern = 0, place = 0;  // place: within a sector
        BulkCounts cost;
    };
    std::array<KnownBox, 16> boxes_;
    uint32_t first_mask_ = 0;
    int pairs_ = 0;  // wmma: of the matrix load that is under way
    int bytes_ = 0;  // wmma: of the four that are read at once
};

}  // namespace lanewise
