// Reads what a cubin (an ELF file) says about a kernel's needs.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

struct KernelResources {
    // From .text.<kernel>'s section header. nullopt: not known, as ptxas decides it and was not
    // here; so with local_bytes, which has its spilled registers.
    std::optional<int> registers_per_thread;
    int static_shared_bytes = 0;  // size of .nv.shared.<kernel>, without the system's 1 KiB
    std::optional<int> local_bytes;
};

// Throws Error(bad_input) where `cubin` is not a well-formed cubin or has no such kernel; never
// reads outside `cubin`. Of the empty one, which means that there is none, nothing is known.
KernelResources kernel_resources(std::string_view cubin, std::string_view entry);

// The cubin with zeros in place of the PTX's text, which it repeats for debuggers that step through
// PTX (.nv_debug_ptx_txt): a third of its bytes, and of no use to the driver or to Lanewise. Sizes
// and places stay. Throws as kernel_resources() does.
std::string without_ptx_text(std::string cubin);

// The bytes of a cubin that are unlike the rest of it: code, and the tables of where its instructions
// come from.
struct CubinPart {
    enum class Kind { code, lines };
    Kind kind;
    size_t begin, bytes;  // in the cubin
};
// In the order of their places, none within another. Empty for what is no well-formed cubin.
std::vector<CubinPart> cubin_parts(std::string_view cubin);

}  // namespace lanewise
