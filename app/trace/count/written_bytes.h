// The bytes of global memory that one block has written, line by line of 128 bytes: a hash table
// that forgets everything at no cost when the next block begins. Stores are only noted until
// somebody asks for a byte, which in most kernels nobody does.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/event/event.h"

namespace lanewise {

class WrittenBytes {
  public:
    WrittenBytes() : lines_(256) {}
    void start_block();
    // bytes: 1 to 16, address a multiple of it.
    void add(uint64_t address, uint32_t bytes);
    // What all lanes of a store write.
    void add(const MemoryEvent& store);
    // What a bulk copy writes.
    void add(const BulkAccess& store);
    bool holds(uint64_t address, uint32_t bytes);

  private:
    struct Line {
        uint64_t number = 0;
        uint32_t block = 0;  // the line is empty unless this is the present one
        std::array<uint64_t, 2> mask{};
    };
    struct Store {
        std::array<uint64_t, 32> addresses;
        uint32_t lanes, bytes;
    };
    static constexpr size_t kMostNoted = 256, kMostNotedPieces = 16'384;
    size_t place(uint64_t line) const;
    void grow();
    void add_noted();

    std::vector<Line> lines_;  // a power of two
    size_t used_ = 0;
    uint32_t block_ = 1;
    std::vector<Store> noted_;
    std::vector<BulkPieces> noted_copies_;
    size_t noted_pieces_ = 0;  // of noted_copies_
};

}  // namespace lanewise
