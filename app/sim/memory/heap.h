// The device's heap: what malloc and new of a kernel give out, and free and delete take back.
// What these functions themselves do in memory is no access of the kernel's and not counted; the
// kernel's accesses to what it was given are accesses to global memory. Where a card would place
// an allocation nobody says: here each begins at a multiple of 16 bytes, and lies apart from all
// others, at an address that depends on its block alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <shared_mutex>
#include <string>
#include <vector>

namespace lanewise {

inline constexpr uint64_t kHeapAddress = uint64_t{1} << 62;
constexpr bool is_on_heap(uint64_t address) { return address >> 62 == 1; }

// Threads may use it at once.
class Heap {
  public:
    // As much as a program has that does not set cudaLimitMallocHeapSize.
    static constexpr uint64_t kBytes = 8u << 20;
    // Of all allocations of a launch, freed ones included.
    static constexpr size_t kMostAllocations = 1u << 20;

    Heap() = default;
    Heap(const Heap&) = delete;
    Heap& operator=(const Heap&) = delete;
    ~Heap();

    // 0 where there is no room, or for no bytes.
    uint64_t allocate(uint32_t block, uint64_t bytes);
    enum class Freed : uint8_t { now, before, never_given };
    Freed release(uint64_t address);

    struct Allocation {
        uint64_t address = 0, bytes = 0;
        std::byte* storage = nullptr;
        bool is_live = true;
    };
    // The one that holds all of [address, address + bytes) and is not freed; false where there is
    // none.
    bool find(uint64_t address, uint64_t bytes, Allocation& found) const;
    // What is wrong with an access there, where find() finds nothing.
    std::string fault_text(uint64_t address, bool is_store) const;

    struct Left {
        uint64_t given = 0;                   // allocations in all, freed ones included
        uint64_t allocations = 0, bytes = 0;  // not freed
        bool ran_out = false;                 // somebody was given none
    };
    Left left() const;

  private:
    // Room of so many bytes in the storage; null where there is none.
    std::byte* take_room(uint64_t bytes);
    void give_room_back(std::byte* begin, uint64_t bytes);
    const Allocation* at_or_before(uint64_t address) const;

    mutable std::shared_mutex mutex_;
    std::map<uint64_t, Allocation> allocations_;  // by address
    std::map<uint32_t, uint64_t> next_;           // by block: its next address
    std::map<uint64_t, uint64_t> free_;           // storage: offset to bytes; neighbours are joined
    std::byte* storage_ = nullptr;
    bool ran_out_ = false;
};

}  // namespace lanewise
