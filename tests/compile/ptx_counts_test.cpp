// A text comes back as it was, whatever it is; and copies of an unrolled loop become the same text.
#include "compile/ptx_counts.h"

#include <gtest/gtest.h>

namespace lanewise {

static void expect_back(const std::string& text) {
    EXPECT_EQ(text, ptx_restored(ptx_counted(text))) << text;
}

TEST(PtxCounts, TellEachNumberFromTheLastOfItsKind) {
    // \1: further, \2: back; one further has no number. %r7 is the first after a tab, %r6 the first after
    // a blank; %rd is another name, and the line's number stands behind .loc's file.
    EXPECT_EQ("c\tadd \t%r\1""7, %r\1""6, 4;\n\tadd \t%r\1, %r\1, 4;\n\tadd \t%r\2""3, %r\2""0, %rd\2""0;\n",
              ptx_counted("\tadd \t%r7, %r6, 4;\n\tadd \t%r8, %r7, 4;\n\tadd \t%r5, %r7, %rd0;\n"));
    EXPECT_EQ("c\t.loc\t1 \1""20 9\n\t.loc\t1 \1 9\n", ptx_counted("\t.loc\t1 20 9\n\t.loc\t1 21 9\n"));
    EXPECT_EQ("c$L__BB0_\1""2:\n\tbra \t$L__BB0_\1""5;\n$L__BB0_\1:\n",
              ptx_counted("$L__BB0_2:\n\tbra \t$L__BB0_5;\n$L__BB0_3:\n"));
}

TEST(PtxCounts, MakeCopiesOfALoopEqual) {
    std::string loop = "c", copies;
    for (int i = 0; i < 8; ++i)
        copies += "\tld.global.f32 \t%f" + std::to_string(10 + i) + ", [%rd" + std::to_string(3 + i) + "+64];\n";
    std::string counted = ptx_counted(copies), second = "\tld.global.f32 \t%f\1, [%rd\1+64];\n";
    size_t first = counted.find('\n') + 1, repeated = 0;
    for (size_t at = first; at < counted.size(); at += second.size()) repeated += counted.substr(at, second.size()) == second;
    EXPECT_EQ(7u, repeated);
    expect_back(copies);
}

TEST(PtxCounts, GiveBackAnyText) {
    for (const char* text :
         {"", "%", "$", "%%", "%r", "%7", "%r007", "%r0", "%r00", "%r999999999", "%r1000000000", "%r12345678901234567890",
          "%SP+8", "[%SP+16]", "%r5+8", "%r5-8", "%r5x", "%x5y6", ".loc", ".loc\t", ".loc\t1", ".loc\t1 ", ".loc\t 7",
          ".loc\t1 007 5", ".loc\t12 3456 7", ".loc\t1 x", "$L__BB0_", "$str$1", "a%r1b%r2", "c", "=", "%r9%r8%r7",
          "mov.u32 %r1, %tid.x;", "%r5\x01""7", "\x02", "%\x02"})
        expect_back(text);
    expect_back(std::string("%r1\0%r2", 7));
}

TEST(PtxCounts, RefuseWhatTheyDidNotMake) {
    for (const char* counted : {"", "x", "c\x01", "c%r\x02""1", "c5\x01", "c%r\x01""007", "c%r\x01""1234567890", "c %r\x01%r\x02""9"})
        EXPECT_FALSE(ptx_restored(counted)) << counted;
}

}  // namespace lanewise
