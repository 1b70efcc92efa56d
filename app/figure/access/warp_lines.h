// Which bytes of which 128-byte lines one access touches, and for whom. Private to figure/.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "trace/count/rules.h"
#include "trace/report.h"

namespace lanewise {

// A run of bytes of one sector that the same lanes touch (mask 0: fetched for nobody).
struct ByteRun {
    int first = 0, count = 0;  // bytes within the line
    uint32_t lanes = 0;
};

struct TouchedLine {
    int64_t offset = 0;  // of its first byte from the buffer's; negative where the buffer begins
                         // inside the line
    std::array<uint32_t, 128> owners{};  // per byte, the lanes that touch it
    uint32_t lanes() const;
    bool has_sector(int sector) const;
    int sectors() const;
    std::vector<ByteRun> runs() const;  // of its touched sectors, in order
};

// In address order. Lines are cut where the hardware cuts them: at device addresses.
std::vector<TouchedLine> touched_lines(const TracedAccess& access, int bytes_per_lane,
                                       uint64_t buffer_address);

// Distinct bytes that a lane asked for.
int useful_bytes(const std::vector<TouchedLine>& lines);

}  // namespace lanewise
