// A kernel from outside the catalogue: any __global__ function of any .cu file, with a launch and
// arguments of the user's choice (OwnLaunch, a part of a Job).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "lab/job/job.h"

namespace lanewise {

// The file as a stage that has only a name, a file and a source. Throws Error(bad_input) where the
// file cannot be read.
Stage own_stage(const std::filesystem::path& file);

// "128,64" -> 128 x 64 x 1, for --grid and --block, within the hardware's limits.
// Throws Error(bad_input) naming `option`.
Dim3 parse_grid(const std::string& text);
Dim3 parse_block(const std::string& text);

// Throws Error(bad_input) for what can be known before compiling: arguments that cannot be read, a
// launch beyond the hardware's limits.
void check_own(const OwnLaunch& own);

// The PTX that was given, as it is; else compile(), with the user's mistakes said in the user's
// terms: a kernel's name that fits none becomes Error(bad_input) with the kernels that there are; a
// missing header and host code get a sentence on what to do.
Program compile_own(const Stage& stage, const OwnLaunch& own, const CompileOptions& options);

// What NVRTC needs to be told: kernel, include folders (the file's own last) and defines.
CompileOptions own_options(const Stage& stage, const OwnLaunch& own, const std::string& arch);

}  // namespace lanewise
