#include "compile/clang_search.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <regex>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "compile/child_process.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr int kOldest = 16, kNewestTried = 32;

std::string clang_version_in(const std::string& said) {
    static const std::regex version(R"(clang version (\d+\.\d+\.\d+))");
    std::smatch found;
    return std::regex_search(said, found, version) ? found[1].str() : "";
}

static std::string in_path(const std::string& name) {
    const char* path = std::getenv("PATH");
    for (std::string_view folder : split(path ? path : "", ':')) {
        fs::path file = fs::path(folder.empty() ? "." : folder) / name;
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
            return file.string();
    }
    return "";
}

// Fills path, version and major, or says in looked_for what is wrong with it.
static bool try_one(const std::string& path, Clang& clang) {
    try {
        ChildResult said = run_child({path, "--version"}, "", std::chrono::seconds(20));
        clang.version = clang_version_in(said.out);
    } catch (const Error& error) {
        clang.looked_for.push_back(error.what());
        return false;
    }
    clang.major = std::atoi(clang.version.c_str());
    if (clang.major >= kOldest) {
        clang.path = path;
        return true;
    }
    clang.looked_for.push_back(path + (clang.version.empty()
                                           ? ": is no clang"
                                           : ": is version " + clang.version + ", too old: " +
                                                 std::to_string(kOldest) + " or newer is needed"));
    return false;
}

static void find_program(Clang& clang) {
    if (const char* chosen = std::getenv("LANEWISE_CLANG"); chosen && *chosen) {
        try_one(chosen, clang);
        return;
    }
    std::vector<std::string> names;
    for (int major = kNewestTried; major >= kOldest; --major)
        for (const char* name : {"clang++-", "clang-"})
            names.push_back(name + std::to_string(major));
    names.insert(names.end(), {"clang++", "clang"});
    for (const std::string& name : names)
        if (std::string path = in_path(name); !path.empty() && try_one(path, clang)) return;
    clang.looked_for.push_back("clang++-" + std::to_string(kOldest) + " and newer, clang++, clang");
}

static uint64_t hash_of_files(const fs::path& folder) {
    uint64_t sum = hash("");
    for (const fs::path& file : files_in(folder, ".h"))
        sum = hash(read_file(file), hash(file.filename().string(), sum));
    return sum;
}

static void find_headers(Clang& clang) {
    try {
        fs::path folder = content_folder() / "assets/device";
        if (!fs::is_regular_file(folder / "lanewise_cuda.h")) return;
        uint64_t sum = hash_of_files(folder);
        for (const char* below : {"cooperative_groups", "cuda"})
            sum ^= hash_of_files(folder / below);
        clang.headers = hex(sum);
        clang.header_folder = folder.string();
    } catch (const std::exception&) {  // no content here, or it cannot be read
    }
}

static Clang search_clang() {
    Clang clang;
    find_program(clang);
    if (clang.path.empty()) clang.version.clear(), clang.major = 0;
    if (!clang.path.empty()) find_headers(clang);
    return clang;
}

const Clang& find_clang() {
    static const Clang result = search_clang();
    return result;
}

int ptx_version_of(int clang_major) {
    return clang_major >= 20 ? 86 : clang_major >= 18 ? 83 : clang_major == 17 ? 81 : 78;
}

std::string newest_arch_of(int clang_major) {
    return clang_major >= 20 ? "sm_120" : clang_major >= 17 ? "sm_90a" : "sm_90";
}

}  // namespace lanewise
