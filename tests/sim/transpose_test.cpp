// Whole kernels, as NVRTC compiled them, at awkward shapes.
#include <gtest/gtest.h>

#include "../case_name.h"
#include "run_ptx.h"

namespace lanewise {
namespace {

uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

struct Stage {
    const char* file;
    Dim3 block;
    bool transposes;
};
void PrintTo(const Stage& stage, std::ostream* to) { *to << stage.file; }
const Stage kStages[] = {{"copy.ptx", {32, 8}, false},
                         {"naive.ptx", {32, 32}, true},
                         {"naive_write.ptx", {32, 32}, true},
                         {"tiled.ptx", {32, 8}, true},
                         {"padded.ptx", {32, 8}, true}};

class Transposes : public testing::TestWithParam<std::tuple<Stage, std::pair<uint32_t, uint32_t>>> {
};

TEST_P(Transposes, EveryElementAndNoFault) {
    const auto& [stage, shape] = GetParam();
    auto [rows, cols] = shape;
    ptx::Kernel kernel = fixture(stage.file);
    Machine machine(kernel);
    Memory memory;
    uint64_t in = memory.allocate_unique_words(uint64_t{rows} * cols * 4, "in");
    uint64_t out = memory.allocate(uint64_t{rows} * cols * 4, "out");
    // naive_write's x walks the rows; a grid large enough for both directions serves all.
    uint32_t side = ceil_div(std::max(rows, cols), stage.transposes ? 32 : 8);
    LaunchShape launch{{side, side}, stage.block};
    Recorder seen;
    struct Quiet : Observer {
        std::vector<Fault> faults;
        void on_fault(const Fault& fault) override { faults.push_back(fault); }
    } quiet;
    Arguments arguments;
    arguments.add(in).add(out).add(rows).add(cols);
    Observer* observers[] = {&quiet};
    machine.run_all(launch, arguments, memory, observers, {});
    EXPECT_TRUE(quiet.faults.empty());
    const auto* result = reinterpret_cast<const uint32_t*>(memory.buffers()[1].storage);
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t col = 0; col < cols; ++col) {
            uint32_t at = stage.transposes ? col * rows + row : row * cols + col;
            ASSERT_EQ(unique_word(row * cols + col), result[at]) << row << "," << col;
        }
}

std::string name_of(const Transposes::ParamType& test) {
    const auto& [stage, shape] = test;
    return case_name(std::string(stage.file) + " " + std::to_string(shape.first) + "x" +
                     std::to_string(shape.second));
}

INSTANTIATE_TEST_SUITE_P(Shapes, Transposes,
                         testing::Combine(testing::ValuesIn(kStages),
                                          testing::Values(std::pair{1u, 1u}, std::pair{33u, 65u},
                                                          std::pair{1000u, 50u},
                                                          std::pair{1u, 700u})),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace lanewise
