#include "service/command_line.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise {

using Words = std::vector<std::string>;

TEST(CommandLine, SplitsAsAShellWould) {
    EXPECT_EQ((Words{"ssh", "gpu-box", "lanewise-engine", "serve"}),
              split_command("ssh gpu-box  lanewise-engine\tserve "));
    EXPECT_EQ((Words{"/my programs/engine", "serve"}),
              split_command("'/my programs/engine' serve"));
    EXPECT_EQ((Words{"a b", "c"}), split_command("\"a b\" c"));
    EXPECT_EQ((Words{"a b"}), split_command("a\\ b"));
    EXPECT_EQ((Words{"--name=a b"}), split_command("--name='a b'"));
    EXPECT_EQ((Words{"a", ""}), split_command("a ''"));
    EXPECT_EQ((Words{"a\\b", "c\\d"}), split_command("'a\\b' \"c\\d\""));
    EXPECT_EQ((Words{"say \"hi\""}), split_command("\"say \\\"hi\\\"\""));
    EXPECT_EQ((Words{"$HOME/*"}), split_command("$HOME/*"));  // nothing is expanded
}

TEST(CommandLine, KnowsAServersAddress) {
    EXPECT_TRUE(is_engine_address({"ws://127.0.0.1:8080"}));
    EXPECT_TRUE(is_engine_address({"wss://lab.example.org/engine", "serve"}));
    EXPECT_FALSE(is_engine_address({"ssh", "wss://lab.example.org"}));
    EXPECT_FALSE(is_engine_address({}));
}

TEST(CommandLine, RefusesWhatCannotBeSplit) {
    for (const char* bad : {"", "  ", "'open", "\"open", "\"open\\", "last\\"})
        EXPECT_THROW(split_command(bad), Error) << bad;
}

}  // namespace lanewise
