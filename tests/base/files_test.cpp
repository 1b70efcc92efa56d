#include "base/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"

namespace lanewise {

namespace fs = std::filesystem;

static fs::path scratch(const char* name) {
    fs::path folder = fs::temp_directory_path() / ("lanewise-files-" + std::to_string(::getpid()));
    return folder / name;
}

TEST(Files, WriteThenRead) {
    fs::path file = scratch("new/folder/file.bin");
    std::string bytes("a\0b\n", 4);
    write_file(file, bytes);
    EXPECT_EQ(bytes, read_file(file));
    write_file(file, "second");
    EXPECT_EQ("second", read_file(file));
    EXPECT_EQ(1,
              std::distance(fs::directory_iterator(file.parent_path()), {}));  // nothing left over
    fs::remove_all(scratch(""));
}

TEST(Files, ErrorsNameThePath) {
    try {
        read_file("/nowhere/file");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        EXPECT_STREQ("cannot read /nowhere/file: No such file or directory", error.what());
    }
    EXPECT_THROW(read_file("/"), Error);
    EXPECT_THROW(read_file("/proc/self/mem"), Error);  // opens, but its first byte cannot be read
    EXPECT_THROW(read_file("/dev/zero"), Error);       // has no end
    EXPECT_EQ("", read_file("/dev/null"));
    EXPECT_THROW(write_file("/proc/nowhere/file", "x"), Error);
}

TEST(Files, AFoldersFilesComeByTheirNames) {
    fs::path folder = scratch("listed");
    for (const char* name : {"b.json", "a.json", "B.json", "json", "a.json.txt", "below/c.json"})
        write_file(folder / name, "");
    fs::create_directories(folder / "folder.json");
    std::vector<fs::path> expected = {folder / "B.json", folder / "a.json", folder / "b.json"};
    EXPECT_EQ(expected, files_in(folder, ".json"));
    expected = {folder / "json"};
    expected.insert(expected.begin(), {folder / "B.json", folder / "a.json", folder / "b.json"});
    EXPECT_EQ(expected, files_in(folder, "json"));
    EXPECT_TRUE(files_in(folder, ".csv").empty());
    EXPECT_TRUE(files_in(folder / "missing", ".json").empty());
    EXPECT_TRUE(files_in(folder / "json", ".json").empty());  // no folder
    fs::remove_all(scratch(""));
}

TEST(Files, FoldersFollowTheEnvironment) {
    ::setenv("XDG_CACHE_HOME", "/somewhere/cache", 1);
    EXPECT_EQ("/somewhere/cache/lanewise", cache_folder());
    ::setenv("XDG_CACHE_HOME", "relative", 1);  // the XDG specification: ignore it
    ::setenv("HOME", "/home/ada", 1);
    EXPECT_EQ("/home/ada/.cache/lanewise", cache_folder());
    ::unsetenv("XDG_CACHE_HOME");
    ::unsetenv("XDG_STATE_HOME");
    EXPECT_EQ("/home/ada/.local/state/lanewise", state_folder());
}

TEST(Files, ContentHomeMustHoldKernels) {
    ::setenv("LANEWISE_HOME", CONTENT_FOLDER, 1);
    EXPECT_EQ(CONTENT_FOLDER, content_folder());
    ::setenv("LANEWISE_HOME", "/tmp", 1);
    EXPECT_THROW(content_folder(), Error);
    ::unsetenv("LANEWISE_HOME");
}

}  // namespace lanewise
