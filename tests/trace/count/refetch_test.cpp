// Sectors that a block asks for again: hand-worked.
#include "trace/count/refetch.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

TracedAccess access(uint32_t instruction, uint64_t step, uint64_t start, uint32_t mask = ~0u) {
    TracedAccess made;
    made.instruction = instruction;
    made.mask = mask;
    made.buffer = 0;
    for (uint64_t lane = 0; lane < 32; ++lane) made.addresses.push_back(start + lane * step);
    return made;
}

// Instructions: 0 loads 4 bytes, 1 stores 4, 2 loads 4 of shared memory, 3 loads 16.
Report report() {
    Report made;
    for (int i = 0; i < 4; ++i) {
        InstructionReport instruction;
        instruction.is_store = i == 1;
        instruction.space = i == 2 ? Space::shared : Space::global;
        instruction.bytes_per_lane = i == 3 ? 16 : 4;
        made.instructions.push_back(instruction);
    }
    return made;
}

BlockTrace block() {
    BlockTrace made;
    made.buffers = {{"in", 0x1000, 1 << 20}};  // sector 128
    made.accesses = {access(0, 4096, 0),       // one column: a sector for each lane
                     access(0, 4096, 4),       // the next: the same sectors
                     access(1, 4096, 8),       // stored: another direction
                     access(2, 4, 0),          // shared
                     access(0, 4096, 28, 3),   // of lanes 0 and 1 only
                     access(3, 16, 0)};        // 512 bytes from the begin: sectors 128 to 143
    return made;
}

TEST(Refetch, CountsWhatCameBefore) {
    auto touches = [&](int i) { return earlier_touches(block(), report(), i); };
    EXPECT_EQ(32u, touches(0).size());
    EXPECT_EQ(0, touches(0)[128]);
    EXPECT_EQ(1, touches(1)[128]);
    EXPECT_EQ(1, touches(1)[128 + 31 * 128]);
    EXPECT_EQ(0, touches(2)[128]);
    EXPECT_TRUE(touches(3).empty());
    EXPECT_EQ(2u, touches(4).size());
    EXPECT_EQ(2, touches(4)[256]);
    EXPECT_EQ(16u, touches(5).size());
    EXPECT_EQ(3, touches(5)[128]);  // three loads touched it
    EXPECT_EQ(0, touches(5)[129]);
    EXPECT_TRUE(touches(6).empty());
}

}  // namespace
}  // namespace lanewise
