// The arguments that a user types for a kernel's parameters, one each, in order:
//   f32[16777216]   a buffer of so many elements; every 4-byte word of it is different
//   i32:4096  f32:1.5   a value
//   tensor:f32:64x48:box=32x16:swizzle=64B   a map for the tensor memory accelerator (CUtensorMap):
//       64 rows of 48 elements in a buffer of its own, of which a copy takes 32 rows of 16
//   tensor:in:f32:64x48:box=32x16            the same of the buffer that is the parameter `in`
//       sizes have 1 to 5 dimensions, the innermost last; swizzle=none, 32B, 64B or 128B;
//       pitch=52: elements from one row to the next, where that is more than a row has
// Types: i8 u8 i16 u16 i32 u32 i64 u64 f32 f64, and for buffers f16 and bf16.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "lab/own_kernel.h"
#include "ptx/instruction.h"
#include "sim/memory.h"
#include "sim/tensor_map.h"

namespace lanewise {

struct KernelArgument {
    std::string text;  // as typed
    std::string type;  // "f32"
    int element_bytes = 4;
    bool is_float = true;
    bool is_buffer = false;
    uint64_t count = 0;  // buffer: elements
    uint64_t bits = 0;   // value: its bytes, little-endian
    bool is_tensor = false;
    std::string of;  // tensor: the parameter whose buffer it lies in; "" = a buffer of its own
    TensorMap map;   // tensor: all but its address
    // Of the buffer that comes with it; 0 for a value, and for a tensor in another's buffer.
    uint64_t buffer_bytes() const { return count * static_cast<uint64_t>(element_bytes); }
};

// Throws Error(bad_input) that quotes what cannot be read.
KernelArgument parse_argument(const std::string& text);
KernelArgument parse_tensor(const std::string& text);  // "tensor:…", for parse_argument

struct KernelParameter {
    std::string type;  // "float const*", as demangled or as written; "" where unknown
    std::string name;  // "in"; "" where unknown
    uint32_t bytes = 0;
};

// What the kernel takes. Sizes are the PTX's, types those of the mangled name where it has them,
// else the source's; names the source's.
std::vector<KernelParameter> kernel_parameters(const ptx::Kernel& kernel, const Stage& stage,
                                               const std::string& name_expression);

// The arguments for these parameters. Throws Error(bad_input) where their number or a type is
// wrong, with the list of what the kernel takes and what to type for it.
std::vector<KernelArgument> arguments_for(const std::vector<KernelParameter>& parameters,
                                          const OwnLaunch& own);

// Throws Error(bad_input) where the buffers together are larger than this machine's free memory.
void check_buffers(const std::vector<KernelArgument>& arguments);

}  // namespace lanewise
