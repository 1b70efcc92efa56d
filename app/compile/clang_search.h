// Which clang is here, and what it can do.
#pragma once
#include <string>
#include <vector>

namespace lanewise {

struct Clang {
    std::string path;     // empty where there is none
    std::string version;  // "19.1.7"
    int major = 0;
    std::string header_folder;            // our own device headers; empty where they are missing
    std::string headers;                  // a hash of what is in them
    std::vector<std::string> looked_for;  // each with what was wrong with it if anything was
};

// The newest of clang++-N and clang-N in PATH from version 16 on, then plain clang++ and clang;
// $LANEWISE_CLANG comes before all. Searches at the first call (about 50 ms), then answers at once.
const Clang& find_clang();

// "19.1.7" of `Debian clang version 19.1.7 (3~deb12u1)`, what `clang --version` says first; "" of
// anything else.
std::string clang_version_in(const std::string& said);

// The version of PTX to ask that clang for: the oldest that has what our headers and sm_90a need,
// so that no newer driver is wanted than must be. 83 is PTX 8.3.
int ptx_version_of(int clang_major);

// The newest architecture that it knows, for people: "sm_90a".
std::string newest_arch_of(int clang_major);

}  // namespace lanewise
