// The machine's global memory: a few buffers at made-up, well-aligned device addresses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "ptx/instruction.h"
#include "sim/memory/heap.h"

namespace lanewise {

// Allocates in order, each buffer aligned to 512 bytes as cudaMalloc does, with an unmapped gap
// between buffers so that an access past the end is out of bounds and never hits a neighbour.
// The same sequence of allocations always gives the same addresses.
// Threads may access memory at once; two lanes that race on the same bytes get either value.
class Memory {
  public:
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory();

    // Zero-filled, committed lazily by the system: untouched pages cost nothing.
    // Throws Error(bad_input) where the system refuses. Returns the device address.
    uint64_t allocate(uint64_t bytes, std::string name);

    // A read-only buffer without storage: 4-byte word i holds unique_word(i). A store into it is
    // out of bounds. Lets a 4096 x 4096 input cost nothing.
    uint64_t allocate_unique_words(uint64_t bytes, std::string name);

    struct Buffer {
        uint64_t address, bytes;
        std::byte* storage;  // null for a buffer of unique words
        std::string name;
        bool holds(uint64_t from, uint64_t count) const {
            return from - address <= bytes && bytes - (from - address) >= count;
        }
    };
    const std::vector<Buffer>& buffers() const { return buffers_; }

    // Makes the module's variables part of this memory, with their initial values, unless they are
    // already. May be called by several threads, before each uses find().
    void load_module(std::span<const ptx::ModuleVariable> variables);

    // The buffer (or variable of the module, or allocation on the heap) that holds all of
    // [address, address + bytes), or null. What lies on the heap is told in one of 64 places of the
    // calling thread, in turn, and only until it is freed.
    const Buffer* find(uint64_t address, uint64_t bytes) const;
    // The same, where most accesses go to the buffer `recent` (may be null) of the one before.
    const Buffer* find(uint64_t address, uint64_t bytes, const Buffer* recent) const {
        return recent && recent->holds(address, bytes) ? recent : find(address, bytes);
    }
    // The buffer nearest to `address`, for messages about out-of-bounds accesses; null if none.
    const Buffer* nearest(uint64_t address) const;

    Heap& heap() { return heap_; }
    const Heap& heap() const { return heap_; }

  private:
    std::vector<Buffer> buffers_, variables_;
    Heap heap_;
    std::mutex loading_;
};

// A bijection on 32-bit words, so that all words of a buffer up to 16 GiB differ. An integer
// pattern: compared bit for bit, never used as a float, as those that are NaNs would not survive.
constexpr uint32_t unique_word(uint32_t index) {
    uint32_t word = index + 0x9e3779b9u;
    word = (word ^ (word >> 16)) * 0x85ebca6bu;
    word = (word ^ (word >> 13)) * 0xc2b2ae35u;
    return word ^ (word >> 16);
}

}  // namespace lanewise
