// A whole CUDA program, as nvcc takes it, without what NVRTC cannot compile: host code.
// device_program.h does that for a source with its headers.
//
// NVRTC compiles device code alone: it has no host headers, knows no kernel<<<…>>>(…), and refuses
// functions without __device__. compile() comes here when a source does not compile as it is.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/local_headers.h"

namespace lanewise {

// Hides by blanks, so that every line and column stays what it was. Nothing that says __device__,
// __global__ or __constant__ is ever hidden. The scan knows brackets and not C++: what it misreads
// costs an error message.
class DeviceCode {
  public:
    // Hides at once the host's headers (<vector>, "helper_cuda.h", …), main, functions of __host__
    // alone, and functions that launch kernels or call the CUDA runtime.
    // is_local: of an include that names a header of the user's own, which stays whatever its name.
    explicit DeviceCode(
        std::string source, const std::function<bool(const IncludeLine&)>& is_local =
                                [](const IncludeLine&) { return false; });
    const std::string& text() const { return text_; }

    // Hides the declaration around the line (1-based): a function, a variable, a member of a class.
    // False where there is none, or nothing that may be hidden.
    bool hide_at(int line);
    // Hides the line (1-based) where it includes something in <>; "mine.h" is the user's own.
    bool hide_include_at(int line);

  private:
    struct Declaration {
        size_t begin, end;  // of the text
        bool is_function;
    };
    void find_declarations(const std::string& bare);
    void hide_headers(const std::function<bool(const IncludeLine&)>& is_local);
    void hide(size_t begin, size_t end);

    std::string text_;
    std::vector<Declaration> declarations_;  // in their order; none within another
};

// The lines of `source` that `device` hides, "2, 10-14 and 20"; "" for none. Blank lines between do
// not part them; of more than six stretches the rest are counted.
std::string hidden_lines(const std::string& source, const std::string& device);

// What compile() says of it in Program::log ("lines 2 and 20; common.h: line 3"), and what it said
// there; "" where nothing is hidden.
std::string log_of_hidden(const std::string& hidden);
std::string hidden_in_log(std::string_view log);

// Headers of the host that no device code needs, or for which host_header_substitute() stands in;
// headers that are included include them, too.
std::span<const char* const> host_headers();

// Headers of the toolkit of which device code needs a part that NVRTC can compile.
struct PartialHeader {
    const char *name, *text;
};
std::span<const PartialHeader> partial_headers();

// What a source may expect of the host's headers and device code can use: fixed-width integers,
// limits, std::min, std::max, std::swap, …
std::string_view host_header_substitute();

// Whether that, or what is read beside it, says the word anywhere.
bool host_headers_say(std::string_view word);
// Whether the text has a name that is a macro there: then it may mean something else.
bool has_macro_of_host(std::string_view text);

// Beyond that, libcu++'s standard library as far as it serves device code (host_std.cpp). Reading it
// costs most of a second, so it is included only where an error names a part of it.
std::string_view whole_std_header();
bool is_of_whole_std(const std::string& message);

// Headers of the toolkit in which NVRTC's uint64_t is another type than nvcc's: `name` as they are
// included, `text` with nvcc's. None where the toolkit's folder is "" or has none of them.
std::vector<LocalHeader> headers_with_integers_of_nvcc(const std::string& toolkit);

// Differs where the same whole program may give another program: for names of files.
std::string host_headers_version();

}  // namespace lanewise
