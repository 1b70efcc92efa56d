// NVRTC, loaded at run time: CUDA source and a name expression in, PTX and cubin out, through a
// disk cache. Works with no GPU and no driver; with no NVRTC it serves what is already cached and
// what the build produced beforehand (build/…/prebuilt or share/lanewise/prebuilt).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace lanewise {

struct Source {
    std::string name;  // as it should appear in messages, e.g. "30_padded.cu"
    std::string text;
};

struct CompileOptions {
    std::string kernel;          // name expression, e.g. "transpose_padded<float, 32, 8, 1>"
    std::string arch = "sm_90";  // sm_75 …
    std::vector<std::string> include_folders;
    std::vector<std::string> defines;  // "NAME" or "NAME=VALUE"
    std::string headers = {};          // "cutlass": those too (header_library.h)
    bool operator==(const CompileOptions&) const = default;
};

struct Diagnostic {
    bool is_error = true;  // else a warning
    std::string file;
    int line = 0, column = 0;  // 1-based; column 0 where the compiler gives none
    std::string text;
};

// Immutable once made. Owned by value; copies are cheap enough (about 20 kB).
struct Program {
    std::string entry;  // mangled kernel name, as in the PTX and the cubin
    std::string ptx;
    std::string cubin;  // raw bytes
    std::string log;    // the compiler's own words; empty where it had none
    std::vector<Diagnostic> warnings;
    std::string arch;
    std::string compiler;  // "NVRTC 13.0", "NVRTC 13.0 with CUTLASS 3.4.1"
    enum class Origin { compiled, cached, prebuilt } origin = Origin::compiled;
    double milliseconds = 0;  // wall time of this call
};

// The kernel's source does not compile. what() holds every diagnostic with its source line and a
// caret under the column.
class CompileError : public Error {
  public:
    CompileError(const std::string& message, std::vector<Diagnostic> diagnostics)
        : Error(Status::no_compile, message), diagnostics_(std::move(diagnostics)) {}
    const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  private:
    std::vector<Diagnostic> diagnostics_;
};

// A source that does not compile as it is, because it is a whole program with host code, is
// compiled without that (host_code.h): what nvcc takes may be given as it is. Safe to call from
// several threads and processes at once. Throws CompileError where the source is at fault;
// Error(bad_input) where there is no NVRTC, or not the wanted headers, and nothing cached (the
// message says how to get them) or `arch` is unknown to it.
Program compile(const Source& source, const CompileOptions& options);

// Throws what compile() throws of the source, much sooner: in some 20 to 100 ms, where an unrolled
// product takes compile() a second or two. The compiler ends after its front end, template
// instantiations included, and leaves out optimiser and assembler; what only these refuse (too much
// shared memory, say) is not seen. Says nothing where there is no NVRTC, or one that cannot end
// there. Nothing is cached.
void check_source(const Source& source, const CompileOptions& options);

// Loads NVRTC and compiles a trivial kernel, so that the first compile() is as quick as the next
// ones. Takes about 150 ms; meant for a thread of its own. Never throws; does nothing without
// NVRTC.
void warm_up_compiler();

// Compiles and writes what compile() serves later where there is no NVRTC, if `folder` is then
// program_folder()/../prebuilt or content_folder()/prebuilt. Throws as compile() does, and
// Error(bad_input) where the folder cannot be written.
void write_prebuilt(const Source& source, const CompileOptions& options,
                    const std::filesystem::path& folder);

// How the toolkit was looked for and what was found; for doctor.
struct CompilerStatus {
    bool found = false;
    std::string version;         // "13.0"
    std::string library;         // path of libnvrtc
    std::string include_folder;  // the toolkit's headers; empty where missing
    std::vector<std::string> looked_in;
    std::string advice;  // what to do where not found
};
CompilerStatus compiler_status();

// Makes compile() fail as though NVRTC were missing (for tests and `doctor --no-toolkit`); also set
// by the environment variable LANEWISE_NO_NVRTC=1.
void pretend_no_compiler(bool pretend);

}  // namespace lanewise
