#include "sim/memory/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "base/text.h"

namespace lanewise {

namespace {

constexpr uint64_t kFirstAddress = 0x7000'0000'0000;  // where a real card's buffers lie, about
constexpr uint64_t kAlignment = 512, kGap = 1 << 20;
constexpr uint64_t kMostBytes = 1ull << (sizeof(void*) == 4 ? 31 : 40);

uint64_t next_address(const std::vector<Memory::Buffer>& buffers) {
    if (buffers.empty()) return kFirstAddress;
    uint64_t end = buffers.back().address + buffers.back().bytes + kGap;
    return (end + kAlignment - 1) / kAlignment * kAlignment;
}

[[noreturn]] void refuse(uint64_t bytes, const std::string& name) {
    throw Error(Status::bad_input, "there is no memory for the " + in_bytes(bytes) + " of buffer " +
                                       name + "; choose a smaller one");
}

// A mapping is of whole pages anyhow. Emscripten 3.1.6 takes only what is asked for, keeps its own record
// behind it, and reads that after it has freed it: of fewer than 24 bytes the allocator's links lie there
// by then, and its heap is lost.
uint64_t whole_pages(uint64_t bytes) {
    constexpr uint64_t kPage = 4096;
    return (bytes + kPage - 1) / kPage * kPage;
}

// Null for none.
std::byte* zeroed_pages(uint64_t bytes, const std::string& name) {
    if (bytes > kMostBytes) refuse(bytes, name);
    if (bytes == 0) return nullptr;
    void* storage = mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (storage == MAP_FAILED) refuse(bytes, name);
    madvise(storage, bytes, MADV_HUGEPAGE);  // a hint; without it only slower
    return static_cast<std::byte*>(storage);
}

constexpr uint64_t kNowhere = 0x6000'0000'0000;  // no kernel has such an address

// Those of the module come first.
bool is_loaded(const std::vector<Memory::Buffer>& loaded,
               std::span<const ptx::ModuleVariable> variables) {
    if (loaded.size() < variables.size()) return false;
    if (variables.empty()) return true;
    for (size_t i = 0; i < variables.size(); ++i)
        if (loaded[i].address != variables[i].address || loaded[i].name != variables[i].name)
            return false;
    return true;
}

// With its initial value.
Memory::Buffer fresh(const ptx::ModuleVariable& variable) {
    std::byte* storage = zeroed_pages(variable.bytes, variable.name);
    if (!variable.initial.empty())
        std::memcpy(storage, variable.initial.data(), variable.initial.size());
    return {variable.address, variable.bytes, storage, variable.name};
}

}  // namespace

Memory::~Memory() {
    for (const auto* buffers : {&buffers_, &variables_})
        for (const Buffer& buffer : *buffers)
            if (buffer.storage) munmap(buffer.storage, whole_pages(buffer.bytes));
}

uint64_t Memory::allocate(uint64_t bytes, std::string name) {
    std::byte* storage = zeroed_pages(bytes, name);
    buffers_.push_back({next_address(buffers_), bytes, storage, std::move(name)});
    return buffers_.back().address;
}

void Memory::load_module(std::span<const ptx::ModuleVariable> variables) {
    std::lock_guard lock(loading_);
    if (is_loaded(variables_, variables)) return;
    // Those that another kernel's module had stay behind this one's, where no address finds them.
    std::vector<Buffer> left = std::move(variables_);
    variables_.clear();
    for (const ptx::ModuleVariable& variable : variables) {
        auto known = std::find_if(left.begin(), left.end(), [&](const Buffer& one) {
            return one.name == variable.name && one.bytes == variable.bytes;
        });
        if (known == left.end()) {
            variables_.push_back(fresh(variable));
        } else {
            variables_.push_back(*known);
            variables_.back().address = variable.address;
            left.erase(known);
        }
    }
    for (Buffer& one : left) {
        one.address = kNowhere;
        variables_.push_back(std::move(one));
    }
}

uint64_t Memory::allocate_unique_words(uint64_t bytes, std::string name) {
    if (bytes > kMostBytes) refuse(bytes, name);
    buffers_.push_back({next_address(buffers_), bytes, nullptr, std::move(name)});
    return buffers_.back().address;
}

static const Memory::Buffer* find_on_heap(const Heap& heap, uint64_t address, uint64_t bytes) {
    thread_local std::array<Memory::Buffer, 64> places;
    thread_local size_t place = 0;
    Heap::Allocation found;
    if (!heap.find(address, bytes, found)) return nullptr;
    // The lanes of a warp often go to one and the same.
    if (places[place].storage != found.storage || places[place].address != found.address)
        place = (place + 1) % places.size();
    places[place] = {found.address, found.bytes, found.storage, "malloc"};
    return &places[place];
}

const Memory::Buffer* Memory::find(uint64_t address, uint64_t bytes) const {
    if (is_on_heap(address)) return find_on_heap(heap_, address, bytes);
    // Buffers lie in the order of their addresses, and a batch of pointers may bring thousands.
    auto behind = std::upper_bound(
        buffers_.begin(), buffers_.end(), address,
        [](uint64_t wanted, const Buffer& buffer) { return wanted < buffer.address; });
    if (behind != buffers_.begin() && (behind - 1)->holds(address, bytes)) return &*(behind - 1);
    for (const Buffer& variable : variables_)
        if (variable.holds(address, bytes)) return &variable;
    return nullptr;
}

const Memory::Buffer* Memory::nearest(uint64_t address) const {
    const Buffer* best = nullptr;
    uint64_t best_distance = ~0ull;
    for (const auto* buffers : {&buffers_, &variables_})
        for (const Buffer& buffer : *buffers) {
            uint64_t end = buffer.address + buffer.bytes;
            uint64_t distance = address < buffer.address ? buffer.address - address
                                : address > end          ? address - end
                                                         : 0;
            if (distance < best_distance) best = &buffer, best_distance = distance;
        }
    return best;
}

}  // namespace lanewise
