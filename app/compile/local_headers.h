// The headers of a source that are the user's own: they lie in a folder that was given, or beside
// the file that includes them. Headers of the toolkit and of the system are none.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// What a line includes: `#include "name"` or `#include <name>`.
struct IncludeLine {
    std::string_view name;  // a part of the line
    bool is_quoted = false;
};

// nullopt where the line includes nothing, or a name that a macro gives.
std::optional<IncludeLine> include_in(std::string_view line);

// Where it lies, or "": for a quoted name first `beside`, the folder of the file that has the line
// ("" for none), then `folders` in their order. The path is as the folder is written.
std::string local_header_path(const IncludeLine& include, const std::string& beside,
                              const std::vector<std::string>& folders);

struct LocalHeader {
    std::string path, text;
};

// Every header that `text` includes and that those include, each once, in the order in which the
// compiler meets them. Conditions are not evaluated, so there may be some that it never meets.
// Throws Error(bad_input) where one cannot be read.
std::vector<LocalHeader> local_headers(std::string_view text,
                                       const std::vector<std::string>& folders);

}  // namespace lanewise
