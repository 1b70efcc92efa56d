// A block's data flow and the blocks' walk as pictures: what is touched when, in words and cells.
#include "figure/flow/flow_figure.h"

#include <gtest/gtest.h>

#include <cmath>

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

// One warp loads elements (0, 0) and (1, 0) of "in" with lane 0, (0, 1) and (1, 1) with lane 1; then
// the two lanes exchange (1, 0) and (0, 1).
struct ShuffledExample : Example {
    ShuffledExample() {
        report.instructions.clear();
        block.accesses.clear();
        block.marks.clear();
        add(Space::global, false, 0, {0, 4});
        add(Space::global, false, 0, {400, 404});
        add(Space::global, true, 1, {0, 400});
        TracedShuffle shuffle{0, 3, {1, 0}, 0, {400, 4}};
        for (size_t lane = 2; lane < 32; ++lane) shuffle.from[lane] = static_cast<uint8_t>(lane);
        block.shuffles = {shuffle};
        TracedMark mark{TracedMark::Kind::shuffle, 0, 2, 7};
        mark.shuffle = 0;
        block.marks = {mark};
        life = block_life(block, report);
        input.matrices = {{"in", 0, 50, 100, 4, {0, 0, 2, 2}},
                          {"out", 1, 100, 100, 4, {0, 0, 2, 1}}};
        input.tile_rows = 0;
    }
};

TEST(FlowFigure, ShowsWhichLaneHoldsAnElement) {
    ShuffledExample made;
    ASSERT_EQ(4u, made.life.steps.size());
    EXPECT_EQ(1, made.life.steps[2].round);
    EXPECT_EQ(
        "Warp 0, round 1: lane 0 exchanges with lane 1. So far 2 elements moved to another lane.",
        made.words(2));
    // Of the cells, those in the registers come after the four of `in`.
    auto hues = [&](int step) {
        std::vector<int> found;
        const Drawing drawing = made.draw(step);
        for (const Shape& shape : drawing.shapes)
            if (shape.kind == Shape::Kind::rect && shape.fill.kind == Fill::Kind::lane &&
                found.size() < 8)
                found.push_back(shape.fill.index);
        return found;
    };
    EXPECT_EQ((std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1}), hues(1));  // a column has one hue
    EXPECT_EQ((std::vector<int>{0, 1, 0, 1, 0, 0, 1, 1}), hues(2));  // now a row has
    EXPECT_TRUE(hints(made.draw(2), "lane 0 gets the value of lane 1"));
    EXPECT_FALSE(hints(made.draw(1), "lane 0 gets the value of lane 1"));
    for (float width : {300.f, 600.f, 1200.f})
        EXPECT_TRUE(cut_texts(made.draw(2, width), measure_approximately).empty()) << width;
}

// Of a sum, lane 0 gets what lane 16 has: no element as it was loaded, so there are no registers.
TEST(FlowFigure, SaysWhoseValueALaneGets) {
    ShuffledExample made;
    TracedShuffle& shuffle = made.block.shuffles[0];
    shuffle.mask = ~0u;
    shuffle.buffer = -1;
    shuffle.given.fill(-1);
    for (size_t lane = 0; lane < 32; ++lane)
        shuffle.from[lane] = static_cast<uint8_t>(lane < 16 ? lane + 16 : lane);
    EXPECT_EQ(
        "Warp 0, round 1: lane 0 gets the value of lane 16, lane 1 that of lane 17, and so on.",
        made.words(2));
    EXPECT_TRUE(hints(made.draw(2), "lane 5 gets the value of lane 21"));
}

// A and B (2 x 4 elements each) are loaded and stored to tiles of their own; C is written.
struct ProductExample : Example {
    SharedTiles tiles;
    ProductExample() {
        report.instructions.clear();
        block.accesses.clear();
        block.marks.clear();
        auto four = [](uint64_t first) {
            return std::vector<uint64_t>{first, first + 4, first + 400, first + 404};
        };
        add(Space::global, false, 0, four(0));
        add(Space::shared, true, -1, {0, 4, 8, 12});
        add(Space::global, false, 1, four(40));
        add(Space::shared, true, -1, {64, 68, 72, 76});
        add(Space::shared, false, -1, {64, 68, 72, 76});
        add(Space::global, true, 2, four(0));
        for (TracedAccess& access : block.accesses) access.mask = 15;
        block.accesses[1].buffer = 0;
        block.accesses[3].buffer = 1;
        block.shared_bytes = 128;
        life = block_life(block, report);
        input.matrices = {{"A", 0, 50, 100, 4, {0, 0, 2, 2}},
                          {"B", 1, 50, 100, 4, {0, 10, 2, 2}},
                          {"C", 2, 50, 100, 4, {0, 0, 2, 2}}};
        tiles = shared_tiles(block, report, {400, 400, 400}, 8);
        input.tiles = &tiles;
        input.tile_rows = 1;
    }
};

Box box_of_text(const Drawing& drawing, const std::string& text) {
    for (const Shape& shape : drawing.shapes)
        if (shape.text == text) return shape.box;
    return {-1, -1, 0, 0};
}

// Heads of arrows: their tips.
std::vector<Point> tips(const Drawing& drawing) {
    std::vector<Point> found;
    for (const Shape& shape : drawing.shapes)
        if (shape.kind == Shape::Kind::line && shape.points.size() == 3 &&
            std::abs(shape.points[0].x - shape.points[2].x) <= 8 &&
            std::abs(shape.points[0].y - shape.points[2].y) <= 8)
            found.push_back(shape.points[1]);
    return found;
}

TEST(FlowFigure, BringsEachMatrixToItsOwnTile) {
    ProductExample made;
    Drawing drawing = made.draw(5, 612);
    Box a = box_of_text(drawing, "A"), b = box_of_text(drawing, "B"), c = box_of_text(drawing, "C");
    Box a_tile = box_of_text(drawing, "A in shared memory"),
        b_tile = box_of_text(drawing, "B in shared memory");
    // A above B, each beside its tile; C to the right of both.
    EXPECT_EQ(a.x, b.x);
    EXPECT_LT(a.y, b.y);
    EXPECT_EQ(a.y, a_tile.y);
    EXPECT_EQ(b.y, b_tile.y);
    EXPECT_EQ(a_tile.x, b_tile.x);
    EXPECT_LT(a.x, a_tile.x);
    EXPECT_LT(a_tile.x, c.x);
    // An arrow ends before each tile, and one before C; none between A and B.
    std::vector<Point> ends = tips(drawing);
    ASSERT_EQ(3u, ends.size());
    for (size_t i : {0u, 1u}) {
        EXPECT_LT(ends[i].x, a_tile.x);
        EXPECT_GT(ends[i].x, a_tile.x - 7);
    }
    EXPECT_FLOAT_EQ(b.y - a.y, ends[1].y - ends[0].y);
    EXPECT_LT(ends[2].x, c.x);
    EXPECT_GT(ends[2].x, c.x - 7);
    EXPECT_TRUE(hints(drawing, "A in shared memory: 4 of 4 touched so far, in elements"));
    EXPECT_TRUE(hints(drawing, "B in shared memory: 4 of 4 touched so far, in elements"));
    EXPECT_TRUE(hints(made.draw(1, 612), "B in shared memory: 0 of 4 touched so far, in elements"));
    EXPECT_EQ("Warp 0 stores to B in shared memory, rows 0 to 1, columns 0 to 1: 1 wavefront.",
              made.words(3));
}

TEST(FlowFigure, GoesDownwardsWhereItIsNarrow) {
    ProductExample made;
    for (float width : {340.f, 300.f}) {
        Drawing drawing = made.draw(5, width);
        Box a = box_of_text(drawing, "A"), c = box_of_text(drawing, "C");
        Box a_tile = box_of_text(drawing, "A in shared memory"),
            b_tile = box_of_text(drawing, "B in shared memory");
        bool pairs = width > 322;
        EXPECT_EQ(pairs, a.y == a_tile.y);
        EXPECT_EQ(!pairs, a.x == a_tile.x);
        EXPECT_GT(c.y, b_tile.y);
        EXPECT_EQ(3u, tips(drawing).size());
        EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
    }
}

// What goes past shared memory has its arrow all the same, and what comes back a head at both ends.
TEST(FlowFigure, ShowsOtherWaysToo) {
    ProductExample made;
    made.input.tiles = nullptr;
    made.input.tile_rows = 0;
    Drawing drawing = made.draw(5, 612);
    EXPECT_EQ(1u, tips(drawing).size());  // of A, and B's way joins it
    EXPECT_LT(box_of_text(drawing, "B").x, box_of_text(drawing, "C").x);
    Example in_place;
    in_place.block.accesses[2].buffer = 0;
    in_place.input.matrices.pop_back();
    EXPECT_EQ(2u, tips(in_place.draw(3, 612)).size());
}

// A ring of four tiles stands side by side.
TEST(FlowFigure, FoldsALongRingOfTiles) {
    ProductExample made;
    SharedTile& tile = made.tiles.tiles[0];
    tile.rows.resize(512);
    for (size_t i = 0; i < 512; ++i) tile.rows[i] = static_cast<int64_t>(i);
    Drawing drawing = made.draw(5, 612);
    std::string words;  // they wrap
    for (const Shape& shape : drawing.shapes) words += shape.text + " ";
    EXPECT_NE(std::string::npos, words.find("4 times 128 rows of 2 elements, side by side"))
        << words;
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
