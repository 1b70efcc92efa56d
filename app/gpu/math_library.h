// NVIDIA's libraries of mathematics, loaded where they are installed: cuBLAS, cuSPARSE.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace lanewise {

inline constexpr int kFloatType = 0;  // CUDA_R_32F of library_types.h

struct LibraryStatus {
    bool found = false;
    std::string library;  // as it was loaded
    std::string advice;   // what to do where not found
};

// One function wanted of a library, and the pointer that it is to be kept in.
struct LibraryFunction {
    template <typename Function>
    LibraryFunction(const char* its_name, Function& pointer)
        : name(its_name), function(reinterpret_cast<void**>(&pointer)) {}
    const char* name;
    void** function;
};

struct WantedLibrary {
    const char* title;               // "cuBLAS"
    const char* variable;            // of the environment: a file to load instead
    std::vector<const char*> names;  // file names, the preferred one first
    const char* advice;              // follows "there is no cuBLAS here (why): "
};

// Loads the first that has all functions, which stays for the life of the process: by its name,
// then in `toolkit_folder` (may be empty). Never throws.
LibraryStatus load_library(const WantedLibrary& wanted, const std::string& toolkit_folder,
                           std::span<const LibraryFunction> functions);

}  // namespace lanewise
