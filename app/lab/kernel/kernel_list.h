// The kernels that a CUDA source defines, by a scan of its text: for messages that list the
// candidates, and for the names of parameters, which PTX does not keep.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

struct KernelInSource {
    std::string name;                     // "saxpy"; of a namespace's kernel the last part alone
    std::string template_line;            // "template <typename T, int TILE = 32>"; "" where none
    std::vector<std::string> parameters;  // as written, in one line each: "const float* in"
    int line = 0;                         // of its __global__, 1-based
    std::string scope{};                  // "tile::detail::" around it; "" in none with a name
};

// In the order of the source. Declarations without a body and text in comments are left out; what
// the preprocessor would leave out is not. Text that is no C++ gives what can be made of it.
std::vector<KernelInSource> kernels_in_source(std::string_view source);

// "template <typename T> scale(T* out, T factor)"
std::string in_words(const KernelInSource& kernel);

// One kernel a line, indented, below "The source's kernels:"; or a sentence that it has none. Those of
// the source's own headers follow, where `folders` has them, the source's own folder among them. What
// several branches of the preprocessor define stands there once.
std::string list_of_kernels(std::string_view source, const std::vector<std::string>& folders = {});

// The source, then every header of its own, for what is told by their text alone.
std::string with_own_headers(const std::string& source, const std::vector<std::string>& folders);

// "const float* __restrict__ in" -> "in"; "" for a parameter without a name.
std::string parameter_name(std::string_view parameter);

// "const float* in" -> "const float*"
std::string parameter_type(const std::string& parameter);

// The pieces of `text` between the commas that are inside no bracket, trimmed; none for "".
std::vector<std::string> comma_separated(std::string_view text);

// The last part of a name expression without its template arguments: "a::f<g<1>, 2>" -> "f".
std::string base_name(std::string_view name_expression);

}  // namespace lanewise
