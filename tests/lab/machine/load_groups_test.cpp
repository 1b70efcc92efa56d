#include "lab/machine/load_groups.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

SassMemoryOperation operation(MemoryKind kind, int ptx_line) {
    SassMemoryOperation result;
    result.kind = kind;
    result.ptx_line = ptx_line;
    return result;
}

// Lines 3 and 5 are loaded, then stored; line 9 is loaded after that.
TEST(LoadGroups, EndAtTheFirstUse) {
    std::vector<int> got = load_groups(
        {operation(MemoryKind::global_load, 3), operation(MemoryKind::global_load, 5),
         operation(MemoryKind::shared_store, 4), operation(MemoryKind::shared_store, 6),
         operation(MemoryKind::global_load, 9), operation(MemoryKind::global_store, 10)});
    ASSERT_EQ(10u, got.size());
    EXPECT_EQ(got[3], got[5]);
    EXPECT_NE(got[3], got[9]);
    EXPECT_EQ(-1, got[4]);
}

TEST(LoadGroups, LookPastWhatNeverExecutes) {
    SassMemoryOperation dummy = operation(MemoryKind::shared_load, 0);
    dummy.never_executes = true;
    std::vector<int> got = load_groups(
        {operation(MemoryKind::global_load, 1), dummy, operation(MemoryKind::global_load, 2)});
    EXPECT_EQ(got[1], got[2]);
}

}  // namespace
}  // namespace lanewise
