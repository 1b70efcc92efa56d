// occupancy: how many blocks of a kernel fit a multiprocessor, architecture by architecture, as the
// kernel is compiled for each.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "lab/analysis/analysis.h"
#include "lab/json/json.h"
#include "model/carveout.h"
#include "model/occupancy.h"

namespace lanewise {
namespace {

constexpr const char* kArchitectures[] = {"sm_75", "sm_80",  "sm_86",  "sm_87", "sm_89",
                                          "sm_90", "sm_100", "sm_103", "sm_120"};

struct ArchRow {
    std::string arch;
    Occupancy fit;
    int64_t carveout = 0;
    std::string problem;  // why there is none: the kernel does not compile for it
};

ArchRow row_for(Job job, const std::string& arch) {
    ArchRow row{arch, {}, 0, ""};
    const SmLimits& limits = *sm_limits(arch);
    job.arch = arch;
    try {
        Occupancy compiled = trace_block(job, 0).occupancy;
        row.fit = occupancy(limits, compiled.threads_per_block, compiled.registers_per_thread,
                            compiled.shared_bytes_per_block);
    } catch (const Error& error) {
        row.problem = std::string(lines_of(error.what()).front());
        return row;
    }
    int64_t shared = row.fit.shared_bytes_per_block + limits.shared_bytes_reserved;
    row.carveout = shared_carveout_bytes(arch, shared * row.fit.blocks_per_sm);
    return row;
}

void print_rows(const std::vector<ArchRow>& rows) {
    fmt::print("{:<8} {:>9} {:>12} {:>7} {:>6} {:>6} {:>6}   {:<14} {:>9}\n", "arch", "registers",
               "shared", "threads", "blocks", "warps", "%", "limited by", "carve-out");
    for (const ArchRow& row : rows) {
        const Occupancy& fit = row.fit;
        if (!row.problem.empty())
            fmt::print("{:<8} {}\n", row.arch, row.problem);
        else
            fmt::print("{:<8} {:>9} {:>12} {:>7} {:>6} {:>6} {:>6.1f}   {:<14} {:>9}\n", row.arch,
                       fit.is_known() ? std::to_string(*fit.registers_per_thread) : "?",
                       in_bytes(static_cast<uint64_t>(fit.shared_bytes_per_block)),
                       fit.threads_per_block, fit.blocks_per_sm, fit.warps_per_sm,
                       100 * fit.fraction, fit.limited_by,
                       in_bytes(static_cast<uint64_t>(row.carveout)));
    }
    fmt::print(
        "\nRegisters and shared memory are a thread's and a block's, as compiled for each. The "
        "carve-out is the\nleast that the blocks' shared memory needs of the multiprocessor's "
        "memory; the rest of it is L1.\n");
    if (std::any_of(rows.begin(), rows.end(), [](const ArchRow& row) { return !row.fit.is_known(); }))
        fmt::print(
            "?: registers are {}, so fewer blocks and warps may fit than these: at most so many "
            "do.\n",
            kNotKnown);
}

nlohmann::json rows_json(const std::vector<ArchRow>& rows) {
    nlohmann::json all = nlohmann::json::array();
    for (const ArchRow& row : rows) {
        nlohmann::json entry = {{"arch", row.arch}, {"problem", row.problem}};
        if (row.problem.empty()) {
            entry["occupancy"] = occupancy_json(row.fit);
            entry["carveout_bytes"] = row.carveout;
        }
        all.push_back(std::move(entry));
    }
    return all;
}

}  // namespace

static void add_occupancy(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "occupancy", "how many blocks of a kernel fit a multiprocessor, by architecture");
    auto options = std::make_shared<JobOptions>();
    options->add_to(*command);
    command->callback([options] {
        Job job = options->job();
        std::vector<ArchRow> rows;
        for (const char* arch : kArchitectures)
            if (options->arch.empty() || options->arch == arch) rows.push_back(row_for(job, arch));
        if (rows.empty())
            throw Error(Status::bad_input, "no multiprocessor of \"" + options->arch +
                                               "\" is known; sm_75 to sm_120 are");
        options->json ? print_json(rows_json(rows)) : print_rows(rows);
    });
}
static const CommandRow kOccupancy("occupancy", "calibrate", add_occupancy, Compiles::yes);

}  // namespace lanewise
