// What a store writes, out of the registers that its event points to.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/event.h"

namespace lanewise {

// Byte `offset` of what lane `lane` stores. Only where event.registers is there.
inline std::byte stored_byte(const MemoryEvent& event, uint32_t lane, uint64_t offset) {
    uint32_t element_bytes = uint32_t{event.bytes_per_lane} / event.elements;
    return event.registers[event.rows[offset / element_bytes] + lane * event.register_bytes +
                           offset % element_bytes];
}

}  // namespace lanewise
