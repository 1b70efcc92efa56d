// atom and red: read, combine and write in one step, lane by lane in order. Blocks on several host
// threads share global memory, so each step is one atomic operation of the host.
#pragma once
#include <string_view>

#include "sim/operation/operations.h"

namespace lanewise {

// For "add", "cas", … of a type; null where PTX has none. The op's b (and c, for cas) are the rows
// of its operands, d gets the value before; op.elements is its Operations::Where, op.is_store tells
// red from atom.
Execute find_atomic(std::string_view name, Type type);

// atom.v2 and its like: each element by itself, the access as one. Op::immediate points to it.
struct AtomicVector {
    uint64_t displacement = 0;
    uint32_t count = 0;
    uint32_t b[8] = {}, d[8] = {};  // rows of Warp::state
};
Execute find_vector_atomic(std::string_view name, Type type);

}  // namespace lanewise
