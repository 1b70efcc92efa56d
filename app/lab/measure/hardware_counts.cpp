#include "lab/measure/hardware_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "lab/job/operation_code.h"
#include "lab/measure/bench.h"
#include "lab/measure/own_run.h"
#include "trace/count/rules.h"

namespace lanewise {

namespace {

using Verdict = CountComparison::Verdict;

// A counter that the machine equals.
struct ExactCounter {
    const char* name;
    const char* metric;
    uint64_t (*machine)(const Counts&);
    uint64_t (*copies)(const Counts&);  // of which these are cp.async; null where none can be
};
constexpr ExactCounter kExact[] = {
    {"global load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     [](const Counts& c) { return c.global_load.requests + c.async_copy.requests; },
     [](const Counts& c) { return c.async_copy.requests; }},
    {"global load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     [](const Counts& c) { return c.global_load.sectors + c.async_copy.tag_sectors; },
     [](const Counts& c) { return c.async_copy.tag_sectors; }},
    {"global store requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     [](const Counts& c) { return c.global_store.requests; }, nullptr},
    {"global store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     [](const Counts& c) { return c.global_store.sectors; }, nullptr},
    {"atomic requests", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
     [](const Counts& c) { return c.global_atomic.requests; }, nullptr},
    {"atomic sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
     [](const Counts& c) { return c.global_atomic.sectors; }, nullptr},
    {"reduction requests", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
     [](const Counts& c) { return c.global_reduction.requests; }, nullptr},
    {"reduction sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
     [](const Counts& c) { return c.global_reduction.sectors; }, nullptr},
    {"async copy requests", "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum",
     [](const Counts& c) { return c.async_copy.requests; }, nullptr},
    {"async copy sectors", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum",
     [](const Counts& c) { return c.async_copy.sectors; }, nullptr},
    {"shared load wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     [](const Counts& c) { return c.shared_load.wavefronts; }, nullptr},
    {"shared store wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     [](const Counts& c) { return c.shared_store.wavefronts; }, nullptr},
    {"shared atomic wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
     [](const Counts& c) { return c.shared_atomic.wavefronts; }, nullptr},
    {"async copy wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
     [](const Counts& c) { return c.async_copy.wavefronts; }, nullptr},
    {"matrix load wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum",
     [](const Counts& c) { return c.matrix_load.wavefronts; }, nullptr},
    // Between the tensor memory accelerator and the L2; cards before sm_90 have neither.
    {"bulk load sectors", "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum",
     [](const Counts& c) { return c.bulk_load.sectors; }, nullptr},
    {"bulk store sectors", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum",
     [](const Counts& c) { return c.bulk_store.sectors; }, nullptr},
};

// What else is known of the launch when a row is explained.
struct Known {
    const Counts& counts;
    const LaunchFacts& facts;
};

// A counter that depends on more than the addresses: caches, other warps, the moment.
struct OtherCounter {
    const char* name;
    const char* unit;
    const char* metric;
    uint64_t (*machine)(const Known&);  // 0: nothing to compare with
    std::string (*why)(const Known&, double hardware, double machine);
};

std::string percent_of(double part, double whole) {
    return fmt::format("{:.1f} %", 100 * part / whole);
}

std::string lost_arbitration(const Known&, double hardware, double machine) {
    if (hardware < machine) return "";
    return fmt::format("{} more: other accesses had the memory just then (arbitration)",
                       with_thousands(static_cast<uint64_t>(hardware - machine)));
}

std::string served_by_l1(const Known&, double hardware, double machine) {
    double less = machine - hardware;
    if (less >= 0) return fmt::format("{} less: found in the L1 cache", percent_of(less, machine));
    return fmt::format("{} more than the kernel's own loads", percent_of(-less, machine));
}

std::string written_through(const Known&, double hardware, double machine) {
    if (hardware < machine) return "less: stores to one sector were put together";
    return "more than the kernel's own stores";
}

bool writes_in_part(const Counts& c) {
    return c.global_store.bytes < kSectorBytes * c.global_store.sectors;
}

std::string read_from_memory(const Known& known, double hardware, double machine) {
    double more = hardware - machine;
    if (more < 0)
        return fmt::format("{} less than the input: found in the L2 cache",
                           percent_of(-more, machine));
    std::string why = "fetched again after the cache had dropped it";
    if (writes_in_part(known.counts)) why += ", or sectors of the output that were written in part";
    return fmt::format("{} more than the input: {}", percent_of(more, machine), why);
}

std::string written_to_memory(const Known& known, double hardware, double machine) {
    double more = hardware - machine;
    if (more < 0)
        return fmt::format("{} less than the output: still in the L2 cache at the end",
                           percent_of(-more, machine));
    return fmt::format("{} more than the output{}", percent_of(more, machine),
                       writes_in_part(known.counts)
                           ? ": sectors written in part, and again after the cache had dropped them"
                           : "");
}

constexpr OtherCounter kOthers[] = {
    {"shared load wavefronts, all told", "", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     [](const Known& k) { return k.counts.shared_load.wavefronts; }, lost_arbitration},
    {"shared store wavefronts, all told", "",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     [](const Known& k) { return k.counts.shared_store.wavefronts; }, lost_arbitration},
    {"L2 sectors read", "", "lts__t_sectors_srcunit_tex_op_read.sum",
     [](const Known& k) { return k.counts.global_load.sectors + k.counts.async_copy.sectors; },
     served_by_l1},
    {"L2 sectors written", "", "lts__t_sectors_srcunit_tex_op_write.sum",
     [](const Known& k) { return k.counts.global_store.sectors; }, written_through},
    {"L2 traffic", "bytes", "lts__t_bytes.sum", [](const Known&) { return uint64_t{0}; }, nullptr},
    {"DRAM read", "bytes", "dram__bytes_read.sum",
     [](const Known& k) { return k.facts.input_bytes; }, read_from_memory},
    {"DRAM written", "bytes", "dram__bytes_write.sum",
     [](const Known& k) { return k.facts.output_bytes; }, written_to_memory},
};
constexpr const char* kTime = "gpu__time_duration.sum";  // nanoseconds

CountComparison compared(const ExactCounter& counter, const Counts& counts, double hardware) {
    CountComparison row;
    row.name = counter.name;
    row.has_machine = true;
    row.machine = counter.machine(counts);
    row.hardware = hardware;
    bool equal = static_cast<double>(row.machine) == hardware;
    row.verdict = equal ? Verdict::equal : Verdict::differs;
    row.words = equal ? "equal" : "differs, and it is not known why";
    uint64_t copies = counter.copies ? counter.copies(counts) : 0;
    if (equal && copies > 0)
        row.words += fmt::format("; {} of them cp.async, counted apart by the machine",
                                 with_thousands(copies));
    return row;
}

CountComparison compared(const OtherCounter& counter, const Known& known, double hardware) {
    CountComparison row;
    row.name = counter.name;
    row.unit = counter.unit;
    row.hardware = hardware;
    row.machine = counter.machine(known);
    row.has_machine = row.machine > 0;
    row.verdict = Verdict::hardware_only;
    if (!row.has_machine) return row;
    double machine = static_cast<double>(row.machine);
    row.words = hardware == machine ? "equal" : counter.why(known, hardware, machine);
    row.verdict = hardware == machine ? Verdict::equal
                  : row.words.empty() ? Verdict::differs
                                      : Verdict::explained;
    if (row.words.empty()) row.words = "differs, and it is not known why";
    return row;
}

CountComparison time_row(double ns, const LaunchFacts& facts) {
    CountComparison row;
    row.name = "time of the launch";
    row.unit = "us";
    row.hardware = ns / 1000;
    row.verdict = Verdict::hardware_only;
    row.words = "with a cold cache, by the profiler's clock";
    if (facts.cold_time_us > 0) row.words += fmt::format("; by events {:.1f}", facts.cold_time_us);
    return row;
}

}  // namespace

std::vector<std::string> counter_metrics() {
    std::vector<std::string> metrics;
    for (const ExactCounter& counter : kExact) metrics.emplace_back(counter.metric);
    for (const OtherCounter& counter : kOthers) metrics.emplace_back(counter.metric);
    metrics.emplace_back(kTime);
    return metrics;
}

CounterReading count_launch(const Job& job, double time_limit_s, const CancelFlag* cancel) {
    return job.own.is_used() ? count_own_launch(job, time_limit_s, cancel)
                             : count_stage_launch(job, time_limit_s, cancel);
}

LaunchFacts launch_facts(const Job& job, double cold_time_us) {
    if (job.own.is_used()) return {};
    MovedBytes moved = moved_bytes(job);
    return {moved.read, moved.written, cold_time_us};
}

std::vector<CountComparison> compare_counts(const Counts& machine, const CounterReading& hardware,
                                            const LaunchFacts& facts) {
    std::vector<CountComparison> rows;
    auto add = [&](const char* metric, auto&& compare) {
        auto value = hardware.values.find(metric);
        if (value == hardware.values.end()) return;
        CountComparison row = compare(value->second);
        if (row.machine > 0 || row.hardware > 0) rows.push_back(std::move(row));
    };
    Known known{machine, facts};
    for (const ExactCounter& counter : kExact)
        add(counter.metric, [&](double value) { return compared(counter, machine, value); });
    for (const OtherCounter& counter : kOthers)
        add(counter.metric, [&](double value) { return compared(counter, known, value); });
    add(kTime, [&](double value) { return time_row(value, facts); });
    return rows;
}

std::string counts_text(const std::vector<CountComparison>& rows, const CounterReading& hardware) {
    if (!hardware.problem.empty())
        return fmt::format("\nNo hardware counters: {}.\n", hardware.problem);
    auto number = [](double value, const CountComparison& row) {
        return row.unit == "us" ? fmt::format("{:.1f}", value)
                                : with_thousands(static_cast<uint64_t>(value + 0.5));
    };
    std::string text =
        fmt::format("\n{:<34} {:>16} {:>16}\n", "one launch, counted", "machine", "hardware");
    for (const CountComparison& row : rows) {
        std::string name = row.unit.empty() ? row.name : fmt::format("{}, {}", row.name, row.unit);
        std::string machine =
            row.has_machine ? number(static_cast<double>(row.machine), row) : std::string();
        text += fmt::format("{:<34} {:>16} {:>16}   {}\n", name, machine, number(row.hardware, row),
                            row.words);
    }
    if (!hardware.unknown.empty())
        text += fmt::format("This card has no {}.\n", fmt::join(hardware.unknown, ", "));
    return text + fmt::format("Counted in {} passes, each a launch of its own.\n", hardware.passes);
}

}  // namespace lanewise
