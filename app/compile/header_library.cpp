#include "compile/header_library.h"

#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/nvrtc.h"

namespace lanewise {

namespace fs = std::filesystem;

// "#define CUTLASS_MAJOR 3" and the like: "3.4.1"; "" where they are not all there.
static std::string version_in(const std::string& text) {
    std::string version;
    for (const char* name : {"CUTLASS_MAJOR", "CUTLASS_MINOR", "CUTLASS_PATCH"}) {
        std::string number;
        for (std::string_view line : lines_of(text)) {
            size_t at = line.find(name);
            if (!line.starts_with("#define") || at == line.npos) continue;
            number = trimmed(line.substr(at + std::string_view(name).size()));
            break;
        }
        if (number.empty()) return "";
        version += (version.empty() ? "" : ".") + number;
    }
    return version;
}

static std::vector<fs::path> cutlass_places() {
    std::vector<fs::path> list;
    if (const char* path = std::getenv("CUTLASS_PATH"); path && *path) {
        list.push_back(fs::path(path) / "include");
        list.emplace_back(path);
    }
    list.push_back(program_folder() / "../cutlass/include");
    list.emplace_back("/usr/include");
    return list;
}

// The compiler must not see the host's own headers, which lie in /usr/include as well: links to
// what is wanted from there, in a folder of the cache.
static std::string apart_from_the_hosts(const fs::path& include) {
    fs::path folder = cache_folder() / "headers";
    std::error_code failure;
    fs::create_directories(folder, failure);
    for (const char* name : {"cute", "cutlass"}) {
        if (fs::exists(folder / name, failure)) continue;
        fs::remove(folder / name, failure);  // a link to what is there no more
        fs::create_directory_symlink(include / name, folder / name, failure);
    }
    return folder.string();
}

static HeaderLibrary find_cutlass() {
    HeaderLibrary library;
    library.title = "CUTLASS";
    library.advice =
        "CUTLASS's headers, with CuTe, are not here. Install the package libcutlass-dev (Debian "
        "13, Ubuntu 24.10 or newer), or set CUTLASS_PATH to a clone of NVIDIA's cutlass. "
        "Configured with -DLANEWISE_FETCH_CUTLASS=ON, the build fetches them; until then the "
        "recorded times are shown";
    const std::string& toolkit = find_nvrtc().nvrtc.include_folder;
    if (toolkit.empty())
        library.advice =
            "the CUDA toolkit's own headers are not here, which CUTLASS needs: install "
            "its development packages; until then the recorded times are shown";
    for (const fs::path& place : cutlass_places()) {
        library.looked_in.push_back(place.string());
        std::error_code ignored;
        if (toolkit.empty() || !fs::is_regular_file(place / "cute/tensor.hpp", ignored)) continue;
        try {
            library.version = version_in(read_file(place / "cutlass/version.h"));
        } catch (const Error&) {  // half a copy
        }
        if (library.version.empty()) continue;
        library.found = true;
        library.folders = {place == "/usr/include" ? apart_from_the_hosts(place) : place.string(),
                           toolkit, toolkit + "/cccl"};
        library.advice.clear();
        break;
    }
    return library;
}

// "#define CUB_VERSION 300100" is 3.1.0: millions, thousands, hundreds are major, minor, patch.
static std::string cub_version_in(const std::string& text) {
    constexpr std::string_view kDefine = "#define CUB_VERSION ";
    int64_t number = 0;
    for (std::string_view line : lines_of(text)) {
        if (!line.starts_with(kDefine)) continue;
        std::string_view value = line.substr(kDefine.size());
        value = value.substr(0, value.find_first_not_of("0123456789"));
        if (!parse_integer(value, number)) return "";
        return std::to_string(number / 100'000) + "." + std::to_string(number / 100 % 1000) + "." +
               std::to_string(number % 100);
    }
    return "";
}

// In the toolkit itself: in cccl/ from CUDA 13 on, before it beside the other headers.
static HeaderLibrary find_cub() {
    HeaderLibrary library;
    library.title = "CUB";
    library.advice =
        "CUB's headers, which are the CUDA toolkit's, are not here: install the toolkit's "
        "development packages; until then the recorded times are shown";
    const std::string& toolkit = find_nvrtc().nvrtc.include_folder;
    if (toolkit.empty()) return library;
    for (const std::string& place : {toolkit + "/cccl", toolkit}) {
        library.looked_in.push_back(place);
        std::error_code ignored;
        if (!fs::is_regular_file(fs::path(place) / "cub/version.cuh", ignored)) continue;
        library.version = cub_version_in(read_file(fs::path(place) / "cub/version.cuh"));
        if (library.version.empty()) continue;
        library.found = true;
        library.folders = {place, toolkit};
        library.advice.clear();
        break;
    }
    return library;
}

const HeaderLibrary& header_library(const std::string& name) {
    static const HeaderLibrary none;
    static const HeaderLibrary cutlass = find_cutlass(), cub = find_cub();
    return name == "cutlass" ? cutlass : name == "cub" ? cub : none;
}

}  // namespace lanewise
