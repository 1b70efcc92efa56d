// Index expressions with a lane's numbers put in: hand-worked ones, those that cannot be followed,
// and every stage against its own trace.
#include "lab/kernel/index_expression.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "../own_job.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/flow/access_index.h"

namespace lanewise {
namespace {

TEST(CValue, FollowsCsPrecedence) {
    const std::map<std::string, int64_t> names = {{"row", 5}, {"col", 12}, {"threadIdx.x", 7}};
    EXPECT_EQ(5 * 4096 + 12, c_value("size_t(row) * 4096 + col", names));
    EXPECT_EQ(9, c_value("col ^ row", names));        // 1100 ^ 0101
    EXPECT_EQ(13, c_value("col ^ row >> 2", names));  // 1100 ^ 0001
    EXPECT_EQ(12 ^ (5 & 3), c_value("col ^ (row & 3)", names));
    EXPECT_EQ(4, c_value("row & 4 | 0 && 1", names) ? 4 : 0);
    EXPECT_EQ(1, c_value("row == 5 && col != 5", names));
    EXPECT_EQ(17, c_value("(col + row) % 32", names));
    EXPECT_EQ(-2, c_value("-(threadIdx.x / 3)", names));
    EXPECT_EQ(12, c_value("row < 5 ? 1 : col", names));
    EXPECT_EQ(31, c_value("0x1f", names));
    EXPECT_EQ(32, c_value("1u << 5", names));
    EXPECT_EQ(8, c_value("min(row, 9) + max(1, 3)", names));
    EXPECT_EQ(12, c_value("(int)col /* the column */", names));
}

TEST(CValue, SaysNothingWhereItDoesNotKnow) {
    for (const char* text : {"", "unknown", "1 +", "(1", "1 / 0", "1 % 0", "f(1)", "1 2", "a[1]",
                             "9223372036854775807", "1 << 70", "4611686018427387904 * 4", "?"})
        EXPECT_EQ(std::nullopt, c_value(text, {})) << text;
    EXPECT_EQ(std::nullopt, c_value(std::string(10'000, '('), {}));
    EXPECT_EQ(std::nullopt, c_value(std::string(10'000, '-') + "1", {}));
}

const char* const kTiled = R"(
template <typename T = float, int TILE = 32, int PAD = 1>
__global__ void turn(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[TILE][TILE + PAD];
    int col = blockIdx.x * TILE + threadIdx.x;  // of the input
    int row = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8)
        if (row + j < rows && col < cols)
            tile[threadIdx.y + j][threadIdx.x] = in[size_t(row + j) * cols + col];
    __syncthreads();
    col = blockIdx.x * TILE + threadIdx.y;
    row = blockIdx.y * TILE + threadIdx.x;
    for (int j = 0; j < TILE; j += 8)
        out[size_t(col + j) * rows + row] = tile[threadIdx.x][threadIdx.y + j];
}
)";

IndexQuestion about(const std::string& source, const std::string& array, int line,
                    uint64_t offset) {
    IndexQuestion question;
    question.source = &source;
    question.kernel = "turn";
    question.array = array;
    question.line = line;
    question.offset = offset;
    question.at = {{4, 2}, {32, 8}, 6, 5 * 32 + 3, {}};  // block (2, 1), thread (3, 5)
    question.at.names = {{"TILE", 32}, {"PAD", 1}, {"rows", 64}, {"cols", 128}};
    return question;
}

TEST(IndexExpression, PutsTheNumbersIn) {
    const std::string source = kTiled;
    // row 32 + 5, third round of the loop: 37 + 16; col 64 + 3.
    auto answer = substituted_index(about(source, "in", 9, 4 * ((37 + 16) * 128 + 67)));
    ASSERT_TRUE(answer);
    EXPECT_EQ("in[size_t(row + j) * cols + col]", answer->expression);
    EXPECT_EQ("in[size_t(37 + 16) * 128 + 67]", answer->numbers);
    EXPECT_EQ(53 * 128 + 67, answer->element);
    // The tile's rows are 33 long; it is on the same line.
    answer = substituted_index(about(source, "tile", 9, 4 * ((5 + 8) * 33 + 3)));
    ASSERT_TRUE(answer);
    EXPECT_EQ("tile[5 + 8][3]", answer->numbers);
    // col and row have other values behind the barrier.
    answer = substituted_index(about(source, "out", 14, 4 * ((69 + 24) * 64 + 35)));
    ASSERT_TRUE(answer);
    EXPECT_EQ("out[size_t(69 + 24) * 64 + 35]", answer->numbers);
}

// A name alone is shown by what it was set to, unless it was changed since.
TEST(IndexExpression, ShowsWhatANameWasMadeOf) {
    const std::string source = R"(
__global__ void turn(const int* in, int* out) {
    size_t i = size_t(blockIdx.x) * 32 + threadIdx.x;
    out[i] = 1;
    int place = threadIdx.x * 2;
    place += 7;
    out[place] = 2;
    int base = threadIdx.y, later = base + 1;
    base = 9;
    out[later] = 3;
}
)";
    auto answer = substituted_index(about(source, "out", 4, 4 * (2 * 32 + 3)));  // block (2, 1)
    ASSERT_TRUE(answer);
    EXPECT_EQ("out[i]", answer->expression);
    EXPECT_EQ("out[size_t(2) * 32 + 3]", answer->numbers);
    EXPECT_EQ(67, answer->element);
    answer = substituted_index(about(source, "out", 7, 4 * 13));
    ASSERT_TRUE(answer);
    EXPECT_EQ("out[13]", answer->numbers);
    answer = substituted_index(about(source, "out", 10, 4 * 6));
    ASSERT_TRUE(answer);
    EXPECT_EQ("out[6]", answer->numbers) << "base has another value by now";
}

TEST(IndexExpression, SaysNothingThatTheMachineDidNotSee) {
    const std::string source = kTiled;
    EXPECT_FALSE(substituted_index(about(source, "in", 9, 4)));    // no round gives that
    EXPECT_FALSE(substituted_index(about(source, "from", 9, 0)));  // no such array
    EXPECT_FALSE(substituted_index(about(source, "in", 40, 0)));   // nowhere near
    EXPECT_FALSE(substituted_index(about("", "in", 9, 0)));
    EXPECT_FALSE(substituted_index(about("__global__ void turn(int* in) { in[", "in", 1, 0)));
    IndexQuestion unknown = about(source, "in", 9, 4 * (37 * 128 + 67));
    unknown.at.names.erase("cols");
    EXPECT_FALSE(substituted_index(unknown));
}

TEST(IndexExpression, FollowsConditionsLambdasAndLoopsLeftBehind) {
    const std::string source = R"(
__global__ void turn(const int* in, int* out) {
    auto place = [](int row, int col) { return col ^ (row & 7); };
    int sum = 0, base = 100;
    for (int i = 0; i < 4; ++i) sum += i;
    if (threadIdx.x > 100) base = 0;
    int half = blockDim.x / 2;
    half += 4;
    out[place(threadIdx.y, threadIdx.x) * 2 + half] = 1;
    out[sum] = in[base];
}
)";
    auto answer = substituted_index(about(source, "out", 9, 4 * ((3 ^ 5) * 2 + 20)));
    ASSERT_TRUE(answer);
    EXPECT_EQ("out[place(5, 3) * 2 + 20]", answer->numbers);
    EXPECT_FALSE(substituted_index(about(source, "in", 10, 4 * 100)));  // may have been changed
    EXPECT_FALSE(substituted_index(about(source, "out", 10, 4 * 6)));
}

// Stages whose every access of the catalogue's form can be read off the source.
TEST(IndexExpression, AgreesWithTheTraceOfTheStages) {
    const Catalogue& catalogue = shipped_stages();
    for (const char* name : {"00_copy", "05_strided", "10_naive", "12_naive_write", "20_tiled",
                             "22_coarsened", "30_padded", "32_swizzled"}) {
        Job job;
        job.stage = catalogue.find(name);
        job.rows = 96, job.cols = 160;
        Picture picture = trace_block(job, 3);
        int missing = 0, asked = 0;
        for (size_t i = 0; i < picture.block.accesses.size(); i += 7)
            for (int lane : {0, 13, 31}) {
                if (!(picture.block.accesses[i].mask >> lane & 1)) continue;
                ++asked;
                missing += !index_of_lane(job, picture, static_cast<int>(i), lane);
            }
        EXPECT_EQ(0, missing) << name << " of " << asked;
        EXPECT_GT(asked, 5) << name;
    }
}

// How many of the sampled accesses of a block have no expression with the lane's numbers.
int missing(const Job& job, const Picture& picture, int& asked) {
    int missing = 0;
    for (size_t i = 0; i < picture.block.accesses.size(); i += 5)
        for (int lane : {0, 13, 31}) {
            if (!(picture.block.accesses[i].mask >> lane & 1)) continue;
            ++asked;
            missing += !index_of_lane(job, picture, static_cast<int>(i), lane);
        }
    return missing;
}

// Two shared arrays, a sum in float beside halves, barriers in loops.
TEST(IndexExpression, AgreesWithTheTraceOfProducts) {
    const Catalogue& catalogue = shipped_stages();
    for (const char* type : {"f32", "f16"})
        for (const char* name : {"10_naive_product", "12_columns_first", "20_shared_tiles"}) {
            Job job;
            job.stage = catalogue.find(name);
            job.type = type;
            job.rows = 48, job.cols = 64, job.inner = 32;
            Picture picture = trace_block(job, 1);
            int asked = 0;
            EXPECT_EQ(0, missing(job, picture, asked)) << name << " " << type << " of " << asked;
            EXPECT_GT(asked, 20) << name;
        }
}

TEST(IndexExpression, AgreesWithTheTraceOfAnOwnKernel) {
    NEEDS_NVRTC();
    Job job =
        own_job(R"(
#define SIDE 16
constexpr int PAD = 1;
template <typename T, int ROWS = 4>
__global__ void turn(const T* in, T* out, int rows, unsigned cols) {
    __shared__ T tile[SIDE][SIDE + PAD];
    __shared__ int taken[SIDE];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    for (int j = 0; j < SIDE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    if (threadIdx.y == 0) taken[threadIdx.x] = x;
    __syncthreads();
    for (int j = 0; j < SIDE; j += ROWS)
        out[(blockIdx.x * SIDE + threadIdx.y + j) * rows + blockIdx.y * SIDE + threadIdx.x] =
            tile[threadIdx.x][threadIdx.y + j] + T(taken[threadIdx.x]);
}
)",
                "turn<double>", {2, 2}, {16, 4}, {"f64[1024]", "f64[1024]", "i32:32", "u32:32"});
    Picture picture = trace_block(job, 3);
    int asked = 0;
    EXPECT_EQ(0, missing(job, picture, asked)) << "of " << asked;
    EXPECT_GT(asked, 10);
    // Block (1, 1), warp 0 is two rows of 16 threads: lane 17 is thread (1, 1).
    auto answer = index_of_lane(job, picture, 0, 17);
    ASSERT_TRUE(answer);
    EXPECT_EQ("in[(y + j) * cols + x]", answer->expression);
    EXPECT_EQ("in[(17 + 0) * 32 + 17]", answer->numbers);
    EXPECT_EQ(17 * 32 + 17, answer->element);
}

TEST(IndexOfLane, TheMembersOfAStructArgumentAreKnownByTheirNames) {
    NEEDS_NVRTC();
    Job job = own_job(R"(
struct Size { int rows, cols; };
struct Params { const double* in; double* out; Size size; };
__global__ void copy(Params p) {
    int x = blockIdx.x * 16 + threadIdx.x, y = threadIdx.y;
    p.out[y * p.size.cols + x] = p.in[y * p.size.cols + x];
}
)",
                      "copy", {2}, {16, 4}, {"{f64[128],f64[128],{i32:4,i32:32}}"});
    Picture picture = trace_block(job, 1);
    int asked = 0;
    EXPECT_EQ(0, missing(job, picture, asked)) << "of " << asked;
    // Block 1, warp 0 is two rows of 16 threads: lane 17 is thread (1, 1).
    auto answer = index_of_lane(job, picture, 0, 17);
    ASSERT_TRUE(answer);
    EXPECT_EQ("p.in[y * p.size.cols + x]", answer->expression);
    EXPECT_EQ("p.in[1 * 32 + 17]", answer->numbers);
    EXPECT_EQ(49, answer->element);
}

}  // namespace
}  // namespace lanewise
