// The counts of cp.async against an H200's (h200-copy-rules.csv says what the columns mean).
#include "trace/copy_rules.h"

#include <gtest/gtest.h>

#include <cctype>

#include "base/files.h"
#include "base/text.h"

namespace lanewise {
namespace {

struct Row {
    int bytes = 0;
    bool through_cache = false;
    uint32_t reading = 0;
    std::array<int, 4> shape{};  // row, pitch, to_row, to_pitch
    bool at_start = false;
    int others = 0;
    int requests = 0, sectors = 0, wavefronts = 0, tag_sectors = 0;
};

Row read_row(std::string_view line) {
    std::vector<std::string_view> cells = split(line, ',');
    auto number = [&](size_t i, int base = 10) {
        return static_cast<int>(std::stoul(std::string(cells.at(i)), nullptr, base));
    };
    Row row;
    row.bytes = number(0);
    row.through_cache = cells.at(1) == "ca";
    row.reading = static_cast<uint32_t>(std::stoul(std::string(cells.at(2)), nullptr, 16));
    for (size_t i = 0; i < 4; ++i) row.shape[i] = number(3 + i);
    row.at_start = number(7) != 0;
    row.others = number(8);
    row.requests = number(9), row.sectors = number(10);
    row.wavefronts = number(11), row.tag_sectors = number(12);
    return row;
}

std::vector<Row> rows_of_the_table() {
    std::vector<Row> rows;
    std::string text = read_file(TESTS_FOLDER "/trace/h200-copy-rules.csv");
    for (std::string_view line : lines_of(text))
        if (!line.empty() && std::isdigit(static_cast<unsigned char>(line[0])))
            rows.push_back(read_row(line));
    return rows;
}

LaneAddresses layout(int row, int pitch, int bytes) {
    LaneAddresses addresses;
    for (int lane = 0; lane < 32; ++lane)
        addresses[static_cast<size_t>(lane)] =
            static_cast<uint64_t>(lane / row * pitch + lane % row * bytes);
    return addresses;
}

CopyCost cost_of(const Row& row) {
    LaneAddresses from = layout(row.shape[0], row.shape[1], row.bytes);
    LaneAddresses to = layout(row.shape[2], row.shape[3], row.bytes);
    for (size_t lane = 0; lane < 32; ++lane)
        if (row.at_start && !(row.reading >> lane & 1)) from[lane] = 0;
    uint32_t reading = row.others > 0 ? ~0u : row.reading;
    return copy_cost({&from, &to, row.bytes, ~0u, reading, row.through_cache, true});
}

TEST(CopyRules, EqualAnH200InEveryRow) {
    std::vector<Row> rows = rows_of_the_table();
    EXPECT_EQ(1340u, rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        CopyCost cost = cost_of(rows[i]);
        EXPECT_EQ(rows[i].sectors, cost.sectors) << i;
        EXPECT_EQ(rows[i].tag_sectors, cost.tag_sectors) << i;
        EXPECT_EQ(rows[i].requests, cost.sectors > 0 ? 1 : 0) << i;
        EXPECT_EQ(rows[i].wavefronts, cost.wavefronts) << i;
    }
}

TEST(CopyRules, ByHand) {
    // 16 bytes a lane from packed rows of 128 bytes to rows 144 bytes apart: rows 1 and 3 begin in
    // the middle of a sector of shared memory, so each of their lanes is a pair of its own.
    LaneAddresses packed = layout(32, 0, 16), padded = layout(8, 144, 16);
    CopyAccess copy{&packed, &padded, 16, ~0u, ~0u, false, true};
    EXPECT_EQ(4 + 8 + 4 + 8, copy_cost(copy).sectors);
    EXPECT_EQ(4 + 5 + 4 + 5, copy_cost(copy).tag_sectors);
    // A turn for each row; then whole sectors (row 0), even lanes and odd lanes, across (row 1, the
    // last lane of which lies in the next line of shared memory: 3), whole sectors to two lines
    // (row 2), even and odd lanes to two lines each (row 3).
    EXPECT_EQ(4 + 1 + 3 + 2 + 4, copy_cost(copy).wavefronts);
    copy.may_fill = false;
    EXPECT_EQ(4, copy_cost(copy).wavefronts);
    copy.through_cache = true;
    EXPECT_EQ(16, copy_cost(copy).sectors);
    EXPECT_EQ(4, copy_cost(copy).wavefronts);
    copy.reading = 0;
    EXPECT_EQ(0, copy_cost(copy).sectors);
    EXPECT_EQ(4, copy_cost(copy).wavefronts);
    copy.mask = 0xff;
    EXPECT_EQ(1, copy_cost(copy).wavefronts);
}

}  // namespace
}  // namespace lanewise
