// The tensor maps of a stage, worked out by hand.
#include "lab/machine/stage_tensors.h"

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
    auto maps = stage_tensors(tma_job("f16", 48, 40, 3), {0x1000, 0x2000});
    ASSERT_EQ(2u, maps.size());
    ASSERT_TRUE(maps[0].map && maps[1].map);
    EXPECT_EQ("f16", maps[1].type);
    const TensorMap &in = *maps[0].map, &out = *maps[1].map;
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
    auto maps = stage_tensors(tma_job("f32", 33, 64), {0x1000, 0x2000});
    EXPECT_TRUE(maps[0].map);   // rows of 64 * 4 bytes
    EXPECT_FALSE(maps[1].map);  // rows of 33 * 4 bytes
    EXPECT_TRUE(stage_tensors(Job{}, {0x1000, 0x2000}).empty());
}

Job product_job(int64_t m, int64_t n, int64_t k) {
    Job job;
    job.stage.operation = job.stage.reference = "matmul";
    job.stage.tensors = {{"A", "DEEP * 2", "DEEP", "128B"},
                         {"C", "16", "32", "none"},
                         {"B", "DEEP", "128 / element_bytes", "64B"}};
    job.knobs = {{"DEEP", 64}};
    job.type = "f16";
    job.rows = m;
    job.cols = n;
    job.inner = k;
    return job;
}

TEST(StageTensors, DescribeAProductsMatricesWithoutABatch) {
    auto maps = stage_tensors(product_job(33, 40, 24), {0x1000, 0x2000, 0x3000});
    ASSERT_EQ(3u, maps.size());  // in the head's order
    ASSERT_TRUE(maps[0].map && maps[1].map && maps[2].map);
    const TensorMap &a = *maps[0].map, &c = *maps[1].map, &b = *maps[2].map;
    EXPECT_EQ(0x1000u, a.address);
    EXPECT_EQ(0x3000u, c.address);
    EXPECT_EQ(0x2000u, b.address);
    EXPECT_EQ(2u, a.dimensions);
    EXPECT_EQ((std::array<uint64_t, 5>{24, 33, 0, 0, 0}), a.sizes);  // M x K: columns come first
    EXPECT_EQ((std::array<uint64_t, 5>{40, 24, 0, 0, 0}), b.sizes);  // K x N
    EXPECT_EQ((std::array<uint64_t, 5>{40, 33, 0, 0, 0}), c.sizes);  // M x N
    EXPECT_EQ(48u, a.strides[0]);
    EXPECT_EQ(80u, b.strides[0]);
    EXPECT_EQ(160u, c.strides[0]);  // C holds floats, whatever A and B hold
    EXPECT_EQ("f16", maps[0].type);
    EXPECT_EQ("f32", maps[1].type);
    EXPECT_EQ(4u, c.element_bytes);
    EXPECT_EQ((std::array<uint32_t, 5>{64, 128, 0, 0, 0}), a.box);
    EXPECT_EQ((std::array<uint32_t, 5>{64, 64, 0, 0, 0}), b.box);
    EXPECT_EQ(Swizzle::bytes_128, a.swizzle);
    EXPECT_EQ(Swizzle::bytes_64, b.swizzle);
}

TEST(StageTensors, LeaveOutAProductsMatricesThatNoMapDescribes) {
    auto described = [](int64_t m, int64_t n, int64_t k) {
        std::string names;
        for (const StageTensor& tensor : stage_tensors(product_job(m, n, k), {16, 32, 48}))
            names += tensor.map ? '1' : '0';
        return names;  // of A, C and B
    };
    EXPECT_EQ("000", described(33, 65, 97));
    EXPECT_EQ("100", described(1000, 50, 1000));
    EXPECT_EQ("110", described(8, 4, 8));  // 4 floats are 16 bytes, 4 halves are not
    EXPECT_EQ("010", described(8, 8, 0));  // of nothing there is no map
}

}  // namespace
}  // namespace lanewise
