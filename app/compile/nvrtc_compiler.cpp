// NVRTC as one of the compilers that compile() uses: PTX and cubin of one text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "compile/backend.h"
#include "compile/diagnostics.h"
#include "compile/header_library.h"
#include "compile/host_code.h"
#include "compile/kernel_head.h"
#include "compile/nvrtc.h"

namespace lanewise {

namespace fs = std::filesystem;

// Included only where a source has host code (compile_device_code).
static constexpr const char* kHostHeader = "lanewise_host.h";
static constexpr const char* kWholeStd = "lanewise_std.h";

// Read once: of the toolkit that NVRTC came with.
static const std::vector<LocalHeader>& integers_of_nvcc() {
    static const std::vector<LocalHeader> headers =
        headers_with_integers_of_nvcc(find_nvrtc().nvrtc.include_folder);
    return headers;
}

static std::atomic<uint64_t> runs = 0;

uint64_t nvrtc_runs() { return runs; }

namespace {
// Owns one NVRTC program.
class Compilation {
  public:
    // left_out: then its headers are there, and the host's, all of these empty but kHostHeader and
    // the partial ones.
    Compilation(const Nvrtc& api, const Source& source, const HostCodeLeftOut* left_out)
        : api_(api) {
        std::vector<const char*> names, texts;
        if (left_out) {
            names.assign(host_headers().begin(), host_headers().end());
            texts.assign(names.size(), "\n");
            for (const PartialHeader& header : partial_headers()) {
                names.push_back(header.name);
                texts.push_back(header.text);
            }
            names.push_back(kHostHeader);
            texts.push_back(host_header_substitute().data());
            names.push_back(kWholeStd);
            texts.push_back(whole_std_header().data());
            for (const auto* headers : {&integers_of_nvcc(), &left_out->headers})
                for (const LocalHeader& header : *headers) {
                    names.push_back(header.path.c_str());
                    texts.push_back(header.text.c_str());
                }
        }
        check(api.CreateProgram(&program_, source.text.c_str(), source.name.c_str(),
                                static_cast<int>(names.size()), texts.data(), names.data()));
    }
    ~Compilation() { api_.DestroyProgram(&program_); }
    Compilation(const Compilation&) = delete;
    Compilation& operator=(const Compilation&) = delete;

    // kernel: whose instance is wanted; "": of none.
    Nvrtc::Result run(const std::vector<std::string>& options, const std::string& kernel) {
        if (!kernel.empty()) check(api_.AddNameExpression(program_, kernel.c_str()));
        std::vector<const char*> pointers;
        for (const std::string& option : options) pointers.push_back(option.c_str());
        ++runs;
        return api_.CompileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
    }
    std::string log() { return text(api_.GetProgramLogSize, api_.GetProgramLog); }
    std::string ptx() { return text(api_.GetPTXSize, api_.GetPTX); }
    std::string cubin() { return bytes(api_.GetCUBINSize, api_.GetCUBIN); }
    std::string entry(const std::string& kernel) {
        const char* name = nullptr;
        check(api_.GetLoweredName(program_, kernel.c_str(), &name));
        return name;
    }
    void check(Nvrtc::Result result) const {
        if (result != 0)
            throw Error(Status::bad_input, fmt::format("NVRTC {} failed: {}", api_.version,
                                                       api_.GetErrorString(result)));
    }

  private:
    std::string bytes(Nvrtc::Result (*size)(Nvrtc::Program, size_t*),
                      Nvrtc::Result (*get)(Nvrtc::Program, char*)) {
        size_t count = 0;
        check(size(program_, &count));
        std::string result(count, '\0');
        if (count > 0) check(get(program_, result.data()));
        return result;
    }
    std::string text(Nvrtc::Result (*size)(Nvrtc::Program, size_t*),
                     Nvrtc::Result (*get)(Nvrtc::Program, char*)) {
        std::string result = bytes(size, get);
        while (!result.empty() && result.back() == '\0') result.pop_back();  // C's terminator
        return result;
    }

    const Nvrtc& api_;
    Nvrtc::Program program_ = nullptr;
};
}  // namespace

// A real architecture (sm_, not compute_) gives PTX and cubin from one compilation; -lineinfo gives
// both their source lines; __int128 is there without being asked for, as with nvcc. The toolkit's
// headers are offered only where something is included.
static std::vector<std::string> nvrtc_options(const Nvrtc& nvrtc, const Source& source,
                                              const CompileOptions& options, Standard standard,
                                              bool left_out) {
    std::vector<std::string> list = {"--gpu-architecture=" + options.arch, "-lineinfo",
                                     "--device-int128",
                                     standard == Standard::cpp17 ? "--std=c++17" : "--std=c++20"};
    for (const std::string& define : options.defines) list.push_back("--define-macro=" + define);
    for (const std::string& folder : options.include_folders)
        list.push_back("--include-path=" + folder);
    if (!options.headers.empty()) {
        list.emplace_back("--device-as-default-execution-space");  // much of it has no __device__
        for (const std::string& folder : header_library(options.headers).folders)
            list.push_back("--include-path=" + folder);
    } else if (!nvrtc.include_folder.empty() &&
               (left_out || source.text.find("include") != std::string::npos))
        list.push_back("--include-path=" + nvrtc.include_folder);
    return list;
}

[[noreturn]] static void throw_bad_option(const Nvrtc& nvrtc, const CompileOptions& options,
                                          const std::string& log) {
    if (log.find("gpu-architecture") != std::string::npos)
        throw Error(Status::bad_input,
                    fmt::format("NVRTC {} cannot compile for \"{}\"; it knows {}", nvrtc.version,
                                options.arch, fmt::join(nvrtc.supported_archs(), ", ")));
    throw Error(Status::bad_input,
                fmt::format("NVRTC {} refuses an option: {}", nvrtc.version, trimmed(log)));
}

std::string without_current_folder(std::string ptx, const std::string& source_name) {
    std::error_code failure;
    std::string whole = "\"" + (fs::current_path(failure) / source_name).string() + "\"";
    size_t at = failure ? std::string::npos : ptx.rfind(whole);
    if (at != std::string::npos) ptx.replace(at, whole.size(), "\"" + source_name + "\"");
    return ptx;
}

// "NVRTC 13.0", "NVRTC 13.0 with CUTLASS 3.4.1".
static std::string compiler_name(const Nvrtc& nvrtc, const CompileOptions& options) {
    std::string name = "NVRTC " + nvrtc.version;
    if (options.headers.empty()) return name;
    const HeaderLibrary& library = header_library(options.headers);
    return name + " with " + library.title + " " + library.version;
}

// For a whole program: functions that say nothing are the device's, and CUDA's C++ library, which
// cub and cooperative_groups need, is found.
static void add_options_for_host_code(const Nvrtc& nvrtc, const HostCodeLeftOut& left_out,
                                      std::vector<std::string>& list) {
    list.emplace_back("--device-as-default-execution-space");
    list.push_back("--pre-include=" + std::string(kHostHeader));
    if (left_out.whole_std) list.push_back("--pre-include=" + std::string(kWholeStd));
    list.emplace_back("--diag-suppress=47");  // macros defined again, the same
    fs::path library = fs::path(nvrtc.include_folder) / "cccl";
    std::error_code ignored;
    if (fs::is_directory(library, ignored)) list.push_back("--include-path=" + library.string());
}

namespace {
class NvrtcBackend : public Backend {
  public:
    explicit NvrtcBackend(const Nvrtc& nvrtc) : nvrtc_(nvrtc) {}
    CompilerKind kind() const override { return CompilerKind::nvrtc; }
    std::string name(const CompileOptions& options) const override {
        return compiler_name(nvrtc_, options);
    }
    std::string version(const CompileOptions& options) const override {
        std::string version = name(options).substr(std::string_view("NVRTC ").size());
        std::replace(version.begin(), version.end(), ' ', '-');
        return version + "-" + host_headers_version();
    }
    std::string lacks(const CompileOptions& options) const override {
        return options.headers.empty() ? "" : header_library(options.headers).advice;
    }
    Program compile(const Source& source, const CompileOptions& options, Standard standard,
                    Until until, const HostCodeLeftOut* left_out) const override;

  private:
    const Nvrtc& nvrtc_;
};

// NVRTC 13.0 crashes where a template's instance is asked for and a parameter of the template has
// a type that is not declared: it takes the template for a variable's. So the text is read once
// without asking; errors end it there. That costs 40 ms, with cuda_fp16.h or mma.h 60 to 100, and is
// spared where the text cannot be misread so.
static void read_without_instance(const Nvrtc& nvrtc, const Source& source,
                                  std::vector<std::string> options, const std::string& kernel,
                                  const HostCodeLeftOut* left_out) {
    if (kernel.find('<') == std::string::npos || is_surely_function(source.text, kernel)) return;
    options.emplace_back("--fdevice-syntax-only");
    Compilation compilation(nvrtc, source, left_out);
    if (compilation.run(options, "") == Nvrtc::kCompilation)
        throw_compile_error(std::string(trimmed(compilation.log())), source, kernel);
}

Program NvrtcBackend::compile(const Source& source, const CompileOptions& options,
                              Standard standard, Until until,
                              const HostCodeLeftOut* left_out) const {
    Compilation compilation(nvrtc_, source, left_out);
    std::vector<std::string> list = nvrtc_options(nvrtc_, source, options, standard, left_out);
    if (left_out) add_options_for_host_code(nvrtc_, *left_out, list);
    read_without_instance(nvrtc_, source, list, options.kernel, left_out);
    if (until == Until::syntax) list.emplace_back("--fdevice-syntax-only");
    Nvrtc::Result result = compilation.run(list, options.kernel);
    Program program;
    program.log = trimmed(compilation.log());
    if (result == Nvrtc::kInvalidOption) throw_bad_option(nvrtc_, options, program.log);
    if (result == Nvrtc::kCompilation) throw_compile_error(program.log, source, options.kernel);
    compilation.check(result);
    if (until == Until::syntax) return program;
    program.entry = compilation.entry(options.kernel);
    program.ptx = without_current_folder(compilation.ptx(), source.name);
    program.cubin = compilation.cubin();
    return program;
}
}  // namespace

const Backend* nvrtc_backend() {
    if (!find_nvrtc().found) return nullptr;
    static const NvrtcBackend backend(find_nvrtc().nvrtc);
    return &backend;
}

}  // namespace lanewise
