// Sorts the bytes of one access into the 128-byte lines that hold them.
#include "figure/access/warp_lines.h"

#include <map>

#include "trace/count/rules.h"

namespace lanewise {

uint32_t TouchedLine::lanes() const {
    uint32_t all = 0;
    for (uint32_t owner : owners) all |= owner;
    return all;
}

bool TouchedLine::has_sector(int sector) const {
    for (int i = 0; i < kSectorBytes; ++i)
        if (owners[static_cast<size_t>(sector * kSectorBytes + i)]) return true;
    return false;
}

int TouchedLine::sectors() const {
    int sum = 0;
    for (int sector = 0; sector < kLineBytes / kSectorBytes; ++sector) sum += has_sector(sector);
    return sum;
}

std::vector<ByteRun> TouchedLine::runs() const {
    std::vector<ByteRun> runs;
    for (int byte = 0; byte < kLineBytes; ++byte) {
        if (!has_sector(byte / kSectorBytes)) continue;
        uint32_t owner = owners[static_cast<size_t>(byte)];
        bool joins = !runs.empty() && byte % kSectorBytes != 0 && runs.back().lanes == owner;
        if (joins)
            ++runs.back().count;
        else
            runs.push_back({byte, 1, owner});
    }
    return runs;
}

std::vector<TouchedLine> touched_lines(const TracedAccess& access, int bytes_per_lane,
                                       uint64_t buffer_address) {
    std::map<uint64_t, TouchedLine> lines;
    for (uint32_t lane = 0; lane < 32; ++lane) {
        if (!(access.mask >> lane & 1)) continue;
        for (int byte = 0; byte < bytes_per_lane; ++byte) {
            uint64_t address =
                buffer_address + access.addresses[lane] + static_cast<uint64_t>(byte);
            TouchedLine& line = lines[address / kLineBytes];
            line.offset = static_cast<int64_t>(address / kLineBytes * kLineBytes - buffer_address);
            line.owners[address % kLineBytes] |= 1u << lane;
        }
    }
    std::vector<TouchedLine> sorted;
    for (auto& [number, line] : lines) sorted.push_back(line);
    return sorted;
}

int useful_bytes(const std::vector<TouchedLine>& lines) {
    int sum = 0;
    for (const TouchedLine& line : lines)
        for (uint32_t owner : line.owners) sum += owner != 0;
    return sum;
}

}  // namespace lanewise
