// Hazards -> findings, in words and in the order of the source.
#include <algorithm>

#include "ptx/grid_barrier.h"
#include "ptx/parts.h"
#include "trace/check/checker_state.h"
#include "trace/places.h"

namespace lanewise {

namespace {

constexpr uint32_t kMostThreads = 1024;  // from here on: agents (block_order.h)

struct Words {
    const ptx::Kernel& kernel;
    const LaunchShape& shape;
    const Memory& memory;

    std::string thread(uint32_t index) const { return "thread " + coordinates(index, shape.block); }
    int line(uint32_t instruction) const { return kernel.instructions[instruction].position.line; }

    bool is_bulk(uint32_t instruction) const {
        return has_part(kernel.instructions[instruction], "bulk");
    }
    bool is_product(uint32_t instruction) const {
        return kernel.instructions[instruction].parts[0] == "wgmma";
    }
    std::string place(const char* of, uint32_t other, uint32_t instruction) const {
        return of + thread(other) + " at line " + std::to_string(line(instruction));
    }

    // What is wrong with an access and a copy that is under way, or reads without a fence.
    std::string copy_under_way(const Hazard& h) const {
        uint32_t other = h.other_instruction;
        if (h.is_unfenced) {
            std::string by = is_product(h.instruction) ? " by wgmma, " : " by a bulk copy, ";
            bool by_thread = kernel.instructions[other].parts[0] != "cp";
            return place((by + (by_thread ? "which " : "into which the cp.async of ")).c_str(),
                         h.other_thread, other) +
                   (by_thread ? " stores" : " has copied") + " with no fence.proxy.async between";
        }
        if (is_product(other))
            return place(", which the wgmma of the warp of ", h.other_thread, other) +
                   " may still be reading: its warpgroup has not waited for it (wgmma.wait_group)";
        if (!h.other_is_store && !has_part(kernel.instructions[other], "bulk_group"))
            return place(", which the bulk copy of ", h.other_thread, other) +
                   " may still be reading: no thread of the block that it goes to has found the "
                   "phase of its mbarrier over";
        if (!h.other_is_store)
            return place(", which the bulk copy of ", h.other_thread, other) +
                   " may still be reading: that thread has not waited for it "
                   "(cp.async.bulk.wait_group.read)";
        if (is_bulk(other))
            return place(", into which the bulk copy of ", h.other_thread, other) +
                   " may still be copying: no thread has found the phase of its mbarrier over";
        return place(", into which the cp.async of ", h.other_thread, other) +
               " may still be copying: that thread has not waited for it (cp.async.wait_group)";
    }

    // Of two blocks of a cluster.
    std::string cluster_race(const Hazard& h) const {
        ObjectPlace object = shared_place(kernel, shape, h.address);
        auto block = [&](uint32_t index) { return "block " + coordinates(index, shape.grid); };
        return std::string("race: ").append(h.is_store ? "store to " : "load of ") + object.place +
               " of " + block(h.owner_block) + ", which " + thread(h.other_thread) + " of " +
               block(h.other_block) + (h.other_is_store ? " stores" : " loads") + " at line " +
               std::to_string(line(h.other_instruction)) +
               " with no cluster.sync() or mbarrier between; " + object.size;
    }

    std::string race(const Hazard& h) const {
        if (h.owner_block != Hazard::kNone) return cluster_race(h);
        ObjectPlace object = shared_place(kernel, shape, h.address);
        bool same_warp = h.thread / 32 == h.other_thread / 32;
        std::string text =
            std::string("race: ").append(h.is_store ? "store to " : "load of ") + object.place;
        if (h.other_thread >= kMostThreads)
            return text + ", which the copy at line " + std::to_string(line(h.other_instruction)) +
                   " stores; this thread has not found the phase of the copy's mbarrier over; " +
                   object.size;
        if (h.is_pending) return text + copy_under_way(h) + "; " + object.size;
        if (same_warp && h.instruction == h.other_instruction)
            text += ", where " + thread(h.other_thread) +
                    " stores another value in the same instruction; either may stay";
        else
            text += ", which " + thread(h.other_thread) +
                    (h.other_is_store ? " stores" : " loads") + " at line " +
                    std::to_string(line(h.other_instruction)) + " with no " +
                    (same_warp ? "__syncwarp" : "barrier") + " between";
        return text + "; " + object.size;
    }

    std::string block_order(const Hazard& h) const {
        ObjectPlace object = global_place(memory, h.address);
        const std::string& opcode = kernel.instructions[h.other_instruction].parts[0];
        bool by_atomic = opcode == "red" || opcode == "atom";
        const char* does = by_atomic                        ? " changes by an atomic"
                           : h.is_store && h.other_is_store ? " stores another value"
                           : h.other_is_store               ? " stores"
                                                            : " loads";
        return std::string("depends on the order of blocks: ")
                   .append(h.is_store ? "store to " : "load of ") +
               object.place + ", which " + thread(h.other_thread) + " of block " +
               coordinates(h.other_block, shape.grid) + does + " at line " +
               std::to_string(line(h.other_instruction)) +
               (ptx::grid_barrier(kernel).is_used ? " with no grid.sync() between; "
                                                  : "; blocks run in any order; ") +
               object.size;
    }

    std::string text(const Hazard& h) const {
        if (h.kind == HazardKind::race) return race(h);
        if (h.kind == HazardKind::block_order) return block_order(h);
        if (h.kind == HazardKind::split_barrier)
            return "this barrier is not reached by every thread of the block: " +
                   thread(h.other_thread) + " waits at line " +
                   std::to_string(line(h.other_instruction)) + " instead";
        bool shared = h.kind == HazardKind::uninitialized_shared;
        ObjectPlace object =
            shared ? shared_place(kernel, shape, h.address) : global_place(memory, h.address);
        return std::string("uninitialized load: ").append(object.place) +
               (shared ? ", which no thread of the block has stored; "
                       : ", which nothing in this block has stored; ") +
               object.size;
    }
};

struct HazardRow {
    HazardKind kind;
    const char *name, *space;
};
constexpr HazardRow kHazards[] = {
    {HazardKind::race, "race", "shared"},
    {HazardKind::uninitialized_shared, "uninitialized_shared", "shared"},
    {HazardKind::uninitialized_global, "uninitialized_global", "global"},
    {HazardKind::split_barrier, "divergent_barrier", ""},
    {HazardKind::block_order, "block_order", "global"},
};
static_assert(kHazards[4].kind == HazardKind::block_order);

// The hazards of one kind at one place of the source are one: a loop that the compiler unrolled has
// several instructions there.
using BySource = std::map<std::tuple<int, int, int, HazardKind>, HazardCount>;

// Whether some access misses what it was meant for. What blocks then do to each other is most often
// the same mistake seen once more, and one is told of at a time.
bool reaches_elsewhere(const Report& report, const BySource& hazards) {
    auto is_outside = [](const Finding& f) { return f.kind == "out_of_bounds"; };
    auto is_unwritten = [](const auto& hazard) {
        HazardKind kind = std::get<HazardKind>(hazard.first);
        return kind == HazardKind::uninitialized_shared || kind == HazardKind::uninitialized_global;
    };
    return std::any_of(report.findings.begin(), report.findings.end(), is_outside) ||
           std::any_of(hazards.begin(), hazards.end(), is_unwritten);
}

auto source_order(const Finding& f) { return std::tie(f.file, f.line, f.column, f.kind); }

}  // namespace

void add_findings(Report& report, const ptx::Kernel& kernel,
                  std::span<const Checker* const> checkers, const LaunchShape& shape,
                  const Memory& memory) {
    BySource by_source;
    auto merge = [&](const HazardCounts& hazards) {
        for (const auto& [key, found] : hazards) {
            const ptx::Position& at = kernel.instructions[found.first.instruction].position;
            by_source[{at.file, at.line, at.column, found.first.kind}].add(found.first,
                                                                           found.count);
        }
    };
    std::vector<const BlockTouches*> touches;
    for (const Checker* checker : checkers) {
        merge(checker->state().hazards);
        touches.push_back(&*checker->state().touches);
    }
    if (!reaches_elsewhere(report, by_source)) {
        HazardCounts conflicts;
        add_block_conflicts(touches, conflicts);
        merge(conflicts);
    }
    Words words{kernel, shape, memory};
    for (const auto& [key, found] : by_source) {
        const HazardRow& row = kHazards[static_cast<size_t>(found.first.kind)];
        Finding finding;
        finding.kind = row.name;
        finding.space = row.space;
        locate(finding, kernel, found.first.instruction);
        finding.block = coordinates(found.first.block, shape.grid);
        finding.thread = coordinates(found.first.thread, shape.block);
        finding.count = found.count;
        finding.message = words.text(found.first);
        report.findings.push_back(std::move(finding));
    }
    std::stable_sort(
        report.findings.begin(), report.findings.end(),
        [](const Finding& a, const Finding& b) { return source_order(a) < source_order(b); });
}

}  // namespace lanewise
