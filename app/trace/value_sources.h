// Where the values of a store come from: the loads of global memory whose results reach its
// registers by way of moves and arithmetic. Read off the PTX, whose registers are written once or,
// in loops, a few times: which of those comes first does not matter here.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "ptx/instruction.h"

namespace lanewise {

class ValueSources {
  public:
    explicit ValueSources(const ptx::Kernel& kernel) : kernel_(&kernel) {}
    // Indices into kernel.instructions of those loads, in order; empty where the values were
    // computed from others, such as sums of what shared memory held. Found once for each store.
    const std::vector<uint32_t>& of_store(uint32_t instruction);

  private:
    void find_writers();
    std::vector<uint32_t> find(uint32_t instruction) const;

    const ptx::Kernel* kernel_;
    std::vector<std::vector<uint32_t>> writers_[2];  // by RegisterKind word, wide; by register
    std::map<uint32_t, std::vector<uint32_t>> found_;
};

}  // namespace lanewise
