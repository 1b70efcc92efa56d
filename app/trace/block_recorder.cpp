// Keeps every access of a block for the pictures.
#include <bit>

#include "trace/access_cost.h"
#include "trace/counter.h"
#include "trace/memory_instructions.h"

namespace lanewise {

struct BlockRecorder::State {
    std::vector<int> index;  // by PTX instruction
    const Memory* memory;
    BlockTrace trace;
};

BlockRecorder::BlockRecorder(const ptx::Kernel& kernel, const LaunchShape& shape,
                             const Memory& memory)
    : state_(new State{report_indices(kernel), &memory, {}}) {
    BlockTrace& trace = state_->trace;
    trace.warps = static_cast<uint32_t>((shape.block.count() + 31) / 32);
    trace.shared_bytes = kernel.shared_bytes + shape.dynamic_shared_bytes;
    for (const Memory::Buffer& buffer : memory.buffers())
        trace.buffers.push_back({buffer.name, buffer.address, buffer.bytes});
}
BlockRecorder::~BlockRecorder() = default;

void BlockRecorder::on_memory(const MemoryEvent& event) {
    if (event.kind != AccessKind::plain) return;
    BlockTrace& trace = state_->trace;
    trace.block = event.block;
    if (trace.accesses.size() == kMostTracedAccesses) {
        ++trace.left_out;
        return;
    }
    TracedAccess access;
    access.instruction = static_cast<uint32_t>(state_->index[event.instruction]);
    access.warp = event.warp;
    access.mask = event.mask;
    access.addresses.assign(event.addresses->begin(), event.addresses->end());
    AccessCost cost = access_cost(event);
    if (event.space == Space::global) {
        // One access may touch several buffers; the picture is of the first active lane's.
        uint64_t first = access.addresses[static_cast<size_t>(std::countr_zero(event.mask))];
        const Memory::Buffer* buffer = state_->memory->find(first, event.bytes_per_lane);
        access.buffer = -1;  // a variable of the module
        for (size_t i = 0; i < state_->memory->buffers().size(); ++i)
            if (&state_->memory->buffers()[i] == buffer) access.buffer = static_cast<int>(i);
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
