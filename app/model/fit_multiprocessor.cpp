// Shared memory, L1, instructions, barriers and blocks: one function per station.
#include <map>

#include "model/fitter.h"
#include "model/sizes.h"

namespace lanewise {
namespace {

// Lanes that lie 1, 2, 4, … words apart need as many wavefronts: the slope of the time over them.
void fit_shared(Fitter& fitter) {
    Rows rows = fitter.rows("shared", "", nullptr);
    std::vector<Equation> equations;
    for (const CalibrationRow* row : rows)
        equations.push_back({{static_cast<double>(row->a), 1}, fitter.clocks(*row, row->work)});
    fitter.solve("shared memory", std::array{&MachineCosts::wavefront_clocks}, rows, equations,
                 "shared: slope of the clocks of an access over its wavefronts",
                 Residual::absolute);
}

// A line takes the load pipe one clock, wherever it is found: reads from L2 by 8 multiprocessors,
// which are their own narrowest place, of 32 lines an access. With fewer, 32 warps wait for data.
void fit_l1_loads(Fitter& fitter) {
    std::vector<double> each;
    for (const CalibrationRow* row : fitter.rows(
             "l2_read", "of 8 blocks, 32 lines an access",
             [](const CalibrationRow& r) { return on_few_sms(r) && touched_by(r).lines == kWarp; }))
        each.push_back(fitter.clocks(*row, row->work / row->blocks * kWarp));
    fitter.set(&MachineCosts::l1_load_line_clocks, median(each),
               "l2_read of 8 blocks, 32 lines an access: clocks per line");
}

// Stores of 8 multiprocessors, which are their own narrowest place, by lines and sectors; only
// those of 8 sectors and more: smaller ones wait for the next instruction.
void fit_l1_stores(Fitter& fitter) {
    Rows rows = fitter.rows(
        "l2_write", "of 8 blocks, 8 sectors an access and more",
        [](const CalibrationRow& r) { return on_few_sms(r) && touched_by(r).sectors >= 8; });
    std::vector<Equation> equations;
    for (const CalibrationRow* row : rows) {
        Touched t = touched_by(*row);
        equations.push_back({{t.lines, t.sectors}, fitter.clocks(*row, row->work / row->blocks)});
    }
    fitter.solve(
        "L1 stores",
        std::array{&MachineCosts::l1_store_line_clocks, &MachineCosts::l1_store_sector_clocks},
        rows, equations,
        "l2_write of 8 blocks, 8 sectors an access and more: least squares over lines and sectors");
}

// One warp, 64 multiply-adds in a chain.
void fit_instructions(Fitter& fitter) {
    const CalibrationRow& row = *fitter.rows("dependent", "", nullptr).front();
    fitter.set(&MachineCosts::instruction_clocks, fitter.clocks(row, row.work),
               "dependent: clocks of a multiply-add that needs the one before");
}

// One block on each multiprocessor: a line over its number of warps.
void fit_barriers(Fitter& fitter) {
    Rows all = fitter.rows("barrier", "", nullptr), rows;
    double one_each = all.front()->blocks;
    for (const CalibrationRow* row : all) one_each = std::min(one_each, row->blocks);
    std::vector<Equation> equations;
    for (const CalibrationRow* row : all) {
        if (row->blocks != one_each) continue;
        rows.push_back(row);
        equations.push_back({{1, row->threads / kWarp}, fitter.clocks(*row, row->work)});
    }
    fitter.solve("barriers",
                 std::array{&MachineCosts::barrier_clocks, &MachineCosts::barrier_warp_clocks},
                 rows, equations, "barrier of one block a multiprocessor: a line over its warps",
                 Residual::absolute);
}

// Blocks that do nothing pass as fast as the card can start them; blocks that stay for a known
// time, one at a time on each multiprocessor, show what lies between two of them.
void fit_blocks(Fitter& fitter) {
    double fastest = 1e9;
    for (const CalibrationRow* row : fitter.rows("block", "", nullptr))
        fastest = std::min(fastest, fitter.clocks(*row, row->blocks));
    fitter.set(&MachineCosts::dispatch_clocks, fastest, "block: the fewest clocks per block");
    Rows rows = fitter.rows("stay", "one block at a time",
                            [](const CalibrationRow& r) { return r.blocks_per_sm == 1; });
    std::vector<Equation> equations;
    for (const CalibrationRow* row : rows)
        equations.push_back({{1, row->threads / kWarp},
                             fitter.clocks(*row, row->work) - static_cast<double>(row->a)});
    fitter.solve("change of blocks",
                 std::array{&MachineCosts::block_clocks, &MachineCosts::block_warp_clocks}, rows,
                 equations,
                 "stay of one block at a time: a line over its warps, less the clocks it stays",
                 Residual::absolute);
    double longest = 0;
    for (const CalibrationRow* row : fitter.rows("launch", "", nullptr))
        longest = std::max(longest, row->us);
    fitter.fit.launch_us = four_digits(longest);
    fitter.fit.from["launch_us"] = "launch: an empty block on every multiprocessor";
}

}  // namespace

void fit_multiprocessor(Fitter& fitter) {
    for (void (*station)(Fitter&) :
         {fit_shared, fit_l1_loads, fit_l1_stores, fit_instructions, fit_barriers, fit_blocks})
        station(fitter);
}

}  // namespace lanewise
