// What a store writes, out of the registers that its event points to.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/event/event.h"

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
    int shift = std::countr_zero(element_bytes);
    for (uint64_t at = offset, end = offset + count; at < end;) {
        uint64_t within = at & (element_bytes - 1),
                 some = std::min(element_bytes - within, end - at);
        const std::byte* from = registers + event.rows[at >> shift] + within;
        if (some == 4)  // a width that is known here is one instruction
            std::memcpy(to, from, 4);
        else if (some == 8)
            std::memcpy(to, from, 8);
        else
            std::memcpy(to, from, some);
        at += some;
        to += some;
    }
}

}  // namespace lanewise
