#include "trace/count/access_table.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"

namespace lanewise {

namespace {

std::string table_with(const std::string& row) {
    std::string header =
        "op,bytes_per_lane,case,active_mask,requests,sectors,wavefronts,bank_conflicts";
    for (int i = 0; i < 32; ++i) (header += ",offset") += std::to_string(i);
    return header + "\n" + row + "\n";
}

// 32 lanes, `pitch` bytes apart.
std::string row(const std::string& start, int pitch) {
    std::string text = start;
    for (int lane = 0; lane < 32; ++lane) (text += ",") += std::to_string(lane * pitch);
    return text;
}

std::string complaint(const std::string& table) {
    try {
        check_access_table(table, "t.csv");
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "none";
}

}  // namespace

TEST(AccessTable, TheRulesEqualEveryRecordedCaseOfAnH200) {
    std::string file = TESTS_FOLDER "/trace/h200-access-rules.csv";
    AccessTableResult result = check_access_table(read_file(file), file);
    EXPECT_EQ(384, result.cases);
    EXPECT_EQ(0u, result.mismatches.size());
}

TEST(AccessTable, NamesWhatDiffers) {
    // A column of a 128-byte-wide tile: every lane wants bank 0, 32 wavefronts.
    AccessTableResult result =
        check_access_table(table_with(row("ld.shared,4,column,ffffffff,,,31,30", 128)), "t.csv");
    ASSERT_EQ(1u, result.mismatches.size());
    const AccessMismatch& mismatch = result.mismatches[0];
    EXPECT_EQ(2, mismatch.line);
    EXPECT_EQ("ld.shared, 4 bytes a lane, column", mismatch.access);
    EXPECT_EQ("wavefronts", mismatch.count);
    EXPECT_EQ(31, mismatch.recorded);
    EXPECT_EQ(32, mismatch.predicted);
    // The same column in global memory: 32 sectors; what nobody recorded is not compared.
    EXPECT_TRUE(check_access_table(table_with(row("st.global,4,c,ffffffff,1,32,,", 128)), "t.csv")
                    .mismatches.empty());
    EXPECT_EQ(2u, check_access_table(table_with(row("st.global,4,c,ffffffff,2,31,,", 128)), "t.csv")
                      .mismatches.size());
}

TEST(AccessTable, BadTablesNameTheLine) {
    EXPECT_NE(std::string::npos, complaint("").find("t.csv is not an access table"));
    EXPECT_NE(std::string::npos, complaint("a,b\n1,2\n").find("t.csv is not an access table"));
    EXPECT_EQ("t.csv:2: the row has 3 columns instead of 40",
              complaint(table_with("ld.shared,4,x")));
    EXPECT_EQ("t.csv:2: the row has the unknown op ld.local",
              complaint(table_with(row("ld.local,4,x,ffffffff,,,,", 4))));
    EXPECT_EQ("t.csv:2: the row has 3 bytes a lane; 1, 2, 4, 8 and 16 exist",
              complaint(table_with(row("ld.shared,3,x,ffffffff,,,,", 4))));
    EXPECT_EQ("t.csv:2: the row has \"wide\" where a number belongs",
              complaint(table_with(row("ld.shared,wide,x,ffffffff,,,,", 4))));
    EXPECT_EQ("t.csv:2: the row has \"1ffffffff\" where a number belongs",
              complaint(table_with(row("ld.shared,4,x,1ffffffff,,,,", 4))));
}

}  // namespace lanewise
