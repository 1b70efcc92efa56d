// A class's limits.
#include "hub/class_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "refusal.h"

namespace lanewise {

static std::string class_file_refusal(const std::string& text) {
    return refusal([&] { parse_class_file(text, "class.toml"); });
}

TEST(ClassFile, WhatIsLeftOutIsAsDescribed) {
    ClassFile none = parse_class_file("", "class.toml");
    EXPECT_EQ("Lanewise", none.title);
    EXPECT_EQ(2, none.limits.engines_per_student);
    ClassFile some = parse_class_file(
        "title = \"GPUs\"\n[limits]\nconnections = 60\nmemory_megabytes = "
        "2000\n[sandbox]\nreadable = [\"/opt/cuda\"]\n",
        "c");
    EXPECT_EQ("GPUs", some.title);
    EXPECT_EQ(60, some.limits.connections);
    EXPECT_EQ(2000, some.limits.memory_megabytes);
    EXPECT_EQ(2, some.limits.engines_per_student);
    EXPECT_EQ(std::vector<std::string>{"/opt/cuda"}, some.readable);
}

TEST(ClassFile, HandInsAreDueWhenItOrTheAssignmentSays) {
    EXPECT_EQ("", parse_class_file("", "c").due);
    EXPECT_EQ("2026-12-01T23:59:00Z",
              parse_class_file("[hand_in]\ndue = \"2026-12-01 23:59\"\n", "c").due);
    auto folder =
        std::filesystem::path(testing::TempDir()) / ("class-file-" + std::to_string(::getpid()));
    write_file(folder / "week2.assignment", "title = \"2\"\ndue = \"2026-12-08 12:00\"\n");
    write_file(folder / "class.toml", "[hand_in]\nassignment = \"week2.assignment\"\n");
    EXPECT_EQ("2026-12-08T12:00:00Z", read_class_file(folder / "class.toml").due);
    write_file(folder / "week2.assignment", "title = \"2\"\ndue = \"soon\"\n");
    EXPECT_THROW(read_class_file(folder / "class.toml"), Error);
    std::filesystem::remove_all(folder);
}

TEST(ClassFile, EachMistakeIsOneSentenceWithItsLine) {
    struct {
        const char *text, *place, *said;
    } const cases[] = {
        {"titel = \"x\"", "class.toml:1: ", "title"},
        {"[limits]\nconections = 3", "class.toml:2: ", "connections"},
        {"[limits]\nconnections = 0", "class.toml:2: ", "connections is from 1 to 2000, not 0"},
        {"[limits]\nconnections = \"many\"", "class.toml:2: ", ""},
        {"[limits]\n\nmemory_megabytes = 5", "class.toml:3: ", "memory_megabytes is from 256"},
        {"[sandbox]\nreadable = [\"opt\"]",
         "class.toml:2: ", "\"opt\" is no folder by its whole path"},
        {"[sandbox]\nreadable = [\"/\"]", "class.toml:2: ", "\"/\" is no folder"},
        {"[sandbox]\nreadable = [\"/opt/..\"]", "class.toml:2: ", "\"/opt/..\" is no folder"},
        {"[limits", "class.toml:1", ""},
        {"[limits]\ndisk_megabytes = 1", "class.toml:2: ", "disk_megabytes is from 64"},
        {"[hand_in]\ndue = \"tomorrow\"", "class.toml:2: ", "write the time in UTC"},
        {"[hand_in]\nassignment = \"../x\"", "class.toml:2: ", "give its name alone"},
        {"[hand_in]\nassignment = \"x\"\ndue = \"2026-12-01 23:59\"",
         "class.toml:3: ", "leave this line out"},
    };
    for (auto& each : cases) {
        EXPECT_EQ(0u, class_file_refusal(each.text).find(each.place))
            << each.text << ": " << class_file_refusal(each.text);
        EXPECT_NE(std::string::npos, class_file_refusal(each.text).find(each.said))
            << each.text << ": " << class_file_refusal(each.text);
    }
}

}  // namespace lanewise
