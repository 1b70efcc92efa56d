#include "ptx/callers.h"

namespace lanewise::ptx {

void attribute_to_callers(Kernel& kernel,
                          const std::function<bool(const std::string& file)>& is_library) {
    std::vector<bool> library;
    for (const std::string& file : kernel.files) library.push_back(is_library(file));
    auto in_library = [&](const Position& at) {
        auto file = static_cast<size_t>(at.file);
        return file < library.size() && library[file];
    };
    for (Instruction& instruction : kernel.instructions) {
        if (!in_library(instruction.position)) continue;
        int call = instruction.call;
        while (call >= 0 && in_library(kernel.calls[static_cast<size_t>(call)].at))
            call = kernel.calls[static_cast<size_t>(call)].outer;
        if (call < 0) continue;
        instruction.position = kernel.calls[static_cast<size_t>(call)].at;
        instruction.call = kernel.calls[static_cast<size_t>(call)].outer;
    }
}

}  // namespace lanewise::ptx
