#include "lab/kernel/struct_in_source.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

// Types in place of values: "{int n,{float x,float y}}".
std::string form(const char* source, const char* type) {
    return struct_form(struct_in_source(source, type), [](const StructMember& leaf) {
        return leaf.name.empty() ? leaf.type : leaf.type + " " + leaf.name;
    });
}

TEST(StructInSource, CudasVectorsHaveTheirAlignment) {
    EXPECT_EQ("{float x,float y,float z}", form("", "float3"));
    EXPECT_EQ("align16{float x,float y,float z,float w}", form("", "const float4"));
    EXPECT_EQ("align4{uchar x,uchar y,uchar z,uchar w}", form("", "uchar4"));
    EXPECT_EQ("align16{double x,double y,double z,double w}", form("", "double4"));
    EXPECT_EQ("align4{__half x,__half y}", form("", "__half2"));
    EXPECT_EQ("{uint x,uint y,uint z}", form("", "dim3"));
    EXPECT_EQ("float", form("", "float"));
    EXPECT_EQ("float4*", form("", "float4*"));
    EXPECT_EQ("float5", form("", "float5"));
}

TEST(StructInSource, MembersAreReadInTheirOrder) {
    const char* source =
        "constexpr int SIDE = 2;\n"
        "struct Pair { float a, b; };  // struct Pair { int no; };\n"
        "struct alignas(32) Params {\n"
        "    static constexpr int kTile = 32;\n"
        "    enum class Kind { one, two };\n"
        "    const float *in, *out = nullptr;\n"
        "    unsigned int n{4};\n"
        "    int pad[SIDE], m = f(1, 2);\n"
        "    Params() : n(4), m{5} { pad[0] = 1; }\n"
        "    __device__ int size() const { return n; }\n"
        "    float operator[](int i) const;\n"
        "   private:\n"
        "    ns::Pair pair;\n"
        "};\n"
        "typedef struct { short s; } Old;\n";
    EXPECT_EQ(
        "align32{const float* in,const float* out,unsigned int n,int pad[0],int pad[1],int m,"
        "{float a,float b}}",
        form(source, "const __grid_constant__ ns::Params"));
    EXPECT_EQ("{short s}", form(source, "Old"));
    EXPECT_EQ("{}",
              form("struct Plus { template <class T> T operator()(T a) { return a; } };", "Plus"));
}

TEST(StructInSource, WhatTheScanCannotBeSureOfIsALeaf) {
    for (const char* source :
         {"",
          "struct P;",
          "struct P : Q { int n; };",
          "struct P { int a : 3; };",
          "struct P { union { int a; float b; }; };",
          "struct P { int a[N]; };",
          "struct P { alignas(8) int a; };",
          "struct P { A<int> a; };",
          "struct P { P p; };",
          "struct P { virtual int f(); };",
          "struct P { int a[65]; };",
          "struct P { int a",
          "struct P { int (",
          "struct P { ; int }",
          "struct",
          "struct alignas",
          "struct P { * ; };",
          "struct P { public",
          "typedef struct {}",
          "struct A { int a[64]; }; struct B { A a[64]; }; struct P { B b[64]; };"})
        EXPECT_EQ("P", form(source, "P")) << source;
}

}  // namespace
}  // namespace lanewise
