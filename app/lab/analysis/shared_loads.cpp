#include "lab/analysis/shared_loads.h"

#include <bit>
#include <unordered_set>

#include "trace/count/rules.h"

namespace lanewise {

namespace {

class LoadedSectors : public Observer {
  public:
    void on_memory(const MemoryEvent& event) override {
        if (event.space != Space::global || event.is_store) return;
        for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1)
            sectors.insert((*event.addresses)[static_cast<size_t>(std::countr_zero(lanes))] / kSectorBytes);
    }
    std::unordered_set<uint64_t> sectors;
};

uint64_t first_sector_of_buffer(const Memory& memory, uint64_t sector) {
    for (const Memory::Buffer& buffer : memory.buffers())
        if (buffer.holds(sector * kSectorBytes, 1)) return buffer.address / kSectorBytes;
    return 0;
}

}  // namespace

std::map<uint64_t, double> shared_loads(const Memory& memory, const std::vector<uint64_t>& blocks,
                                        const std::function<void(uint64_t block, Observer&)>& run) {
    struct Counted {
        double all = 0;
        std::unordered_set<uint64_t> together;
    };
    std::map<uint64_t, Counted> buffers;
    for (uint64_t block : blocks) {
        LoadedSectors loaded;
        run(block, loaded);
        for (uint64_t sector : loaded.sectors) {
            Counted& buffer = buffers[first_sector_of_buffer(memory, sector)];
            ++buffer.all;
            buffer.together.insert(sector);
        }
    }
    std::map<uint64_t, double> shared;
    for (const auto& [first, buffer] : buffers) shared[first] = 1 - static_cast<double>(buffer.together.size()) / buffer.all;
    return shared;
}

}  // namespace lanewise
