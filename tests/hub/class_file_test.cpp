// A class's limits.
#include "hub/class_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise {

static std::string refusal(const std::string& text) {
    try {
        parse_class_file(text, "class.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
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
    };
    for (auto& each : cases) {
        EXPECT_EQ(0u, refusal(each.text).find(each.place))
            << each.text << ": " << refusal(each.text);
        EXPECT_NE(std::string::npos, refusal(each.text).find(each.said))
            << each.text << ": " << refusal(each.text);
    }
}

}  // namespace lanewise
