// The tables of opcodes, held to what operations.h says of their operands' letters.
#include <gtest/gtest.h>

#include <set>

#include "base/files.h"
#include "base/text.h"
#include "sim/operation/operations.h"
#include "sim/operation/rare_operations.h"

namespace lanewise {
namespace {

struct Table {
    const char* name;
    std::span<const OpcodeRow> rows;
};

std::vector<Table> tables() {
    return {{"operations", operations().rows}, {"float", float_rows()},
            {"selection", selection_rows()},   {"integer", integer_rows()},
            {"carry", carry_rows()},           {"warp", warp_rows()}};
}

// The lines "//   d  destination …" below "Operands in order".
std::set<char> documented_letters() {
    std::string header = read_file(std::filesystem::path(TESTS_FOLDER) / "../app/sim/operation/operations.h");
    std::set<char> letters;
    bool is_list = false;
    for (std::string_view line : lines_of(header)) {
        std::string_view text = trimmed(line);
        if (text.find("Operands in order") != text.npos)
            is_list = true;
        else if (!text.starts_with("//"))
            is_list = false;
        else if (is_list && text.starts_with("//   "))
            letters.insert(text[5]);
    }
    return letters;
}

TEST(OpcodeRows, UseTheLettersThatTheHeaderDocumentsAndNoOthers) {
    std::set<char> used;
    for (const Table& table : tables())
        for (const OpcodeRow& row : table.rows)
            used.insert(row.operands.begin(), row.operands.end());
    EXPECT_EQ(documented_letters(), used);
}

TEST(OpcodeRows, NameEachOpcodeOnceInATable) {
    for (const Table& table : tables()) {
        std::set<std::string_view> names;
        EXPECT_FALSE(table.rows.empty()) << table.name;
        for (const OpcodeRow& row : table.rows)
            EXPECT_TRUE(names.insert(row.name).second) << table.name << ": " << row.name;
    }
}

}  // namespace
}  // namespace lanewise
