// Finds the kernel in a stage's CUDA source: its name and its template parameters with defaults.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

struct TemplateParameter {
    std::string kind;           // as written: "typename", "class", "int", "unsigned int", …
    std::string name;           // "TILE"
    std::string default_value;  // as written: "32", "float"; empty where there is none
};

struct KernelSignature {
    std::string name;                           // "transpose_padded"
    std::vector<TemplateParameter> parameters;  // empty where the kernel is not a template
};

// Reads past comments, strings and line breaks, and between `__global__` and the name past `void`,
// `static`, __launch_bounds__(…) and __cluster_dims__(…). Throws Error(bad_input) where there is no kernel, more than
// one, or a template line that it cannot read.
KernelSignature kernel_signature(std::string_view source);

// The source with every comment replaced by blanks, line ends kept, so that positions still fit.
std::string without_comments(std::string_view source);

}  // namespace lanewise
