// Keeps every access of a block for the pictures, and what its warps did in between.
#include <bit>
#include <map>

#include "trace/count/access_cost.h"
#include "trace/count/counter.h"
#include "trace/count/executed.h"
#include "trace/count/memory_instructions.h"
#include "trace/count/repeated_loads.h"
#include "trace/record/copy_recorder.h"
#include "trace/record/shuffle_recorder.h"
#include "trace/value_sources.h"

namespace lanewise {

struct BlockRecorder::State {
    std::vector<int> index;  // by PTX instruction
    const ptx::Kernel* kernel;
    const Memory* memory;
    std::vector<CountAs> count_as;  // by index; empty: all as written
    CopyRecorder copies;
    BlockTrace trace;
    std::vector<int> copy_lines;  // by copy: of the instruction that has issued it
    ValueSources sources;
    std::vector<int> loaded_from;  // by PTX instruction: the buffer that it loaded from last; or -1
    int source_of(uint32_t store);
    ReadAnew anew;
    std::map<size_t, RepeatedLoad> repeated;  // by index; only of what is widened
    ShuffleRecorder shuffles;
    void record(const MemoryEvent& event);
    void mark(TracedMark::Kind kind, uint32_t warp, uint32_t instruction, int copy = -1);
    bool is_full() const {
        return trace.accesses.size() == kMostTracedAccesses ||
               trace.marks.size() == kMostTracedAccesses;
    }
    void mark_done(std::optional<int> copy);
};

BlockRecorder::BlockRecorder(const ptx::Kernel& kernel, const LaunchShape& shape,
                             const Memory& memory, std::span<const CountAs> count_as)
    : state_(new State{report_indices(kernel),
                       &kernel,
                       &memory,
                       {count_as.begin(), count_as.end()},
                       {kernel, memory, report_indices(kernel)},
                       {},
                       {},
                       ValueSources(kernel),
                       std::vector<int>(kernel.instructions.size(), -1),
                       {},
                       {},
                       {kernel, memory}}) {
    BlockTrace& trace = state_->trace;
    trace.warps = static_cast<uint32_t>((shape.block.count() + 31) / 32);
    trace.shared_bytes = kernel.shared_bytes + shape.dynamic_shared_bytes;
    for (const Memory::Buffer& buffer : memory.buffers())
        trace.buffers.push_back({buffer.name, buffer.address, buffer.bytes});
    for (const ptx::Variable& array : kernel.shared)
        if (array.bytes > 0) trace.arrays.push_back({array.name, array.offset, array.bytes});
}
BlockRecorder::~BlockRecorder() = default;

// By AccessKind.
static constexpr TracedMark::Kind kMarkOfAccess[] = {
    TracedMark::Kind::barrier,  // of a plain access, which is no mark
    TracedMark::Kind::atomic,   TracedMark::Kind::async_copy, TracedMark::Kind::matrix,
    TracedMark::Kind::mbarrier, TracedMark::Kind::bulk_copy};

void BlockRecorder::State::mark(TracedMark::Kind kind, uint32_t warp, uint32_t instruction,
                                int copy) {
    if (copy >= 0) copy_lines.push_back(kernel->instructions[instruction].position.line);
    if (is_full()) return;
    TracedMark mark{kind, warp, trace.accesses.size(),
                    kernel->instructions[instruction].position.line, copy};
    // A thread that waits at an mbarrier asks it again and again.
    bool repeats = kind == TracedMark::Kind::mbarrier || copy < 0;
    bool may_repeat = kind == TracedMark::Kind::bulk_copy || kind == TracedMark::Kind::mbarrier;
    if (repeats && may_repeat && !trace.marks.empty() && trace.marks.back() == mark) return;
    trace.marks.push_back(mark);
}

// On the line that has issued it.
void BlockRecorder::State::mark_done(std::optional<int> copy) {
    if (!copy || is_full()) return;
    auto number = static_cast<size_t>(*copy);
    trace.marks.push_back({TracedMark::Kind::copy_done, trace.copies[number].warp,
                           trace.accesses.size(), copy_lines[number], *copy});
}

void BlockRecorder::on_bulk_copy(const BulkCopyEvent& event) {
    if (state_->is_full()) return;
    state_->trace.block = event.block;
    if (std::optional<int> copy = state_->copies.issue(event, state_->trace.copies))
        state_->mark(TracedMark::Kind::bulk_copy, event.warp, event.instruction, *copy);
}
void BlockRecorder::on_bulk_done(uint32_t, uint64_t number) {
    state_->mark_done(state_->copies.done(number));
}
void BlockRecorder::on_copy_complete(const MemoryEvent& event, std::optional<uint32_t>) {
    if (event.kind == AccessKind::async_copy)
        state_->mark_done(state_->copies.done(event, state_->trace.copies));
}

void BlockRecorder::on_barrier(const BarrierEvent& event) {
    state_->anew.on_barrier(event);
    for (uint32_t warp = 0; warp < 32; ++warp)
        if (event.warps >> warp & 1)
            state_->mark(TracedMark::Kind::barrier, warp, (*event.instructions)[warp]);
}

void BlockRecorder::on_memory(const MemoryEvent& event) {
    state_->anew.on_memory(event);
    if (event.kind == AccessKind::bulk_copy) return;  // on_bulk_copy
    if (event.kind == AccessKind::async_copy) {
        if (state_->is_full()) return;
        if (std::optional<int> copy = state_->copies.issue(event, state_->trace.copies))
            state_->mark(TracedMark::Kind::async_copy, event.warp, event.instruction, *copy);
        return;
    }
    state_->shuffles.on_load(event);
    if (event.kind != AccessKind::plain)
        return state_->mark(kMarkOfAccess[static_cast<size_t>(event.kind)], event.warp, event.instruction);
    auto index = static_cast<size_t>(state_->index[event.instruction]);
    CountAs count_as = index < state_->count_as.size() ? state_->count_as[index] : CountAs();
    auto width = static_cast<uint64_t>(count_as.bytes_per_lane);
    if (may_repeat(event, count_as.bytes_per_lane) &&
        state_->repeated[index].repeats(event, width, state_->anew))
        return;
    for_each_executed(event, count_as,
                      [this](const MemoryEvent& executed) { state_->record(executed); });
}

void BlockRecorder::on_shuffle(const ShuffleEvent& event) {
    if (state_->is_full()) return;
    BlockTrace& trace = state_->trace;
    trace.block = event.block;
    std::optional<int> shuffle = state_->shuffles.on_shuffle(event, trace.shuffles);
    if (!shuffle) return;
    TracedMark mark{TracedMark::Kind::shuffle, event.warp, trace.accesses.size(),
                    state_->kernel->instructions[event.instruction].position.line};
    mark.shuffle = *shuffle;
    trace.marks.push_back(mark);
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
        if (!event.is_store) loaded_from[event.instruction] = access.buffer;
        access.requests = 1;
        access.sectors = static_cast<int>(cost.sectors);
        access.sectors_ideal = static_cast<int>(cost.sectors_ideal);
    } else {
        access.wavefronts = static_cast<int>(cost.wavefronts);
        access.wavefronts_ideal = static_cast<int>(cost.wavefronts_ideal);
        if (event.is_store) access.buffer = source_of(event.instruction);
    }
    for (size_t lane = 0; lane < 32; ++lane)
        if (!(event.mask >> lane & 1)) access.addresses[lane] = 0;
    trace.accesses.push_back(std::move(access));
}

// The one buffer that what it stores was loaded from; loads that were never made do not count.
int BlockRecorder::State::source_of(uint32_t store) {
    int source = -1;
    for (uint32_t load : sources.of_store(store)) {
        int buffer = loaded_from[load];
        if (buffer < 0 || buffer == source) continue;
        if (source >= 0) return -1;
        source = buffer;
    }
    return source;
}

BlockTrace BlockRecorder::take() { return std::move(state_->trace); }

}  // namespace lanewise
