// clang as one of the compilers that compile() uses: PTX of one text, without NVIDIA's software.
//
// Three child processes, text through their streams: clang's front end makes intermediate code
// (clang_headers.h says what it need not read again), which clang_ir.h and clang_accesses.h change;
// clang optimises that; it is changed once more, and clang makes PTX of it. Our own headers (assets/device) take the place of the toolkit's; no header
// of the host is seen.
#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <regex>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "compile/backend.h"
#include "compile/child_process.h"
#include "compile/clang_accesses.h"
#include "compile/clang_headers.h"
#include "compile/clang_ir.h"
#include "compile/clang_search.h"
#include "compile/diagnostics.h"
#include "compile/header_library.h"
#include "compile/host_code.h"
#include "compile/temporary_folder.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr int kPipeline = 1;  // counts up when the same source and headers give another PTX

// Where clang believes that it compiles: taken off the names of files in the PTX again.
static constexpr std::string_view kFolder = "/lanewise";

namespace {
using Words = std::vector<std::string>;

class ClangBackend : public Backend {
  public:
    explicit ClangBackend(const Clang& clang) : clang_(clang) {}
    CompilerKind kind() const override { return CompilerKind::clang; }
    std::string name(const CompileOptions&) const override { return "clang " + clang_.version; }
    std::string version(const CompileOptions&) const override {
        return fmt::format("{}-{}-{}-{}", clang_.version, clang_.headers, kPipeline,
                           host_headers_version());
    }
    std::string lacks(const CompileOptions& options) const override;
    Program compile(const Source& source, const CompileOptions& options, Standard standard,
                    Until until, const HostCodeLeftOut* left_out) const override;

  private:
    Words language_options(const CompileOptions& options, Standard standard) const;
    Words front_end(const CompileOptions& options, Standard standard, Until until,
                    const HostCodeLeftOut* left_out, const std::string& overlay,
                    const std::string& precompiled) const;
    Words optimiser(const std::string& arch, bool again) const;
    void check_arch(const std::string& arch) const;
    std::string run(const Words& command, const std::string& input, const Source& source,
                    const CompileOptions& options, std::string& log) const;
    std::string output_of(ChildResult result, const Source& source, const CompileOptions& options,
                          std::string& log) const;
    std::string made_by_front_end(const Source& source, const CompileOptions& options,
                                  Standard standard, Until until, const HostCodeLeftOut* left_out,
                                  std::string& log) const;

    const Clang& clang_;
};
}  // namespace

std::string ClangBackend::lacks(const CompileOptions& options) const {
    if (clang_.header_folder.empty())
        return "the headers for clang are missing (assets/device beside kernels/): install "
               "lanewise's files again";
    if (!options.headers.empty())
        return header_library(options.headers).title +
               "'s headers want the CUDA toolkit's own beside them, which clang does "
               "without: install NVIDIA's CUDA toolkit for this one";
    return "";
}

void ClangBackend::check_arch(const std::string& arch) const {
    static const std::regex pattern(R"(sm_\d+[a-z]?)");
    if (std::regex_match(arch, pattern)) return;
    throw Error(Status::bad_input,
                fmt::format("clang {} cannot compile for \"{}\"; it knows architectures from sm_75 "
                            "to {}",
                            clang_.version, arch, newest_arch_of(clang_.major)));
}

static void write_host_headers(const fs::path& folder) {
    for (const char* name : host_headers()) write_file(folder / name, "\n");
    for (const PartialHeader& header : partial_headers())
        write_file(folder / header.name, header.text);
    write_file(folder / "lanewise_std.h", whole_std_header());
    write_file(folder / "lanewise_host.h", host_header_substitute());  // last: all are there
}

// One folder with a file for each of the host's headers (all of them empty but ours and the partial
// ones), made where it is missing: once for each version of them. It is in the cache, or where that
// cannot be written to, a temporary one.
static std::string host_header_folder() {
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    fs::path folder = cache_folder() / ("host-headers-" + host_headers_version());
    if (std::error_code ignored; fs::exists(folder / "lanewise_host.h", ignored)) return folder;
    static std::optional<TemporaryFolder> temporary;
    if (temporary) return temporary->path;
    try {
        write_host_headers(folder);
        return folder;
    } catch (const Error&) {
        temporary.emplace();
        write_host_headers(temporary->path);
        return temporary->path;
    }
}

// As YAML and JSON have it.
static std::string in_quotes(const std::string& text) {
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

// clang reads these texts where it opens those paths. Gives the file that tells it.
static std::string write_overlay(const fs::path& folder, const std::vector<LocalHeader>& headers) {
    std::string files;
    for (size_t i = 0; i < headers.size(); ++i) {
        fs::path text = folder / (std::to_string(i) + ".h");
        write_file(text, headers[i].text);
        files +=
            fmt::format("{}{{\"type\": \"file\", \"name\": {}, \"external-contents\": {}}}",
                        i == 0 ? "" : ",\n", in_quotes(headers[i].path), in_quotes(text.string()));
    }
    fs::path overlay = folder / "overlay.yaml";
    write_file(overlay, fmt::format("{{\"version\": 0, \"use-external-names\": false, "
                                    "\"roots\": [\n{}]}}\n",
                                    files));
    return overlay.string();
}

// What both ends are told. A CUDA toolkit that happens to be here changes nothing.
static Words common_options(const Clang& clang) {
    return {clang.path,
            "--cuda-path=/nonexistent",
            "-O3",
            "-S",
            "-o",
            "-",
            "-Xclang",
            "-target-feature",
            "-Xclang",
            fmt::format("+ptx{}", ptx_version_of(clang.major)),
            "-fno-color-diagnostics",
            "-fno-caret-diagnostics",
            "-fmessage-length=0",
            "-ferror-limit=100",
            "-ftemplate-backtrace-limit=3",
            "-Wno-unused-command-line-argument",
            "-Wno-unknown-cuda-version"};
}

// What the language is, and the machine: what was precompiled is for these.
Words ClangBackend::language_options(const CompileOptions& options, Standard standard) const {
    Words list = common_options(clang_);
    list.insert(list.end(),
                {"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" + options.arch,
                 "-nocudainc", "-nocudalib", "-nostdinc", "-gline-tables-only",
                 "-fdebug-compilation-dir=" + std::string(kFolder),
                 standard == Standard::cpp17 ? "-std=c++17" : "-std=c++20", "-Wunused-variable",
                 "-Wunused-but-set-variable", "-Wno-c++20-extensions", "-Wno-c++23-extensions"});
    return list;
}

Words ClangBackend::front_end(const CompileOptions& options, Standard standard, Until until,
                              const HostCodeLeftOut* left_out, const std::string& overlay,
                              const std::string& precompiled) const {
    Words list = language_options(options, standard);
    if (left_out) list.insert(list.end(), {"-isystem", host_header_folder()});
    if (!overlay.empty()) list.insert(list.end(), {"-ivfsoverlay", overlay});
    list.insert(list.end(), {"-isystem", clang_.header_folder});
    if (precompiled.empty())
        list.insert(list.end(), {"-include", "lanewise_cuda.h"});
    else
        list.insert(list.end(), {"-include-pch", precompiled});
    if (left_out) list.insert(list.end(), {"-include", "lanewise_host.h"});
    if (left_out && left_out->whole_std) list.insert(list.end(), {"-include", "lanewise_std.h"});
    for (const std::string& define : options.defines) list.push_back("-D" + define);
    for (const std::string& folder : options.include_folders) list.push_back("-I" + folder);
    if (until == Until::syntax)
        list.emplace_back("-fsyntax-only");
    else
        list.insert(list.end(), {"-emit-llvm", "-Xclang", "-disable-llvm-passes"});
    list.emplace_back("-");
    return list;
}

// Without -disable-vector-combine a whole copy is taken apart again where not all of it is used;
// without -sink-common-insts=false the stores of two branches become one. The second time it writes
// PTX.
Words ClangBackend::optimiser(const std::string& arch, bool again) const {
    Words list = common_options(clang_);
    list.insert(list.end(),
                {"--target=nvptx64-nvidia-cuda", "-march=" + arch, "-Wno-pass-failed", "-mllvm",
                 "-disable-vector-combine", "-mllvm", "-sink-common-insts=false"});
    list.emplace_back(again ? "-fno-unroll-loops" : "-emit-llvm");
    list.insert(list.end(), {"-x", "ir", "-"});
    return list;
}

// The text, and behind it what asks for the kernel: the instance of a template, and a variable
// whose mangled name tells the kernel's.
static std::string text_for_clang(const Source& source, const std::string& kernel,
                                  bool has_host_code) {
    std::string name =
        trimmed(kernel).starts_with('&') ? kernel.substr(kernel.find('&') + 1) : kernel;
    std::string text = fmt::format("template <auto kernel> __device__ char {};\n", kEntryMarker);
    if (has_host_code) text += "#pragma clang force_cuda_host_device begin\n";
    text += fmt::format("#line 1 \"{}\"\n{}\n", source.name, source.text);
    text += fmt::format("#line 1 \"{}\"\n", kNameMap);
    if (has_host_code) text += "#pragma clang force_cuda_host_device end\n";
    if (trimmed(name).ends_with('>'))
        text += fmt::format("template __global__ decltype({0}) {0};\n", name);
    return text + fmt::format("template __device__ char {}<{}>;\n", kEntryMarker, name);
}

// A file below kFolder is one that was given by a relative name, the source among them.
static std::string without_folder(std::string ptx) {
    std::string folder = "\"" + std::string(kFolder) + "/";
    for (size_t at = ptx.find(folder); at != ptx.npos; at = ptx.find(folder, at))
        ptx.erase(at + 1, folder.size() - 1);
    return ptx;
}

std::string ClangBackend::run(const Words& command, const std::string& input, const Source& source,
                              const CompileOptions& options, std::string& log) const {
    return output_of(run_child(command, input, kLongestChild), source, options, log);
}

std::string ClangBackend::output_of(ChildResult result, const Source& source,
                                    const CompileOptions& options, std::string& log) const {
    log += result.err;
    if (result.timed_out)
        throw Error(Status::bad_input,
                    fmt::format("clang did not end with {} within {} minutes: make loops that are "
                                "unrolled shorter",
                                source.name, kLongestChild.count()));
    if (result.status == 0) return std::move(result.out);
    if (result.err.find("unsupported CUDA gpu architecture") != result.err.npos)
        throw Error(Status::bad_input,
                    fmt::format("clang {} cannot compile for \"{}\"; it knows architectures from "
                                "sm_75 to {}",
                                clang_.version, options.arch, newest_arch_of(clang_.major)));
    if (result.err.find("PLEASE submit a bug report") != result.err.npos)
        throw Error(Status::bad_input,
                    fmt::format("clang {} itself crashed at {}; a newer clang may compile it",
                                clang_.version, source.name));
    throw_compile_error(log, source, options.kernel);
}

std::string ClangBackend::made_by_front_end(const Source& source, const CompileOptions& options,
                                            Standard standard, Until until,
                                            const HostCodeLeftOut* left_out,
                                            std::string& log) const {
    std::optional<TemporaryFolder> headers;
    if (left_out && !left_out->headers.empty()) headers.emplace();
    const std::string overlay = headers ? write_overlay(headers->path, left_out->headers) : "";
    const std::string text = text_for_clang(source, options.kernel, left_out != nullptr);
    auto result_with = [&](const std::string& precompiled) {
        return run_child(front_end(options, standard, until, left_out, overlay, precompiled), text,
                         kLongestChild);
    };
    auto precompiled = [&](bool anew) {
        Words language = language_options(options, standard);
        language.insert(language.end(), {"-isystem", clang_.header_folder});
        return precompiled_device_headers(clang_, language, options.defines, anew);
    };
    const std::string kept = precompiled(false);
    ChildResult result = result_with(kept);
    if (!kept.empty() && result.status != 0 && refuses_precompiled(result.err)) {
        precompiled(true);  // for the next one
        result = result_with("");
    }
    return output_of(std::move(result), source, options, log);
}

Program ClangBackend::compile(const Source& source, const CompileOptions& options,
                              Standard standard, Until until,
                              const HostCodeLeftOut* left_out) const {
    check_arch(options.arch);
    Program program;
    std::string ir = made_by_front_end(source, options, standard, until, left_out, program.log);
    if (until == Until::syntax) return program;
    program.entry = entry_in(ir);
    if (program.entry.empty())
        throw_compile_error(
            fmt::format("{}:1:1: error: it is not the name of a __global__ function", kNameMap),
            source, options.kernel);
    // Twice: a member function's accesses are seen to be of shared memory after it was inlined.
    ir = with_whole_accesses(with_grid_constants(without_marker(ir)));
    const std::string marked = ir;
    ir = run(optimiser(options.arch, false), ir, source, options, program.log);
    program.ptx = without_folder(
        run(optimiser(options.arch, true), with_whole_accesses(ir), source, options, program.log));
    program.ptx = with_cluster(program.ptx, marked, program.entry);
    program.log = trimmed(program.log);
    return program;
}

const Backend* clang_backend() {
    if (find_clang().path.empty()) return nullptr;
    static const ClangBackend backend(find_clang());
    return &backend;
}

std::string how_to_get_clang() {
    return "Install the package clang-19 (any clang from 16 on will do)";
}

}  // namespace lanewise
