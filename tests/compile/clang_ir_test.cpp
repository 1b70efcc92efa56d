// Intermediate code as clang 19.1 writes it.
#include "compile/clang_ir.h"

#include <gtest/gtest.h>

namespace lanewise {

TEST(EntryOf, IsFoundWhateverItsReferencesAreCountedFrom) {
    std::string ir =
        "@_Z14lanewise_entryIXadL_Z3depIfEvPKT_PS1_EEE = internal addrspace(1) global i8 0\n"
        "define dso_local void @_Z3depIdEvPKT_PS0_(ptr %0) #0 {\n"
        "define dso_local void @_Z3depIfEvPKT_PS0_(ptr %0) #0 comdat !dbg !40 {\n"
        "!1 = !{ptr @_Z3depIfEvPKT_PS0_, !\"kernel\", i32 1}\n";
    EXPECT_EQ("_Z3depIfEvPKT_PS0_", entry_in(ir));
    EXPECT_EQ(std::string::npos, without_marker(ir).find("lanewise_entry"));
    EXPECT_EQ(0u, without_marker(ir).find("\ndefine dso_local void @_Z3depId"));
}

TEST(EntryOf, NewerClangsSayKernelInTheDefinition) {
    EXPECT_EQ("plain", entry_in("@_Z14lanewise_entryITnDaXadL_Z5plainEEE = internal global i8 0\n"
                                "define dso_local ptx_kernel void @plain(ptr %0) #0 {\n"));
}

TEST(EntryOf, AFunctionOfTheDeviceIsNone) {
    EXPECT_EQ("", entry_in("@_Z14lanewise_entryIXadL_Z1fPiEEE = internal global i8 0\n"
                           "define dso_local void @_Z1fPi(ptr %0) #0 {\n"));
    EXPECT_EQ("", entry_in("define dso_local void @_Z1fPi(ptr %0) #0 {\n"));
}

TEST(GridConstants, AreNotedWithTheNumberOfTheirParameter) {
    std::string ir =
        "@.str = private unnamed_addr constant [23 x i8] c\"lanewise_grid_constant\\00\"\n"
        "define dso_local void @k(ptr noundef %0, ptr noundef byval(%struct.M) align 64 %1, ptr "
        "noundef byval(%struct.M) align 64 %2) #2 {\n"
        "  call void @llvm.var.annotation.p0.p0(ptr %2, ptr @.str, ptr @.str1, i32 85, ptr null)\n"
        "}\n"
        "!nvvm.annotations = !{!0}\n";
    std::string result = with_grid_constants(ir);
    EXPECT_EQ(std::string::npos, result.find("call void @llvm.var.annotation"));
    EXPECT_NE(std::string::npos, result.find("!nvvm.annotations = !{!900000000, !0}\n"));
    EXPECT_NE(std::string::npos,
              result.find("!900000000 = !{ptr @k, !\"grid_constant\", !900000001}\n"
                          "!900000001 = !{i32 3}\n"));
}

TEST(ClusterMarks, StandInTheHeadOfTheKernel) {
    const std::string ir =
        "@.str = private unnamed_addr constant [17 x i8] c\"lanewise_cluster\\00\", section \"m\"\n"
        "@.str1 = private unnamed_addr constant [5 x i8] c\"k.cu\\00\", section \"m\"\n"
        "@.args = private unnamed_addr constant { i32, i32, i32 } { i32 2, i32 1, i32 1 }, section \"m\"\n"
        "@.args2 = private unnamed_addr constant { i32 } { i32 4 }, section \"m\"\n"
        "@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] "
        "[{ ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @.str, ptr @.str1, i32 4, ptr @.args }, "
        "{ ptr, ptr, ptr, i32, ptr } { ptr @k2, ptr @.str, ptr @.str1, i32 5, ptr @.args2 }], "
        "section \"m\"\n";
    auto ptx = [](const std::string& name, const std::string& more) {
        return ".visible .entry " + name + "(\n.param .u64 p\n)" + more + "\n{\nret;\n}\n";
    };
    EXPECT_EQ(ptx("k", "\n.explicitcluster\n.reqnctapercluster 2, 1, 1"),
              with_cluster(ptx("k", ""), ir, "k"));
    EXPECT_EQ(ptx("k2", "\n.explicitcluster\n.reqnctapercluster 4"),
              with_cluster(ptx("k2", ""), ir, "k2"));
    EXPECT_EQ(ptx("k3", ""), with_cluster(ptx("k3", ""), ir, "k3"));
    EXPECT_EQ(ptx("k", ""), with_cluster(ptx("k", ""), "", "k"));
}

}  // namespace lanewise
