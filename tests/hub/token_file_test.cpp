// Who may come in.
#include "hub/token_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "base/error.h"
#include "base/files.h"
#include "refusal.h"

namespace lanewise {

static std::string token_refusal(const std::string& text) {
    return refusal([&] { TokenFile::parse(text, "class.tokens"); });
}

TEST(TokenFile, KnowsWhoseATokenIs) {
    TokenFile tokens = TokenFile::parse(
        "# a class\n\nada \t aaaaaaaaaaaaaaaa\r\nguests bbbbbbbbbbbbbbbbb class\nmx "
        "ccccccccccccccc_-.~ teacher\n",
        "f");
    ASSERT_TRUE(tokens.holder_of("aaaaaaaaaaaaaaaa"));
    EXPECT_EQ("ada", tokens.holder_of("aaaaaaaaaaaaaaaa")->name);
    EXPECT_EQ(HolderKind::student, tokens.holder_of("aaaaaaaaaaaaaaaa")->kind);
    EXPECT_EQ(HolderKind::everybody, tokens.holder_of("bbbbbbbbbbbbbbbbb")->kind);
    EXPECT_EQ(HolderKind::teacher, tokens.holder_of("ccccccccccccccc_-.~")->kind);
}

TEST(TokenFile, NearlyRightIsWrong) {
    TokenFile tokens = TokenFile::parse("ada aaaaaaaaaaaaaaaa\n", "f");
    for (const std::string& wrong :
         {std::string(), std::string("aaaaaaaaaaaaaaa"), std::string("aaaaaaaaaaaaaaaaa"),
          std::string("aaaaaaaaaaaaaaab"), std::string("aaaaaaaaaaaaaaaa\0", 17),
          std::string("AAAAAAAAAAAAAAAA"), std::string(1000, 'a'), std::string("ada")})
        EXPECT_EQ(nullptr, tokens.holder_of(wrong)) << wrong;
    // The longest token is told from one that goes on.
    std::string longest(kLongestToken, 'x');
    TokenFile one = TokenFile::parse("ada " + longest, "f");
    EXPECT_TRUE(one.holder_of(longest));
    EXPECT_FALSE(one.holder_of(longest + "x"));
}

TEST(TokenFile, NobodyIsInNone) { EXPECT_EQ(nullptr, TokenFile().holder_of("")); }

TEST(TokenFile, EachMistakeIsOneSentenceWithItsLine) {
    const std::string good = "ada aaaaaaaaaaaaaaaa\n";
    struct {
        const char *line, *said;
    } const cases[] = {
        {"bert", "class.tokens:2: a line has a name and a token"},
        {"bert bbbbbbbbbbbbbbbb class now", "class.tokens:2: a line has a name and a token"},
        {"../ada bbbbbbbbbbbbbbbb", "class.tokens:2: \"../ada\" is no name"},
        {"-rf bbbbbbbbbbbbbbbb", "class.tokens:2: \"-rf\" is no name"},
        {"b.c bbbbbbbbbbbbbbbb", "class.tokens:2: \"b.c\" is no name"},
        {"bert short", "class.tokens:2: the token of bert is not of 16 to 128 letters"},
        {"bert bbbbbbbbbbbbbbbb&x=1", "class.tokens:2: the token of bert is not of"},
        {"bert bbbbbbbbbbbbbbbb boss",
         "class.tokens:2: behind a token stands nothing, class or teacher, not \"boss\""},
        {"ada bbbbbbbbbbbbbbbb", "class.tokens:2: ada has a token already"},
        {"bert aaaaaaaaaaaaaaaa", "class.tokens:2: bert has the token of ada: each needs its own"},
    };
    for (auto& each : cases)
        EXPECT_EQ(0u, token_refusal(good + each.line).find(each.said))
            << each.line << ": " << token_refusal(good + each.line);
    EXPECT_EQ(0u, token_refusal("# nobody\n").find("class.tokens has no token"));
    // A wrong line's token is not told: the message may stand in a log.
    EXPECT_EQ(std::string::npos, token_refusal("bert bbbbbbbbbbbbbbbb boss").find("bbbb"));
}

TEST(TokenFile, OneThatOthersCanReadIsRefused) {
    std::string file = testing::TempDir() + "tokens-" + std::to_string(::getpid());
    write_file(file, "ada aaaaaaaaaaaaaaaa\n");
    ::chmod(file.c_str(), 0640);
    try {
        TokenFile tokens{std::filesystem::path(file)};
        ADD_FAILURE() << "it was read";
    } catch (const Error& error) {
        EXPECT_EQ(file + " holds tokens and is open to others: chmod 600 " + file, error.what());
    }
    ::chmod(file.c_str(), 0600);
    EXPECT_TRUE(TokenFile{std::filesystem::path(file)}.holder_of("aaaaaaaaaaaaaaaa"));
    ::unlink(file.c_str());
}

TEST(TokenFile, NewTokensAreUsableAndDiffer) {
    std::set<std::string> made;
    for (int i = 0; i < 100; ++i) made.insert(new_token());
    EXPECT_EQ(100u, made.size());
    for (const std::string& token : made) {
        EXPECT_EQ(32u, token.size());
        EXPECT_TRUE(TokenFile::parse("ada " + token, "f").holder_of(token));
    }
}

}  // namespace lanewise
