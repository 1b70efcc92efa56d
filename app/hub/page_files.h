// Which file of the page an address means. Nothing outside the page's folder is ever meant.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

// "/" -> index.html, "/assets/a.programs" -> that file. Nothing where there is no such file, or it
// lies outside `folder` (by "..", by a link), or its name begins with a dot.
std::optional<std::filesystem::path> page_file(const std::filesystem::path& folder,
                                               std::string_view target);

// "text/html; charset=utf-8" of index.html; what is not known is application/octet-stream.
std::string media_type(const std::filesystem::path& file);

// What stands in place of the page where `folder` holds none.
std::string page_in_its_place(const std::filesystem::path& folder);

// `text` with <, >, & and " as HTML writes them.
std::string html_text(std::string_view text);

}  // namespace lanewise
