#include "figure/product/mismatch_figure.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

// 100 x 60 in cells of 50 x 20: one wrong cell of each kind.
MismatchMap one_of_each_kind() {
    MismatchMap map;
    map.rows = 100;
    map.cols = 60;
    map.cell_rows = 50;
    map.cell_cols = 20;
    map.across = 3;
    map.down = 2;
    map.cells.resize(6);
    map.cells[1] = {1000, 0, 1000, 7, 25, "0x01", "0x02", 7, 25};
    map.cells[4] = {3, 3, 0, 50, 20, "0x03", "0x04", -1, -1};
    map.cells[5] = {1, 0, 0, 99, 59, "0x05", "0x06", -1, -1};
    map.wrong = 1004;
    map.patterns = {"Every tile lies in its place, and its inside was not turned."};
    return map;
}
bool hints(const Drawing& drawing, const std::string& words) {
    for (const HitBox& hit : drawing.hits)
        if (hit.tooltip == words) return true;
    return false;
}

TEST(MismatchFigure, TellsWhatIsWrongInEachCell) {
    MismatchMap map = one_of_each_kind();
    Drawing drawing = mismatch_figure({&map, 400}, measure_approximately);
    EXPECT_TRUE(hints(drawing,
                      "out[0–49][20–39]: 1,000 of 1,000 wrong\nout[7][25] should be in[25][7] = "
                      "0x01\nit is 0x02: this is in[7][25]"));
    EXPECT_TRUE(hints(drawing,
                      "out[50–99][20–39]: 3 of 1,000 wrong\nout[50][20] should be in[20][50] = "
                      "0x03\nit is 0x04: never written"));
    EXPECT_TRUE(hints(drawing, "out[0–49][0–19]: 0 of 1,000 wrong\nall right here"));
}

TEST(MismatchFigure, NamesAnOutputThatIsComputed) {
    MismatchMap map = one_of_each_kind();
    map.is_computed = true;
    map.output = "C";
    map.cells[1] = {1000, 0, 0, 7, 25, "1.5 ± 1e-06", "2.5", -1, -1};
    Drawing drawing = mismatch_figure({&map, 400}, measure_approximately);
    EXPECT_TRUE(hints(drawing,
                      "C[0–49][20–39]: 1,000 of 1,000 wrong\nC[7][25] should be 1.5 ± 1e-06\n"
                      "it is 2.5"));
    auto says = [&](const std::string& words) {
        return std::any_of(drawing.shapes.begin(), drawing.shapes.end(),
                           [&](const Shape& shape) { return shape.text == words; });
    };
    EXPECT_TRUE(says("C, 100 × 60, of the machine's launch"));
    EXPECT_TRUE(says("beyond its bound"));
}

// As a scene's picture it is as large as its place: no more, and hardly less.
TEST(MismatchFigure, FillsTheHeightThatItIsGiven) {
    MismatchMap map = one_of_each_kind();
    for (float height : {300.f, 460.f}) {
        Drawing drawing = mismatch_figure({&map, 600, height}, measure_approximately);
        EXPECT_LE(drawing.height, height);
        EXPECT_GE(drawing.height, height - 8);
    }
    // 3 x 100,000: the width decides.
    map.rows = 3;
    map.cols = 100'000;
    map.cell_rows = 2;
    map.cell_cols = 34'000;
    EXPECT_LT(mismatch_figure({&map, 600, 460}, measure_approximately).height, 200);
}

TEST(MismatchFigure, IsSoundAtEveryWidthAndShape) {
    for (auto [rows, cols] : {std::pair{100, 60}, {100'000, 3}, {3, 100'000}, {1, 1}})
        for (float width : {220.f, 280.f, 900.f}) {
            MismatchMap map = one_of_each_kind();
            map.rows = rows;
            map.cols = cols;
            map.cell_rows = (rows + 1) / 2;
            map.cell_cols = (cols + 2) / 3;
            map.across = (cols + int(map.cell_cols) - 1) / int(map.cell_cols);
            map.down = (rows + int(map.cell_rows) - 1) / int(map.cell_rows);
            Drawing drawing = mismatch_figure({&map, width}, measure_approximately);
            EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
            for (const HitBox& hit : drawing.hits) {
                EXPECT_LE(hit.box.x + hit.box.w, width + 0.5f);
                EXPECT_LE(hit.box.y + hit.box.h, drawing.height + 0.5f);
            }
        }
    EXPECT_FALSE(mismatch_figure({}, measure_approximately).shapes.empty());
}

}  // namespace
}  // namespace lanewise
