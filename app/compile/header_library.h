// Headers that a kernel may include beyond the CUDA toolkit's, found where they are installed.
#pragma once
#include <string>
#include <vector>

namespace lanewise {

struct HeaderLibrary {
    bool found = false;
    std::string title;                 // "CUTLASS"
    std::string version;               // "3.4.1"
    std::vector<std::string> folders;  // to be searched, in this order; the toolkit's among them
    std::vector<std::string> looked_in;
    std::string advice;  // what to do where not found
};

// name: "cutlass", with CuTe: in $CUTLASS_PATH (a clone, or its include folder), in what the build
// fetched (LANEWISE_FETCH_CUTLASS), in /usr/include; found only where the toolkit's own headers are.
// "cub": the toolkit's. Searched at the first call; never throws.
const HeaderLibrary& header_library(const std::string& name);

}  // namespace lanewise
