#include "compile/sass_counts.h"

#include <map>
#include <utility>

namespace lanewise {

namespace {
// What the SASS has for the instructions of one kind in one line of the PTX.
struct Executed {
    int operations = 0;
    int bytes = 0;           // of each
    bool same_width = true;  // whether each has the same
};
}  // namespace

// What the PTX writes may become something more exact once ptxas knows the memory that a pointer
// means, or that nobody wants the old value.
static constexpr struct {
    MemoryKind written, executed;
} kMayBecome[] = {
    {MemoryKind::generic_load, MemoryKind::global_load},
    {MemoryKind::generic_load, MemoryKind::shared_load},
    {MemoryKind::generic_load, MemoryKind::local_load},
    {MemoryKind::generic_store, MemoryKind::global_store},
    {MemoryKind::generic_store, MemoryKind::shared_store},
    {MemoryKind::generic_store, MemoryKind::local_store},
    {MemoryKind::generic_atomic, MemoryKind::global_atomic},
    {MemoryKind::generic_atomic, MemoryKind::global_reduction},
    {MemoryKind::generic_atomic, MemoryKind::shared_atomic},
    {MemoryKind::global_atomic, MemoryKind::global_reduction},
    {MemoryKind::global_reduction, MemoryKind::global_atomic},
};

using ByLine = std::map<std::pair<int, MemoryKind>, Executed>;

static Executed executed_for(const PtxMemoryInstruction& i, const ByLine& by_line) {
    auto found = by_line.find({i.line, i.kind});
    for (const auto& become : kMayBecome)
        if (found == by_line.end() && become.written == i.kind)
            found = by_line.find({i.line, become.executed});
    return found == by_line.end() ? Executed() : found->second;
}

static CountedAs counted_from(const PtxMemoryInstruction& i, const Executed& executed) {
    if (executed.operations == 0) return {0, i.bytes_per_lane, true};
    int width = executed.bytes;
    if (!executed.same_width || width == 0) return {1, i.bytes_per_lane, false};
    if (width >= i.bytes_per_lane) return {1, width, true};
    bool is_split =
        i.bytes_per_lane % width == 0 && executed.operations % (i.bytes_per_lane / width) == 0;
    if (!is_split) return {1, i.bytes_per_lane, false};
    return {i.bytes_per_lane / width, width, true};
}

std::vector<CountedAs> counted_as(const std::vector<PtxMemoryInstruction>& ptx,
                                  const std::vector<SassMemoryOperation>& sass) {
    ByLine by_line;
    for (const SassMemoryOperation& op : sass) {
        if (op.never_executes) continue;
        Executed& executed = by_line[{op.ptx_line, op.kind}];
        if (executed.operations++ == 0) executed.bytes = op.bytes_per_lane;
        executed.same_width &= executed.bytes == op.bytes_per_lane;
    }
    std::vector<CountedAs> result;
    for (const PtxMemoryInstruction& i : ptx)
        result.push_back(counted_from(i, executed_for(i, by_line)));
    return result;
}

}  // namespace lanewise
