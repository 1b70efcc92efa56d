// The asynchronous copies of a block as the pictures get them: of the stages that copy by TMA and
// by cp.async, with every place worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/json/json.h"
#include "trace/record/block_life.h"

namespace lanewise {
namespace {

class BlockCopies : public testing::Test {
  protected:
    static Picture block(const std::string& stage, int64_t rows, int64_t cols,
                         const std::string& type = "f32") {
        const Catalogue& catalogue = shipped_stages();
        Job job;
        job.stage = catalogue.find(stage);
        job.rows = rows;
        job.cols = cols;
        job.inner = 128;
        job.type = type;
        return trace_block(job, 0);
    }
};

uint64_t inside(const TracedCopy& copy) {
    uint64_t count = 0;
    for (const TracedCopy::Piece& piece : copy.pieces) count += !piece.is_outside;
    return count;
}

// Four boxes of 32 x 32 floats come, and four go, the second one to the right of the first and, in
// the output, below it. The accelerator puts chunk c of row r where c ^ r % 8 lies.
TEST_F(BlockCopies, OfTmaAreBoxesWithTheirSwizzle) {
    Picture picture = block("transpose/84_tma", 128, 128);
    const std::vector<TracedCopy>& copies = picture.block.copies;
    ASSERT_EQ(8u, copies.size());
    for (size_t i = 0; i < 8; ++i) {
        const TracedCopy& copy = copies[i];
        EXPECT_TRUE(copy.is_bulk);
        EXPECT_EQ(i < 4, copy.to_shared);
        EXPECT_EQ(i < 4 ? "in" : "out",
                  picture.block.buffers[static_cast<size_t>(copy.buffer)].name);
        EXPECT_EQ((std::vector<int64_t>{32, 32, 1}), copy.extent);
        EXPECT_EQ(128, copy.swizzle_bytes);
        EXPECT_EQ(128, copy.sectors);  // 32 rows of 128 bytes
        EXPECT_EQ(128, copy.sectors_ideal);
        ASSERT_EQ(256u, copy.pieces.size());
    }
    EXPECT_EQ((std::vector<int64_t>{32, 0, 0}), copies[1].start);
    EXPECT_EQ((std::vector<int64_t>{0, 32, 0}), copies[5].start);
    const TracedCopy& second = copies[1];
    uint32_t tile = second.pieces[0].shared;
    EXPECT_EQ(0u, tile % 1024);
    for (uint32_t row = 0; row < 32; ++row)
        for (uint32_t chunk = 0; chunk < 8; ++chunk) {
            const TracedCopy::Piece& piece = second.pieces[8 * row + chunk];
            ASSERT_EQ(512 * row + 128 + 16 * chunk, piece.offset);
            ASSERT_EQ(tile + 128 * row + 16 * (chunk ^ row % 8), piece.shared);
        }
    const InstructionReport& fetch = picture.report.instructions[second.instruction];
    EXPECT_NE(std::string::npos, fetch.text.find("cp.async.bulk.tensor.3d.shared"));
}

TEST_F(BlockCopies, AreIssuedAndThenDone) {
    Picture picture = block("transpose/84_tma", 128, 128);
    BlockLife life = block_life(picture.block, picture.report);
    std::vector<int> issued, done;
    size_t first_read = 0, last_done_before = 0;
    for (size_t i = 0; i < life.steps.size(); ++i) {
        const LifeStep& step = life.steps[i];
        if (step.is_shared() && first_read == 0) first_read = i;
        if (step.copy < 0) continue;
        bool is_done = step.mark == TracedMark::Kind::copy_done;
        (is_done ? done : issued).push_back(step.copy);
        EXPECT_EQ(is_done ? 0 : 128, step.cost);
        EXPECT_GT(step.line, 0);
        if (is_done && first_read == 0) last_done_before = done.size();
    }
    EXPECT_EQ((std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}), issued);
    EXPECT_EQ((std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}), done);
    EXPECT_EQ(4u, last_done_before);  // nobody reads the tile before all of it is there
    EXPECT_EQ((TouchedBox{0, 0, 64, 64}), touched_box(picture.block, picture.report, 0, 128, 4));
    EXPECT_EQ((TouchedBox{0, 0, 64, 64}), touched_box(picture.block, picture.report, 1, 128, 4));
}

// 48 rows and columns: of the boxes beside and below the first, half lies outside.
TEST_F(BlockCopies, TellWhatLiesOutsideTheMatrix) {
    const std::vector<TracedCopy> copies = block("transpose/84_tma", 48, 48).block.copies;
    ASSERT_EQ(8u, copies.size());
    EXPECT_EQ(256u, inside(copies[0]));
    EXPECT_EQ(128u, inside(copies[1]));  // 16 of 32 columns
    EXPECT_EQ(128u, inside(copies[2]));  // 16 of 32 rows
    EXPECT_EQ(64u, inside(copies[3]));
}

TEST_F(BlockCopies, OfCpAsyncAreTheirLanes) {
    Picture picture = block("transpose/82_async", 256, 256);
    ASSERT_FALSE(picture.block.copies.empty());
    const TracedCopy& first = picture.block.copies.front();
    EXPECT_FALSE(first.is_bulk);
    EXPECT_TRUE(first.to_shared);
    EXPECT_TRUE(first.start.empty());
    EXPECT_EQ(16, first.bytes);
    ASSERT_EQ(32u, first.pieces.size());
    EXPECT_EQ(0u, first.pieces[0].offset);
    EXPECT_EQ(5, first.pieces[5].lane);
    EXPECT_EQ(first.sectors, first.sectors_ideal);
    // Every one of them is done before the block ends, and none twice.
    std::vector<int> done(picture.block.copies.size());
    for (const TracedMark& mark : picture.block.marks)
        if (mark.kind == TracedMark::Kind::copy_done) ++done[static_cast<size_t>(mark.copy)];
    EXPECT_EQ(std::vector<int>(done.size(), 1), done);
}

TEST_F(BlockCopies, OfAProductComeFromBothFactors) {
    Picture picture = block("matmul/95_wgmma", 256, 256, "f16");
    std::vector<std::string> from;
    for (const TracedCopy& copy : picture.block.copies) {
        EXPECT_TRUE(copy.is_bulk && copy.to_shared);
        from.push_back(picture.block.buffers[static_cast<size_t>(copy.buffer)].name);
    }
    EXPECT_LT(0, std::count(from.begin(), from.end(), "A"));
    EXPECT_LT(0, std::count(from.begin(), from.end(), "B"));
}

TEST_F(BlockCopies, ShufflesTravel) {
    Picture picture = block("transpose/70_shuffle", 48, 48);
    Picture there = Json::from_cbor(Json::to_cbor(Json(picture))).get<Picture>();
    ASSERT_FALSE(picture.block.shuffles.empty());
    EXPECT_EQ(picture.block.shuffles, there.block.shuffles);
    EXPECT_EQ(picture.block.marks, there.block.marks);
    Json json = picture;
    json["block"].erase("shuffles");  // as of an engine of an earlier version
    EXPECT_TRUE(json.get<Picture>().block.shuffles.empty());
    json["block"]["shuffles"] = Json::binary({1, 2, 3});
    EXPECT_THROW(json.get<Picture>(), Error);
}

TEST_F(BlockCopies, Travel) {
    Picture picture = block("transpose/84_tma", 48, 48);
    Picture there = Json::from_cbor(Json::to_cbor(Json(picture))).get<Picture>();
    EXPECT_EQ(picture.block.copies, there.block.copies);
    EXPECT_EQ(picture.block.marks, there.block.marks);
    Json json = picture;
    json["block"].erase("copies");  // as of an engine of an earlier version
    EXPECT_TRUE(json.get<Picture>().block.copies.empty());
    json = picture;
    json["block"]["copies"][0][11] = 1'000'000;  // more pieces than there are
    EXPECT_THROW(json.get<Picture>(), Error);
    json["block"]["copied_pieces"] = Json::binary({1, 2, 3});
    EXPECT_THROW(json.get<Picture>(), Error);
}

}  // namespace
}  // namespace lanewise
