// The tensor maps of a stage, worked out by hand.
#include "lab/stage_tensors.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

Job tma_job(const std::string& type, int64_t rows, int64_t cols, int64_t batch = 1) {
    Job job;
    job.stage.reference = "transpose";
    job.stage.tensors = {{"in", "TILE", "128 / element_bytes", "128B"},
                         {"out", "16", "16", "none"}};
    job.knobs = {{"TILE", 64}};
    job.type = type;
    job.rows = rows;
    job.cols = cols;
    job.batch = batch;
    return job;
}

TEST(StageTensors, DescribeInputAndOutput) {
    auto maps = stage_tensors(tma_job("f16", 48, 40, 3), 0x1000, 0x2000);
    ASSERT_EQ(2u, maps.size());
    ASSERT_TRUE(maps[0] && maps[1]);
    const TensorMap &in = *maps[0], &out = *maps[1];
    EXPECT_EQ(0x1000u, in.address);
    EXPECT_EQ(2u, in.element_bytes);
    EXPECT_EQ(3u, in.dimensions);
    EXPECT_EQ((std::array<uint64_t, 5>{40, 48, 3, 0, 0}), in.sizes);   // columns come first
    EXPECT_EQ((std::array<uint64_t, 4>{80, 3840, 0, 0}), in.strides);  // 40 * 2, times 48
    EXPECT_EQ((std::array<uint32_t, 5>{64, 64, 1, 0, 0}), in.box);
    EXPECT_EQ(Swizzle::bytes_128, in.swizzle);
    EXPECT_EQ(0x2000u, out.address);
    EXPECT_EQ((std::array<uint64_t, 5>{48, 40, 3, 0, 0}), out.sizes);  // the turned matrix
    EXPECT_EQ((std::array<uint64_t, 4>{96, 3840, 0, 0}), out.strides);
    EXPECT_EQ((std::array<uint32_t, 5>{16, 16, 1, 0, 0}), out.box);
    EXPECT_EQ(Swizzle::none, out.swizzle);
}

TEST(StageTensors, LeaveOutRowsThatAreNoMultipleOf16Bytes) {
    auto maps = stage_tensors(tma_job("f32", 33, 64), 0x1000, 0x2000);
    EXPECT_TRUE(maps[0]);   // rows of 64 * 4 bytes
    EXPECT_FALSE(maps[1]);  // rows of 33 * 4 bytes
    EXPECT_TRUE(stage_tensors(Job{}, 0x1000, 0x2000).empty());
}

}  // namespace
}  // namespace lanewise
