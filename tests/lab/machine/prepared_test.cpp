// What is kept from job to job: kernels by their size, not only by their number.
#include "lab/machine/prepared.h"

#include <gtest/gtest.h>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

class Prepared : public testing::Test {
  protected:
    // A stage like 10_naive, another one for each number, whose PTX has so many lines more.
    Job job(int number, int instructions) const {
        Job job;
        job.stage = catalogue_.find("10_naive");
        std::string& source = job.stage.source;
        std::string lines = "// " + std::to_string(number) + "\n    int spin = 0;\n";
        for (int i = 0; i < instructions; ++i)
            lines += "    asm volatile(\"add.s32 %0, %0, 1;\" : \"+r\"(spin));\n";
        size_t body = source.find("{\n", source.find("__global__"));
        source.insert(body + 2, lines);
        validate(job);
        return job;
    }
    const Catalogue& catalogue_ = shipped_stages();
};

TEST_F(Prepared, TheSameKernelIsKept) {
    NEEDS_NVRTC();
    prepare(job(1, 0));
    EXPECT_TRUE(prepare(job(1, 0)).reused);
    EXPECT_FALSE(prepare(job(2, 0)).reused);
    EXPECT_TRUE(prepare(job(1, 0)).reused);
}

// As the engine does for the window, which says who compiled a kernel, and how long that took.
TEST_F(Prepared, WhatWasPreparedAheadIsNewToTheFirstThatAsks) {
    NEEDS_NVRTC();
    const Job first = job(31, 0);
    prepare_ahead(first);
    prepare_ahead(first);  // nobody has heard of it yet
    const Preparation heard = prepare(first);
    EXPECT_FALSE(heard.reused);
    const Preparation again = prepare(first);
    EXPECT_TRUE(again.reused);
    EXPECT_GT(heard.milliseconds, again.milliseconds);  // which only looks for it
    prepare_ahead(first);
    EXPECT_TRUE(prepare(first).reused);
}

// 48 MiB hold two kernels of more than 512 KiB of PTX at 32 bytes for each, and not three.
TEST_F(Prepared, LargeKernelsAreLetGo) {
    NEEDS_NVRTC();
    constexpr int kInstructions = 8000;
    size_t ptx = prepare(job(11, kInstructions)).kernel->program.ptx.size();
    ASSERT_GT(ptx, 512u << 10);
    ASSERT_LT(ptx, 768u << 10) << "two of these would already be too many: choose fewer lines";
    prepare(job(12, kInstructions));
    EXPECT_TRUE(prepare(job(11, kInstructions)).reused);
    prepare(job(13, kInstructions));  // the one not used for longest goes
    EXPECT_TRUE(prepare(job(11, kInstructions)).reused);
    EXPECT_TRUE(prepare(job(13, kInstructions)).reused);
    EXPECT_FALSE(prepare(job(12, kInstructions)).reused);
}

TEST_F(Prepared, ASourceIsCheckedWithoutBeingCompiled) {
    NEEDS_NVRTC();
    Job good = job(21, 0);
    EXPECT_NO_THROW(check_source(good));
    good.stage.source.insert(good.stage.source.find("int spin"), "nothing; ");
    try {
        check_source(good);
        FAIL() << "it does not compile";
    } catch (const CompileError& error) {
        ASSERT_FALSE(error.diagnostics().empty());
        EXPECT_EQ("identifier \"nothing\" is undefined", error.diagnostics()[0].text);
        EXPECT_EQ(5, error.diagnostics()[0].column);
    }
    Job wrong = job(22, 0);
    wrong.knobs["NONE"] = 1;
    EXPECT_THROW(check_source(wrong), Error);  // as every other question about it
}

}  // namespace
}  // namespace lanewise
