// The values that a user gives to a module's __constant__ and __device__ variables, as --constant and
// --device take them: NAME=ARGUMENT, with the grammar of --arg (kernel_arguments.h):
//   filter=f32[25]=0.04   the first 25 elements of an array; the rest is zeros
//   count=i32:1024        a number
//   params={i32:3,f32:1}  a struct
//   data=f32[4096]=0..1   of a variable that is a pointer: a buffer, and its address
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/job/job.h"
#include "lab/kernel/kernel_arguments.h"
#include "ptx/instruction.h"

namespace lanewise {

struct VariableValue {
    std::string name;
    KernelArgument value;
};

// Throws Error(bad_input) that quotes what cannot be read.
VariableValue parse_variable(const std::string& text);

// "filter" of "filter", "_ZL6filter" or "_ZN2ns6filterE".
std::string variable_name(const std::string& in_ptx);

// The index in kernel.variables; nothing where the compiler has left out a variable of the source or
// its headers, which the kernel does not use. Throws Error(bad_input) with those that there are.
std::optional<size_t> variable_called(const ptx::Kernel& kernel, const std::string& name,
                                      const Job& job);

// Whether the value is a buffer whose address the variable takes, as `__device__ float* data` does.
// Throws Error(bad_input) where the value does not fit in.
bool is_address(const VariableValue& given, const ptx::ModuleVariable& variable,
                std::string_view source);

// Whether an instruction of the kernel names the variable.
bool names_variable(const ptx::Kernel& kernel, const std::string& in_ptx);

// "filter, a __constant__ variable of 100 bytes"
std::string variable_in_words(const ptx::ModuleVariable& variable);

// "--constant filter=f32[25]=…"
std::string variable_option(const ptx::ModuleVariable& variable);

}  // namespace lanewise
