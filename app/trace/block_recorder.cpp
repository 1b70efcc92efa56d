// Keeps every access of a block for the pictures.
#include <bit>

#include "trace/access_cost.h"
#include "trace/counter.h"
#include "trace/executed.h"
#include "trace/memory_instructions.h"

namespace lanewise {

struct BlockRecorder::State {
    std::vector<int> index;  // by PTX instruction
    const Memory* memory;
    std::vector<CountAs> count_as;  // by index; empty: all as written
    BlockTrace trace;
    void record(const MemoryEvent& event);
};

BlockRecorder::BlockRecorder(const ptx::Kernel& kernel, const LaunchShape& shape,
                             const Memory& memory, std::span<const CountAs> count_as)
    : state_(new State{report_indices(kernel), &memory, {count_as.begin(), count_as.end()}, {}}) {
    BlockTrace& trace = state_->trace;
    trace.warps = static_cast<uint32_t>((shape.block.count() + 31) / 32);
    trace.shared_bytes = kernel.shared_bytes + shape.dynamic_shared_bytes;
    for (const Memory::Buffer& buffer : memory.buffers())
        trace.buffers.push_back({buffer.name, buffer.address, buffer.bytes});
}
BlockRecorder::~BlockRecorder() = default;

void BlockRecorder::on_memory(const MemoryEvent& event) {
    if (event.kind != AccessKind::plain) return;
    auto index = static_cast<size_t>(state_->index[event.instruction]);
    CountAs count_as = index < state_->count_as.size() ? state_->count_as[index] : CountAs();
    for_each_executed(event, count_as,
                      [this](const MemoryEvent& executed) { state_->record(executed); });
}

void BlockRecorder::State::record(const MemoryEvent& event) {
    trace.block = event.block;
    if (trace.accesses.size() == kMostTracedAccesses) {
        ++trace.left_out;
        return;
    }
    TracedAccess access;
    access.instruction = static_cast<uint32_t>(index[event.instruction]);
    access.warp = event.warp;
    access.mask = event.mask;
    access.addresses.assign(event.addresses->begin(), event.addresses->end());
    AccessCost cost = access_cost(event);
    if (event.space == Space::global) {
        // One access may touch several buffers; the picture is of the first active lane's.
        uint64_t first = access.addresses[static_cast<size_t>(std::countr_zero(event.mask))];
        const Memory::Buffer* buffer = memory->find(first, 1);
        access.buffer = -1;  // a variable of the module
        for (size_t i = 0; i < memory->buffers().size(); ++i)
            if (&memory->buffers()[i] == buffer) access.buffer = static_cast<int>(i);
        for (uint64_t& address : access.addresses) address -= buffer->address;
        access.requests = 1;
        access.sectors = static_cast<int>(cost.sectors);
        access.sectors_ideal = static_cast<int>(cost.sectors_ideal);
    } else {
        access.wavefronts = static_cast<int>(cost.wavefronts);
        access.wavefronts_ideal = static_cast<int>(cost.wavefronts_ideal);
    }
    for (size_t lane = 0; lane < 32; ++lane)
        if (!(event.mask >> lane & 1)) access.addresses[lane] = 0;
    trace.accesses.push_back(std::move(access));
}

BlockTrace BlockRecorder::take() { return std::move(state_->trace); }

}  // namespace lanewise
