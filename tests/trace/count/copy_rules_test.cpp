// The counts of cp.async against an H200's (h200-copy-rules.csv says what the columns mean).
#include "trace/count/copy_rules.h"

#include <gtest/gtest.h>

#include <cctype>

#include "base/files.h"
#include "base/text.h"

namespace lanewise {
namespace {

struct CopyRow {
    std::string form;
    int bytes = 0;
    bool through_cache = false;
    uint32_t reading = 0;
    int start = 0, row = 0, pitch = 0, to_row = 0, to_pitch = 0;
    bool at_start = false;
    int others = 0;
    int requests = 0, sectors = 0, wavefronts = 0, tag_sectors = 0;
};

CopyRow read_row(std::string_view line) {
    std::vector<std::string_view> cells = split(line, ',');
    auto number = [&](size_t i) { return std::stoi(std::string(cells.at(i))); };
    CopyRow row;
    row.form = cells.at(0);
    row.bytes = number(1);
    row.through_cache = cells.at(2) == "ca";
    row.reading = static_cast<uint32_t>(std::stoul(std::string(cells.at(3)), nullptr, 16));
    row.start = number(4), row.row = number(5), row.pitch = number(6);
    row.to_row = number(7), row.to_pitch = number(8);
    row.at_start = number(9) != 0, row.others = number(10);
    row.requests = number(11), row.sectors = number(12);
    row.wavefronts = number(13), row.tag_sectors = number(14);
    return row;
}

std::vector<CopyRow> rows_of_the_table() {
    std::vector<CopyRow> rows;
    std::string text = read_file(TESTS_FOLDER "/trace/h200-copy-rules.csv");
    for (std::string_view line : lines_of(text))
        if (!line.starts_with('#') && !line.starts_with("form")) rows.push_back(read_row(line));
    return rows;
}

LaneAddresses layout(int start, int row, int pitch, int bytes) {
    LaneAddresses addresses;
    for (int lane = 0; lane < 32; ++lane)
        addresses[static_cast<size_t>(lane)] =
            static_cast<uint64_t>(start + lane / row * pitch + lane % row * bytes);
    return addresses;
}

CopyZeros zeros_of(const CopyRow& row) {
    if (row.form == "p0") return CopyZeros::by_first_predicate;
    return row.form == "zfill" ? CopyZeros::by_size : CopyZeros::by_predicate;
}

CopyCost cost_of(const CopyRow& row) {
    LaneAddresses from = layout(row.start, row.row, row.pitch, row.bytes);
    LaneAddresses to = layout(0, row.to_row, row.to_pitch, row.bytes);
    for (size_t lane = 0; lane < 32; ++lane)
        if (row.at_start && !(row.reading >> lane & 1)) from[lane] = 0;
    uint32_t reading = row.others > 0 ? ~0u : row.reading;
    uint32_t mask = row.form == "plain" ? row.reading : ~0u;
    return copy_cost({&from, &to, row.bytes, mask, reading, row.through_cache, zeros_of(row)});
}

TEST(CopyRules, EqualAnH200InEveryRow) {
    std::vector<CopyRow> rows = rows_of_the_table();
    EXPECT_EQ(2655u, rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        const CopyRow& row = rows[i];
        CopyCost cost = cost_of(row);
        EXPECT_EQ(row.sectors, cost.sectors) << i;
        EXPECT_EQ(row.tag_sectors, cost.tag_sectors) << i;
        EXPECT_EQ(row.requests, cost.sectors > 0 ? 1 : 0) << i;
        EXPECT_EQ(row.wavefronts, cost.wavefronts) << i;
    }
}

TEST(CopyRules, EqualAnH200WhereLanesAreScattered) {
    int rows = 0;
    std::string text = read_file(TESTS_FOLDER "/trace/h200-copy-scatter.csv");
    for (std::string_view line : lines_of(text)) {
        if (line.starts_with('#') || line.starts_with("bytes")) continue;
        std::vector<std::string_view> cells = split(line, ',');
        auto number = [&](size_t i) { return std::stoi(std::string(cells.at(i))); };
        auto addresses = [](std::string_view list) {
            LaneAddresses result;
            size_t lane = 0;
            for (std::string_view one : split(list, ' '))
                result.at(lane++) = std::stoull(std::string(one));
            return result;
        };
        LaneAddresses from = addresses(cells.at(3)), to = addresses(cells.at(4));
        auto reading = static_cast<uint32_t>(std::stoul(std::string(cells.at(2)), nullptr, 16));
        CopyCost cost = copy_cost({&from, &to, number(0), ~0u, reading, cells.at(1) == "ca"});
        EXPECT_EQ(number(6), cost.sectors) << rows;
        EXPECT_EQ(number(7), cost.wavefronts) << rows;
        EXPECT_EQ(number(8), cost.tag_sectors) << rows;
        ++rows;
    }
    EXPECT_EQ(217, rows);
}

TEST(CopyRules, ByHand) {
    // 16 bytes a lane from packed rows of 128 bytes to rows 144 bytes apart: rows 1 and 3 begin in
    // the middle of a sector of shared memory, so each of their lanes is a pair of its own.
    LaneAddresses packed = layout(0, 32, 0, 16), padded = layout(0, 8, 144, 16);
    CopyAccess copy{&packed, &padded, 16, ~0u, ~0u, false};
    EXPECT_EQ(4 + 8 + 4 + 8, copy_cost(copy).sectors);
    EXPECT_EQ(4 + 5 + 4 + 5, copy_cost(copy).tag_sectors);
    // Whole sectors (row 0); even lanes and odd lanes across, the last lane of which lies in the
    // next line of shared memory (row 1); whole sectors to two lines (row 2); even and odd lanes to
    // two lines each (row 3).
    EXPECT_EQ(1 + 3 + 2 + 4, copy_cost(copy).wavefronts);
    // Some fill in zeros: all four phases take a turn, besides what comes back for rows 0 and 1.
    copy.reading = 0xffff;
    EXPECT_EQ(4 + 1 + 3, copy_cost(copy).wavefronts);
    copy.zeros = CopyZeros::by_first_predicate;
    EXPECT_EQ(4, copy_cost(copy).wavefronts);
    copy.zeros = CopyZeros::by_size;
    EXPECT_EQ(4 + 1 + 3, copy_cost(copy).wavefronts);
    copy.reading = ~0u;  // nobody does, but the machine cannot know
    EXPECT_EQ(4 + 1 + 3 + 2 + 4, copy_cost(copy).wavefronts);
    copy.reading = ~0u;
    copy.through_cache = true;
    EXPECT_EQ(16, copy_cost(copy).sectors);
    EXPECT_EQ(4, copy_cost(copy).wavefronts);
    copy.reading = 0;
    EXPECT_EQ(0, copy_cost(copy).sectors);
    EXPECT_EQ(4, copy_cost(copy).wavefronts);
    copy.mask = 0xff;
    EXPECT_EQ(1, copy_cost(copy).wavefronts);
}

// Lane 8 g + j reads bank j of line g, and writes bank g + j: each bank of the cache is for four
// lanes, and the banks of shared memory 3 to 7 are too. Four turns would do (g after g).
TEST(CopyRules, CountWhoSharesABankOnEitherSide) {
    LaneAddresses from, to;
    for (uint64_t lane = 0; lane < 32; ++lane) {
        from[lane] = lane / 8 * 128 + lane % 8 * 4;
        to[lane] = lane % 8 * 132 + lane / 8 * 4;
    }
    CopyAccess copy{&from, &to, 4, ~0u, ~0u, true};
    EXPECT_EQ(4 + 4 - 1, copy_cost(copy).wavefronts);
    copy.reading = 0xffff;  // two of each four read
    EXPECT_EQ(4 + 2 - 1, copy_cost(copy).wavefronts);
    copy.mask = 0xffff;
    EXPECT_EQ(2 + 2 - 1, copy_cost(copy).wavefronts);
}

// Past the cache, 16 bytes a lane: all even lanes write where the first does, all odd lanes where
// the second does.
TEST(CopyRules, OfLanesThatWriteToOnePlaceTheFirstCounts) {
    LaneAddresses from = layout(0, 32, 0, 16), to = layout(0, 2, 0, 16);
    CopyAccess copy{&from, &to, 16, ~0u, ~0u, false};
    EXPECT_EQ(1, copy_cost(copy).sectors);
    EXPECT_EQ(1, copy_cost(copy).tag_sectors);
    EXPECT_EQ(1, copy_cost(copy).wavefronts);
    copy.reading = 0xc;  // lanes 2 and 3 ask for a sector, but what 0 and 1 write is zeros
    EXPECT_EQ(1, copy_cost(copy).sectors);
    EXPECT_EQ(4 * 4, copy_cost(copy).wavefronts);
}

}  // namespace
}  // namespace lanewise
