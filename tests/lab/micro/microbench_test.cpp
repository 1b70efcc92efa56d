// The micro-benchmarks as far as a machine without a GPU can tell: every kernel compiles, and no
// launch leaves the memory that it is given.
#include "lab/micro/microbench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "../../needs.h"
#include "compile/compiler.h"

namespace lanewise {
namespace {

MicrobenchCard h200() { return {132, 233'472, 2ull << 30, 16ull << 30, 16ull << 20}; }

// That each was compiled, of this very source, is held by what is shipped (offered_programs_test.cpp). So here
// it is the first and the last of each template's, as far as machine code that fits the card.
TEST(Microbench, EveryTemplateCompiles) {
    NEEDS_NVRTC();
    std::set<std::string> all = {"chase_fill", "occupying<4, 0>", "occupying<236, 100>"}, kernels;
    for (const Microbench& bench : microbenches(h200())) all.insert(bench.kernel);
    auto name = [](const std::string& kernel) { return kernel.substr(0, kernel.find('<')); };
    for (auto at = all.begin(); at != all.end(); ++at)
        if (at == all.begin() || std::next(at) == all.end() || name(*at) != name(*std::prev(at)) ||
            name(*at) != name(*std::next(at)))
            kernels.insert(*at);
    for (const std::string& kernel : kernels) {
        CompileOptions options;
        options.kernel = kernel;
        Program program = compile({"microbench.cu", micro_source()}, options);
        EXPECT_FALSE(program.cubin.empty()) << kernel;
    }
}

// Every byte of 2 GiB read once, 4 bytes a thread and 256 threads: 2^31 / 2^10 blocks.
TEST(Microbench, CoversTheMemoryOnce) {
    std::vector<Microbench> list = microbenches(h200());
    auto find = [&](const std::string& kernel) {
        return *std::find_if(list.begin(), list.end(), [&](const Microbench& b) {
            return b.kernel == kernel && b.bytes == h200().memory_bytes;
        });
    };
    EXPECT_EQ(1u << 21, find("micro_read<u32, 1, 1>").blocks);
    EXPECT_EQ(1u << 17, find("micro_read<uint4, 4, 1>").blocks);
    EXPECT_EQ(1u << 16, find("micro_copy<uint4, 4, 1>").blocks);  // half of it, to the other half
    EXPECT_EQ(1u << 19, find("micro_walk<0, 128>").blocks);
}

TEST(Microbench, LaunchesWhatACardTakes) {
    for (const Microbench& bench : microbenches(h200())) {
        EXPECT_GE(bench.blocks, 1u) << bench.name;
        EXPECT_LE(bench.threads, 1024u) << bench.name;
        EXPECT_LE(bench.bytes, h200().reach_bytes) << bench.name;
        EXPECT_LE(bench.dynamic_shared, 232'448u) << bench.name;
        EXPECT_GT(bench.work, 0) << bench.name;
        EXPECT_FALSE(bench.unit.empty()) << bench.name;
    }
}

}  // namespace
}  // namespace lanewise
