// What a store writes, out of the registers that its event points to.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/event.h"

namespace lanewise {

// Byte `offset` of what lane `lane` stores. Only where event.registers is there.
inline std::byte stored_byte(const MemoryEvent& event, uint32_t lane, uint64_t offset) {
    uint32_t element_bytes = uint32_t{event.bytes_per_lane} / event.elements;
    return event.registers[event.rows[offset / element_bytes] + lane * event.register_bytes +
                           offset % element_bytes];
}

// Bytes [offset, offset + count) of it, to `to`.
inline void stored_bytes(const MemoryEvent& event, uint32_t lane, uint64_t offset, uint64_t count,
                         uint8_t* to) {
    uint32_t element_bytes = uint32_t{event.bytes_per_lane} / event.elements;
    const std::byte* registers = event.registers + lane * event.register_bytes;
    if (element_bytes == 4 && (offset | count) % 4 == 0) {  // the common case, at a constant width
        for (uint64_t at = 0; at < count; at += 4)
            std::memcpy(to + at, registers + event.rows[(offset + at) / 4], 4);
        return;
    }
    for (uint64_t at = offset; at < offset + count; ++at, ++to)
        std::memcpy(to, registers + event.rows[at / element_bytes] + at % element_bytes, 1);
}

}  // namespace lanewise
