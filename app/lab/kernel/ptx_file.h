// PTX that another compiler wrote (Triton, Numba, clang, Rust, …), as a kernel of the user's own:
// it is interpreted and launched as it is. Where the source can be found whose lines its .loc name,
// that is what is shown and what counts stand beside; else the PTX's own text is.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "course/stage.h"
#include "lab/kernel/kernel_arguments.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/own_kernel.h"
#include "ptx/instruction.h"

namespace lanewise {

struct Job;  // lab/job/job.h

struct PtxKernel {
    std::string entry;               // as the PTX has it: "_Z4turnIfEvPKT_PS0_ii"
    std::string name;                // for people, and for --kernel: "turn<float>"
    ptx::BlockLimit required_block;  // x is 0 where it takes any
    bool is_sized_at_launch = false;  // it may use a shared array whose bytes the launch says
    int line = 0;                     // in the PTX
};

struct PtxFile {
    std::filesystem::path path;  // absolute
    std::string name;            // "softmax.ptx"
    std::string text;
    std::vector<PtxKernel> kernels;  // at least one
};

// Whether it is one by its name's ending, .ptx.
bool is_ptx_file(const std::filesystem::path& file);

// Throws Error(bad_input) in one sentence where the file cannot be read, or is no PTX: machine
// code, no text, cut off, without a kernel.
PtxFile read_ptx_file(const std::filesystem::path& file);

// By the kernel's name, its last part ("turn"), the entry, or what no other kernel's entry has in
// it; "" is the file's only one. Throws Error(bad_input) with the list of the file's kernels.
const PtxKernel& kernel_called(const PtxFile& file, const std::string& name);

// The kernel's launch as a job needs it: own.kernel, own.ptx and own.ptx_file are set.
void take_ptx(const PtxFile& file, const PtxKernel& kernel, OwnLaunch& own);

// What is shown of it, as a stage whose path is the PTX's own: the source that most of its code
// comes from, if that is where .loc says, beside the PTX, or in one of the folders; else the PTX.
// Throws Error(bad_input) where the kernel's PTX cannot be read.
Stage ptx_stage(const PtxFile& file, const PtxKernel& kernel,
                const std::vector<std::string>& include_folders);

// What the kernel takes (ptx_parameters.h), with the names of the source that `shown` is. Throws
// as ptx_stage() does.
std::vector<KernelParameter> parameters_of(const PtxFile& file, const PtxKernel& kernel,
                                           const Stage& shown);

// ---- for prepare(), of a job whose own.ptx is not empty

// As compile() would give it: with no cubin.
Program ptx_program(const OwnLaunch& own);

// Parses the program's kernel; its positions are those of what the stage shows. Throws
// Error(bad_input) that names the PTX's file, and says where it is of a newer version than 9.0.
ptx::Kernel ptx_kernel(const Job& job, const Program& program);

// What the user should know of these positions and of the PTX's version; whole sentences.
std::vector<std::string> notes_on_ptx(const Job& job, const ptx::Kernel& kernel);

}  // namespace lanewise
