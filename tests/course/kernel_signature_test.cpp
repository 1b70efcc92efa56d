// The template line and the kernel's name, however they are laid out.
#include "course/kernel_signature.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise {
namespace {

// "name: kind NAME = default; kind NAME = default; "
std::string read(const std::string& source) {
    try {
        KernelSignature kernel = kernel_signature(source);
        std::string text = kernel.name + ": ";
        for (const TemplateParameter& parameter : kernel.parameters)
            text += parameter.kind + " " + parameter.name + " = " + parameter.default_value + "; ";
        return text;
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(KernelSignature, ReadsATemplateOnOneLine) {
    EXPECT_EQ("pad: typename T = float; int TILE = 32; ",
              read("template <typename T = float, int TILE = 32>\n"
                   "__global__ void pad(const T* in, T* out, int rows, int cols) { f<1>(); }"));
}

TEST(KernelSignature, ReadsPastCommentsAndLineBreaks) {
    EXPECT_EQ("pad: class T = double; unsigned int TILE = 32; ",
              read("/* template <int NO> __global__ void no() */\n"
                   "// __global__ void never()\n"
                   "template<class T = double,   // the element\n"
                   "         unsigned int /* side */ TILE\n"
                   "             = 32>\n"
                   "static __global__\n"
                   "void\n"
                   "pad (const T* in)\n{ const char* s = \"no\"; }"));
}

TEST(KernelSignature, ReadsPastLaunchBounds) {
    EXPECT_EQ("go: int N = 4; ",
              read("template <int N = 4>\n"
                   "__global__ void __launch_bounds__(256 * (N + 1), 2) go(int* a) {}"));
    EXPECT_EQ("go: ", read("__global__ __launch_bounds__(256) void go(int* a) {}"));
    EXPECT_EQ("go: ", read("__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(64 * (1 + 2)) "
                           "go(int* a) {}"));
}

TEST(KernelSignature, TakesThePlainKernelAfterAHelperTemplate) {
    EXPECT_EQ("go: ", read("template <typename T> __device__ T twice(T a) { return a + a; }\n"
                           "__global__ void go(float* a) { a[0] = twice(a[0]); }"));
}

TEST(KernelSignature, TakesAnIncludeForNoTemplate) {
    EXPECT_EQ("go: ", read("#include <cuda_fp16.h>\n\n__global__ void go(float* out) {}"));
}

TEST(KernelSignature, LeavesADefaultEmptyWhereThereIsNone) {
    EXPECT_EQ("go: typename T = ; int N = ; ",
              read("template <typename T, int N> __global__ void go(T* a) {}"));
}

TEST(KernelSignature, SaysWhatItCannotRead) {
    EXPECT_EQ("no __global__ function in this file", read("void go() {}"));
    EXPECT_EQ("no __global__ function in this file", read("void my__global__s() {}"));
    EXPECT_EQ("more than one __global__ function; a stage has exactly one",
              read("__global__ void a() {}\n__global__ void b() {}"));
    EXPECT_EQ("cannot read the template parameter \"32\"; write it like \"int TILE = 32\"",
              read("template <32> __global__ void a() {}"));
    EXPECT_EQ("cannot read the kernel's name after __global__", read("__global__ void"));
}

TEST(KernelSignature, KeepsPositionsWhenItBlanksComments) {
    EXPECT_EQ("a     \n  b \"//\" c", without_comments("a /*x*\n*/b \"//\" c"));
    EXPECT_EQ("a    \nb", without_comments("a //x\nb"));
    EXPECT_EQ("     ", without_comments("/*/ x"));
    EXPECT_EQ("\"\\\"/*\" 1", without_comments("\"\\\"/*\" 1"));
}

}  // namespace
}  // namespace lanewise
