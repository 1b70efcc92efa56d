// Intermediate code as clang 19.1 writes it before it optimises.
#include "compile/clang_accesses.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanewise {

static std::string with_layout(const std::string& code, const std::string& layout) {
    return code + "!44 = !{" + layout + "}\n";
}
static std::string copy_of(int to_align, int from_align, int bytes, const std::string& to = "%5",
                           const std::string& from = "%6") {
    return "  call void @llvm.memcpy.p0.p0.i64(ptr align " + std::to_string(to_align) + " " + to +
           ", ptr align " + std::to_string(from_align) + " " + from + ", i64 " +
           std::to_string(bytes) + ", i1 false), !dbg !43, !tbaa.struct !44\n";
}
constexpr const char* kFourFloats =
    "i64 0, i64 4, !38, i64 4, i64 4, !38, i64 8, i64 4, !38, i64 12, i64 4, !38";
constexpr const char* kTwoDoubles = "i64 0, i64 8, !1, i64 8, i64 8, !1";

static bool has(const std::string& ir, const std::string& part) {
    return with_whole_accesses(ir).find(part) != std::string::npos;
}
static bool stays(const std::string& ir) {
    std::string result = with_whole_accesses(ir);
    while (!result.empty() && result.ends_with("\n\n")) result.pop_back();
    return result == ir;
}

TEST(WholeAccesses, FourFloatsAreOneLoadAndOneStore) {
    std::string ir = with_layout(copy_of(16, 16, 16), kFourFloats);
    EXPECT_TRUE(has(ir,
                    "  %lanewise0 = load <4 x i32>, ptr %6, align 16, !dbg !43\n"
                    "  store <4 x i32> %lanewise0, ptr %5, align 16, !dbg !43\n"))
        << with_whole_accesses(ir);
}

TEST(WholeAccesses, TheWordsAreAsWideAsTheMembersAndTheAlignmentAllow) {
    EXPECT_TRUE(has(with_layout(copy_of(16, 16, 16), kTwoDoubles), "load <2 x i64>, ptr %6"));
    EXPECT_TRUE(has(with_layout(copy_of(8, 8, 8), "i64 0, i64 4, !1, i64 4, i64 4, !1"),
                    "load <2 x i32>, ptr %6, align 8"));
    EXPECT_TRUE(has(with_layout(copy_of(4, 4, 4), "i64 0, i64 2, !1, i64 2, i64 2, !1"),
                    "load i32, ptr %6, align 4"));
    std::string large = with_layout(copy_of(16, 16, 32),
                                    "i64 0, i64 8, !1, i64 8, i64 8, !1, i64 16, i64 8, !1, i64 "
                                    "24, i64 8, !1");
    EXPECT_TRUE(has(large, "getelementptr inbounds i8, ptr %6, i64 16, !dbg !43"));
}

TEST(WholeAccesses, PaddingAndLooselyAlignedOrLargeStructuresStay) {
    EXPECT_TRUE(stays(with_layout(copy_of(8, 8, 16), "i64 0, i64 8, !1, i64 8, i64 4, !1")));
    EXPECT_TRUE(stays(with_layout(copy_of(8, 8, 16), "i64 0, i64 4, !1, i64 8, i64 8, !1")));
    EXPECT_TRUE(stays(
        with_layout(copy_of(4, 4, 12), "i64 0, i64 4, !1, i64 4, i64 4, !1, i64 8, i64 4, !1")));
    EXPECT_TRUE(stays(with_layout(copy_of(16, 16, 128), "i64 0, i64 128, !1")));
}

// The optimiser keeps single numbers in registers; whole vectors of bytes it would take apart.
TEST(WholeAccesses, LocalMemoryIsAccessedNumberByNumber) {
    std::string local = "  %5 = alloca %union.Vector, align 16\n";
    std::string into = with_layout(local + copy_of(16, 16, 16), kFourFloats);
    EXPECT_TRUE(has(into, "load <4 x i32>, ptr %6, align 16"));
    EXPECT_TRUE(has(into, " = freeze <4 x i32> %lanewise0"));
    EXPECT_TRUE(has(into, "store i32 "));
    EXPECT_FALSE(has(into, "store <4 x i32>"));
    std::string out_of = with_layout(local + copy_of(16, 16, 16, "%6", "%5"), kFourFloats);
    EXPECT_TRUE(has(out_of, "load i32, ptr %5, align 4"));
    EXPECT_TRUE(has(out_of, "store <4 x i32> %lanewise"));
    // From one local variable to another: the optimiser's own.
    EXPECT_TRUE(stays(with_layout(
        "  %4 = alloca %struct.float4, align 16\n" + local + copy_of(16, 16, 16, "%4", "%5"),
        kFourFloats)));
}

TEST(WholeAccesses, APointerIntoAnArrayIsAlignedAsTheOtherSidesType) {
    std::string array = "  %4 = getelementptr inbounds [64 x i8], ptr @bytes, i64 0, i64 %3\n";
    EXPECT_TRUE(has(with_layout(array + copy_of(1, 16, 16, "%4"), kFourFloats),
                    "store <4 x i32> %lanewise0, ptr %4, align 16"));
    // A pointer of which nothing is known has its type's alignment: that holds.
    EXPECT_TRUE(stays(with_layout(copy_of(4, 16, 16), kFourFloats)));
}

TEST(WholeAccesses, ANumberIsReadAtOnceWhereverItLies) {
    EXPECT_TRUE(has("  %4 = load double, ptr %3, align 1, !dbg !8\n",
                    "  %4 = load double, ptr %3, align 8, !dbg !8\n"));
    EXPECT_TRUE(has("  store i32 %4, ptr %3, align 2\n", "  store i32 %4, ptr %3, align 4\n"));
    std::string packed =
        "%struct.P = type <{ i8, i32 }>\n"
        "  %3 = getelementptr inbounds %struct.P, ptr %2, i32 0, i32 1\n"
        "  %4 = load i32, ptr %3, align 1\n";
    EXPECT_TRUE(stays(packed));
}

TEST(WholeAccesses, SharedArraysAreKnownAndAlignedToFourNumbers) {
    std::string generic = "addrspacecast (ptr addrspace(3) @tile to ptr)";
    std::string ir =
        "%struct.half = type { i16 }\n"
        "@tile = internal addrspace(3) global [16 x [16 x float]] undef, align 4\n"
        "@halves = internal addrspace(3) global [16 x [16 x %struct.half]] undef, align 2\n"
        "@odd = internal addrspace(3) global [33 x float] undef, align 4\n"
        "define void @k() {\n"
        "  %4 = getelementptr inbounds [16 x [16 x float]], ptr " +
        generic +
        ", i64 0, i64 %3\n"
        "  %5 = load float, ptr %4, align 4\n"
        "}\n";
    EXPECT_TRUE(has(ir, "[16 x [16 x float]] undef, align 16\n"));
    EXPECT_TRUE(has(ir, "[16 x [16 x %struct.half]] undef, align 8\n"));
    EXPECT_TRUE(has(ir, "[33 x float] undef, align 4\n"));
    EXPECT_TRUE(has(ir,
                    "  %lanewise0 = getelementptr inbounds [16 x [16 x float]], ptr addrspace(3) "
                    "@tile, i64 0, i64 %3\n"
                    "  %4 = addrspacecast ptr addrspace(3) %lanewise0 to ptr\n"
                    "  %5 = load float, ptr addrspace(3) %lanewise0, align 4\n"))
        << with_whole_accesses(ir);
}

TEST(WholeAccesses, OperandsMayBeExpressionsWithAttributes) {
    std::string ir =
        "  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) "
        "%agg.tmp, ptr align 16 getelementptr inbounds ([2 x %struct.float4], ptr addrspacecast "
        "(ptr addrspace(3) @tile to ptr), i64 0, i64 1), i64 16, i1 false)\n";
    EXPECT_TRUE(has(ir,
                    "  %lanewise0 = load <4 x i32>, ptr getelementptr inbounds ([2 x "
                    "%struct.float4], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 0, "
                    "i64 1), align 16\n"
                    "  store <4 x i32> %lanewise0, ptr %agg.tmp, align 16\n"));
}

TEST(WholeAccesses, DoneTwiceGivesNamesOfItsOwn) {
    std::string once = with_whole_accesses(with_layout(copy_of(16, 16, 16), kFourFloats));
    EXPECT_TRUE(has(once + copy_of(16, 16, 16), "%lanewisex0 = load"));
}

}  // namespace lanewise
