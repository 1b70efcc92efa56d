// One compiler as compile() sees it (inside compile/ only). compiler.cpp owns the order of the
// compilers, the standards to try, the hiding of host code and the disk cache; a backend compiles
// one text once.
#pragma once
#include <chrono>
#include <string>

#include "compile/compiler.h"
#include "compile/local_headers.h"

namespace lanewise {

// nvcc's own standard, and what a source is tried with that seems to need more.
enum class Standard { cpp17, cpp20 };

inline constexpr std::chrono::minutes kLongestChild{5};  // for one child process

// How far the compiler goes.
enum class Until { program, syntax };

// What a whole program's text may include, where host code was left out of it (device_program.h).
struct HostCodeLeftOut {
    std::vector<LocalHeader> headers;  // included by their paths
    bool whole_std = false;            // also whole_std_header()
};

// Immutable; safe to call from several threads.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual CompilerKind kind() const = 0;
    // For people: "NVRTC 13.0", "NVRTC 13.0 with CUTLASS 3.4.1", "clang 19.1.7".
    virtual std::string name(const CompileOptions& options) const = 0;
    // For the name of a file: "13.0", "13.0-with-CUTLASS-3.4.1". Differs where the same source may
    // give another program, so it covers headers of the compiler's own.
    virtual std::string version(const CompileOptions& options) const = 0;
    // Why it cannot compile with these options, and what to install; "" where it can.
    virtual std::string lacks(const CompileOptions& options) const = 0;
    // Fills entry, ptx, cubin ("" where it makes none) and log; the rest is compile()'s.
    // Until::syntax gives a program with nothing in it. left_out: not null for the
    // text of a whole program without what nothing can compile for a device; then functions that
    // say nothing are the device's, and the host's headers are empty or stood in for. Throws
    // CompileError where the source is at fault, its diagnostics with file (as Source::name has
    // it), line and column; Error(bad_input) for an architecture that it does not know.
    virtual Program compile(const Source& source, const CompileOptions& options, Standard standard,
                            Until until, const HostCodeLeftOut* left_out) const = 0;
};

const Backend* nvrtc_backend();  // nvrtc_compiler.cpp; nullptr where there is none
const Backend* clang_backend();  // clang_compiler.cpp; nullptr where there is none
const Backend* nvcc_backend();   // nvcc_compiler.cpp; nullptr where there is none

// A relative source name stands in the PTX of both of NVIDIA's compilers below the current folder.
// Without that folder the same source gives the same PTX everywhere, and what is built beforehand
// tells no paths.
std::string without_current_folder(std::string ptx, const std::string& source_name);

// What to do where there is no clang.
std::string how_to_get_clang();

}  // namespace lanewise
