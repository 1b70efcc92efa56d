#include "engine/own_options.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "engine/options.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/own_kernel.h"

namespace lanewise {

// An option that may be repeated; each takes one word.
static void add_repeated(EngineCommand& command, const std::string& name,
                         std::vector<std::string>& values, const std::string& help) {
    command.add_option(name, values, help)->allow_extra_args(false)->group("Your own kernel");
}

void OwnOptions::add_to(EngineCommand& command) {
    const char* group = "Your own kernel";
    command
        .add_option("--kernel", kernel,
                    "a __global__ function of FILE.cu: NAME or 'NAME<…>'; of a "
                    "FILE.ptx with one kernel it may be left out")
        ->group(group);
    command.add_option("--grid", grid, "blocks: X[,Y[,Z]]")->group(group);
    command.add_option("--block", block, "threads of a block: X[,Y[,Z]]")->group(group);
    add_count(command, "--dynamic-shared", dynamic_shared, "bytes of dynamic shared memory");
    command.get_option("--dynamic-shared")->group(group);
    add_repeated(command, "--arg", arguments,
                 // words: may stand, because it is a table
                 "one per parameter, in order: f32[16777216] (a buffer, every word different), "
                 "i32[1025]=0+4 (0, 4, 8, …; also =0, =0..99, =@FILE), "
                 "ptr[f32[64],f32[64]] (pointers to two buffers; ptr[32*f32[64]] to 32), "
                 "i32:4096, f32:1.5; tensor:f32:4096x4096:box=32x32:swizzle=128B (a tensor map "
                 "and its buffer; tensor:NAME:f32:… of that of the parameter NAME; pitch=ELEMENTS "
                 "from row to row); \"{i32:4096,f32[1024],{f32:1,f32:2}}\" (a struct by value: its "
                 "members in order, in quotes; align16{…} of a float4 in it)");
    add_repeated(command, "--include", include_folders, "a folder with headers");
    add_repeated(command, "--define", defines, "NAME or NAME=VALUE, for the preprocessor");
}

bool OwnOptions::any() const {
    return !kernel.empty() || !grid.empty() || !block.empty() || dynamic_shared != 0 ||
           !arguments.empty() || !include_folders.empty() || !defines.empty();
}

// Where the source has launches, they say how.
static std::string way_to_launches(const std::string& file, const std::string& source) {
    if (source.find("<<<") == std::string::npos) return {};
    return "\n`lanewise-engine launches " + file + "` proposes a command for each launch in it";
}

OwnLaunch OwnOptions::launch(const std::string& file, const std::string& source) const {
    if (kernel.empty())
        throw Error(Status::bad_input, file + ": say which kernel with --kernel NAME\n" +
                                           list_of_kernels(source) + way_to_launches(file, source));
    if (grid.empty() || block.empty())
        throw Error(Status::bad_input, std::string(grid.empty() ? "--grid" : "--block") +
                                           " is missing: a kernel of your own is launched with "
                                           "--grid X[,Y[,Z]] --block X[,Y[,Z]]" +
                                           way_to_launches(file, source));
    OwnLaunch own;
    own.kernel = kernel;
    own.shape.grid = parse_grid(grid);
    own.shape.block = parse_block(block);
    constexpr int64_t kMostBytes = 0x7fffffff;  // any more is refused with a better limit below
    if (dynamic_shared < 0 || dynamic_shared > kMostBytes)
        throw Error(Status::bad_input, fmt::format("--dynamic-shared {}: a block can have 0 to "
                                                   "232,448 bytes of shared memory",
                                                   dynamic_shared));
    own.shape.dynamic_shared_bytes = static_cast<uint32_t>(dynamic_shared);
    own.arguments = arguments;
    for (const std::string& folder : include_folders) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(folder, ignored))
            throw Error(Status::bad_input, "--include " + folder + ": there is no such folder");
        own.include_folders.push_back(std::filesystem::absolute(folder).string());
    }
    own.defines = defines;
    check_own(own);
    return own;
}

OwnLaunch OwnOptions::launch(const PtxFile& file, const PtxKernel& chosen) const {
    if (!defines.empty())
        throw Error(Status::bad_input, "--define is for a source: PTX has been compiled already");
    OwnOptions typed = *this;
    typed.kernel = chosen.name;
    const ptx::BlockLimit& required = chosen.required_block;
    if (block.empty() && required.x > 0)
        typed.block = fmt::format("{},{},{}", required.x, required.y, required.z);
    OwnLaunch own = typed.launch(file.name, "");
    take_ptx(file, chosen, own);
    return own;
}

TimeLimit::TimeLimit(double seconds) {
    if (seconds <= 0) return;
    watch_ = std::thread([this, seconds] {
        std::unique_lock lock(mutex_);
        if (ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; }))
            return;
        std::fprintf(stderr,
                     "lanewise-engine: stopped by its time limit of %g s; choose smaller "
                     "matrices or a smaller grid, or a longer --time-limit (0: none)\n",
                     seconds);
        std::fflush(stderr);
        std::_Exit(static_cast<int>(Status::out_of_time));
    });
}

TimeLimit::~TimeLimit() {
    {
        std::lock_guard lock(mutex_);
        done_ = true;
    }
    ended_.notify_all();
    if (watch_.joinable()) watch_.join();
}

}  // namespace lanewise
