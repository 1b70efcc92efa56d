// Expected values as `ptxas -v` tells them for these kernels.
#include "compile/cubin.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "compile/sass.h"
#include "compile/sass_flow.h"
#include "padded.h"

namespace lanewise {

TEST(Cubin, TellsRegistersSharedAndLocalBytes) {
    KernelResources padded = kernel_resources(fixture("padded.sm_90.cubin"), kPadded);
    EXPECT_EQ(30, padded.registers_per_thread);
    EXPECT_EQ(4224, padded.static_shared_bytes);  // 32 * 33 * 4; the system's 1,024 not counted
    EXPECT_EQ(0, padded.local_bytes);
}

TEST(Cubin, IsReadBeforeSm90Too) {  // no reserved kilobyte in the section there
    KernelResources padded = kernel_resources(fixture("padded.sm_75.cubin"), kPadded);
    EXPECT_EQ(28, padded.registers_per_thread);
    EXPECT_EQ(4224, padded.static_shared_bytes);
}

TEST(Cubin, LocalArraysAreCounted) {  // float a[64], indexed by a value from memory
    KernelResources local = kernel_resources(fixture("local.sm_90.cubin"), "_Z1kPf");
    EXPECT_EQ(40, local.registers_per_thread);
    EXPECT_EQ(8000, local.static_shared_bytes);  // float s[2000]
    EXPECT_EQ(256, local.local_bytes);
}

TEST(Cubin, AMissingKernelIsNamed) {
    try {
        kernel_resources(fixture("padded.sm_90.cubin"), "_Z4nope");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        EXPECT_STREQ("the cubin has no kernel _Z4nope", error.what());
    }
}

TEST(Cubin, CutOffAnywhereIsAnErrorOrStillRight) {
    std::string whole = fixture("padded.sm_90.cubin");
    for (size_t length = 1; length < whole.size(); ++length) {
        try {
            // Exactly `length` bytes on the heap, so that the address sanitizer sees any overrun.
            std::string cut(whole, 0, length);
            cut.shrink_to_fit();
            EXPECT_EQ(30, kernel_resources(cut, kPadded).registers_per_thread) << length;
        } catch (const Error& error) {
            EXPECT_EQ(Status::bad_input, error.status());
        }
    }
    EXPECT_THROW(kernel_resources(whole.substr(0, 64), kPadded), Error);
    EXPECT_THROW(
        kernel_resources("not a cubin, but longer than an ELF header would have to be", kPadded),
        Error);
}

// Not zero: nobody has said anything.
TEST(Cubin, WhereThereIsNoneNothingIsKnown) {
    KernelResources none = kernel_resources("", kPadded);
    EXPECT_EQ(std::nullopt, none.registers_per_thread);
    EXPECT_EQ(std::nullopt, none.local_bytes);
    EXPECT_TRUE(sass_memory_operations("", kPadded).empty());
    EXPECT_TRUE(sass_turns("", kPadded).empty());
}

TEST(Cubin, AnyByteChangedNeverReadsOutside) {
    std::string whole = fixture("padded.sm_90.cubin");
    int errors = 0;
    for (size_t at = 0; at < whole.size(); ++at)
        for (char value : {'\0', '\x7f', '\xff'}) {
            std::string changed = whole;
            changed[at] = value;
            try {
                kernel_resources(changed, kPadded);
            } catch (const Error&) {
                ++errors;
            }
        }
    EXPECT_GT(errors, 100);  // the ELF header and the section names at least
}

}  // namespace lanewise
