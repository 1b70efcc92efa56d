#include "hub/page_files.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "hub/address.h"

namespace lanewise {

namespace fs = std::filesystem;

std::optional<fs::path> page_file(const fs::path& folder, std::string_view target) {
    std::string path;
    if (!percent_decoded(target.substr(0, target.find('?')), path)) return std::nullopt;
    if (path.empty() || path[0] != '/') return std::nullopt;
    for (char c : path)
        if (static_cast<unsigned char>(c) < ' ' || c == '\\') return std::nullopt;
    if (path.back() == '/') path += "index.html";
    for (std::string_view piece : split(std::string_view(path).substr(1), '/'))
        if (piece.empty() || piece[0] == '.') return std::nullopt;

    std::error_code failure;
    fs::path root = fs::canonical(folder, failure);
    if (failure) return std::nullopt;
    fs::path file = fs::canonical(root / path.substr(1), failure);
    if (failure || !fs::is_regular_file(file, failure)) return std::nullopt;
    fs::path inside = file.lexically_relative(root);
    if (inside.empty() || *inside.begin() == "..") return std::nullopt;
    return file;
}

std::string media_type(const fs::path& file) {
    constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".wasm", "application/wasm"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".txt", "text/plain; charset=utf-8"},
        {".webmanifest", "application/json"},
    };
    std::string ending = file.extension().string();
    for (auto& [known, type] : kTypes)
        if (ending == known) return std::string(type);
    return "application/octet-stream";
}

std::string html_text(std::string_view text) {
    std::string html;
    for (char c : text) {
        if (c == '<')
            html += "&lt;";
        else if (c == '>')
            html += "&gt;";
        else if (c == '&')
            html += "&amp;";
        else if (c == '"')
            html += "&quot;";
        else
            html += c;
    }
    return html;
}

std::string page_in_its_place(const fs::path& folder) {
    return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Lanewise</title>"
           "<body style=\"font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto\">"
           "<h1>Lanewise</h1><p>The page is not here: " +
           html_text(folder.string()) +
           " holds no index.html. Run <code>./lanewise web</code> in the source, or start the "
           "server "
           "with <code>--page DIR</code>. The desktop program reaches the engine of this server "
           "all "
           "the same: <code>lanewise --engine ws://HOST:PORT/engine</code>.</p></body></html>\n";
}

}  // namespace lanewise
