#include "compile/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr int kOldestMajor = 12, kNewestMajorTried = 16;

namespace {
struct Entry {  // one row of the function table
    const char* name;
    void** function;
};
struct ToolkitPlace {
    fs::path toolkit;  // a toolkit's root; empty for the dynamic loader's own path
    std::string why;   // for the list of where we looked
};
}  // namespace

static std::vector<Entry> entries(Nvrtc& api) {
    auto row = [](const char* name, auto& function) {
        return Entry{name, reinterpret_cast<void**>(&function)};
    };
    return {row("nvrtcGetErrorString", api.GetErrorString),
            row("nvrtcVersion", api.Version),
            row("nvrtcGetNumSupportedArchs", api.GetNumSupportedArchs),
            row("nvrtcGetSupportedArchs", api.GetSupportedArchs),
            row("nvrtcCreateProgram", api.CreateProgram),
            row("nvrtcDestroyProgram", api.DestroyProgram),
            row("nvrtcCompileProgram", api.CompileProgram),
            row("nvrtcAddNameExpression", api.AddNameExpression),
            row("nvrtcGetLoweredName", api.GetLoweredName),
            row("nvrtcGetPTXSize", api.GetPTXSize),
            row("nvrtcGetPTX", api.GetPTX),
            row("nvrtcGetCUBINSize", api.GetCUBINSize),
            row("nvrtcGetCUBIN", api.GetCUBIN),
            row("nvrtcGetProgramLogSize", api.GetProgramLogSize),
            row("nvrtcGetProgramLog", api.GetProgramLog)};
}

// Loads `library` (a path, or a bare name for the loader's own search) and checks its version.
// Returns what is wrong with it; empty where it is fine and `api` is filled.
static std::string load(const std::string& library, Nvrtc& api) {
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return ::dlerror();
    auto give_up = [&](std::string reason) {
        ::dlclose(handle);
        return reason;
    };
    for (const Entry& entry : entries(api)) {
        *entry.function = ::dlsym(handle, entry.name);
        if (!*entry.function) return give_up(fmt::format("{} lacks {}", library, entry.name));
    }
    int major = 0, minor = 0;
    if (api.Version(&major, &minor) != 0) return give_up(library + " does not tell its version");
    api.version = fmt::format("{}.{}", major, minor);
    if (major < kOldestMajor)
        return give_up(fmt::format("{} is version {}, too old: {} or newer is needed", library,
                                   api.version, kOldestMajor));
    Dl_info where;
    api.path = ::dladdr(reinterpret_cast<void*>(api.Version), &where) ? where.dli_fname : library;
    return "";  // the handle stays open for the life of the process
}

static fs::path nvcc_toolkit() {
    const char* path = std::getenv("PATH");
    for (std::string_view folder : split(path ? path : "", ':')) {
        std::error_code ignored;
        fs::path nvcc = fs::canonical(fs::path(folder) / "nvcc", ignored);
        if (!ignored) return nvcc.parent_path().parent_path();
    }
    return {};
}

// In the order in which a person would want them to count: what they set, then what is installed.
static std::vector<ToolkitPlace> toolkit_places() {
    std::vector<ToolkitPlace> found;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* value = std::getenv(variable); value && *value)
            found.push_back({value, fmt::format("{} (from {})", value, variable)});
    if (fs::path toolkit = nvcc_toolkit(); !toolkit.empty())
        found.push_back({toolkit, toolkit.string() + " (where nvcc is)"});
    std::vector<fs::path> installed;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/usr/local", ignored))
        if (entry.path().filename().string().starts_with("cuda")) installed.push_back(entry.path());
    std::sort(installed.begin(), installed.end());
    if (installed.empty()) installed.push_back("/usr/local/cuda");
    for (const fs::path& folder : installed) found.push_back({folder, folder.string()});
    found.push_back({"/opt/cuda", "/opt/cuda"});
    found.push_back({"/usr", "/usr (Debian's and Ubuntu's nvidia-cuda-toolkit)"});
    found.push_back({{}, "the dynamic loader's own path (LD_LIBRARY_PATH, ld.so.conf)"});
    return found;
}

// Every libnvrtc.so* below a toolkit's root, newest name first.
static std::vector<std::string> libraries_of(const fs::path& toolkit) {
    if (toolkit.empty()) {
        std::vector<std::string> names;
        for (int major = kNewestMajorTried; major >= kOldestMajor; --major)
            names.push_back(fmt::format("libnvrtc.so.{}", major));
        names.push_back("libnvrtc.so");
        return names;
    }
    std::vector<std::string> found;
    for (const char* below : {"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
                              "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib"}) {
        std::vector<std::string> here;
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(toolkit / below, ignored))
            if (entry.path().filename().string().starts_with("libnvrtc.so"))
                here.push_back(entry.path().string());
        std::sort(here.rbegin(), here.rend());
        found.insert(found.end(), here.begin(), here.end());
    }
    return found;
}

static std::string include_folder_of(const fs::path& toolkit, const std::string& library) {
    fs::path near = fs::path(library).parent_path();
    for (const fs::path& folder : {toolkit / "include", near / "../include"})
        if (std::error_code ignored; fs::exists(folder / "cuda_fp16.h", ignored))
            return fs::weakly_canonical(folder).string();
    return "";
}

static NvrtcSearch search_nvrtc() {
    NvrtcSearch result;
    for (const ToolkitPlace& place : toolkit_places()) {
        std::string problem;
        for (const std::string& library : libraries_of(place.toolkit)) {
            problem = load(library, result.nvrtc);
            if (!problem.empty()) continue;
            result.found = true;
            result.nvrtc.include_folder = include_folder_of(place.toolkit, result.nvrtc.path);
            result.looked_in.push_back(place.why);
            return result;
        }
        bool worth_saying = !problem.empty() && !place.toolkit.empty();
        result.looked_in.push_back(worth_saying ? place.why + ": " + problem : place.why);
    }
    result.nvrtc = Nvrtc{};
    return result;
}

const NvrtcSearch& find_nvrtc() {
    static const NvrtcSearch result = search_nvrtc();
    return result;
}

std::string how_to_get_nvrtc() {
    return "Install NVIDIA's CUDA toolkit, version 12 or newer; no GPU is needed to compile. On "
           "Debian 13 and Ubuntu 24.04 that is the package nvidia-cuda-toolkit. Older ones have "
           "CUDA 11 under that name: take cuda-nvrtc-12-9 or cuda-toolkit from NVIDIA's own "
           "repository (search the web for \"CUDA toolkit downloads\"). If it is installed "
           "already, set CUDA_HOME to its folder";
}

std::vector<std::string> Nvrtc::supported_archs() const {
    int count = 0;
    if (GetNumSupportedArchs(&count) != 0 || count <= 0) return {};
    std::vector<int> numbers(static_cast<size_t>(count));
    if (GetSupportedArchs(numbers.data()) != 0) return {};
    std::vector<std::string> names;
    for (int number : numbers) names.push_back(fmt::format("sm_{}", number));
    return names;
}

}  // namespace lanewise
