#include "compile/local_headers.h"

#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/text.h"

namespace lanewise {

namespace fs = std::filesystem;

std::optional<IncludeLine> include_in(std::string_view line) {
    constexpr std::string_view kInclude = "include";
    line = trimmed(line);
    if (!line.starts_with('#')) return {};
    line = trimmed(line.substr(1));
    if (!line.starts_with(kInclude)) return {};
    line = trimmed(line.substr(kInclude.size()));
    if (line.empty() || (line[0] != '"' && line[0] != '<')) return {};
    bool is_quoted = line[0] == '"';
    size_t close = line.find(is_quoted ? '"' : '>', 1);
    if (close == line.npos || close == 1) return {};
    return IncludeLine{line.substr(1, close - 1), is_quoted};
}

std::string local_header_path(const IncludeLine& include, const std::string& beside,
                              const std::vector<std::string>& folders) {
    auto in = [&](const std::string& folder) -> std::string {
        fs::path path = fs::path(folder) / include.name;
        std::error_code ignored;
        return fs::is_regular_file(path, ignored) ? path.string() : "";
    };
    if (include.is_quoted && !beside.empty())
        if (std::string path = in(beside); !path.empty()) return path;
    for (const std::string& folder : folders)
        if (std::string path = in(folder); !path.empty()) return path;
    return {};
}

static void add_headers(std::string_view text, const std::string& beside,
                        const std::vector<std::string>& folders, std::set<fs::path>& seen,
                        std::vector<LocalHeader>& headers) {
    for (std::string_view line : lines_of(text)) {
        std::optional<IncludeLine> include = include_in(line);
        if (!include) continue;
        std::string path = local_header_path(*include, beside, folders);
        std::error_code ignored;
        if (path.empty() || !seen.insert(fs::weakly_canonical(path, ignored)).second) continue;
        std::string header = read_file(path);
        headers.push_back({path, header});
        add_headers(header, fs::path(path).parent_path().string(), folders, seen, headers);
    }
}

std::vector<LocalHeader> local_headers(std::string_view text,
                                       const std::vector<std::string>& folders) {
    std::vector<LocalHeader> headers;
    std::set<fs::path> seen;
    add_headers(text, "", folders, seen, headers);
    return headers;
}

}  // namespace lanewise
