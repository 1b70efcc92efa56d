// Keeps the shuffles of a block for the pictures: whose value each lane gets, and which loaded element
// that value is. A part of BlockRecorder (trace/count/counter.h).
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ptx/instruction.h"
#include "sim/event/event.h"
#include "sim/memory/memory.h"
#include "trace/report.h"

namespace lanewise {

class ShuffleRecorder {
  public:
    // Of a kernel without a shuffle it does nothing.
    ShuffleRecorder(const ptx::Kernel& kernel, const Memory& memory);

    // A load from global memory: from now on its words are known by their values. A value that two
    // elements have is nobody's.
    void on_load(const MemoryEvent& event);
    // Its place in `shuffles`; nothing where that is full.
    std::optional<int> on_shuffle(const ShuffleEvent& event, std::vector<TracedShuffle>& shuffles);

  private:
    struct Place {
        int buffer;  // kNobodys: two elements have this value
        uint64_t offset;
        bool operator==(const Place&) const = default;
    };
    void know(const Memory::Buffer& buffer, uint64_t address, int bytes);

    const Memory& memory_;
    bool has_shuffles_ = false;
    std::unordered_map<uint32_t, Place> places_;  // by value
};

}  // namespace lanewise
