// The bytes of global memory that one block has written, line by line of 128 bytes: a hash table
// that forgets everything at no cost when the next block begins.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanewise {

class WrittenBytes {
  public:
    WrittenBytes() : lines_(256) {}
    void start_block();
    // bytes: 1 to 16, address a multiple of it.
    void add(uint64_t address, uint32_t bytes);
    bool holds(uint64_t address, uint32_t bytes) const;

  private:
    struct Line {
        uint64_t number = 0;
        uint32_t block = 0;  // the line is empty unless this is the present one
        std::array<uint64_t, 2> mask{};
    };
    size_t place(uint64_t line) const;
    void grow();

    std::vector<Line> lines_;  // a power of two
    size_t used_ = 0;
    uint32_t block_ = 1;
};

}  // namespace lanewise
