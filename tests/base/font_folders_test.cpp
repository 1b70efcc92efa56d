#include "base/font_folders.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files.h"

namespace lanewise {

namespace fs = std::filesystem;

TEST(FontFolders, TheSystemsComeBeforeThoseBroughtAlong) {
    std::vector<fs::path> folders = font_folders();
    ASSERT_GE(folders.size(), 3u);
    EXPECT_EQ(program_folder() / "../share/lanewise/fonts", folders.back());
    EXPECT_EQ("/usr/share/fonts", folders[folders.size() - 2]);
}

TEST(FontFolders, MayBeChosen) {
    ::setenv("LANEWISE_FONTS", "/a:/b", 1);
    EXPECT_EQ((std::vector<fs::path>{"/a", "/b"}), font_folders());
    ::unsetenv("LANEWISE_FONTS");
}

}  // namespace lanewise
