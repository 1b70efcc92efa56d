#include "compile/compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <regex>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/diagnostics.h"
#include "compile/header_library.h"
#include "compile/host_code.h"
#include "compile/nvrtc.h"
#include "compile/program_store.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr uint64_t kMostCacheBytes = 64u << 20;

static std::atomic<bool> pretending = false;

void pretend_no_compiler(bool pretend) { pretending = pretend; }

static bool told_to_do_without() {
    const char* value = std::getenv("LANEWISE_NO_NVRTC");
    return pretending || (value && std::string_view(value) == "1");
}

static const Nvrtc* usable_nvrtc() {
    return !told_to_do_without() && find_nvrtc().found ? &find_nvrtc().nvrtc : nullptr;
}

// Included only where a source has host code (compile_device_code).
static constexpr const char* kHostHeader = "lanewise_host.h";

namespace {
// Owns one NVRTC program.
class Compilation {
  public:
    // has_host_code: then the host's headers are there, all of them empty but kHostHeader and the
    // partial ones.
    Compilation(const Nvrtc& api, const Source& source, bool has_host_code) : api_(api) {
        std::vector<const char*> names, texts;
        if (has_host_code) {
            names.assign(host_headers().begin(), host_headers().end());
            texts.assign(names.size(), "\n");
            for (const PartialHeader& header : partial_headers()) {
                names.push_back(header.name);
                texts.push_back(header.text);
            }
            names.push_back(kHostHeader);
            texts.push_back(host_header_substitute().data());
        }
        check(api.CreateProgram(&program_, source.text.c_str(), source.name.c_str(),
                                static_cast<int>(names.size()), texts.data(), names.data()));
    }
    ~Compilation() { api_.DestroyProgram(&program_); }
    Compilation(const Compilation&) = delete;
    Compilation& operator=(const Compilation&) = delete;

    Nvrtc::Result run(const std::vector<std::string>& options, const std::string& kernel) {
        check(api_.AddNameExpression(program_, kernel.c_str()));
        std::vector<const char*> pointers;
        for (const std::string& option : options) pointers.push_back(option.c_str());
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
// nvcc's own standard, and what a source is tried with that seems to need more.
enum class Standard { cpp17, cpp20 };
}  // namespace

// How far the compiler goes.
enum class Until { program, syntax };

// A real architecture (sm_, not compute_) gives PTX and cubin from one compilation; -lineinfo gives
// both their source lines; __int128 is there without being asked for, as with nvcc. The toolkit's
// headers are offered only where something is included.
static std::vector<std::string> nvrtc_options(const Nvrtc& nvrtc, const Source& source,
                                              const CompileOptions& options, Standard standard) {
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
    } else if (!nvrtc.include_folder.empty() && source.text.find("#include") != std::string::npos)
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

// NVRTC writes a relative source name into the PTX below the current folder. Without that folder
// the same source gives the same PTX everywhere, and what is built beforehand tells no paths.
static std::string without_current_folder(std::string ptx, const std::string& source_name) {
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

// For the name of a file: "13.0", "13.0-with-CUTLASS-3.4.1".
static std::string version_of(const std::string& compiler) {
    std::string version = compiler.substr(compiler.find(' ') + 1);
    std::replace(version.begin(), version.end(), ' ', '-');
    return version;
}

// For a whole program: functions that say nothing are the device's, and CUDA's C++ library, which
// cub and cooperative_groups need, is found.
static void add_options_for_host_code(const Nvrtc& nvrtc, std::vector<std::string>& list) {
    list.emplace_back("--device-as-default-execution-space");
    list.push_back("--pre-include=" + std::string(kHostHeader));
    list.emplace_back("--diag-suppress=47");  // macros defined again, the same
    fs::path library = fs::path(nvrtc.include_folder) / "cccl";
    std::error_code ignored;
    if (fs::is_directory(library, ignored)) list.push_back("--include-path=" + library.string());
}

// Until::syntax gives a program with nothing in it.
static Program compile_now(const Nvrtc& nvrtc, const Source& source, const CompileOptions& options,
                           Standard standard, Until until, bool has_host_code = false) {
    Compilation compilation(nvrtc, source, has_host_code);
    std::vector<std::string> list = nvrtc_options(nvrtc, source, options, standard);
    if (has_host_code) add_options_for_host_code(nvrtc, list);
    if (until == Until::syntax) list.emplace_back("--fdevice-syntax-only");
    Nvrtc::Result result = compilation.run(list, options.kernel);
    Program program;
    program.log = trimmed(compilation.log());
    if (result == Nvrtc::kInvalidOption) throw_bad_option(nvrtc, options, program.log);
    if (result == Nvrtc::kCompilation) throw_compile_error(program.log, source, options.kernel);
    compilation.check(result);
    if (until == Until::syntax) return program;
    program.entry = compilation.entry(options.kernel);
    program.ptx = without_current_folder(compilation.ptx(), source.name);
    program.cubin = compilation.cubin();
    program.arch = options.arch;
    program.compiler = compiler_name(nvrtc, options);
    return program;
}

// Whether the first of what `one` complains of is among what `other` does.
static bool says_the_same(const CompileError& one, const CompileError& other) {
    auto first = std::find_if(one.diagnostics().begin(), one.diagnostics().end(),
                              [](const Diagnostic& found) { return found.is_error; });
    if (first == one.diagnostics().end()) return true;
    return std::any_of(other.diagnostics().begin(), other.diagnostics().end(),
                       [&](const Diagnostic& found) {
                           return found.file == first->file && found.line == first->line &&
                                  found.text == first->text;
                       });
}

// The source's device code alone. What else does not compile is left out, error by error, as long
// as it is nothing of the device's. Throws `as_it_is`, why the source did not compile as it is,
// where that was nothing of the host's.
static Program compile_device_code(const Nvrtc& nvrtc, const Source& source,
                                   const CompileOptions& options, Standard standard, Until until,
                                   const CompileError& as_it_is) {
    constexpr int kMostTurns = 20;
    DeviceCode device(source.text);
    for (int turn = 0;; ++turn) {
        try {
            Program program =
                compile_now(nvrtc, {source.name, device.text()}, options, standard, until, true);
            program.log += log_of_hidden(hidden_lines(source.text, device.text()));
            return program;
        } catch (const CompileError& error) {
            bool hidden = false;
            for (const Diagnostic& found : error.diagnostics())
                if (found.is_error && found.file == source.name && turn < kMostTurns)
                    hidden |= device.hide_at(found.line);
            if (hidden) continue;
            bool got_over_it = !says_the_same(as_it_is, error);
            if (device.text() == source.text && !got_over_it) throw CompileError(as_it_is);
            throw;
        }
    }
}

static Program compile_with(Standard standard, Until until, const Nvrtc& nvrtc,
                            const Source& source, const CompileOptions& options) {
    try {
        return compile_now(nvrtc, source, options, standard, until);
    } catch (const CompileError& error) {
        return compile_device_code(nvrtc, source, options, standard, until, error);
    }
}

// Whether C++20 may be what a source misses: it has its words, or the compiler says so. Words in
// comments cost a second try, no more.
static bool may_need_cpp20(const Source& source, const CompileError& error) {
    static const std::regex words(
        R"(\b(concept|requires|consteval|constinit|using\s+enum)\b|<=>|\]\s*<)");
    std::string said = error.what();
    return said.find("C++20") != std::string::npos ||
           said.find("\"auto\" is not allowed here") != std::string::npos ||
           std::regex_search(source.text, words);
}

static Program compile_some_way(const Nvrtc& nvrtc, const Source& source,
                                const CompileOptions& options, Until until) {
    try {
        return compile_with(Standard::cpp17, until, nvrtc, source, options);
    } catch (const CompileError& error) {
        if (!may_need_cpp20(source, error)) throw;
        try {
            return compile_with(Standard::cpp20, until, nvrtc, source, options);
        } catch (const CompileError& newer) {
            if (newer.diagnostics().size() < error.diagnostics().size()) throw;
            throw CompileError(error);
        }
    }
}

static ProgramStore user_cache() {
    return ProgramStore(cache_folder() / "programs", kMostCacheBytes);
}

static std::vector<fs::path> prebuilt_folders() {
    std::vector<fs::path> folders = {program_folder() / ".." / "prebuilt"};
    try {
        folders.push_back(content_folder() / "prebuilt");
    } catch (const Error&) {  // no content: then nothing prebuilt beside it either
    }
    return folders;
}

// Where there is no NVRTC any version's program will do.
static std::optional<Program> stored_by_any_version(const std::string& key) {
    if (std::optional<Program> program = user_cache().find(key, "")) {
        program->origin = Program::Origin::cached;
        return program;
    }
    for (const fs::path& folder : prebuilt_folders())
        if (std::optional<Program> program = ProgramStore(folder).find(key, "")) {
            program->origin = Program::Origin::prebuilt;
            return program;
        }
    return {};
}

static Program cached_or_compiled(const Source& source, const CompileOptions& options) {
    const Nvrtc* nvrtc = usable_nvrtc();
    std::string key = program_key(source, options);
    bool lacks_headers = !options.headers.empty() && !header_library(options.headers).found;
    if (!nvrtc || lacks_headers) {
        if (std::optional<Program> program = stored_by_any_version(key)) return *program;
        if (nvrtc)
            throw Error(Status::bad_input, fmt::format("cannot compile {}: {}", source.name,
                                                       header_library(options.headers).advice));
        throw Error(Status::bad_input,
                    fmt::format("cannot compile {} as {} for {}: there is no NVRTC, and it was "
                                "not compiled before. {}",
                                source.name, options.kernel, options.arch, how_to_get_nvrtc()));
    }
    std::string version = version_of(compiler_name(*nvrtc, options));
    if (std::optional<Program> program = user_cache().find(key, version)) {
        program->origin = Program::Origin::cached;
        return *program;
    }
    Program program = compile_some_way(*nvrtc, source, options, Until::program);
    user_cache().store(program, key, version);
    return program;
}

// NVRTC takes the source as a C string, and would not see what is behind a zero byte.
static void check_text(const Source& source) {
    size_t zero = source.text.find('\0');
    if (zero == std::string::npos) return;
    auto line = 1 + std::count(source.text.begin(),
                               source.text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    throw Error(Status::bad_input, source.name + ":" + std::to_string(line) +
                                       ": there is a zero byte; this is no text file. Save it as "
                                       "UTF-8 without such bytes");
}

Program compile(const Source& source, const CompileOptions& options) {
    auto start = std::chrono::steady_clock::now();
    check_text(source);
    Program program = cached_or_compiled(source, options);
    for (Diagnostic& found : parse_log(program.log, source.name))
        if (!found.is_error) program.warnings.push_back(std::move(found));
    program.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return program;
}

void check_source(const Source& source, const CompileOptions& options) {
    check_text(source);
    const Nvrtc* nvrtc = usable_nvrtc();
    if (!nvrtc || (!options.headers.empty() && !header_library(options.headers).found)) return;
    try {
        compile_some_way(*nvrtc, source, options, Until::syntax);
    } catch (const CompileError&) {
        throw;
    } catch (const Error&) {  // of an option; what is wrong, compile() says it to the user
    }
}

void write_prebuilt(const Source& source, const CompileOptions& options, const fs::path& folder) {
    Program program = compile(source, options);
    std::string key = program_key(source, options);
    write_file(folder / fmt::format("{}-{}.program", key, version_of(program.compiler)),
               encode_program(program, key));
}

void warm_up_compiler() {
    const Nvrtc* nvrtc = usable_nvrtc();
    if (!nvrtc) return;
    try {
        CompileOptions options;
        options.kernel = "warm_up";
        compile_now(*nvrtc, {"warm_up.cu", "__global__ void warm_up(int* out) { *out = 1; }"},
                    options, Standard::cpp17, Until::program);
    } catch (const Error&) {  // whatever is wrong, the next compile() says it to the user
    }
}

CompilerStatus compiler_status() {
    CompilerStatus status;
    if (told_to_do_without()) {
        status.advice = "NVRTC is switched off for this run (LANEWISE_NO_NVRTC or --no-toolkit)";
        return status;
    }
    const NvrtcSearch& search = find_nvrtc();
    status.found = search.found;
    status.version = search.nvrtc.version;
    status.library = search.nvrtc.path;
    status.include_folder = search.nvrtc.include_folder;
    status.looked_in = search.looked_in;
    if (!search.found) status.advice = how_to_get_nvrtc();
    return status;
}

}  // namespace lanewise
