#include "sim/memory/heap.h"

#include <sys/mman.h>

#include <cstring>
#include <mutex>
#include <new>

#include "base/round_up.h"

namespace lanewise {

namespace {

constexpr uint64_t kBytesOfBlock = uint64_t{1} << 30;  // of addresses
constexpr uint64_t kHeapAlignment = 16, kHeapGap = 4096;  // what runs over finds nobody else's
constexpr int kUnwritten = 0xcd;

}  // namespace

Heap::~Heap() {
    if (storage_) munmap(storage_, kBytes);
}

std::byte* Heap::take_room(uint64_t bytes) {
    if (!storage_) {
        void* pages = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages == MAP_FAILED) throw std::bad_alloc();
        storage_ = static_cast<std::byte*>(pages);
        free_[0] = kBytes;
    }
    for (auto room = free_.begin(); room != free_.end(); ++room) {
        auto [offset, size] = *room;
        if (size < bytes) continue;
        free_.erase(room);
        if (size > bytes) free_[offset + bytes] = size - bytes;
        return storage_ + offset;
    }
    return nullptr;
}

void Heap::give_room_back(std::byte* begin, uint64_t bytes) {
    auto offset = static_cast<uint64_t>(begin - storage_);
    auto behind = free_.lower_bound(offset);
    if (behind != free_.end() && behind->first == offset + bytes) {
        bytes += behind->second;
        behind = free_.erase(behind);
    }
    if (behind != free_.begin()) {
        auto before = std::prev(behind);
        if (before->first + before->second == offset) {
            before->second += bytes;
            return;
        }
    }
    free_[offset] = bytes;
}

uint64_t Heap::allocate(uint32_t block, uint64_t bytes) {
    if (bytes == 0) return 0;
    std::unique_lock lock(mutex_);
    uint64_t& next = next_.try_emplace(block, kHeapGap).first->second;
    uint64_t room = bytes <= kBytes ? round_up(bytes, kHeapAlignment) : 0;
    bool fits =
        room > 0 && next + room + kHeapGap <= kBytesOfBlock && allocations_.size() < kMostAllocations;
    std::byte* storage = fits ? take_room(room) : nullptr;
    if (!storage) {
        ran_out_ = true;
        return 0;
    }
    std::memset(storage, kUnwritten, room);
    uint64_t address = kHeapAddress + block * kBytesOfBlock + next;
    next += room + kHeapGap;
    allocations_[address] = {address, bytes, storage, true};
    return address;
}

Heap::Freed Heap::release(uint64_t address) {
    std::unique_lock lock(mutex_);
    auto found = allocations_.find(address);
    if (found == allocations_.end()) return Freed::never_given;
    if (!found->second.is_live) return Freed::before;
    found->second.is_live = false;
    give_room_back(found->second.storage, round_up(found->second.bytes, kHeapAlignment));
    return Freed::now;
}

const Heap::Allocation* Heap::at_or_before(uint64_t address) const {
    auto behind = allocations_.upper_bound(address);
    return behind == allocations_.begin() ? nullptr : &std::prev(behind)->second;
}

bool Heap::find(uint64_t address, uint64_t bytes, Allocation& found) const {
    std::shared_lock lock(mutex_);
    const Allocation* it = at_or_before(address);
    if (!it || !it->is_live || address - it->address > it->bytes ||
        it->bytes - (address - it->address) < bytes)
        return false;
    found = *it;
    return true;
}

std::string Heap::fault_text(uint64_t address, bool is_store) const {
    std::shared_lock lock(mutex_);
    std::string access = is_store ? "store" : "load";
    const Allocation* it = at_or_before(address);
    auto behind = allocations_.upper_bound(address);
    constexpr uint64_t kNear = kHeapGap / 2;
    if (behind != allocations_.end() && behind->first - address <= kNear)
        return "out-of-bounds " + access + ": " + std::to_string(behind->first - address) +
               " bytes before the " + std::to_string(behind->second.bytes) +
               " bytes that malloc gave";
    if (!it) return "out-of-bounds " + access + ": malloc gave no memory here";
    uint64_t offset = address - it->address;
    if (!it->is_live && offset < it->bytes)
        return access + " after free: byte " + std::to_string(offset) + " of the " +
               std::to_string(it->bytes) + " that malloc gave and free took back";
    return "out-of-bounds " + access + ": byte " + std::to_string(offset) + " of the " +
           std::to_string(it->bytes) + " that malloc gave";
}

Heap::Left Heap::left() const {
    std::shared_lock lock(mutex_);
    Left left{.given = allocations_.size()};
    for (const auto& [address, allocation] : allocations_) {
        left.allocations += allocation.is_live;
        left.bytes += allocation.is_live ? allocation.bytes : 0;
    }
    left.ran_out = ran_out_;
    return left;
}

}  // namespace lanewise
