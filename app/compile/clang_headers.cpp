#include "compile/clang_headers.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "compile/backend.h"
#include "compile/child_process.h"

namespace lanewise {

namespace fs = std::filesystem;

static bool is_of_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Of all that lanewise_cuda.h may include.
static const std::set<std::string>& words_of_headers(const Clang& clang) {
    static const std::set<std::string> words = [&] {
        std::set<std::string> found;
        for (const fs::path& file : files_in(clang.header_folder, ".h")) {
            const std::string text = read_file(file);
            for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
                for (end = begin; end < text.size() && is_of_word(text[end]);) ++end;
                if (end > begin) found.insert(text.substr(begin, end - begin));
            }
        }
        return found;
    }();
    return words;
}

static bool changes_headers(const Clang& clang, const std::vector<std::string>& defines) {
    for (const std::string& define : defines)
        if (words_of_headers(clang).contains(define.substr(0, define.find_first_of("=("))))
            return true;
    return false;
}

// Those that other versions left, of the same kind.
static void remove_others(const fs::path& file, const std::string& kind) {
    std::error_code ignored;
    for (const fs::path& each : files_in(file.parent_path(), ".pch"))
        if (each != file && each.filename().string().starts_with(kind)) fs::remove(each, ignored);
}

static bool make(const fs::path& file, std::vector<std::string> command) {
    command.insert(command.end(), {"-include", "lanewise_cuda.h", "-emit-llvm", "-Xclang",
                                   "-disable-llvm-passes", "-Xclang", "-emit-pch", "-"});
    try {
        const ChildResult made = run_child(command, "", kLongestChild);
        if (made.status != 0 || made.timed_out || made.out.empty()) return false;
        write_file(file, made.out);
        return true;
    } catch (const Error&) {  // nothing can be kept there
        return false;
    }
}

std::string precompiled_device_headers(const Clang& clang, const std::vector<std::string>& options,
                                       const std::vector<std::string>& defines, bool anew) {
    if (changes_headers(clang, defines)) return "";
    uint64_t sum = hash(clang.version, hash(clang.headers));
    std::string kind;
    for (const std::string& option : options) {
        sum = hash(option, sum);
        for (const char* name : {"--cuda-gpu-arch=", "-std="})
            if (option.starts_with(name)) kind += option.substr(std::string(name).size()) + "-";
    }
    const fs::path file = cache_folder() / "clang-headers" / (kind + hex(sum) + ".pch");
    static std::mutex mutex;
    static std::map<std::string, bool> known;  // by file: whether it is there
    std::lock_guard lock(mutex);
    auto [at, is_new] = known.try_emplace(file.string(), false);
    if (!is_new && !anew) return at->second ? file.string() : "";
    std::error_code ignored;
    const bool was_there = !anew && fs::is_regular_file(file, ignored);
    at->second = was_there || make(file, options);
    if (at->second && !was_there) remove_others(file, kind);
    return at->second ? file.string() : "";
}

bool refuses_precompiled(const std::string& said) {
    for (const char* words :
         {"PCH file", "AST file", "precompiled file", "precompiled header", "module file"})
        if (said.find(words) != said.npos) return true;
    return false;
}

}  // namespace lanewise
