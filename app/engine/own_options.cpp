#include "engine/own_options.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "engine/options.h"
#include "lab/kernel/cluster_option.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/own_kernel.h"

namespace lanewise {

// Of this process: what stood behind --then.
static std::vector<OwnOptions>& later_launches() {
    static std::vector<OwnOptions> launches;
    return launches;
}

// The part of OwnOptions that an option of a later launch fills; null where it is not one of them.
static std::vector<std::string>* list_for(OwnOptions& launch, const std::string& option) {
    if (option == "--arg") return &launch.arguments;
    return option == "--constant" || option == "--device" ? &launch.variables : nullptr;
}

static bool take_option(OwnOptions& launch, const std::string& option, const std::string& value) {
    if (auto* list = list_for(launch, option))
        list->push_back(value);
    else if (option == "--grid")
        launch.grid = value;
    else if (option == "--block")
        launch.block = value;
    else if (option == "--cluster")
        launch.variables.push_back(cluster_variable(value));
    else if (option != "--dynamic-shared")
        return false;
    else if (!parse_integer(value, launch.dynamic_shared))
        throw Error(Status::bad_input, option + " wants a whole number, not \"" + value + "\"");
    return true;
}

std::vector<std::string> without_later_launches(const std::vector<std::string>& words) {
    std::vector<std::string> rest;
    const bool takes_some =
        words.size() > 1 && (words[1] == "trace" || words[1] == "check" || words[1] == "run");
    for (size_t i = 0; i < words.size(); ++i) {
        if (!takes_some || !words[i].starts_with("--")) {
            rest.push_back(words[i]);
            continue;
        }
        const size_t equals = words[i].find('=');
        const std::string option = words[i].substr(0, equals);
        const bool has_value = equals != std::string::npos || i + 1 < words.size();
        const std::string value = equals != std::string::npos ? words[i].substr(equals + 1)
                                  : has_value                 ? words[i + 1]
                                                              : "";
        bool taken = false;
        if (option == "--then") {
            if (value.empty() || value.starts_with("--"))
                throw Error(Status::bad_input,
                            "--then wants the kernel that is launched next, and then its --grid, "
                            "--block and --arg");
            later_launches().emplace_back().kernel = value;
            taken = true;
        } else if (!later_launches().empty()) {
            taken = has_value && take_option(later_launches().back(), option, value);
        }
        if (!taken)
            rest.push_back(words[i]);
        else if (equals == std::string::npos)
            ++i;
    }
    return rest;
}

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
                    "file with one kernel, which is no template, it may be left out")
        ->group(group);
    command.add_option("--grid", grid, "blocks: X[,Y[,Z]]")->group(group);
    command.add_option("--block", block, "threads of a block: X[,Y[,Z]]")->group(group);
    command
        .add_option_function(
            "--cluster",
            [this](const std::string& sides) { variables.push_back(cluster_variable(sides)); },
            "blocks of a cluster: X[,Y[,Z]]; of a kernel without __cluster_dims__")
        ->group(group);
    add_count(command, "--dynamic-shared", dynamic_shared, "bytes of dynamic shared memory");
    command.get_option("--dynamic-shared")->group(group);
    add_repeated(command, "--arg", arguments,
                 // words: may stand, because it is a table
                 "one per parameter, in order: f32[16777216] (a buffer, every word different), "
                 "i32[1025]=0+4 (0, 4, 8, …; also =0, =0..99, =@FILE), "
                 "ptr[f32[64],f32[64]] (pointers to two buffers; ptr[32*f32[64]] to 32), "
                 "i32:4096, f32:1.5; tensor:f32:4096x4096:box=32x32:swizzle=128B (a tensor map "
                 "and its buffer; tensor:NAME:f32:… of that of the parameter NAME; pitch=ELEMENTS "
                 "from row to row; pixels=64:channels=32 in place of box for im2col); "
                 "\"{i32:4096,f32[1024],{f32:1,f32:2}}\" (a struct by value: its members in order, in quotes; align16{…} of a float4 in it)");
    add_repeated(command, "--constant,--device", variables,
                 "NAME=… with the grammar of --arg: what a __constant__ or __device__ variable "
                 "holds, e.g. filter=f32[25]=0.04");
    command
        .add_option_function(
            "--then", [](const std::string&) {},  // without_later_launches() has taken them
            "a KERNEL that is launched next in the same memory, with options of its own behind it. "
            "An --arg may name an earlier buffer: out, or out+16")
        ->group(group);
    add_repeated(command, "--include", include_folders, "a folder with headers");
    add_repeated(command, "--define", defines, "NAME or NAME=VALUE, for the preprocessor");
}

bool OwnOptions::any() const {
    return !kernel.empty() || !grid.empty() || !block.empty() || dynamic_shared != 0 ||
           !arguments.empty() || !variables.empty() || !include_folders.empty() ||
           !defines.empty() || !later_launches().empty();
}

std::vector<std::string> header_folders(const std::string& file, std::vector<std::string> includes) {
    includes.push_back(std::filesystem::absolute(file).parent_path().string());
    return includes;
}

// Where the source has launches, they say how.
static std::string way_to_launches(const std::string& file, const std::string& source) {
    if (source.find("<<<") == std::string::npos) return {};
    return "\n`lanewise-engine launches " + file + "` proposes a command for each launch in it";
}

// Of a source with one kernel, which is no template; else "".
static std::string only_kernel(const std::string& source) {
    std::vector<KernelInSource> kernels = kernels_in_source(source);
    bool is_plain = kernels.size() == 1 && kernels[0].template_line.empty();
    return is_plain ? kernels[0].scope + kernels[0].name : "";
}

OwnLaunch OwnOptions::launch(const std::string& file, const std::string& source) const {
    // Who says nothing of a launch may have meant a stage, and is told what there is.
    const std::string chosen = kernel.empty() && any() ? only_kernel(source) : kernel;
    if (chosen.empty())
        throw Error(Status::bad_input, file + ": say which kernel with --kernel NAME\n" +
                                           list_of_kernels(source, header_folders(file, include_folders)) +
                                           way_to_launches(file, source));
    if (grid.empty() || block.empty())
        throw Error(Status::bad_input, std::string(grid.empty() ? "--grid" : "--block") +
                                           " is missing: a kernel of your own is launched with "
                                           "--grid X[,Y[,Z]] --block X[,Y[,Z]]" +
                                           way_to_launches(file, source));
    OwnLaunch own;
    own.kernel = chosen;
    own.shape.grid = parse_grid(grid);
    own.shape.block = parse_block(block);
    constexpr int64_t kMostBytes = 0x7fffffff;  // any more is refused with a better limit below
    if (dynamic_shared < 0 || dynamic_shared > kMostBytes)
        throw Error(Status::bad_input, fmt::format("--dynamic-shared {}: a block can have 0 to "
                                                   "232,448 bytes of shared memory",
                                                   dynamic_shared));
    own.shape.dynamic_shared_bytes = static_cast<uint32_t>(dynamic_shared);
    own.arguments = arguments;
    own.variables = variables;
    for (const std::string& folder : include_folders) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(folder, ignored))
            throw Error(Status::bad_input, "--include " + folder + ": there is no such folder");
        own.include_folders.push_back(std::filesystem::absolute(folder).string());
    }
    own.defines = defines;
    if (later_launches().empty() || is_later) {
        if (!is_later) check_own(own);
        return own;
    }
    std::vector<OwnLaunch> all = {own};
    for (OwnOptions later : later_launches()) {
        later.is_later = true;
        later.include_folders = include_folders;
        later.defines = defines;
        all.push_back(later.launch(file, source));
    }
    OwnLaunch last = std::move(all.back());
    all.pop_back();
    last.before = std::move(all);
    check_own(last);
    return last;
}

OwnLaunch OwnOptions::launch(const PtxFile& file, const PtxKernel& chosen) const {
    if (!defines.empty())
        throw Error(Status::bad_input, "--define is for a source: PTX has been compiled already");
    if (!later_launches().empty())
        throw Error(Status::bad_input,
                    "--then is for a .cu or .cuh file; of PTX one launch is traced at a time");
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
