// A compiler's log -> diagnostics with file, line, column and text, and back into text for people.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.h"

namespace lanewise {

// What NVRTC calls the line on which it looks for the kernel's name; clang is told to do so, too.
inline constexpr std::string_view kNameMap = "__nv_name_map";

// Reads `file(line): error: text`, the caret below it (which gives the column), the notes of a
// template's instantiation (appended to the text) and ptxas's own lines (no line, no column); of
// clang `file:line:column: error: text` and the first of its notes.
// Remarks and sums ("2 errors detected …") are left out.
std::vector<Diagnostic> parse_log(std::string_view log, const std::string& source_name);

// One diagnostic as `file:line:column: error: text`, then its source line and a caret under the
// column where `source` is the file in question or a file of that name can be read.
std::string in_words(const Diagnostic& diagnostic, const Source& source);

// Throws CompileError with every error of `log` in words. A kernel name that fits nothing gets a
// sentence of its own, with the kernels that the source has.
[[noreturn]] void throw_compile_error(const std::string& log, const Source& source,
                                      const std::string& kernel);

}  // namespace lanewise
