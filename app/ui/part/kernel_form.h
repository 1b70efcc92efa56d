// The fields of "Open kernel…" as they are typed: their defaults, what is wrong with them, and the
// launch that they describe. Pure; the file and the engine are the caller's.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "lab/host/launch_proposals.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/own_kernel.h"
#include "lab/kernel/ptx_file.h"

namespace lanewise::ui {

struct KernelForm {
    std::string kernel;  // "saxpy", "tile::copy<float, 32>"
    std::string grid = "256", block = "256", dynamic_shared = "0";
    std::vector<std::string> arguments;  // one per parameter: "f32[65536]", "i32:256"
    std::string include_folders;         // separated by ':'
    std::string defines;                 // "NAME NAME=VALUE …", separated by blanks
    std::string variables;               // "filter=f32[25]=0.04 …" of the module, likewise
    std::string cluster;  // "2", "2,2,1", in blocks; empty: as the kernel itself says, or none
    bool operator==(const KernelForm&) const = default;
};

// A form that works for many kernels: 65,536 elements (as 256 x 256 where rows and columns are
// asked for), one thread each; template parameters take their defaults. `source`: the kernel's.
KernelForm suggested_form(const KernelInSource& kernel, const std::string& source);

// The same of PTX: the block is the one that the kernel is compiled for, what the code never reads
// is zero, and of an array that Numba passes in parts they fit each other.
KernelForm suggested_form(const PtxKernel& kernel, const std::vector<KernelParameter>& parameters);

// "float* x", "int n", one for each.
std::vector<std::string> in_declarations(const std::vector<KernelParameter>& parameters);

// The fields as a launch in the host code has them (lab/host/launch_proposals.h), with the suggestion
// of each blank.
KernelForm form_of(const LaunchProposal& proposal);

// The engine's words name its options, which here are fields.
std::string without_dashes(std::string message);

// "f32[65536]" for "const float* in", "i32:65536" for "int n", "f32:1" for "float factor",
// "{f32:1,f32:1}" for "float2 v"; the structs that `source` has too.
std::string suggested_argument(const std::string& parameter, const std::string& source);

// The source's kernel that `name_expression` means; nullptr where there is none.
const KernelInSource* kernel_called(const std::vector<KernelInSource>& kernels,
                                    const std::string& name_expression);

// What is wrong, one sentence per field, in the engine's words: by "kernel", "grid", "block",
// "cluster", "dynamic_shared", "arg:0", "arg:1", … Empty: launch_of() works.
std::map<std::string, std::string> form_problems(const KernelForm& form,
                                                 const std::vector<KernelInSource>& kernels);

// Throws as form_problems says.
OwnLaunch launch_of(const KernelForm& form);

}  // namespace lanewise::ui
