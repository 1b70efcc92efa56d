#include "lab/kernel/own_kernel.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "lab/kernel/cluster_option.h"
#include "lab/kernel/kernel_arguments.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/module_variables.h"
#include "lab/kernel/ptx_file.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMostThreads = 1024;
constexpr uint32_t kMostSharedBytes = 227 * 1024;  // of a block on sm_90, the largest there is

// "64,8" -> {64, 8, 1}, each within its limit.
Dim3 dimensions(const std::string& option, const std::string& text,
                const std::array<int64_t, 3>& limits) {
    std::vector<std::string_view> pieces = split(text, ',');
    std::array<int64_t, 3> size = {1, 1, 1};
    for (size_t i = 0; i < pieces.size(); ++i) {
        if (i >= size.size() || !parse_integer(trimmed(pieces[i]), size[i]))
            reject(option + " wants X, X,Y or X,Y,Z, not \"" + text + "\"");
        if (size[i] < 1 || size[i] > limits[i])
            reject(fmt::format("{}'s {} is {}; the hardware takes 1 to {}", option, "xyz"[i],
                               trimmed(pieces[i]), with_thousands(static_cast<uint64_t>(limits[i]))));
    }
    auto narrow = [](int64_t value) { return static_cast<uint32_t>(value); };
    return {narrow(size[0]), narrow(size[1]), narrow(size[2])};
}

// Where a header of this name lies near the source or in the toolkit, as the folder to --include.
std::string folder_with(const std::string& header, const fs::path& near) {
    std::vector<fs::path> folders;
    std::string toolkit = compiler_status().include_folder;
    if (!toolkit.empty()) folders.push_back(fs::path(toolkit) / "cccl");
    fs::path above = near;
    for (int level = 0; level < 3 && !above.empty(); ++level, above = above.parent_path())
        for (const char* below : {"", "include", "inc", "src", "common"})
            folders.push_back(above / below);
    for (const fs::path& folder : folders) {
        std::error_code ignored;
        if (fs::is_regular_file(folder / header, ignored))
            return folder.lexically_normal().string();
    }
    return {};
}

// What to do about an error that has nothing to do with the kernel itself; "" where it has.
std::string advice(const Diagnostic& error, const fs::path& near) {
    constexpr std::string_view kMissing = "cannot open source file \"";
    size_t at = error.text.find(kMissing);
    if (at != std::string::npos) {
        std::string header = error.text.substr(at + kMissing.size());
        header = header.substr(0, header.find('"'));
        std::string folder = folder_with(header, near);
        if (!folder.empty()) return "Say --include " + folder + " to find " + header;
        return "Say --include FOLDER with the folder that holds " + header +
               ". The host's own headers (<cstdio>, <vector>, …) are not there for NVRTC: keep "
               "them "
               "and host code between #ifndef __CUDACC_RTC__ and #endif";
    }
    if (error.text.find("device-side kernel launch") != std::string::npos)
        return "A kernel that launches kernels (dynamic parallelism) is not interpreted: keep it "
               "between #ifndef __CUDACC_RTC__ and #endif, and look at the kernels that it "
               "launches";
    constexpr std::string_view kTarget = "not supported on .target '";
    if (size_t target = error.text.find(kTarget); target != std::string::npos) {
        std::string arch = error.text.substr(target + kTarget.size());
        arch = arch.substr(0, arch.find('\''));
        return "Some instructions belong to one architecture alone, which has an a: try --arch " +
               arch + (arch.ends_with('a') ? "" : "a");
    }
    if (error.text.find("considered a host function") != std::string::npos)
        return "Keep host code between #ifndef __CUDACC_RTC__ and #endif, or the kernel in a file "
               "of its own: only device code is compiled here";
    return {};
}

bool is_about_the_name(const CompileError& error) {
    return error.diagnostics().size() == 1 &&
           error.diagnostics()[0].text.starts_with("no kernel fits");
}

std::string hint_for(const std::string& reason, const std::string& kernel) {
    std::string name = base_name(kernel);
    if (reason.find("overloaded function") != std::string::npos)
        return "Say which by its parameters' types, for example --kernel '(void (*)(float*, int))" +
               name + "'\n";
    if (reason.find("function template") != std::string::npos)
        return "Give its template arguments, for example --kernel '" + name + "<float>', or '" +
               name + "<>' for the defaults\n";
    return {};
}

}  // namespace

Stage own_stage(const fs::path& file) {
    Stage stage;
    stage.path = fs::absolute(file).lexically_normal();
    stage.file = stage.id = stage.path.filename().string();
    stage.source = read_file(stage.path);
    return stage;
}

Dim3 parse_grid(const std::string& text) {
    return dimensions("--grid", text, {2'147'483'647, 65'535, 65'535});
}

Dim3 parse_block(const std::string& text) {
    Dim3 block = dimensions("--block", text, {1024, 1024, 64});
    if (block.count() > kMostThreads)
        reject(fmt::format("--block {} is {} threads; the hardware takes at most 1,024 in a block",
                           text, with_thousands(block.count())));
    return block;
}

// may_name: whether a buffer can be there already that an argument may name.
static void check_values(const OwnLaunch& own, bool may_name) {
    for (const std::string& text : own.arguments) {
        std::string name = buffer_named_in(parse_argument(text));
        if (!name.empty() && !may_name)
            reject(
                fmt::format("--arg \"{}\": an argument is a buffer such as f32[16777216] or a "
                            "value such as i32:4096 or f32:1.5; a buffer's name is one only after "
                            "--then, or in a .launch file",
                            text));
    }
    for (const std::string& text : own.variables)
        if (!is_cluster_variable(text)) parse_variable(text);
    cluster_given(own);
    for (const std::string& text : own.buffers)
        if (!parse_variable(text).value.is_buffer)
            reject("the buffer \"" + text + "\" is none; write it as A=f32[1024]=0");
}

static void check_one(const OwnLaunch& own, bool may_name) {
    const Dim3 &grid = own.shape.grid, &block = own.shape.block;
    parse_grid(fmt::format("{},{},{}", grid.x, grid.y, grid.z));
    parse_block(fmt::format("{},{},{}", block.x, block.y, block.z));
    if (grid.count() > 0xffffffffull)
        reject("a grid of " + with_thousands(grid.count()) +
               " blocks; at most 4,294,967,295 are interpreted");
    if (own.shape.dynamic_shared_bytes > kMostSharedBytes)
        reject(fmt::format("--dynamic-shared {} is more than a block can have: 227 KiB",
                           own.shape.dynamic_shared_bytes));
    check_values(own, may_name);
}

void check_own(const OwnLaunch& own) {
    bool may_name = !own.buffers.empty();
    for (const OwnLaunch& before : own.before) {
        may_name = may_name || !before.buffers.empty();
        check_one(before, may_name);
        may_name = true;
    }
    check_one(own, may_name);
}

CompileOptions own_options(const Stage& stage, const OwnLaunch& own, const std::string& arch) {
    CompileOptions options;
    options.kernel = own.kernel;
    options.arch = arch;
    options.include_folders = own.include_folders;
    if (stage.path.has_parent_path())
        options.include_folders.push_back(stage.path.parent_path().string());
    options.defines = own.defines;
    options.or_by_nvcc = true;
    return options;
}

Program compile_own(const Stage& stage, const OwnLaunch& own, const CompileOptions& options) {
    if (!own.ptx.empty()) return ptx_program(own);
    try {
        return compile({stage.file, stage.source}, options);
    } catch (const CompileError& error) {
        if (is_about_the_name(error)) {
            std::string first_line(lines_of(error.what()).front());
            reject(first_line + "\n" + hint_for(first_line, own.kernel) +
                   list_of_kernels(stage.source, options.include_folders));
        }
        for (const Diagnostic& diagnostic : error.diagnostics()) {
            std::string what_to_do = advice(diagnostic, stage.path.parent_path());
            if (diagnostic.is_error && !what_to_do.empty())
                throw CompileError(std::string(error.what()) + "\n" + what_to_do,
                                   error.diagnostics());
        }
        throw;
    }
}

}  // namespace lanewise
