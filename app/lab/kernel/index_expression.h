// The index expression of an access, read in the source and with one thread's numbers put in:
// "in[size_t(row + j) * cols + col]" -> "in[size_t(3 + 8) * 4096 + 17]". A loop's counter is the
// one of its values with which the expression gives the address that the machine saw, so what is
// shown agrees with the trace or is not shown. An index that is a single name is shown by what the
// name was set to: "in[i]" -> "in[size_t(2) * 64 + 5]".
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/warp/machine.h"

namespace lanewise {

// A thread of a launch, and what its kernel's names mean.
struct ThreadPlace {
    Dim3 grid, block;
    uint64_t block_index = 0;  // linear
    uint32_t thread = 0;       // within the block, linear
    std::map<std::string, int64_t>
        names;  // template parameters and scalar arguments; sizeof(T) too
};

struct IndexQuestion {
    const std::string* source = nullptr;
    std::string kernel;  // the function's name
    std::string array;   // "in", "tile"
    int line = 0;        // of the access, from 1
    ThreadPlace at;
    uint64_t offset = 0;    // the byte of the array that the machine saw
    int element_bytes = 4;  // of the array
    bool is_store = false;  // left of the "=", where the line has the array on both sides
};

struct IndexAnswer {
    std::string expression, numbers;
    int64_t element = 0;  // what the numbers come to
};

// Nothing where the source cannot be followed: an access through a pointer made elsewhere, a name
// whose value is known only at run time, a result that is not the machine's.
std::optional<IndexAnswer> substituted_index(const IndexQuestion& question);

// The value of a C expression of whole numbers; nothing where it has a name or an operator that is
// not known. Names are looked up in `names`; "threadIdx.x" is one name.
std::optional<int64_t> c_value(const std::string& expression,
                               const std::map<std::string, int64_t>& names);

}  // namespace lanewise
