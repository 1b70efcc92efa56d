// From which loads a store's values come, on PTX written by hand.
#include "trace/value_sources.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "run_ptx.h"

namespace lanewise {
namespace {

// The instructions of `body`, and which of its loads reach the store on its last line.
std::vector<std::string> loads_of_store(const std::string& body) {
    ptx::Kernel kernel = ptx::parse(kernel_around(body)).kernels.at(0);
    size_t store = 0;
    for (size_t i = 0; i < kernel.instructions.size(); ++i)
        if (kernel.instructions[i].parts[0] == "st") store = i;
    ValueSources sources(kernel);
    std::vector<std::string> loads;
    for (uint32_t load : sources.of_store(static_cast<uint32_t>(store)))
        loads.push_back(kernel.instructions[load].text);
    return loads;
}

TEST(ValueSources, GoThroughMovesAndArithmeticButNotThroughAddresses) {
    using Loads = std::vector<std::string>;
    EXPECT_EQ((Loads{"ld.global.u32 %r1, [%rd1]"}),
              loads_of_store("ld.global.u32 %r9, [%rd2]; ld.global.u32 %r1, [%rd1];"
                             "cvt.u64.u32 %rd3, %r9; mov.u32 %r2, %r1; add.u32 %r3, %r2, 7;"
                             "st.shared.u32 [%rd3], %r3;"));
    // One of two by a predicate that a third has decided.
    EXPECT_EQ((Loads{"ld.global.u32 %r1, [%rd1]", "ld.global.u32 %r2, [%rd2]"}),
              loads_of_store("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd2];"
                             "ld.global.u32 %r3, [%rd3]; setp.eq.u32 %p1, %r3, 0;"
                             "selp.b32 %r4, %r1, %r2, %p1; st.shared.u32 [%rd4], %r4;"));
    // Zeros where the load is left out: both write the register.
    EXPECT_EQ((Loads{"@%p1 ld.global.u32 %r1, [%rd1]"}),
              loads_of_store("mov.u32 %r1, 0; @%p1 ld.global.u32 %r1, [%rd1];"
                             "st.shared.u32 [%rd4], %r1;"));
}

TEST(ValueSources, EndWhereSharedMemoryIsRead) {
    EXPECT_TRUE(loads_of_store("ld.global.u32 %r1, [%rd1]; st.shared.u32 [%rd2], %r1;"
                               "ld.shared.u32 %r2, [%rd2]; add.u32 %r3, %r2, %r2;"
                               "st.shared.u32 [%rd3], %r3;")
                    .empty());
}

TEST(ValueSources, VectorsAreAllTheirRegisters) {
    EXPECT_EQ(1u, loads_of_store("ld.global.v2.u32 {%r1, %r2}, [%rd1]; mov.b64 %rd5, {%r1, %r2};"
                                 "st.shared.u64 [%rd2], %rd5;")
                      .size());
}

}  // namespace
}  // namespace lanewise
