#include "trace/count/counter.h"

#include <algorithm>
#include <map>

#include "trace/count/access_cost.h"
#include "trace/count/executed.h"
#include "trace/count/findings.h"
#include "trace/count/memory_instructions.h"
#include "trace/count/other_counts.h"
#include "trace/count/repeated_loads.h"
#include "trace/places.h"

namespace lanewise {

// What one instruction did in one space, as sums that only grow.
struct Sums {
    uint64_t instructions = 0, bytes = 0;
    uint64_t sectors = 0, sectors_ideal = 0, wavefronts = 0, wavefronts_ideal = 0;
};

struct Counter::State {
    std::vector<int> index;  // by PTX instruction
    struct Instruction {
        Sums global, shared;
        CostMemory<AccessCost> costs;
        CountAs count_as;
        std::unique_ptr<OtherCounts> others;  // where it is no plain load or store
        bool is_as_written = true;            // kept apart, since it is asked at every event
        RepeatedLoad repeated;
        void count(const MemoryEvent& event);
        void count_otherwise(const MemoryEvent& event, const ReadAnew& anew);
        void count_other(const MemoryEvent& event);
    };
    std::vector<Instruction> instructions;
    ReadAnew anew;
    FaultCounts faults;
    struct Text {
        uint32_t block, thread;
        std::string text;
    };
    std::vector<Text> printed;  // the first kMostPrinted
    uint64_t printed_total = 0;
};

Counter::Counter(const ptx::Kernel& kernel, std::span<const CountAs> count_as) : state_(new State) {
    state_->index = report_indices(kernel);
    size_t count = 0;
    for (int index : state_->index) count += index >= 0;
    state_->instructions.resize(count);
    for (size_t i = 0; i < std::min(count, count_as.size()); ++i) {
        state_->instructions[i].count_as = count_as[i];
        state_->instructions[i].is_as_written = count_as[i].is_as_written();
    }
    for (size_t i = 0; i < state_->index.size(); ++i) {
        if (state_->index[i] < 0) continue;
        State::Instruction& counted = state_->instructions[static_cast<size_t>(state_->index[i])];
        counted.others =
            std::make_unique<OtherCounts>(kernel.instructions[i], counted.count_as.executed);
    }
}
Counter::~Counter() = default;

void Counter::on_memory(const MemoryEvent& event) {
    state_->anew.on_memory(event);
    int index = state_->index[event.instruction];
    if (index < 0) return;  // outside the load/store unit: the hardware counts it elsewhere
    State::Instruction& instruction = state_->instructions[static_cast<size_t>(index)];
    if (event.kind != AccessKind::plain)
        instruction.count_other(event);
    else if (instruction.is_as_written)
        instruction.count(event);
    else
        instruction.count_otherwise(event, state_->anew);
}

// A store wholly outside its tensor accesses nothing: it is told of here alone.
void Counter::on_bulk_copy(const BulkCopyEvent& event) {
    int index = state_->index[event.instruction];
    if (event.to_shared || event.pieces.cut().inside > 0 || index < 0) return;
    state_->instructions[static_cast<size_t>(index)].others->count_store_outside();
}

void Counter::on_bulk_access(const BulkAccess& access) {
    if (access.is_store) state_->anew.on_store(access.warp);
    int index = state_->index[access.instruction];
    if (index >= 0) state_->instructions[static_cast<size_t>(index)].others->count(access);
}

void Counter::on_barrier(const BarrierEvent& event) { state_->anew.on_barrier(event); }

inline void Counter::State::Instruction::count(const MemoryEvent& event) {
    const AccessCost& cost = costs.cost(event, access_cost);
    Sums& sums = event.space == Space::global ? global : shared;
    sums.instructions += 1;
    sums.bytes += cost.bytes;
    sums.sectors += cost.sectors;
    sums.sectors_ideal += cost.sectors_ideal;
    sums.wavefronts += cost.wavefronts;
    sums.wavefronts_ideal += cost.wavefronts_ideal;
}

void Counter::State::Instruction::count_otherwise(const MemoryEvent& event, const ReadAnew& anew) {
    int width = count_as.bytes_per_lane;
    if (may_repeat(event, width) && repeated.repeats(event, static_cast<uint64_t>(width), anew))
        return;
    for_each_executed(event, count_as, [this](const MemoryEvent& executed) { count(executed); });
}

void Counter::State::Instruction::count_other(const MemoryEvent& event) { others->count(event); }

void Counter::on_fault(const Fault& fault) {
    state_->faults[{fault.instruction, fault.kind}].add(fault, 1);
}

namespace {

void add(InstructionReport& report, const Counter::State::Instruction& instruction) {
    const Sums &global = instruction.global, &shared = instruction.shared;
    Counts& counts = report.counts;
    if (instruction.others) counts += instruction.others->counts();
    if (instruction.count_as.bytes_per_lane > 0)
        report.bytes_per_lane = instruction.count_as.bytes_per_lane;
    GlobalCounts& g = report.is_store ? counts.global_store : counts.global_load;
    g += {global.instructions, global.instructions, global.sectors, global.sectors_ideal,
          global.bytes};
    SharedCounts& s = report.is_store ? counts.shared_store : counts.shared_load;
    s += {shared.instructions, shared.wavefronts, shared.wavefronts_ideal, shared.bytes};
    if (g.instructions == 0 && s.instructions > 0) report.space = Space::shared;
}

std::vector<LineReport> by_line(const std::vector<InstructionReport>& instructions) {
    std::map<std::pair<std::string, int>, Counts> lines;
    for (const InstructionReport& instruction : instructions)
        lines[{instruction.file, instruction.line}] += instruction.counts;
    std::vector<LineReport> result;
    for (const auto& [place, counts] : lines) result.push_back({place.first, place.second, counts});
    return result;
}

}  // namespace

void Counter::on_print(const Print& print) {
    ++state_->printed_total;
    if (state_->printed.size() < kMostPrinted)
        state_->printed.push_back({print.block, print.thread, std::string(print.text)});
}

// A counter sees its blocks in order, so the first texts of all are among the first of each.
static void add_printed(Report& report, std::span<const Counter* const> counters,
                        const LaunchShape& shape) {
    std::vector<const Counter::State::Text*> all;
    for (const Counter* counter : counters) {
        report.printed_total += counter->state().printed_total;
        for (const auto& text : counter->state().printed) all.push_back(&text);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto* a, const auto* b) { return a->block < b->block; });
    if (all.size() > kMostPrinted) all.resize(kMostPrinted);
    for (const Counter::State::Text* text : all)
        report.printed.push_back({coordinates(text->block, shape.grid),
                                  coordinates(text->thread, shape.block), text->text});
}

Report merge(const ptx::Kernel& kernel, std::span<const Counter* const> counters,
             const LaunchShape& shape, const Memory& memory) {
    Report report;
    report.instructions = memory_instructions(kernel);
    FaultCounts faults;
    for (const Counter* counter : counters) {
        const Counter::State& state = counter->state();
        for (size_t i = 0; i < report.instructions.size(); ++i)
            add(report.instructions[i], state.instructions[i]);
        for (const auto& [key, fault] : state.faults) faults[key].add(fault.first, fault.count);
    }
    for (const InstructionReport& instruction : report.instructions)
        report.totals += instruction.counts;
    report.lines = by_line(report.instructions);
    report.findings = findings(faults, kernel, shape, memory);
    add_printed(report, counters, shape);
    return report;
}

}  // namespace lanewise
