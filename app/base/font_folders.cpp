#include "base/font_folders.h"

#include <cstdlib>

#include "base/files.h"
#include "base/text.h"

namespace lanewise {

namespace fs = std::filesystem;

std::vector<fs::path> font_folders() {
    std::vector<fs::path> folders;
    if (const char* given = std::getenv("LANEWISE_FONTS")) {
        for (std::string_view folder : split(given, ':')) folders.emplace_back(folder);
        return folders;
    }
    if (const char* home = std::getenv("HOME"))
        folders.push_back(fs::path(home) / ".local/share/fonts");
    folders.emplace_back("/usr/local/share/fonts");
    folders.emplace_back("/usr/share/fonts");
    folders.push_back(program_folder() / "../share/lanewise/fonts");
    return folders;
}

}  // namespace lanewise
