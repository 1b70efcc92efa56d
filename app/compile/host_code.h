// A whole CUDA program, as nvcc takes it, without what NVRTC cannot compile: host code.
//
// NVRTC compiles device code alone: it has no host headers, knows no kernel<<<…>>>(…), and refuses
// functions without __device__. compile() comes here when a source does not compile as it is.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// Hides by blanks, so that every line and column stays what it was. Nothing that says __device__,
// __global__ or __constant__ is ever hidden. The scan knows brackets and not C++: what it misreads
// costs an error message.
class DeviceCode {
  public:
    // Hides at once the host's headers (<vector>, "helper_cuda.h", …), main, functions of __host__
    // alone, and functions that launch kernels or call the CUDA runtime.
    explicit DeviceCode(std::string source);
    const std::string& text() const { return text_; }

    // Hides the declaration around the line (1-based): a function, a variable, a member of a class.
    // False where there is none, or nothing that may be hidden.
    bool hide_at(int line);

  private:
    struct Declaration {
        size_t begin, end;  // of the text
        bool is_function;
    };
    void find_declarations(const std::string& bare);
    void hide_headers();
    void hide(size_t begin, size_t end);

    std::string text_;
    std::vector<Declaration> declarations_;  // in their order; none within another
};

// The lines of `source` that `device` hides, "2, 10-14 and 20"; "" for none. Blank lines between do
// not part them; of more than six stretches the rest are counted.
std::string hidden_lines(const std::string& source, const std::string& device);

// What compile() says of them in Program::log, and what it said there; "" where nothing is hidden.
std::string log_of_hidden(const std::string& lines);
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

}  // namespace lanewise
