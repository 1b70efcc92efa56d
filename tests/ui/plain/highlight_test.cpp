#include "ui/plain/highlight.h"

#include <gtest/gtest.h>

namespace lanewise::ui {
namespace {

// The line with each span in the brackets of its kind.
std::string marked(const std::string& line, const std::string& file = "") {
    std::string result;
    const char* letters = "pkcns/#";
    SourceLine spans = highlight(line, file).at(0);
    for (const TokenSpan& span : spans)
        result += std::string(1, letters[static_cast<int>(span.token)]) + "[" +
                  line.substr(span.begin, span.end - span.begin) + "]";
    return result;
}

TEST(Highlight, TellsWordsNumbersAndComments) {
    EXPECT_EQ("k[int]p[ col = ]n[32]p[; ]/[// x]", marked("int col = 32; // x"));
}

TEST(Highlight, KnowsCudaWords) { EXPECT_EQ("c[__shared__]p[ T t;]", marked("__shared__ T t;")); }

TEST(Highlight, PythonAndPtxArePlain) {
    EXPECT_EQ("k[def]p[ f(a): ]/[# x // y]", marked("def f(a): # x // y", "k.py"));
    EXPECT_EQ("c[tl]p[.load(a // ]n[2]p[)]", marked("tl.load(a // 2)", "k.py"));
    EXPECT_EQ("#[.reg]p[ .b32 %r<]n[4]p[>;]", marked(".reg .b32 %r<4>;", "k.ptx"));
    EXPECT_EQ("k[ld.global.b32]", marked("ld.global.b32 %r1, [%rd1];", "k.ptx").substr(0, 16));
    std::vector<SourceLine> lines = highlight("\"\"\"A\nb\"\"\" + c", "k.py");
    EXPECT_EQ(TokenKind::text, lines[1][0].token);
    EXPECT_EQ(4u, lines[1][0].end);
    EXPECT_EQ(TokenKind::plain, lines[1].back().token);
}

TEST(Highlight, CommentsGoOnOverLines) {
    std::vector<SourceLine> lines = highlight("/*---\nint a\n---*/ int b");
    EXPECT_EQ(TokenKind::comment, lines[1][0].token);
    EXPECT_EQ(TokenKind::comment, lines[2][0].token);
    EXPECT_EQ(TokenKind::keyword, lines[2][2].token);
}

TEST(Highlight, SpansCoverTheLine) {
    for (std::string line : {"", "  x", "\"open", "a/b//c", "1e5f+0x1F"}) {
        size_t at = 0;
        if (line.empty()) continue;
        SourceLine spans = highlight(line).at(0);
        for (const TokenSpan& span : spans) {
            EXPECT_EQ(at, span.begin) << line;
            at = span.end;
        }
        EXPECT_EQ(line.size(), at) << line;
    }
}

}  // namespace
}  // namespace lanewise::ui
