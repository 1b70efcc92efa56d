// CUDA source and a name expression in, PTX and (but for clang) cubin out, through a disk cache.
// Works with no GPU and no driver. Three compilers (compiler_kind.h): NVRTC where it is here, what
// was compiled beforehand where it is not, else clang.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "compile/compiler_kind.h"

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
    bool or_by_nvcc = false;           // where the others refuse it, nvcc is tried
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
    std::string cubin;  // raw bytes; empty where there is none: then nothing is known that only
                        // ptxas knows, and what the PTX says is all there is
    std::string log;    // the compiler's own words; empty where it had none
    std::vector<Diagnostic> warnings;
    std::string arch;
    CompilerKind kind = CompilerKind::nvrtc;
    // "NVRTC 13.0", "NVRTC 13.0 with CUTLASS 3.4.1", "NVRTC 13.0, shipped", "clang 19.1.7"
    std::string compiler;
    enum class Origin { compiled, cached, shipped } origin = Origin::compiled;
    double milliseconds = 0;  // wall time of this call
    // What the driver loads: the cubin, or the PTX, which it compiles then.
    const std::string& gpu_code() const { return cubin.empty() ? ptx : cubin; }
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

// Neither a compiler that may be used here nor a program that was compiled before. what() says what
// to install.
class NoCompiler : public Error {
  public:
    explicit NoCompiler(const std::string& message) : Error(Status::bad_input, message) {}
};

// A source that does not compile as it is, because it is a whole program with host code, is
// compiled without that (host_code.h): what nvcc takes may be given as it is. What is shipped is taken
// at once, where NVRTC of the same version would only make it again, and none was chosen. Safe to call from
// several threads and processes at once. With or_by_nvcc, nvcc compiles what the others refuse if it
// is installed; Program::log says so (refused_in_log). Throws CompileError where the source is at fault;
// NoCompiler where no compiler that may be used is here, or not the wanted headers, and nothing is
// cached or shipped; Error(bad_input) where `arch` is unknown, or a page's file did not come.
Program compile(const Source& source, const CompileOptions& options);

// Why another compiler than nvcc refuses the source of a program that nvcc made, in one line; ""
// where none does.
std::string refused_in_log(std::string_view log);

// Throws what compile() throws of the source, much sooner: in some 20 to 100 ms, where an unrolled
// product takes compile() a second or two. The compiler ends after its front end, template
// instantiations included, and leaves out optimiser and assembler; what only these refuse (too much
// shared memory, say) is not seen. Says nothing where there is no compiler, or one that
// cannot end there. No program is cached; compile() refuses at once what was refused here lately.
void check_source(const Source& source, const CompileOptions& options);

// Loads the compiler and compiles a trivial kernel, so that the first compile() is as quick as the
// next ones. Takes about 150 ms; meant for a thread of its own. Never throws; does nothing where
// there is no compiler.
void warm_up_compiler();

// compile() by NVRTC, past the cache and what is shipped: to make what is shipped. Throws as
// compile() does.
Program compile_afresh(const Source& source, const CompileOptions& options);

// Why compile() would find neither a compiler nor a program for it, in one sentence with what to
// do;
// "" where it would. Compiles nothing. Never throws for what the environment says: then that is
// why.
std::string cannot_compile(const Source& source, const CompileOptions& options);

// Who compiles what nobody has compiled before: "NVRTC 13.0", "clang 19.1.7"; "" where nobody can.
std::string compiler_in_use();

// The compilers in their order, for doctor.
struct CompilerFound {
    CompilerKind kind = CompilerKind::nvrtc;
    bool found = false;
    std::string name;    // "NVRTC 13.0"; "no NVRTC" where it is not here
    std::string gives;   // what it is good for; a whole sentence
    std::string advice;  // how to get it, where it is not here
};
std::vector<CompilerFound> compilers();

// How NVRTC and the toolkit were looked for and what was found; for doctor.
struct CompilerStatus {
    bool found = false;
    std::string version;         // "13.0"
    std::string library;         // path of libnvrtc
    std::string include_folder;  // the toolkit's headers; empty where missing
    std::vector<std::string> looked_in;
    std::string advice;  // what to do where not found
};
CompilerStatus compiler_status();

// Makes compile() go on as though neither NVRTC nor clang were here (for tests). The environment
// variables LANEWISE_NO_NVRTC=1 (nvcc, too), LANEWISE_NO_CLANG=1 and LANEWISE_NO_NVCC=1 hide one of
// them.
void pretend_no_compiler(bool pretend);

}  // namespace lanewise
