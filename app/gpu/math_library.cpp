#include "gpu/math_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

namespace lanewise {
namespace {

// Why it is of no use; "" where it is, and the functions are filled.
std::string load(const std::string& library, std::span<const LibraryFunction> functions) {
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return ::dlerror();
    for (const LibraryFunction& wanted : functions) {
        *wanted.function = ::dlsym(handle, wanted.name);
        if (*wanted.function) continue;
        ::dlclose(handle);
        return fmt::format("{} lacks {}", library, wanted.name);
    }
    return "";
}

std::vector<std::string> places_of(const WantedLibrary& wanted, const std::string& folder) {
    if (const char* told = std::getenv(wanted.variable); told && *told) return {told};
    std::vector<std::string> places(wanted.names.begin(), wanted.names.end());
    if (!folder.empty())
        for (const char* name : wanted.names) places.push_back(folder + "/" + name);
    return places;
}

}  // namespace

LibraryStatus load_library(const WantedLibrary& wanted, const std::string& toolkit_folder,
                           std::span<const LibraryFunction> functions) {
    std::string problem;
    for (const std::string& place : places_of(wanted, toolkit_folder)) {
        problem = load(place, functions);
        if (problem.empty()) return {true, place, ""};
    }
    return {false, "",
            fmt::format("there is no {} here ({}): {}", wanted.title, problem, wanted.advice)};
}

}  // namespace lanewise
