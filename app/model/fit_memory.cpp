// L2 and DRAM: one function per station.
#include <cmath>
#include <map>

#include "model/fitter.h"
#include "model/sizes.h"

namespace lanewise {
namespace {

bool on_all_sms(const CalibrationRow& row) { return !on_few_sms(row); }

// ---- L2 ----------------------------------------------------------------------------------------

// Reads of the whole card by lines and sectors; what comes on top of both is the launch.
void fit_l2_reads(Fitter& fitter) {
    Rows rows = fitter.rows("l2_read", "of the whole card", on_all_sms);
    std::vector<Equation> equations;
    for (const CalibrationRow* row : rows) {
        Touched t = touched_by(*row);
        equations.push_back({{t.lines, t.sectors, 1}, fitter.clocks(*row, row->work)});
    }
    fitter.solve(
        "L2 reads",
        std::array{&MachineCosts::l2_read_line_clocks, &MachineCosts::l2_read_sector_clocks}, rows,
        equations,
        "l2_read of the whole card: least squares over lines, sectors and a constant for the "
        "launch");
}

// Writes, by lines, sectors and sectors covered in part: at once by one warp, or word by word by
// many (columns). These differ with the distance of the rows by more than the equations know, and
// squares of the clocks themselves weigh slow and fast ones alike.
void fit_l2_writes(Fitter& fitter) {
    Rows rows = fitter.rows("l2_write", "of the whole card", on_all_sms);
    Rows columns = fitter.rows("column_write", "", nullptr);
    rows.insert(rows.end(), columns.begin(), columns.end());
    std::vector<Equation> equations;
    for (const CalibrationRow* row : rows) {
        Touched t = touched_by(*row);
        equations.push_back({{t.lines, t.sectors, t.parts}, fitter.clocks(*row, row->work)});
    }
    fitter.solve(
        "L2 writes",
        std::array{&MachineCosts::l2_write_line_clocks, &MachineCosts::l2_write_sector_clocks,
                   &MachineCosts::l2_write_part_clocks},
        rows, equations,
        "l2_write of the whole card, and column_write: least squares over lines, sectors "
        "and sectors in part",
        Residual::absolute);
}

// A thread that follows a ring too large for L1 and small enough for L2.
void fit_l2_latency(Fitter& fitter) {
    std::vector<double> each;
    for (const CalibrationRow* row : fitter.rows("latency", "in L2", [](const CalibrationRow& r) {
             return r.bytes >= 1u << 20 && r.bytes <= 16u << 20;
         }))
        each.push_back(fitter.clocks(*row, row->work));
    fitter.set(&MachineCosts::l2_latency_clocks, median(each),
               "latency of rings of 1 to 16 MiB: clocks of a step, median");
}

// Likewise a ring that fits L1 several times.
void fit_l1_latency(Fitter& fitter) {
    std::vector<double> each;
    for (const CalibrationRow* row : fitter.rows(
             "latency", "in L1", [](const CalibrationRow& r) { return r.bytes <= 64u << 10; }))
        each.push_back(fitter.clocks(*row, row->work));
    fitter.set(&MachineCosts::l1_latency_clocks, median(each),
               "latency of rings of at most 64 KiB: clocks of a step, median");
}

double bytes_per_us(const CalibrationRow& row) { return row.work / row.us; }

double fastest_gb_per_s(const Rows& rows) {
    double best = 0;
    for (const CalibrationRow* row : rows) best = std::max(best, bytes_per_us(*row) / 1e3);
    return best;
}

// ---- DRAM --------------------------------------------------------------------------------------

// What the bytes of a row take if reads and writes are each as fast as alone.
double copied_us(const Fitter& fitter, const CalibrationRow& row) {
    const MachineCosts& costs = fitter.fit.costs;
    double half = row.work / 2 / 1e3;
    return half / costs.dram_read_gb_per_s + half / costs.dram_write_gb_per_s;
}

// One stream alone; and copies by threads that have 16 bytes and more under way, most of which no
// latency holds up: the median of what they take longer than both ways alone.
void fit_dram_rates(Fitter& fitter) {
    fitter.set(&MachineCosts::dram_read_gb_per_s,
               fastest_gb_per_s(fitter.rows("dram_read", "", nullptr)), "dram_read: the fastest");
    fitter.set(&MachineCosts::dram_write_gb_per_s,
               fastest_gb_per_s(fitter.rows("dram_write", "", nullptr)), "dram_write: the fastest");
    std::vector<double> longer;
    for (const CalibrationRow* row :
         fitter.rows("dram_copy", "of 16 bytes a thread",
                     [](const CalibrationRow& r) { return r.argument(0) == "uint4"; }))
        longer.push_back(row->us / copied_us(fitter, *row) - 1);
    fitter.set(&MachineCosts::dram_turning, median(longer),
               "dram_copy of 16 bytes a thread: what it takes longer than reads and writes alone, "
               "median");
}

// One word per thread, 256 threads.
bool one_word_each(const CalibrationRow& r) {
    return r.argument(0) == "u32" && r.number(1) == 1 && r.threads == 256;
}

// A block's life on its multiprocessor, from its start to its successor's.
double round_clocks(const Fitter& fitter, const CalibrationRow& row) {
    return fitter.clocks(row, row.blocks / fitter.sms()) * row.blocks_per_sm;
}

// At most four blocks of one word per thread on a multiprocessor: nothing queues, so a round is the
// change of blocks, the instructions and the wait.
void fit_dram_latency(Fitter& fitter) {
    constexpr double kInstructions = 15;  // of a warp of micro_read<u32, 1, 1>, in PTX
    const MachineCosts& costs = fitter.fit.costs;
    std::vector<double> each;
    for (const CalibrationRow* row : fitter.rows(
             "dram_read", "of one word a thread, at most 4 blocks a multiprocessor",
             [](const CalibrationRow& r) { return one_word_each(r) && r.blocks_per_sm <= 4; }))
        each.push_back(round_clocks(fitter, *row) - costs.block_clocks -
                       costs.block_warp_clocks * row->threads / kWarp -
                       kInstructions * costs.instruction_clocks);
    fitter.set(&MachineCosts::dram_latency_clocks, median(each),
               "dram_read of one word a thread, at most 4 blocks a multiprocessor: a block's round "
               "less its change and its instructions, median");
}

// The same blocks as copies: by how much a round gets longer, over the share of the time in which
// DRAM writes; a line through 0.
void fit_write_batches(Fitter& fitter) {
    Rows reads = fitter.rows("dram_read", "of one word a thread", one_word_each);
    double sum = 0, squares = 0;
    for (const CalibrationRow* copy :
         fitter.rows("dram_copy", "of one word a thread", one_word_each))
        for (const CalibrationRow* read : reads) {
            if (read->blocks_per_sm != copy->blocks_per_sm) continue;
            double writing = bytes_per_us(*copy) / 2 / 1e3 / fitter.fit.costs.dram_write_gb_per_s;
            sum += writing * (round_clocks(fitter, *copy) - round_clocks(fitter, *read));
            squares += writing * writing;
        }
    fitter.set(&MachineCosts::dram_write_batch_clocks, squares > 0 ? sum / squares : 0,
               "dram_copy of one word a thread: how much longer than dram_read a block's round is, "
               "over the share of time that DRAM writes");
}

int walk_kind(const CalibrationRow& row) { return row.number(0); }  // 0 reads, 1 writes, 2 copies
double run_bytes(const CalibrationRow& row) { return row.number(1); }

// The length of what 16 consecutive blocks, as many as a launch's sample has (lab/analysis/prediction.h),
// touch without a gap: going down the rows each its own run, going along them one after another.
constexpr double kBlocksTogether = 16;

// Mean by length, in rising order; a factor is at least 1 and, as runs get longer, never rises.
std::vector<RunFactor> factors(const std::map<double, std::vector<double>>& by_length) {
    constexpr double kNothing = 0.01;
    std::vector<RunFactor> runs;
    for (const auto& [bytes, values] : by_length) {
        double mean = 0;
        for (double value : values) mean += value / static_cast<double>(values.size());
        mean = std::max(1.0, runs.empty() ? mean : std::min(mean, runs.back().factor));
        if (mean < 1 + kNothing) mean = 1;
        runs.push_back({bytes, four_digits(mean)});
        if (mean == 1) break;
    }
    return runs;
}

// Tiles of rows. Writes alone against the fastest; reads, which alone wait for latency, by what
// copies take longer when they read down the rows instead of along them.
void fit_runs(Fitter& fitter) {
    const MachineCosts& costs = fitter.fit.costs;
    Rows walks = fitter.rows("walk", "", nullptr);
    std::map<double, std::vector<double>> reads, writes;
    for (const CalibrationRow* row : walks) {
        if (walk_kind(*row) == 1) {
            double length = run_bytes(*row) * (row->b & 2 ? 1 : kBlocksTogether);
            writes[length].push_back(costs.dram_write_gb_per_s * 1e3 / bytes_per_us(*row));
        }
        if (walk_kind(*row) != 2 || !(row->b & 1)) continue;
        for (const CalibrationRow* along : walks)
            if (along->kernel == row->kernel && along->a == row->a && along->b == (row->b & 2))
                reads[run_bytes(*row)].push_back(
                    1 + (row->us - along->us) / (row->work / 2 / 1e3 / costs.dram_read_gb_per_s));
    }
    fitter.fit.costs.read_runs = factors(reads);
    fitter.fit.costs.write_runs = factors(writes);
    fitter.fit.from["read_runs"] =
        "walk, copies: what reading down the rows takes longer than along them, over the time of "
        "the reads alone, mean by run";
    fitter.fit.from["write_runs"] =
        "walk, writes: against the fastest writes, mean by the run of 16 consecutive blocks";
}

}  // namespace

void fit_memory(Fitter& fitter) {
    for (void (*station)(Fitter&) : {fit_l2_reads, fit_l2_writes, fit_l2_latency, fit_l1_latency,
                                     fit_dram_rates, fit_dram_latency, fit_write_batches, fit_runs})
        station(fitter);
}

}  // namespace lanewise
