#include "lab/kernel/kernel_list.h"

#include <gtest/gtest.h>

namespace lanewise {

TEST(KernelList, FindsEveryKernelWithItsTemplateAndParameters) {
    auto kernels = kernels_in_source(R"cu(
// __global__ void commented_out(int n) {}
__global__ void declared(int n);
__device__ float helper(float x) { return x; }
extern "C" __global__ void
plain(const float* __restrict__ in,
      float* out, int n = 1) { }
namespace a {
template <typename T, int TILE = (2 < 3 ? 32 : 16)>
static __global__ void __launch_bounds__(256, 2) tiled(T (*in)[3], Pair<T, int> pair) {}
}
__global__ void nothing() {}
)cu");
    ASSERT_EQ(3u, kernels.size());
    EXPECT_EQ("plain(const float* __restrict__ in, float* out, int n = 1)", in_words(kernels[0]));
    EXPECT_EQ(5, kernels[0].line);
    EXPECT_EQ("tiled", kernels[1].name);
    EXPECT_EQ((std::vector<std::string>{"T (*in)[3]", "Pair<T, int> pair"}), kernels[1].parameters);
    EXPECT_EQ(10, kernels[1].line);
    EXPECT_EQ("nothing()", in_words(kernels[2]));
}

TEST(KernelList, KeepsTheTemplateLine) {
    auto kernels =
        kernels_in_source("template <typename T,\n   int N = 4>\n__global__ void f(T* t) {}");
    ASSERT_EQ(1u, kernels.size());
    EXPECT_EQ("template <typename T, int N = 4> f(T* t)", in_words(kernels[0]));
}

TEST(KernelList, TextThatIsNoKernelGivesNone) {
    for (const char* text : {"", "__global__", "__global__ void f(", "__global__ void f(int) ;",
                             "__global__ (((", "int main() {}"})
        EXPECT_EQ("The source has no __global__ function", list_of_kernels(text)) << text;
}

TEST(KernelList, NamesOfParameters) {
    EXPECT_EQ("in", parameter_name("const float* __restrict__ in"));
    EXPECT_EQ("n", parameter_name("int n = 3"));
    EXPECT_EQ("table", parameter_name("float table[]"));
    EXPECT_EQ("", parameter_name("unsigned int"));
    EXPECT_EQ("", parameter_name("float4"));
    EXPECT_EQ("", parameter_name("const float* __restrict__"));
}

TEST(KernelList, BaseNames) {
    EXPECT_EQ("saxpy", base_name("saxpy"));
    EXPECT_EQ("copy", base_name("tile::copy<vec<float, 4>, 32>"));
    EXPECT_EQ("over", base_name("(void (*)(int*))over"));
    EXPECT_EQ("", base_name(""));
}

}  // namespace lanewise
