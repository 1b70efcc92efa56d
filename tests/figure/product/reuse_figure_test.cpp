#include "figure/product/reuse_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../drawn.h"

namespace lanewise {
namespace {

ReuseMap map_of(int rows, int cols, uint32_t global, uint32_t shared) {
    auto elements = static_cast<size_t>(rows * cols);
    return {rows, cols, std::vector<uint32_t>(elements, global),
            std::vector<uint32_t>(elements, shared)};
}

TEST(ReuseFigure, FitsEveryWidth) {
    ReuseMap a = map_of(1000, 50, 1, 16), b = map_of(50, 1000, 4, 0);
    for (float width : {360.f, 560.f, 900.f, 1400.f}) {
        Drawing drawing = reuse_figure({&a, &b, "1000 x 50 x 1000", width}, measure_approximately);
        EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately)) << width;
        for (const Shape& shape : drawing.shapes) EXPECT_LE(shape.box.x + shape.box.w, width + 1);
        EXPECT_TRUE(has_text(drawing, "each element once"));
        EXPECT_TRUE(has_text(drawing, "each element 16 times"));
        EXPECT_TRUE(has_text(drawing, "never"));
    }
}

// 96 columns in 48 cells: each is the mean of 2 x 2 elements, here of 1, 3, 1 and 3.
TEST(ReuseFigure, DrawsMeansOfManyElements) {
    ReuseMap a = map_of(2, 96, 1, 1), b = map_of(2, 2, 5, 0);
    for (size_t i = 1; i < a.global.size(); i += 2) a.global[i] = 3;
    Drawing drawing = reuse_figure({&a, &b, "", 900}, measure_approximately);
    EXPECT_TRUE(has_text(drawing, "1 to 3 times, 2.0 on average"));
    EXPECT_EQ(48u + 4u + 48u + 4u, drawing.hits.size());
    EXPECT_EQ("A[0-1][0-1]: fetched 2 times from global memory", drawing.hits[0].tooltip);
    EXPECT_EQ("B[0][0]: fetched 5 times from global memory", drawing.hits[48].tooltip);
}

TEST(ReuseFigure, ShowsHowOftenCIsWritten) {
    ReuseMap a = map_of(64, 32, 4, 16), b = map_of(32, 48, 4, 0), c = map_of(64, 48, 1, 0);
    for (float width : {360.f, 560.f, 900.f}) {
        Drawing drawing = reuse_figure({&a, &b, "", width, &c}, measure_approximately);
        EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately)) << width;
        EXPECT_TRUE(std::any_of(drawing.hits.begin(), drawing.hits.end(), [](const HitBox& hit) {
            return hit.tooltip == "C[0-1][0-1]: written once to global memory";
        }));
    }
}

TEST(ReuseFigure, IsWordsWithoutElements) {
    ReuseMap none;
    EXPECT_TRUE(has_text(reuse_figure({&none, &none, "", 560}, measure_approximately),
                         "There is nothing to fetch: a matrix is empty."));
}

}  // namespace
}  // namespace lanewise
