#include "compile/kernel_head.h"

#include <gtest/gtest.h>

namespace lanewise {

static bool surely(const char* text, const char* kernel = "k<float, 4>") {
    return is_surely_function(text, kernel);
}

TEST(KernelHead, IsAFunctionWhereAWordOfTheLanguageBeginsItsParameters) {
    EXPECT_TRUE(surely("template <class T> __global__ void k(const T* in) {}"));
    EXPECT_TRUE(surely("void k (\n    float*x, T y)"));
    EXPECT_TRUE(surely("void k(unsigned n);\nvoid k(unsigned n) {}"));
    EXPECT_TRUE(surely("namespace a::b { void k(const T* in) {} }", "a::b::k<4>"));
    EXPECT_TRUE(surely("void k(int n)", "k"));
    EXPECT_TRUE(surely("int ok(half h); int k2(half h); void k(int n)"));  // other names
}

TEST(KernelHead, MayBeAnythingWhereANameDoes) {
    EXPECT_FALSE(surely("void k(T* in) {}"));
    EXPECT_FALSE(surely("void k(constant* in) {}"));
    EXPECT_FALSE(surely("void k(Foo<int> in) {}"));
    EXPECT_FALSE(surely("void k(int(x)) {}"));  // a conversion
    EXPECT_FALSE(surely("void k(int{3}) {}"));
    EXPECT_FALSE(surely("void k(const T* in);\nvoid k(half* in) {}"));  // one of two
    EXPECT_FALSE(surely("void k() {}"));
    EXPECT_FALSE(surely("void k"));
    EXPECT_FALSE(surely("void k("));
    EXPECT_FALSE(surely("DECLARE_K"));
    EXPECT_FALSE(surely(""));
    EXPECT_FALSE(surely("void k(int n)", ""));
}

}  // namespace lanewise
