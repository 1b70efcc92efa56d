// Reads what a cubin (an ELF file) says about a kernel's needs.
#pragma once
#include <string>
#include <string_view>

namespace lanewise {

struct KernelResources {
    int registers_per_thread = 0;  // from .text.<kernel>'s section header
    int static_shared_bytes = 0;   // size of .nv.shared.<kernel>, without the system's 1 KiB
    int local_bytes = 0;
};

// Throws Error(bad_input) where `cubin` is not a well-formed cubin or has no such kernel; never
// reads outside `cubin`.
KernelResources kernel_resources(std::string_view cubin, std::string_view entry);

}  // namespace lanewise
