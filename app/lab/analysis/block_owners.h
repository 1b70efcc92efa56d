// Which block of a product's launch writes which element of C: told by interpreting every block
// once with K = 0, where each writes its part of C and multiplies nothing. So a few blocks of a
// launch that is too long to interpret can be held to what they have to write (product_sample.h),
// and an element that no block writes is found wherever it is.
#pragma once
#include <cstdint>
#include <vector>

#include "lab/machine/interpret.h"

namespace lanewise {

class BlockOwners {
  public:
    // Throws Cancelled, and Error(bad_input) where this does not tell: where the grid changes with
    // K, where blocks write the same elements or work together by atomics, or none writes any.
    BlockOwners(const Job& job, const PreparedKernel& prepared, const LaunchShape& launch,
                int threads, const CancelFlag* cancel);

    static constexpr uint32_t kNobody = 0;
    // Of element `index` of C, row by row: its block + 1, or kNobody.
    const std::vector<uint32_t>& of() const { return of_; }
    // What was found wrong meanwhile.
    const std::vector<Finding>& findings() const { return findings_; }

  private:
    std::vector<uint32_t> of_;
    std::vector<Finding> findings_;
};

}  // namespace lanewise
