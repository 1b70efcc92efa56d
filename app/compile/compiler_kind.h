// Which compilers there are, and which of them compile() may use.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// In the order in which compile() asks them where none is chosen.
enum class CompilerKind {
    nvrtc,    // NVIDIA's, loaded at run time: PTX and cubin
    shipped,  // what NVRTC made of the course beforehand (shipped_programs.h): PTX and cubin
    clang,    // as a child process: PTX alone
    nvcc,     // as a child process: also for files that the others refuse; PTX and cubin
};
inline constexpr CompilerKind kCompilerKinds[] = {CompilerKind::nvrtc, CompilerKind::shipped,
                                                  CompilerKind::clang, CompilerKind::nvcc};

// "nvrtc", "shipped", "clang", "nvcc".
std::string_view option_name(CompilerKind kind);
// The other way round. Throws Error(bad_input), which names --compiler, for any other name.
CompilerKind compiler_called(const std::string& name);

// From now on compile() uses this one alone; "" lets it use all again, or the one that the
// environment variable LANEWISE_COMPILER names. Throws Error(bad_input) for an unknown name.
void choose_compiler(const std::string& name);

// What was chosen, with choose_compiler() or else by LANEWISE_COMPILER; nullopt where nothing was.
// Throws Error(bad_input) where the variable names none.
std::optional<CompilerKind> chosen_compiler();

}  // namespace lanewise
