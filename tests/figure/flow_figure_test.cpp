// A block's data flow and the blocks' walk as pictures: what is touched when, in words and cells.
#include "figure/flow_figure.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

// One warp of two lanes loads elements (0, 0) and (0, 1) of "in", stores them to shared memory and
// waits; then writes (0, 0) and (1, 0) of "out".
struct Example {
    Report report;
    BlockTrace block;
    BlockLife life;
    FlowFigureInput input;
    Example() {
        add(Space::global, false, 0, {0, 4});
        add(Space::shared, true, -1, {0, 4});
        add(Space::global, true, 1, {0, 400});
        block.marks.push_back({TracedMark::Kind::barrier, 0, 2, 9});
        life = block_life(block, report);
        input.block = &block;
        input.report = &report;
        input.life = &life;
        input.matrices = {{"in", 0, 50, 100, 4, {0, 0, 1, 2}},
                          {"out", 1, 100, 100, 4, {0, 0, 2, 1}}};
        input.tile_rows = 2;
        input.tile_pitch = 2;
    }
    void add(Space space, bool store, int buffer, std::vector<uint64_t> offsets) {
        InstructionReport instruction;
        instruction.space = space;
        instruction.is_store = store;
        TracedAccess access;
        access.instruction = static_cast<uint32_t>(report.instructions.size());
        access.mask = 3;
        access.buffer = buffer;
        access.addresses = std::move(offsets);
        access.addresses.resize(32);
        access.sectors = 2;
        access.sectors_ideal = 1;
        access.wavefronts = access.wavefronts_ideal = 1;
        report.instructions.push_back(instruction);
        block.accesses.push_back(access);
    }
    Drawing draw(int step, float width = 600) {
        input.step = step;
        input.width = width;
        return flow_figure(input, measure_approximately);
    }
    std::string words(int step) {
        input.step = step;
        return flow_words(input);
    }
};

int cells(const Drawing& drawing, bool strong) {
    int count = 0;
    for (const Shape& shape : drawing.shapes)
        count += shape.fill.kind == Fill::Kind::lane && (shape.fill.alpha == 1) == strong;
    return count;
}
bool hints(const Drawing& drawing, const std::string& words) {
    for (const HitBox& hit : drawing.hits)
        if (hit.tooltip == words) return true;
    return false;
}

TEST(FlowFigure, FillsUpStepByStep) {
    Example made;
    EXPECT_EQ(0, cells(made.draw(-1), true));
    EXPECT_EQ(2, cells(made.draw(0), true));
    EXPECT_EQ(0, cells(made.draw(0), false));
    EXPECT_EQ(2, cells(made.draw(1), true));   // the tile
    EXPECT_EQ(2, cells(made.draw(1), false));  // what was loaded
    EXPECT_EQ(0, cells(made.draw(2), true));   // the barrier touches nothing
    EXPECT_EQ(4, cells(made.draw(3), false));
    EXPECT_TRUE(hints(made.draw(1), "shared memory: 2 of 4 touched so far, in elements"));
    EXPECT_TRUE(hints(made.draw(1), "out: 0 of 2 touched so far, in elements"));
}

TEST(FlowFigure, SaysWhatHappens) {
    Example made;
    EXPECT_EQ("Nothing has been touched yet.", made.words(-1));
    EXPECT_EQ("Warp 0 loads from in, row 0, columns 0 to 1: 2 sectors, 1 at best.", made.words(0));
    EXPECT_EQ("Warp 0 stores to shared memory, row 0, columns 0 to 1: 1 wavefront.", made.words(1));
    EXPECT_EQ("1 warp leaves the barrier of line 9: what each stored before, all may read now.",
              made.words(2));
    EXPECT_EQ("Warp 0 writes to out, rows 0 to 1, column 0: 2 sectors, 1 at best.", made.words(3));
    made.life = {};
    EXPECT_EQ("This block does nothing with memory.", made.words(0));
}

// A box of 2 x 8 floats of "in", two chunks of 16 bytes a row, to a tile of 2 x 8; in the second
// row they change places. Then a bulk store of the same to "out".
struct CopyExample {
    BlockTrace block;
    Report report;
    BlockLife life;
    FlowFigureInput input;
    CopyExample() {
        using Kind = TracedMark::Kind;
        report.instructions.resize(1);
        TracedCopy in;
        in.is_bulk = true;
        in.warp = 1;
        in.buffer = 0;
        in.sectors = in.sectors_ideal = 2;
        in.start = {8, 3};
        in.extent = {8, 2};
        in.swizzle_bytes = 32;
        uint64_t row = 100 * 4;
        in.pieces = {{3 * row + 32, 0, 5},
                     {3 * row + 48, 16, 5},
                     {4 * row + 32, 48, 5},
                     {4 * row + 48, 32, 5}};
        TracedCopy out = in;
        out.to_shared = false;
        out.buffer = 1;
        out.pieces[3].is_outside = true;
        block.copies = {in, out};
        block.marks = {{Kind::bulk_copy, 1, 0, 7, 0},
                       {Kind::copy_done, 1, 0, 7, 0},
                       {Kind::bulk_copy, 1, 0, 9, 1},
                       {Kind::copy_done, 1, 0, 9, 1}};
        life = block_life(block, report);
        input.block = &block;
        input.report = &report;
        input.life = &life;
        input.matrices = {{"in", 0, 50, 100, 4, {3, 8, 2, 8}},
                          {"out", 1, 50, 100, 4, {3, 8, 2, 8}}};
        input.tile_rows = 2;
        input.tile_pitch = 8;
    }
    Drawing draw(int step) {
        input.step = step;
        return flow_figure(input, measure_approximately);
    }
    std::string words(int step) {
        input.step = step;
        return flow_words(input);
    }
};

int dashed(const Drawing& drawing) {
    int count = 0;
    for (const Shape& shape : drawing.shapes) count += shape.dashed;
    return count;
}

TEST(FlowFigure, FillsTheTileWhereACopyHasArrived) {
    CopyExample made;
    EXPECT_EQ(16, cells(made.draw(0), true));  // of in
    EXPECT_EQ(1, dashed(made.draw(0)));        // where it will arrive
    EXPECT_TRUE(hints(made.draw(0), "shared memory: 0 of 16 touched so far, in elements"));
    EXPECT_EQ(16, cells(made.draw(1), true));
    EXPECT_EQ(0, dashed(made.draw(1)));
    EXPECT_TRUE(hints(made.draw(1), "shared memory: 16 of 16 touched so far, in elements"));
    EXPECT_TRUE(hints(made.draw(2), "out: 0 of 16 touched so far, in elements"));
    EXPECT_TRUE(hints(made.draw(3), "out: 12 of 16 touched so far, in elements"));
    // The hue of a chunk goes where the swizzle puts it: 0, 1 in the first row, 1, 0 in the second.
    std::vector<int> hues;
    for (const Shape& shape : made.draw(1).shapes)
        if (shape.fill.kind == Fill::Kind::lane && shape.fill.alpha == 1)
            hues.push_back(shape.fill.index);
    std::vector<int> expected = {0, 0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0};
    EXPECT_EQ(expected, hues);
}

TEST(FlowFigure, SaysWhatACopyMoves) {
    CopyExample made;
    EXPECT_EQ(
        "Warp 1, lane 5 has the box of 8 × 2 at {8, 3} fetched from in (rows 3 to 4, columns 8 to "
        "15): 2 sectors.",
        made.words(0));
    EXPECT_EQ(
        "The box of 8 × 2 at {8, 3} has arrived in shared memory (rows 0 to 1, columns 0 to 7), "
        "the 16-byte chunks of each row swizzled over 32 bytes: the phase of its mbarrier is over.",
        made.words(1));
    EXPECT_EQ(
        "Warp 1, lane 5 has the box of 8 × 2 at {8, 3} taken from shared memory (rows 0 to 1, "
        "columns 0 to 7) to out (rows 3 to 4, columns 8 to 15): 2 sectors. 16 bytes lie outside "
        "the matrix: they are not stored.",
        made.words(2));
    EXPECT_EQ("The box of 8 × 2 at {8, 3} has been stored to out (rows 3 to 4, columns 8 to 15).",
              made.words(3));
    made.block.copies[0].is_bulk = false;
    made.block.copies[0].start = made.block.copies[0].extent = {};
    EXPECT_EQ(
        "Warp 1 has in (rows 3 to 4, columns 8 to 15) copied to shared memory (rows 0 to 1, "
        "columns "
        "0 to 7) and does not wait: 2 sectors.",
        made.words(0));
}

TEST(FlowFigure, IsSoundAtEveryWidthAndSize) {
    for (float width : {300.f, 427.f, 612.f, 1400.f})
        for (int64_t side : {2, 64, 5000}) {
            Example made;
            made.input.matrices[0].part = {0, 0, side, 3};
            made.input.matrices[1].part = {0, 0, 3, side};
            made.input.tile_rows = static_cast<int>(side);
            made.input.tile_pitch = 33;
            Drawing drawing = made.draw(3, width);
            EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately))
                << width;
            EXPECT_LT(drawing.shapes.size(), 6000u);
            for (const HitBox& hit : drawing.hits)
                EXPECT_LE(hit.box.x + hit.box.w, width + 0.5f) << side;
        }
    EXPECT_FALSE(flow_figure({}, measure_approximately).shapes.empty());
}

TEST(WalkFigure, HasABoxForEachBlock) {
    WalkPanel panel{"in", 64, 96, {{0, 0, 32, 32}, {0, 32, 32, 32}, {}}, {"along the rows"}};
    for (float width : {300.f, 612.f}) {
        Drawing drawing =
            block_order_figure({{panel, {"batch", 100'000, 8, {{99'999, 7, 1, 1}}, {}}}, 1, width},
                               measure_approximately);
        EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
        EXPECT_TRUE(hints(drawing, "block 1: rows 0 to 31, columns 32 to 63"));
        EXPECT_TRUE(hints(drawing, "block 0: row 99999, column 7"));
        EXPECT_EQ(3u, drawing.hits.size());  // the third touches nothing
        for (const HitBox& hit : drawing.hits) {
            EXPECT_LE(hit.box.x + hit.box.w, width);
            EXPECT_LE(hit.box.y + hit.box.h, drawing.height);
        }
    }
}

}  // namespace
}  // namespace lanewise
