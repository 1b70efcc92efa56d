// The forge's picture: colours, lanes and crosses where the mapping says, at every width.
#include "figure/access/forge_figure.h"

#include <gtest/gtest.h>

#include <set>

#include "../drawn.h"
#include "trace/count/rules.h"

namespace lanewise {
namespace {

template <typename Column>
ColumnMap map_of(int rows, int cols, int pitch, Column column) {
    ColumnMap map{rows, cols, pitch, {}};
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) map.columns.push_back(column(row, col));
    return map;
}

// A warp loads column `col`, lane i the element in row i.
TileAccess column_load(const ColumnMap& map, int col, int bytes) {
    TileAccess access;
    access.bytes_per_lane = bytes;
    for (int lane = 0; lane < 32; ++lane) {
        bool active = lane < map.rows;
        access.mask |= uint32_t{active} << lane;
        access.elements.push_back(active ? lane * map.cols + col : -1);
        access.addresses.push_back(active ? uint64_t(map.place(lane, col) * bytes) : 0);
    }
    LaneAddresses addresses{};
    std::copy(access.addresses.begin(), access.addresses.end(), addresses.begin());
    access.wavefronts = wavefronts(addresses, bytes, access.mask, false);
    access.wavefronts_ideal = wavefronts_ideal(addresses, bytes, access.mask, false);
    return access;
}

Drawing draw(const ColumnMap& map, const TileAccess* access, float width = 600, int bytes = 4,
             int lane = -1) {
    return forge_figure({&map, access, bytes, lane, "col ^ row", width}, measure_approximately);
}

bool hints(const Drawing& drawing, const std::string& words) {
    for (const HitBox& hit : drawing.hits)
        if (hit.tooltip == words) return true;
    return false;
}

TEST(ForgeFigure, TellsWhereEachElementLies) {
    ColumnMap map = map_of(32, 32, 32, [](int row, int col) { return col ^ row; });
    TileAccess load = column_load(map, 0, 4);
    Drawing drawing = draw(map, &load);
    // Row 5, column 3: 5 ^ 3 = 6, and 5 * 32 + 6 = 166 = 5 * 32 + 6.
    EXPECT_TRUE(hints(drawing, "element (5, 3) lies in column 6: word 166, bank 6"));
    EXPECT_TRUE(hints(drawing, "word 166, bank 6: element (5, 3)"));
    EXPECT_TRUE(hints(drawing, "lane 5: element (5, 0) lies in column 5: word 165, bank 5"));
    EXPECT_TRUE(says(drawing, "32 banks, 1 in the fullest: 1 wavefront, ideal 1"));
    EXPECT_TRUE(says(drawing, "5 × 32 + 5 = word 165: bank 165 mod 32 = 5"));
    EXPECT_TRUE(says(drawing, "col0 ^ row0, col1 ^ row1"));
    std::set<std::string> lanes;
    for (const HitBox& hit : drawing.hits)
        if (hit.action.starts_with("lane:")) lanes.insert(hit.action);
    EXPECT_EQ(32u, lanes.size());
}

TEST(ForgeFigure, TellsOfConflictsAndPadding) {
    ColumnMap plain = map_of(32, 32, 32, [](int, int col) { return col; });
    TileAccess load = column_load(plain, 7, 4);
    EXPECT_TRUE(says(draw(plain, &load), "1 bank, 32 in the fullest: 32 wavefronts, ideal 1"));
    ColumnMap padded = map_of(32, 32, 33, [](int, int col) { return col; });
    load = column_load(padded, 7, 4);
    EXPECT_TRUE(says(draw(padded, &load), "32 banks, 1 in the fullest: 1 wavefront, ideal 1"));
    EXPECT_TRUE(hints(draw(padded, &load), "row 0, column 32: no element lies here"));
    EXPECT_FALSE(says(draw(padded, &load), "overwrite another"));
}

TEST(ForgeFigure, MarksWhatCollidesAndWhatLeaves) {
    ColumnMap both = map_of(4, 4, 4, [](int row, int col) { return row == 3 ? col + 1 : col / 2; });
    Drawing drawing = draw(both, nullptr);
    // Rows 0 to 2: two of four overwrite another; row 3: the last leaves.
    EXPECT_TRUE(says(drawing, "7 of 16 elements"));
    EXPECT_TRUE(hints(drawing, "element (0, 1) lies in column 0: word 0, bank 0; not alone there"));
    EXPECT_TRUE(hints(drawing, "element (3, 3) would lie in column 4, outside its row"));
    EXPECT_TRUE(
        hints(drawing, "word 0, bank 0: element (0, 0) and 1 more: the last one written stays"));
    EXPECT_TRUE(says(drawing, "no XOR of address bits"));
}

TEST(ForgeFigure, IsSoundAtEveryWidth) {
    for (auto [side, bytes] : {std::pair{32, 4}, {64, 4}, {8, 8}, {32, 1}, {1, 4}})
        for (float width : {300.f, 360.f, 612.f, 1400.f}) {
            ColumnMap map =
                map_of(side, side, side + 1, [](int row, int col) { return col - row; });
            TileAccess load = column_load(
                map_of(side, side, side, [](int, int col) { return col; }), side - 1, bytes);
            Drawing drawing = draw(map, &load, width, bytes, 0);
            EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately))
                << side << " at " << width;
            for (const HitBox& hit : drawing.hits) {
                EXPECT_LE(hit.box.x + hit.box.w, width + 0.5f);
                EXPECT_LE(hit.box.y + hit.box.h, drawing.height + 0.5f);
            }
        }
    EXPECT_TRUE(says(forge_figure({}, measure_approximately), "Nothing has been forged"));
}

}  // namespace
}  // namespace lanewise
