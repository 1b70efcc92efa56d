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
