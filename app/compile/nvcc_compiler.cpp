// nvcc as one of the compilers that compile() uses: for sources that the others refuse, and where
// none of them is. It knows the host's headers, so nothing of a whole program has to be hidden.
//
// Two child processes: nvcc makes PTX of the source, and ptxas beside it a cubin of that.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <regex>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/backend.h"
#include "compile/child_process.h"
#include "compile/diagnostics.h"
#include "compile/header_library.h"
#include "compile/nvrtc.h"
#include "compile/temporary_folder.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr std::string_view kMarker = "lanewise_entry";

namespace {
struct Nvcc {
    std::string path, version;  // "" where there is none; "13.0"
};

bool is_program(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

// In PATH, else in the toolkit of NVRTC.
std::string path_of_nvcc() {
    const char* path = std::getenv("PATH");
    for (std::string_view folder : split(path ? path : "", ':'))
        if (fs::path file = fs::path(folder.empty() ? "." : folder) / "nvcc"; is_program(file))
            return file.string();
    fs::path include = find_nvrtc().nvrtc.include_folder;
    fs::path file = include.parent_path() / "bin/nvcc";
    return !include.empty() && is_program(file) ? file.string() : "";
}

Nvcc search_nvcc() {
    Nvcc nvcc{path_of_nvcc(), ""};
    if (nvcc.path.empty()) return nvcc;
    try {
        ChildResult said = run_child({nvcc.path, "--version"}, "", std::chrono::seconds(20));
        static const std::regex release(R"(release (\d+\.\d+))");
        std::smatch found;
        if (std::regex_search(said.out, found, release)) nvcc.version = found[1].str();
    } catch (const Error&) {  // no nvcc, then
    }
    if (nvcc.version.empty()) nvcc.path.clear();
    return nvcc;
}

using Words = std::vector<std::string>;

class NvccBackend : public Backend {
  public:
    explicit NvccBackend(Nvcc nvcc) : nvcc_(std::move(nvcc)) {}
    CompilerKind kind() const override { return CompilerKind::nvcc; }
    std::string name(const CompileOptions&) const override { return "nvcc " + nvcc_.version; }
    std::string version(const CompileOptions&) const override { return nvcc_.version; }
    std::string lacks(const CompileOptions& options) const override {
        return options.headers.empty() ? "" : header_library(options.headers).advice;
    }
    Program compile(const Source& source, const CompileOptions& options, Standard standard,
                    Until until, const HostCodeLeftOut* left_out) const override;

  private:
    std::string ptx_of(const fs::path& folder, const Source& source, const CompileOptions& options,
                       Standard standard, std::string& log) const;
    std::string cubin_of(const fs::path& folder, const std::string& arch) const;
    Nvcc nvcc_;
};

// The text between a line that names its file and one that asks for the kernel: the instance of a
// template, and a variable whose mangled name tells the kernel's.
std::string text_for_nvcc(const Source& source, const std::string& kernel) {
    std::string_view name = trimmed(kernel);
    if (name.starts_with('&')) name.remove_prefix(1);
    return fmt::format(
        "template <auto kernel> __device__ char {0};\n#line 1 \"{1}\"\n{2}\n#line 1 \"{3}\"\n"
        "template __device__ char {0}<{4}>;\n",
        kMarker, source.name, source.text, kNameMap, name);
}

// The line of the marker, blank from then on; "" where there is none.
std::string taken_marker(std::string& ptx) {
    size_t at = ptx.find(std::string(kMarker) + "IXadL");
    if (at == ptx.npos) return "";
    size_t begin = ptx.rfind('\n', at) + 1, end = std::min(ptx.find('\n', at), ptx.size());
    std::string line = ptx.substr(begin, end - begin);
    ptx.replace(begin, end - begin, "");
    return line;
}

// .global … _Z14lanewise_entryIXadL_Z…EEE: the entry of that name; of extern "C" _Z4name stands for
// name.
std::string entry_in_ptx(const std::string& ptx, std::string_view marker) {
    constexpr std::string_view kBefore = "XadL", kEntry = ".entry ";
    size_t begin = marker.find(kBefore) + kBefore.size(), end = marker.rfind("EEE");
    if (marker.empty() || end == marker.npos || end < begin) return "";
    std::string_view wanted = marker.substr(begin, end - begin);
    for (size_t at = ptx.find(kEntry); at != ptx.npos; at = ptx.find(kEntry, at + 1)) {
        size_t from = at + kEntry.size(), to = ptx.find_first_of("( \n", from);
        std::string name = ptx.substr(from, to - from);
        if (name == wanted || fmt::format("_Z{}{}", name.size(), name) == wanted) return name;
    }
    return "";
}
}  // namespace

std::string NvccBackend::ptx_of(const fs::path& folder, const Source& source,
                                const CompileOptions& options, Standard standard,
                                std::string& log) const {
    fs::path text = folder / "source.cu", ptx = folder / "program.ptx";
    write_file(text, text_for_nvcc(source, options.kernel));
    Words command = {nvcc_.path,
                     "-ptx",
                     "-lineinfo",
                     "-arch=" + options.arch,
                     standard == Standard::cpp17 ? "-std=c++17" : "-std=c++20",
                     "-o",
                     ptx.string(),
                     text.string()};
    for (const std::string& define : options.defines) command.push_back("-D" + define);
    for (const std::string& include : options.include_folders) command.push_back("-I" + include);
    if (!options.headers.empty())
        for (const std::string& include : header_library(options.headers).folders)
            command.push_back("-I" + include);
    ChildResult result = run_child(command, "", kLongestChild);
    log = trimmed(result.err + result.out);
    if (result.timed_out)
        throw Error(Status::bad_input, fmt::format("nvcc did not end with {} within {} minutes",
                                                   source.name, kLongestChild.count()));
    if (result.status != 0) throw_compile_error(log, source, options.kernel);
    return read_file(ptx);
}

// "" where ptxas is not there or refuses: then the PTX is all there is.
std::string NvccBackend::cubin_of(const fs::path& folder, const std::string& arch) const {
    fs::path ptxas = fs::path(nvcc_.path).parent_path() / "ptxas", cubin = folder / "program.cubin";
    if (!is_program(ptxas)) return "";
    ChildResult result = run_child({ptxas.string(), "-arch=" + arch, "--generate-line-info", "-o",
                                    cubin.string(), (folder / "program.ptx").string()},
                                   "", kLongestChild);
    return result.status == 0 && !result.timed_out ? read_file(cubin) : "";
}

Program NvccBackend::compile(const Source& source, const CompileOptions& options, Standard standard,
                             Until, const HostCodeLeftOut*) const {
    TemporaryFolder folder;
    Program program;
    program.ptx = without_current_folder(
        ptx_of(folder.path, source, options, standard, program.log), source.name);
    std::string marker = taken_marker(program.ptx);
    program.entry = entry_in_ptx(program.ptx, marker);
    if (program.entry.empty())
        throw_compile_error(
            fmt::format("{}(1): error: it is not the name of a __global__ function", kNameMap),
            source, options.kernel);
    program.cubin = cubin_of(folder.path, options.arch);
    return program;
}

const Backend* nvcc_backend() {
    static const Nvcc found = search_nvcc();
    if (found.path.empty()) return nullptr;
    static const NvccBackend backend(found);
    return &backend;
}

}  // namespace lanewise
