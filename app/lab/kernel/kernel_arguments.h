// The arguments that a user types for a kernel's parameters, one each, in order:
//   f32[16777216]   a buffer of so many elements; every 4-byte word of it is different, or it holds
//       what is said behind it: i32[1025]=0+4 (lab/kernel/buffer_fill.h)
//   i32:4096  f32:1.5   a value
//   tensor:f32:64x48:box=32x16:swizzle=64B   a map for the tensor memory accelerator (CUtensorMap):
//       64 rows of 48 elements in a buffer of its own, of which a copy takes 32 rows of 16
//   tensor:in:f32:64x48:box=32x16            the same of the buffer that is the parameter `in`
//       sizes have 1 to 5 dimensions, the innermost last; swizzle=none, 32B, 64B or 128B;
//       pitch=52: elements from one row to the next, where that is more than a row has
//   {i32:4096,f32:1.5,{f32[1024],i32:1024}}   a struct by value: its members in order, each any of
//       these, laid out as C++ does; align16{…} where it says alignas(16) or is a float4. An empty
//       one, such as a function object, is {}
//   ptr[f32[64],f32[64]]   a pointer to memory that holds these, laid out like a struct's members:
//       here an array of two pointers, each to a buffer of its own. ptr[{f32[64],i32:64}] points to
//       a struct, ptr[i32:3,i32:5] to two numbers
//   A  A+16   in a launch after others, or of a .launch file: the buffer of that name, or what lies
//       behind its first 16 elements
// N*ARGUMENT in a struct or behind ptr[ stands for N of them, each buffer on its own.
// Types: i8 u8 i16 u16 i32 u32 i64 u64 f32 f64, and for buffers f16 and bf16.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/kernel/buffer_fill.h"
#include "lab/kernel/own_kernel.h"
#include "lab/kernel/struct_in_source.h"
#include "ptx/instruction.h"
#include "sim/memory/memory.h"
#include "sim/memory/tensor_map.h"

namespace lanewise {

struct KernelArgument {
    std::string text;  // as typed
    std::string type;  // "f32"
    int element_bytes = 4;
    bool is_float = true;
    bool is_buffer = false;
    uint64_t count = 0;    // buffer: elements
    BufferFill fill;       // buffer
    uint64_t bits = 0;     // value: its bytes, little-endian
    bool is_name = false;  // of a buffer that is there already: `of`, from element `first` on
    uint64_t first = 0;
    bool is_tensor = false;
    // tensor: the parameter whose buffer it lies in; "" = a buffer of its own
    std::string of;
    TensorMap map;  // tensor: all but its address
    bool is_struct = false;
    bool is_pointer = false;  // ptr[…]: a buffer, which holds the members
    std::vector<KernelArgument> members;
    // What it takes among the parameters or in a struct, and where it lies in that.
    uint32_t bytes = 0, align = 1, offset = 0;
    // Of its buffer; 0 for a value or a struct, and for a tensor in another's buffer.
    uint64_t own_bytes() const;
    uint64_t buffer_bytes() const;  // of that and of all that come with it
    size_t parts() const;           // itself and all below it
};

// Throws Error(bad_input) that quotes what cannot be read.
KernelArgument parse_argument(const std::string& text);

// For parse_argument: these throw why alone, without the text. `depth`: of structs around it.
KernelArgument read_argument(const std::string& text, int depth = 0);
KernelArgument read_tensor(const std::string& text);  // "tensor:…"
KernelArgument read_struct(const std::string& text, int depth);
bool is_struct_text(std::string_view text);
KernelArgument read_pointer(const std::string& text, int depth);  // "ptr[…]"
bool is_pointer_text(std::string_view text);
std::optional<KernelArgument> read_name(const std::string& text);  // "A", "A+16"; else nothing
// The first name of a buffer in it, at any depth; "" where there is none.
std::string buffer_named_in(const KernelArgument& argument);

inline constexpr size_t kMostParts = 16'384;  // of one argument, however they are nested

inline constexpr uint32_t kMostParameterBytes = 32'764;  // of all of a kernel's, since sm_70

struct KernelParameter {
    std::string type;  // "float const*", as demangled or as written; "" where unknown
    std::string name;  // "in"; "" where unknown
    uint32_t bytes = 0;
    StructMember layout{};  // of a struct by value, or pointed to, that the source tells
    // Of PTX that has no source (ptx_parameters.h): the type is what the code makes it seem, which
    // no argument is refused for; and whether the code reads it at all.
    bool is_guess = false, is_read = true;
};

// What the kernel takes. Sizes are the PTX's, types those of the mangled name where it has them,
// else the source's; names the source's.
std::vector<KernelParameter> kernel_parameters(const ptx::Kernel& kernel, const Stage& stage,
                                               const std::string& name_expression);

// The parameter types of a mangled name; none for a name without them (extern "C").
std::vector<std::string> demangled_types(const std::string& entry);

// The arguments for these parameters. The last may be left out where the code never reads them:
// they are zero. Throws Error(bad_input) where their number or a type is wrong, with the list of
// what the kernel takes and what to type for it.
std::vector<KernelArgument> arguments_for(const std::vector<KernelParameter>& parameters,
                                          const OwnLaunch& own);

// An argument that is no struct, or such a member of one, at any depth: where it lies in the
// parameter, and its name: "params.in"; where the source does not tell, "params, member 2"; of
// what a pointer points to, "A[2]".
struct ArgumentPart {
    static constexpr size_t kInParameter = ~size_t{0};
    const KernelArgument* argument;
    uint32_t offset;
    std::string name;
    size_t home = kInParameter;  // or the part in whose buffer it lies, at that offset
};
std::vector<ArgumentPart> parts_of(const KernelArgument& argument, const StructMember& layout,
                                   const std::string& name);
// The same of a parameter as the source declares it: "const Params p".
std::vector<ArgumentPart> parts_in_source(const KernelArgument& argument, const std::string& source,
                                          const std::string& parameter);

// What --struct prints: the members of a struct in their order, each with its offset, size and type, and
// what to type for it. `source`: with its headers. Throws Error(bad_input) where the source has none of
// that name, or a member whose size is not known.
std::string struct_in_words(const std::string& source, const std::string& name);

// Throws Error(bad_input) where the buffers together are larger than this machine's free memory.
void check_buffers(const std::vector<KernelArgument>& arguments);

}  // namespace lanewise
