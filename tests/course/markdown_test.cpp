// Markdown to blocks and runs, shown as short text: kind level number | run | run.
#include "course/markdown.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

std::string shown(const std::string& markdown) {
    constexpr const char* kKinds[] = {"h", "p", "*", "#", "code", "quote", "rule"};
    std::string text;
    for (const LessonBlock& block : markdown_blocks(markdown)) {
        text.append(kKinds[static_cast<int>(block.kind)]).append(std::to_string(block.level));
        if (block.number > 0) text.append(".").append(std::to_string(block.number));
        for (const LessonRun& run : block.runs) {
            text += " |" + std::string(run.strong ? "S" : "") + (run.emphasis ? "E" : "") +
                    (run.code ? "C" : "") + run.text;
            if (!run.link.empty()) text += " -> " + run.link;
            if (!run.query.empty()) text += " ? " + run.query;
        }
        text += "\n";
    }
    return text;
}

TEST(Markdown, ReadsBlocks) {
    EXPECT_EQ("h2 |Title\np0 |one two\nrule0\np0 |three\n",
              shown("## Title\n\none\ntwo\n\n---\n\nthree"));
    EXPECT_EQ("*1 |a\n*1 |b\n*2 |c\n#1.3 |d\n#1.4 |e\n", shown("- a\n- b\n  - c\n\n3. d\n4. e\n"));
    EXPECT_EQ("*1 |a\np1 |more\n*1 |b\n", shown("- a\n\n  more\n\n- b\n"));
    EXPECT_EQ("quote0 |said\np0 |not\n", shown("> said\n\nnot"));
    EXPECT_EQ("code0 |for (;;)\n  x;\n", shown("```\nfor (;;)\n  x;\n```\n"));
    EXPECT_EQ("", shown(""));
}

TEST(Markdown, ReadsRuns) {
    EXPECT_EQ("p0 |a  |Sb |;  |Ec |;  |Cd{{e}}\n", shown("a **b**; *c*; `d{{e}}`"));
    EXPECT_EQ("p0 |see  |banks -> view:banks |.\n", shown("see [banks](view:banks)."));
    EXPECT_EQ("p0 |q -> code:tile[TILE][TILE + PAD]\n",
              shown("[q](<code:tile[TILE][TILE + PAD]>)"));
    EXPECT_EQ("p0 |q -> code:i < n && p->x\n", shown("[q](<code:i \\< n &amp;&amp; p-\\>x>)"));
    EXPECT_EQ("p0 |1 < 2 & 3\n", shown("1 &lt; 2 &amp; 3"));
    EXPECT_EQ("p0 |a <b>c</b>\n", shown("a <b>c</b>"));
    EXPECT_EQ("p0 |a\nb\n", shown("a  \nb"));
    EXPECT_EQ("p0 |<div>\na\n</div>\np0 |b\n", shown("<div>\na\n</div>\n\nb"));
}

TEST(Markdown, FindsQueries) {
    EXPECT_EQ("p0 |takes  |{{rows * 4}} ? rows * 4 | bytes\n", shown("takes {{rows * 4}} bytes"));
    EXPECT_EQ("p0 |{{a_b c}} ? a_b c |{{d}} ? d\n", shown("{{a_b c}}{{d}}"));
    EXPECT_EQ("p0 |S{{a}} ? a\n", shown("**{{a}}**"));
    EXPECT_EQ("p0 |open {{a\n", shown("open {{a"));
    // A query may be broken over lines: a line end is a blank.
    EXPECT_EQ("p0 |{{useful_percent store}} ? useful_percent store\n",
              shown("{{useful_percent\nstore}}"));
}

}  // namespace
}  // namespace lanewise
