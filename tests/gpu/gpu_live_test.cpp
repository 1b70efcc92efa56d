// On a real GPU; every test skips itself, saying so, where there is none.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "../shipped_stages.h"
#include "gpu/device.h"
#include "lab/job/needs.h"
#include "lab/measure/bench.h"
#include "lab/measure/rig.h"
#include "sim/memory/memory.h"
#include "stages_under_test.h"

namespace lanewise {

class Live : public testing::Test {
  protected:
    void SetUp() override {
        if (!gpu_status().found) GTEST_SKIP() << gpu_status().problem;
    }
};

TEST_F(Live, TheCardDescribesItself) {
    const GpuDescription& gpu = Gpu::open().description();
    EXPECT_FALSE(gpu.name.empty());
    EXPECT_EQ(0u, gpu.arch.find("sm_"));
    EXPECT_NE(std::string::npos, gpu.driver.find('.'));
    EXPECT_GT(gpu.sm_count, 0);
    EXPECT_GE(gpu.max_threads_per_sm, 1024);
    EXPECT_GE(gpu.max_blocks_per_sm, 16);
    EXPECT_GE(gpu.registers_per_sm, 32768);
    EXPECT_GE(gpu.shared_bytes_per_sm, 48 * 1024);
    EXPECT_GE(gpu.shared_bytes_per_block, 48 * 1024);
    EXPECT_GT(gpu.l2_bytes, 0u);
    EXPECT_GT(gpu.total_bytes, 0u);
    EXPECT_GT(Gpu::open().free_bytes(), 0u);
    RecordProperty("card", gpu.name + ", driver " + gpu.driver);
}

TEST_F(Live, AKernelRuns) {
    Gpu& gpu = Gpu::open();
    CompileOptions options;
    options.kernel = "add<3>";
    options.arch = gpu.description().arch;
    Program program = compile({"add.cu",
                               "template <int N> __global__ void add(int* out, int n, double d) {\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    if (i < n) out[i] += N + int(d);\n"
                               "}\n"},
                              options);
    GpuModule kernel = gpu.load(program.cubin, program.entry);
    GpuBuffer buffer = gpu.allocate(400);
    gpu.fill_words(buffer, 5);
    struct {
        uint64_t out;
        int32_t n;
        double d;
    } arguments = {buffer.address(), 99, 4.5};
    gpu.launch(kernel, {{4, 1, 1}, {32, 1, 1}, 0}, std::as_bytes(std::span(&arguments, 1)));
    std::array<int32_t, 100> words = {};
    gpu.download(std::as_writable_bytes(std::span(words)), buffer);
    EXPECT_EQ(12, words[0]);
    EXPECT_EQ(12, words[98]);
    EXPECT_EQ(5, words[99]);
}

TEST_F(Live, AGraphRepeatsLaunchesAndCopies) {
    Gpu& gpu = Gpu::open();
    GpuBuffer a = gpu.allocate(64), b = gpu.allocate(64);
    GpuGraph graph = gpu.capture([&] {
        gpu.fill_words(a, 7);
        gpu.copy_on_device(b, a, 64);
    });
    gpu.fill_words(b, 1);
    uint32_t word = 0;
    gpu.download(std::as_writable_bytes(std::span(&word, 1)), b);
    EXPECT_EQ(1u, word);
    gpu.launch(graph);
    gpu.download(std::as_writable_bytes(std::span(&word, 1)), b, 60);
    EXPECT_EQ(7u, word);
}

TEST_F(Live, EventsTellHowLongTheStreamWasHeld) {
    Gpu& gpu = Gpu::open();
    Rig rig(gpu, {16, 16, 1, 4}, nullptr);
    GpuEvent start = gpu.event(), stop = gpu.event();
    rig.hold(1);  // the driver loads a kernel's code at its first launch
    rig.wait(5);
    gpu.record(start);
    rig.hold(2000);
    gpu.record(stop);
    rig.wait(5);
    EXPECT_GE(stop.us_since(start), 1900);
    EXPECT_LE(stop.us_since(start), 4000);
}

TEST_F(Live, RightIsRightForEveryElementSizeAndShape) {
    for (const char* type : {"f32", "f64", "f16", "u8"})
        for (auto [rows, cols] : {std::pair{1, 1}, {1, 4096}, {33, 65}, {1000, 50}}) {
            Measurement m = measure(make_job(kRight, rows, cols, type));
            EXPECT_TRUE(m.correct)
                << type << " " << rows << " x " << cols << ": " << m.mismatch.count
                << " wrong, first at " << m.mismatch.row << ", " << m.mismatch.col << ": "
                << m.mismatch.actual << " instead of " << m.mismatch.expected;
            EXPECT_TRUE(measure(make_job(kAsCopy, rows, cols, type)).correct) << type;
        }
}

TEST_F(Live, AQuarterIsFoundOut) {
    Measurement m = measure(make_job(kQuarter, 1024, 512));
    EXPECT_FALSE(m.correct);
    EXPECT_EQ(1024u * 512 * 3 / 4, m.mismatch.count);
    EXPECT_EQ(0, m.mismatch.row);
    EXPECT_EQ(256, m.mismatch.col);
    EXPECT_EQ(input_element_in_hex(256 * 512, 4), m.mismatch.expected);
}

TEST_F(Live, StaleOutputNeverPasses) {
    for (const char* type : {"f32", "f64", "f16", "u8"}) {
        Measurement m = measure(make_job(kWritesNothing, 333, 65, type));
        EXPECT_FALSE(m.correct);
        EXPECT_EQ(333u * 65, m.mismatch.count) << type;
    }
}

TEST_F(Live, AStageThatSpoilsItsInputHarmsNoOther) {
    auto results = measure_together({make_job(kSpoilsInput, 256, 256), make_job(kRight, 256, 256)});
    EXPECT_FALSE(results.at(0).correct);
    EXPECT_TRUE(results.at(1).correct);
}

TEST_F(Live, EveryStageOfTheLadderIsCorrectAtAwkwardShapes) {
    const Catalogue& catalogue = shipped_stages();
    size_t stages = 0;
    for (const Stage& stage : catalogue.stages()) {
        if (is_exercise(stage) || !cannot_launch(stage).empty()) continue;
        ++stages;
        // One by one: products of different inputs cannot be measured side by side. They have a
        // third side; what cannot take a shape is passed over.
        for (MatrixSize size : {MatrixSize{1, 1}, {33, 65}, {1000, 50}, {1024, 1024}})
            for (int64_t inner : {size.inner, int64_t{97}}) {
                size.inner = inner;
                if (!left_out(stage, size, "").empty()) continue;
                for (const Measurement& m : bench({stage}, {size}))
                    EXPECT_TRUE(m.correct) << m.stage << " at " << m.rows << " x " << m.cols << ": "
                                           << m.mismatch.count << " wrong";
            }
    }
    EXPECT_GT(stages, 0u);
}

TEST_F(Live, ACopyOfAGibibyteHasAPlausibleSpeed) {
    if (Gpu::open().free_bytes() < (uint64_t{3} << 30)) GTEST_SKIP() << "too little GPU memory";
    Measurement m = measure(make_job(kAsCopy, 16384, 16384));
    EXPECT_TRUE(m.correct);
    EXPECT_GE(m.samples_us.size(), 30u);
    EXPECT_TRUE(m.beyond_l2);
    EXPECT_GT(m.yardstick.gb_per_s, 50);
    EXPECT_LT(m.yardstick.gb_per_s, 20'000);
    EXPECT_LT(m.yardstick.gb_per_s, 1.02 * m.provenance.datasheet_gb_per_s);
    EXPECT_LT(m.yardstick.ratio.median, 1.05);
    EXPECT_LE(m.time_us.p05, m.time_us.median);
    EXPECT_LE(m.time_us.median, m.time_us.p95);
}

// Each in a process of its own, because the GPU stays lost. Started anew rather than forked: the
// driver does not survive a fork.
static void measure_illegal() {
    try {
        measure(make_job(kIllegal, 64, 32));
    } catch (const Error& error) {
        bool said = std::strstr(error.what(), "memory that is not its own") != nullptr;
        std::_Exit(error.status() == Status::failed_check && said && Gpu::lost() ? 0 : 1);
    }
    std::_Exit(2);
}

static void measure_endless() {
    MeasureOptions options;
    options.time_limit_s = 0.5;
    try {
        measure(make_job(kEndless, 64, 32), options);
    } catch (const Error& error) {
        std::_Exit(error.status() == Status::out_of_time && Gpu::lost() ? 0 : 1);
    }
    std::_Exit(2);
}

TEST_F(Live, AnIllegalAccessLosesTheGpuAndSaysSo) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(measure_illegal(), testing::ExitedWithCode(0), "");
}

TEST_F(Live, AnEndlessKernelIsGivenUp) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(measure_endless(), testing::ExitedWithCode(0), "");
}

}  // namespace lanewise
