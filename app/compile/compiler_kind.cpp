#include "compile/compiler_kind.h"

#include <atomic>
#include <cstdlib>

#include "base/error.h"

namespace lanewise {

static constexpr int kNoChoice = -1;
static std::atomic<int> choice = kNoChoice;

std::string_view option_name(CompilerKind kind) {
    switch (kind) {
        case CompilerKind::nvrtc:
            return "nvrtc";
        case CompilerKind::shipped:
            return "shipped";
        case CompilerKind::clang:
            return "clang";
        case CompilerKind::nvcc:
            return "nvcc";
    }
    return "";
}

// `who` asks: "--compiler", "LANEWISE_COMPILER".
static CompilerKind kind_called(const std::string& name, const std::string& who) {
    for (CompilerKind kind : kCompilerKinds)
        if (name == option_name(kind)) return kind;
    throw Error(Status::bad_input,
                who + " wants nvrtc, shipped, clang or nvcc, not \"" + name + "\"");
}

CompilerKind compiler_called(const std::string& name) { return kind_called(name, "--compiler"); }

void choose_compiler(const std::string& name) {
    choice = name.empty() ? kNoChoice : static_cast<int>(compiler_called(name));
}

std::optional<CompilerKind> chosen_compiler() {
    if (int chosen = choice; chosen != kNoChoice) return static_cast<CompilerKind>(chosen);
    const char* name = std::getenv("LANEWISE_COMPILER");
    if (!name || !*name) return {};
    return kind_called(name, "LANEWISE_COMPILER");
}

}  // namespace lanewise
