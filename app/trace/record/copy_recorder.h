// Keeps the asynchronous copies of a block for the pictures: what each moves from where to where,
// and when it is done. A part of BlockRecorder (trace/count/counter.h).
#pragma once
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "ptx/instruction.h"
#include "sim/event/event.h"
#include "sim/memory/memory.h"
#include "trace/report.h"

namespace lanewise {

class CopyRecorder {
  public:
    CopyRecorder(const ptx::Kernel& kernel, const Memory& memory, std::vector<int> report_indices);

    // Each: the copy's index into `copies`; nothing where the event begins or ends none, -1 where
    // it is one that is not kept, because there are too many.
    std::optional<int> issue(const BulkCopyEvent& event, std::vector<TracedCopy>& copies);
    // cp.async tells of itself twice: what it reads, where it reads anything, then what it writes.
    std::optional<int> issue(const MemoryEvent& event, std::vector<TracedCopy>& copies);
    std::optional<int> done(uint64_t bulk_number);
    std::optional<int> done(const MemoryEvent& event, const std::vector<TracedCopy>& copies);

  private:
    struct UnderWay {  // a cp.async
        int copy;
        uint32_t lanes;  // that are not done
    };
    int keep(TracedCopy copy, uint64_t first_global, std::vector<TracedCopy>& copies);
    TracedCopy begun(uint32_t instruction, uint32_t warp) const;

    const ptx::Kernel& kernel_;
    const Memory& memory_;
    std::vector<int> report_indices_;
    std::optional<MemoryEvent> read_;  // of the cp.async that is being issued
    std::array<uint64_t, 32> read_addresses_{};
    std::map<uint64_t, int> bulk_;  // under way, by number
    std::vector<UnderWay> under_way_;
    size_t pieces_ = 0;
};

}  // namespace lanewise
