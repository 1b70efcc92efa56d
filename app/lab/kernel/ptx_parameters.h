// The parameters of a kernel that only its PTX tells of: their sizes, and what each seems to be.
#pragma once
#include <string>
#include <vector>

#include "course/stage.h"
#include "lab/kernel/kernel_arguments.h"
#include "ptx/instruction.h"

namespace lanewise {

// In order. A type is the mangled name's or, where `shown` is a C++ source, that source's. Else it
// is a guess from the code: a pointer is what an address that is loaded from or stored to begins
// with, or what .ptr says; its elements and values are floats where arithmetic on floats uses them.
// Names are the source's: of a Python function its arguments', where as many as there are
// parameters; an array that Numba passes as 5 + 2 n parameters gives each its part's name, such as
// x_data and x_shape0.
std::vector<KernelParameter> ptx_parameters(const ptx::Kernel& kernel, const Stage& shown,
                                            const std::string& name);

// "x", "n" of `def saxpy(a, x, y, BLOCK: tl.constexpr = 32):` without those that the compiler
// takes (constexpr); empty where the source has no such function, or more than one.
std::vector<std::string> python_parameters(const std::string& source, const std::string& function);

}  // namespace lanewise
