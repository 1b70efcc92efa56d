// Logs as NVRTC 13.0 wrote them.
#include "compile/diagnostics.h"

#include <gtest/gtest.h>

namespace lanewise {

static const Source kWrongSource{"k.cu",
                                 "template <typename T>\n"
                                 "__global__ void scale(T* out) {\n"
                                 "    out[0] = nope;\n"
                                 "\tout[1] =\tnix;\n"
                                 "}\n"};

TEST(Diagnostics, ReadLineAndColumnOfErrorsAndWarnings) {
    auto found = parse_log(
        "k.cu(3): error: identifier \"nope\" is undefined\n"
        "      out[0] = nope;\n"
        "               ^\n"
        "\n"
        "k.cu(2): warning #177-D: variable \"unused\" was declared but never referenced\n"
        "      int unused;\n"
        "          ^\n"
        "\n"
        "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
        "\n"
        "1 error detected in the compilation of \"k.cu\".\n",
        "k.cu");
    ASSERT_EQ(2u, found.size());
    EXPECT_TRUE(found[0].is_error);
    EXPECT_EQ("k.cu", found[0].file);
    EXPECT_EQ(3, found[0].line);
    EXPECT_EQ(14, found[0].column);  // 4 blanks, then `out[0] = ` of 9 characters
    EXPECT_EQ("identifier \"nope\" is undefined", found[0].text);
    EXPECT_FALSE(found[1].is_error);
    EXPECT_EQ(2, found[1].line);
    EXPECT_EQ("variable \"unused\" was declared but never referenced", found[1].text);
}

TEST(Diagnostics, KeepTheNotesOfAnInstantiation) {
    auto found = parse_log(
        "a.cu(1): error: expression must have class type but it has type \"float\"\n"
        "  template<typename T> __device__ T f(T x){ return x.foo; }\n"
        "                                                   ^\n"
        "          detected during instantiation of \"T f(T) [with T=float]\" at line 2\n"
        "\n"
        "1 error detected in the compilation of \"a.cu\".\n",
        "a.cu");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ(50, found[0].column);
    EXPECT_EQ(
        "expression must have class type but it has type \"float\" (detected during instantiation "
        "of \"T f(T) [with T=float]\" at line 2)",
        found[0].text);
}

TEST(Diagnostics, ReadTheAssemblersLines) {
    auto found = parse_log(
        "ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x61a80 bytes, 0xc000 "
        "max)\n",
        "a.cu");
    ASSERT_EQ(1u, found.size());
    EXPECT_TRUE(found[0].is_error);
    EXPECT_EQ(0, found[0].line);
    EXPECT_EQ(
        "ptxas: Entry function '_Z1kPf' uses too much shared data (0x61a80 bytes, 0xc000 max)",
        found[0].text);
    EXPECT_TRUE(parse_log("", "a.cu").empty());
    EXPECT_TRUE(parse_log("^\n(: error\n): warning\n", "a.cu").empty());
}

TEST(Diagnostics, InWordsDrawACaretUnderTheColumn) {
    EXPECT_EQ(
        "k.cu:3:14: error: what\n"
        "    out[0] = nope;\n"
        "             ^",
        in_words({true, "k.cu", 3, 14, "what"}, kWrongSource));
    EXPECT_EQ(
        "k.cu:4:11: warning: what\n"
        "    out[1] =\tnix;\n"
        "            \t^",
        in_words({false, "k.cu", 4, 11, "what"}, kWrongSource));
    EXPECT_EQ("k.cu:9:1: error: what", in_words({true, "k.cu", 9, 1, "what"}, kWrongSource));
    EXPECT_EQ("other.h:3:2: error: what", in_words({true, "other.h", 3, 2, "what"}, kWrongSource));
    EXPECT_EQ("k.cu: error: what", in_words({true, "k.cu", 0, 0, "what"}, kWrongSource));
}

TEST(Diagnostics, AWrongKernelNameGetsASentenceOfItsOwn) {
    try {
        throw_compile_error(
            "__nv_name_map(2): error: identifier \"scales\" is undefined\n"
            "  #pragma nv_mangled_name scales<float>\n"
            "                          ^\n"
            "\n"
            "__nv_name_map(2): error: Error in parsing name expression for lowered name lookup. "
            "Input name expression was: \" scales < float>\"\n",
            kWrongSource, "scales<float>");
        FAIL();
    } catch (const CompileError& error) {
        EXPECT_STREQ(
            "k.cu: error: no kernel fits \"scales<float>\": identifier \"scales\" is undefined\n"
            "Kernels in this source: scale",
            error.what());
        EXPECT_EQ(Status::no_compile, error.status());
    }
}

TEST(Diagnostics, RealErrorsHideThoseAboutTheName) {
    try {
        throw_compile_error(
            "k.cu(3): error: first\n\n__nv_name_map(2): error: identifier \"scale\" is undefined\n",
            kWrongSource, "scale<float>");
        FAIL();
    } catch (const CompileError& error) {
        EXPECT_STREQ("k.cu:3: error: first\n    out[0] = nope;", error.what());
        EXPECT_EQ(1u, error.diagnostics().size());
    }
}

TEST(Diagnostics, ALogThatSaysNothingKnownIsShownWhole) {
    try {
        throw_compile_error("out of luck\n", kWrongSource, "scale<float>");
        FAIL();
    } catch (const CompileError& error) {
        EXPECT_STREQ("k.cu: error: out of luck", error.what());
    }
}

TEST(Diagnostics, ReadClangsLinesAndTheNotesOfTheUsersOwnText) {
    auto found = parse_log(
        "In file included from <built-in>:1:\n"
        "k.cu:3:14: error: use of undeclared identifier 'nope'\n"
        "k.cu:2:9: warning: unused variable 'unused' [-Wunused-variable]\n"
        "k.cu:4:5: error: no matching function for call to 'f'\n"
        "k.cu:1:6: note: candidate function not viable: expects 2 arguments\n"
        "/x/lanewise_math.h:7:1: note: candidate function not viable: whatever\n"
        "error: initial value of 'x' is not allowed\n"
        "2 errors generated when compiling for sm_90.\n",
        "k.cu");
    ASSERT_EQ(4u, found.size());
    EXPECT_TRUE(found[0].is_error);
    EXPECT_EQ("k.cu", found[0].file);
    EXPECT_EQ(3, found[0].line);
    EXPECT_EQ(14, found[0].column);
    EXPECT_EQ("use of undeclared identifier 'nope'", found[0].text);
    EXPECT_FALSE(found[1].is_error);
    EXPECT_EQ("unused variable 'unused'", found[1].text);
    EXPECT_EQ(
        "no matching function for call to 'f' (line 1: candidate function not viable: expects 2 "
        "arguments)",
        found[2].text);
    EXPECT_EQ(0, found[3].line);
    EXPECT_EQ("initial value of 'x' is not allowed", found[3].text);
}

}  // namespace lanewise
