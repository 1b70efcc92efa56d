// How often each element of a product's matrices is fetched, from global and from shared memory:
// the picture of reuse. One fetch is one warp instruction that wants the element, however many of
// its lanes do: the hardware serves those together; or one bulk copy. wgmma is one instruction of
// four warps: it reads each element of its A and of its B once. (It could not be otherwise: with
// 128 bytes a clock, m64n256k16 has time for 16 KiB; A and B have 10, and B four times 34.) What is
// written, C, is counted likewise by its stores.
//
// Which element lies in which place of shared memory the elements say themselves: the kernel is run
// on matrices all of whose bit patterns differ (lab/product/product_probe.h), and a ReuseCounter looks
// each one up that is read.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/event/event.h"

namespace lanewise {

struct ReuseMap {
    int rows = 0, cols = 0;                // of the matrix
    std::vector<uint32_t> global, shared;  // fetches of each element, row by row; of C in global
                                           // its stores
    struct Range {
        uint32_t least = 0, most = 0;
        double mean = 0;
    };
};
ReuseMap::Range range_of(std::span<const uint32_t> fetches);  // all 0 where there are none

class ReuseCounter : public Observer {
  public:
    // `elements`: the matrix in the machine's memory at `address`, row by row.
    struct Matrix {
        int rows, cols;
        uint32_t element_bytes;  // 2 or 4
        uint64_t address;
        const std::byte* elements;  // null: what the kernel writes
    };
    explicit ReuseCounter(std::span<const Matrix> matrices);
    void on_memory(const MemoryEvent& event) override;
    void on_matrix_read(const MemoryEvent& event) override;

    // In the order of `matrices`.
    const std::vector<ReuseMap>& maps() const { return maps_; }

  private:
    struct Place {
        size_t matrix, element;
    };
    void count_global(const MemoryEvent& event);  // loads of what is read, stores of the rest
    void count_shared(const MemoryEvent& event);

    std::vector<Matrix> matrices_;
    std::vector<ReuseMap> maps_;
    std::unordered_map<uint32_t, Place> by_bits_;
    uint32_t smallest_ = 4;  // bytes of the smallest element
    std::vector<uint64_t> seen_;
};

}  // namespace lanewise
