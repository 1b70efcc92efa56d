#include "lab/step/memory_look.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "sim/warp/warp.h"
#include "trace/places.h"

namespace lanewise {

namespace {

bool copy_bits(std::span<const std::byte> memory, uint64_t offset, uint32_t bytes, uint64_t& bits) {
    if (offset > memory.size() || memory.size() - offset < bytes) return false;
    bits = 0;
    std::memcpy(&bits, memory.data() + offset, bytes);
    return true;
}

// Words that are computed as they are read (Memory::allocate_unique_words).
uint64_t unique_bits(uint64_t offset, uint32_t bytes) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < bytes; ++i) {
        uint64_t at = offset + i;
        uint64_t byte = unique_word(static_cast<uint32_t>(at / 4)) >> 8 * (at % 4) & 0xff;
        bits |= byte << 8 * i;
    }
    return bits;
}

}  // namespace

bool is_shared_address(uint64_t address) { return address - kSharedWindow < kWindowBytes; }
uint64_t shared_address(uint64_t offset) { return kSharedWindow + offset; }
uint64_t shared_offset(uint64_t address) { return address - kSharedWindow; }

bool read_bits(const LaunchRecording& recording, uint32_t warp, uint32_t lane, uint64_t address,
               uint32_t bytes, uint64_t& bits) {
    const Stepper& stepper = recording.stepper();
    if (is_shared_address(address))
        return copy_bits(stepper.shared(), address - kSharedWindow, bytes, bits);
    if (address - kLocalWindow < kWindowBytes)
        return copy_bits(stepper.local(warp, lane), address - kLocalWindow, bytes, bits);
    const Memory::Buffer* buffer = recording.launch().memory.find(address, bytes);
    if (!buffer) return false;
    uint64_t offset = address - buffer->address;
    if (!buffer->storage) return bits = unique_bits(offset, bytes), true;
    return copy_bits({buffer->storage, static_cast<size_t>(buffer->bytes)}, offset, bytes, bits);
}

std::string place_of(const LaunchRecording& recording, uint64_t address) {
    if (is_shared_address(address))
        return shared_place(recording.prepared().kernel, recording.shape(), shared_offset(address))
            .place;
    if (is_local(address)) return local_place(recording.prepared().kernel, address).place;
    return global_place(recording.launch().memory, address).place;
}

}  // namespace lanewise
