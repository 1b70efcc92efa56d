#include "ui/part/kernel_form.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise::ui {
namespace {

const char* kSource =
    "__global__ void saxpy(float* out, const float* in, float a, int n) {}\n"
    "template <typename T, int TILE = 16, int ROWS>\n"
    "__global__ void turn(const T* in, T* out, int rows, int cols) {}\n";

TEST(KernelForm, SuggestsWhatTheTypesAskFor) {
    auto kernels = kernels_in_source(kSource);
    ASSERT_EQ(2u, kernels.size());
    KernelForm saxpy = suggested_form(kernels[0], kSource);
    EXPECT_EQ("saxpy", saxpy.kernel);
    EXPECT_EQ((std::vector<std::string>{"f32[65536]", "f32[65536]", "f32:1", "i32:65536"}),
              saxpy.arguments);
    EXPECT_EQ("256", saxpy.grid);
    KernelForm turn = suggested_form(kernels[1], kSource);
    EXPECT_EQ("turn<float, 16, 32>", turn.kernel);
    EXPECT_EQ("i32:256", turn.arguments[2]);
    EXPECT_EQ("8,32", turn.grid);
    EXPECT_EQ("32,8", turn.block);
    EXPECT_EQ("u8[65536]", suggested_argument("const unsigned char* __restrict__ pixels", ""));
    EXPECT_EQ("f64:1", suggested_argument("double factor", ""));
    EXPECT_EQ("u8:1", suggested_argument("unsigned char n", ""));  // 65,536 would not fit
    EXPECT_EQ("u64:65536", suggested_argument("size_t n", ""));
}

TEST(KernelForm, SuggestsTheMembersOfAStruct) {
    EXPECT_EQ("{f32:1,f32:1,f32:1}", suggested_argument("float3 shift", ""));
    EXPECT_EQ("{u8:1,u8:1,u8:1,u8:1}", suggested_argument("const uchar4 colour", ""));
    EXPECT_EQ("{u32:1,u32:1,u32:1}", suggested_argument("dim3 size", ""));
    EXPECT_EQ("{u16:1,u16:1}", suggested_argument("__half2 factor", ""));
    EXPECT_EQ("f32[65536]", suggested_argument("const float4* in", ""));
    std::string source =
        "struct Params { const float* in; double* out; int n, pad[2]; float4 weight; };\n"
        "struct Plus {};\n"
        "__global__ void apply(const __grid_constant__ Params p, Plus op) {}\n";
    KernelForm form = suggested_form(kernels_in_source(source)[0], source);
    EXPECT_EQ((std::vector<std::string>{"{f32[65536],f64[65536],i32:65536,i32:1,i32:1,"
                                        "align16{f32:1,f32:1,f32:1,f32:1}}",
                                        "{}"}),
              form.arguments);
    EXPECT_TRUE(form_problems(form, kernels_in_source(source)).empty());
    form.arguments[1] = "{";
    EXPECT_EQ("arg \"{\": a brace is not closed; a struct is {MEMBER,MEMBER,…}",
              form_problems(form, kernels_in_source(source))["arg:1"]);
}

TEST(KernelForm, EachFieldSaysWhatIsWrongWithIt) {
    auto kernels = kernels_in_source(kSource);
    KernelForm form = suggested_form(kernels[0], kSource);
    EXPECT_TRUE(form_problems(form, kernels).empty());
    form.kernel = "saxpi";
    form.grid = "0";
    form.block = "64,64";
    form.dynamic_shared = "many";
    form.cluster = "3,x";
    form.arguments[1] = "f33[8]";
    auto problems = form_problems(form, kernels);
    EXPECT_EQ(6u, problems.size());
    EXPECT_EQ("cluster 3,x: a cluster is X[,Y[,Z]] blocks, 1 to 8 in all, and on some cards 16",
              problems["cluster"]);
    EXPECT_EQ("The file has no kernel \"saxpi\"; did you mean saxpy? It has saxpy, turn.",
              problems["kernel"]);
    EXPECT_EQ("grid's x is 0; the hardware takes 1 to 2,147,483,647", problems["grid"]);
    EXPECT_NE(std::string::npos, problems["block"].find("4,096 threads")) << problems["block"];
    EXPECT_NE(std::string::npos, problems["dynamic_shared"].find("\"many\""));
    EXPECT_NE(std::string::npos, problems["arg:1"].find("f33")) << problems["arg:1"];
    EXPECT_THROW(launch_of(form), Error);
    for (const char* known : {"saxpy", "turn<float, 8, 8>", "a::saxpy", "(void (*)(int*))saxpy"})
        EXPECT_NE(nullptr, kernel_called(kernels, known)) << known;
    EXPECT_EQ("The file has no __global__ function.", form_problems(form, {})["kernel"]);
}

// As the command line has it: among the variables, whole; and nothing where the field is empty.
TEST(KernelForm, HasTheSizeOfClusters) {
    KernelForm form;
    form.kernel = "saxpy";
    form.arguments = {"f32[64]"};
    form.variables = "filter=f32[25]=0.04";
    EXPECT_EQ(std::vector<std::string>{"filter=f32[25]=0.04"}, launch_of(form).variables);
    form.cluster = "  ";
    EXPECT_EQ(1u, launch_of(form).variables.size());
    form.cluster = " 2,1 ";
    EXPECT_TRUE(form_problems(form, kernels_in_source(kSource)).empty());
    EXPECT_EQ((std::vector<std::string>{"filter=f32[25]=0.04", "$cluster=2,1,1"}),
              launch_of(form).variables);
    for (const char* wrong : {"17", "0", "4,4,2", "2,2,2,2", "-1", "two"}) {
        form.cluster = wrong;
        EXPECT_EQ(1u, form_problems(form, kernels_in_source(kSource)).count("cluster")) << wrong;
    }
    LaunchProposal proposal;
    proposal.command = {"lanewise-engine", "trace",  "a.cu",      "--kernel", "saxpy",
                        "--grid",          "4",      "--cluster", "2,1,1",    "--block", "64"};
    EXPECT_EQ("2,1,1", form_of(proposal).cluster);
}

TEST(KernelForm, DescribesALaunch) {
    KernelForm form;
    form.kernel = " turn<float, 16, 8> ";
    form.grid = "3,4";
    form.block = "16,8";
    form.dynamic_shared = "1024";
    form.arguments = {"f32[64]", "i32:8"};
    form.include_folders = "/usr/include: include";
    form.defines = "FAST  N=4";
    OwnLaunch own = launch_of(form);
    EXPECT_EQ("turn<float, 16, 8>", own.kernel);
    EXPECT_EQ(12u, own.shape.grid.count());
    EXPECT_EQ(128u, own.shape.block.count());
    EXPECT_EQ(1024u, own.shape.dynamic_shared_bytes);
    EXPECT_EQ((std::vector<std::string>{"/usr/include", "include"}), own.include_folders);
    EXPECT_EQ((std::vector<std::string>{"FAST", "N=4"}), own.defines);
}

}  // namespace
}  // namespace lanewise::ui
