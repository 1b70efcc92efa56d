#include "lab/flow/bytes_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace lanewise {
namespace {

constexpr double kSector = 32, kWavefront = 128;  // bytes
using L = BytesLevel;

double real(uint64_t number) { return static_cast<double>(number); }

// The source line that adds most to what `excess` counts; 0 where none does.
template <class Excess>
int worst_line(const Report& report, Excess excess) {
    int line = 0;
    uint64_t most = 0;
    for (const LineReport& each : report.lines)
        if (uint64_t here = excess(each.counts); here > most) {
            most = here;
            line = each.line;
        }
    return line;
}

struct Sum {
    uint64_t moved = 0, ideal = 0;
    void add(uint64_t more, uint64_t at_best) {
        moved += more;
        ideal += std::min(more, at_best);
    }
    void add(const GlobalCounts& c) { add(c.sectors, c.sectors_ideal); }
    void add(const SharedCounts& c) { add(c.wavefronts, c.wavefronts_ideal); }
    uint64_t in_vain() const { return moved - ideal; }
};

Sum shared_loads(const Counts& c) {
    Sum sum;
    sum.add(c.shared_load);
    sum.add(c.matrix_load);
    return sum;
}
Sum shared_stores(const Counts& c) {
    Sum sum;
    sum.add(c.shared_store);
    sum.add(c.shared_atomic);
    return sum;
}
Sum global_loads(const Counts& c) {
    Sum sum;
    sum.add(c.global_load);
    return sum;
}
// Atomics are done in L2: what they ask for goes there.
Sum global_stores(const Counts& c) {
    Sum sum;
    sum.add(c.global_store);
    sum.add(c.global_atomic);
    sum.add(c.global_reduction);
    return sum;
}
Sum async_copies(const Counts& c) {
    Sum sum;
    sum.add(c.async_copy.sectors, c.async_copy.sectors_ideal);
    return sum;
}
Sum bulk_loads(const Counts& c) {
    Sum sum;
    sum.add(c.bulk_load.sectors, c.bulk_load.sectors_ideal);
    return sum;
}
Sum bulk_stores(const Counts& c) {
    Sum sum;
    sum.add(c.bulk_store.sectors, c.bulk_store.sectors_ideal);
    return sum;
}

struct Counted {
    L from, to;
    Sum (*of)(const Counts&);
    double unit;
    const char* what;
};
// What goes from one level to another, and is counted there. L1 writes through: its stores are L2's.
constexpr Counted kCounted[] = {
    {L::shared, L::registers, shared_loads, kWavefront, "wavefronts of loads"},
    {L::registers, L::shared, shared_stores, kWavefront, "wavefronts of stores"},
    {L::l1, L::registers, global_loads, kSector, "sectors of loads"},
    {L::registers, L::l1, global_stores, kSector, "sectors of stores"},
    {L::l1, L::l2, global_stores, kSector, "sectors of stores"},
    {L::l1, L::shared, async_copies, kSector, "sectors of asynchronous copies"},
    {L::l2, L::shared, bulk_loads, kSector, "sectors of bulk copies"},
    {L::shared, L::l2, bulk_stores, kSector, "sectors of bulk copies"},
};

BytesPipe counted_pipe(const Report& report, const Counted& row) {
    const Sum sum = row.of(report.totals);
    BytesPipe pipe{
        row.from, row.to, row.unit * real(sum.ideal), row.unit * real(sum.in_vain()), false, "", 0};
    pipe.tooltip = fmt::format("Counted: {} {}, {} at best", with_thousands(sum.moved), row.what,
                               with_thousands(sum.ideal));
    if (sum.in_vain() > 0)
        pipe.line = worst_line(report, [&](const Counts& c) { return row.of(c).in_vain(); });
    return pipe;
}

// Beside what plain loads ask for stands what asynchronous copies do.
BytesPipe from_l2(const Analysis& analysis, const BytesPipe& loads, const BytesPipe& copies) {
    const double read = analysis.prediction.l2_read_bytes;
    BytesPipe pipe{L::l2,
                   L::l1,
                   std::min(read, loads.useful) + copies.useful,
                   std::max(0.0, read - loads.useful) + copies.vain,
                   false,
                   "",
                   0};
    pipe.tooltip =
        "What L1 has to ask for, by the model: it keeps a block's sectors where all of them fit.";
    if (pipe.vain > 0) pipe.line = loads.vain > 0 ? loads.line : copies.line;
    return pipe;
}

BytesPipe of_memory(L from, L to, double bytes) {
    return {from, to, bytes, 0, true, "Each byte that the launch needs once: at least that.", 0};
}

std::string per_request(const GlobalCounts& counts) {
    if (counts.requests == 0) return "";
    const double each = real(counts.sectors) / real(counts.requests);
    return fmt::format("{:.{}f} sectors a load", each, each < 10 ? 1 : 0);
}
std::string per_access(const SharedCounts& counts) {
    if (counts.instructions == 0) return "";
    const double each = real(counts.wavefronts) / real(counts.instructions);
    return fmt::format("{:.{}f} wavefronts a load", each, each < 10 ? 1 : 0);
}

}  // namespace

BytesFigureInput bytes_of(const Analysis& analysis, const DeviceProfile* card) {
    BytesFigureInput input;
    const Counts& totals = analysis.report.totals;
    for (const Counted& row : kCounted) input.pipes.push_back(counted_pipe(analysis.report, row));
    const BytesPipe loads = input.pipes[2], copies = input.pipes[5];
    if (analysis.prediction.time_us > 0) {
        input.pipes.push_back(from_l2(analysis, loads, copies));
        // Of a kernel of one's own nobody knows what it needs.
        const bool known = analysis.has_reference && !analysis.sample.is_used();
        if (known) {
            input.pipes.push_back(of_memory(L::memory, L::l2, analysis.prediction.dram_read_bytes));
            input.pipes.push_back(
                of_memory(L::l2, L::memory, analysis.prediction.dram_written_bytes));
        }
    }
    input.notes[1] = "32 lanes a warp";
    input.notes[0] = per_access(totals.shared_load);
    input.notes[2] = per_request(totals.global_load);
    if (!card) return input;
    if (card->l2_bytes > 0) input.notes[3] = in_bytes(static_cast<uint64_t>(card->l2_bytes));
    if (card->datasheet_gb_per_s > 0)
        input.notes[4] = with_thousands(static_cast<uint64_t>(card->datasheet_gb_per_s)) + " GB/s";
    return input;
}

}  // namespace lanewise
