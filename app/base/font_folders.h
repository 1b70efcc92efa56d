// Where fonts may lie.
#pragma once
#include <filesystem>
#include <vector>

namespace lanewise {

// Each with folders below it, in the order in which they count: those of $LANEWISE_FONTS, a list
// with ':', where set; else ~/.local/share/fonts, the system's, and <prefix>/share/lanewise/fonts,
// which a Lanewise for any Linux brings along.
std::vector<std::filesystem::path> font_folders();

}  // namespace lanewise
