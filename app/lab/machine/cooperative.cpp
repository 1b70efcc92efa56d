#include "lab/machine/cooperative.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "lab/job/devices.h"
#include "model/occupancy.h"
#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"
#include "ptx/parts.h"
#include "sim/run/clusters.h"

namespace lanewise {

void check_cooperative(const PreparedKernel& prepared, const LaunchShape& launch) {
    check_clusters(launch, prepared.kernel);
    if (!ptx::waits_for_grid(prepared.kernel)) return;
    const DeviceProfile& card = device_in_use();
    const auto per_sm = static_cast<uint64_t>(
        occupancy(card, static_cast<int>(launch.block.count()),
                  prepared.resources.registers_per_thread,
                  prepared.resources.static_shared_bytes +
                      static_cast<int>(launch.dynamic_shared_bytes))
            .blocks_per_sm);
    const uint64_t most = per_sm * static_cast<uint64_t>(card.sm_count);
    if (launch.grid.count() <= most) return;
    throw Error(
        Status::bad_input,
        fmt::format("the launch is refused: {} wait for each other (grid.sync()), and {} holds {} at "
                    "once. That is {} on each of {} multiprocessors: launch at most that many, and "
                    "let each do more",
                    counted(launch.grid.count(), "block"), card.name, with_thousands(most), per_sm,
                    card.sm_count));
}

std::vector<std::string> notes_on_counts(const PreparedKernel& prepared) {
    std::vector<std::string> notes;
    if (ptx::waits_for_grid(prepared.kernel))
        notes.emplace_back(
            "At a barrier of the grid (grid.sync()) each block is counted to load the barrier once. "
            "A card's blocks load it again and again while they wait, so that its profiler shows "
            "more global loads.");
    const auto& code = prepared.kernel.instructions;
    const uint64_t blocks = ptx::cluster_size(prepared.kernel).count();
    auto reaches_others = [](const ptx::Instruction& each) { return each.parts[0] == "mapa"; };
    if (blocks > 1 && std::any_of(code.begin(), code.end(), reaches_others))
        notes.emplace_back(
            "Accesses to the shared memory of other blocks of the cluster are not counted, as a card's "
            "profiler does not count them.");
    auto copies_shared = [](const ptx::Instruction& each) {
        return each.parts[0] == "cp" && ptx::has_part(each, "bulk") &&
               ptx::has_part(each, "shared::cta") && !ptx::has_part(each, "global");
    };
    if (std::any_of(code.begin(), code.end(), copies_shared))
        notes.emplace_back(
            "Bulk copies from shared memory to another block's shared memory are not counted, as a card's "
            "profiler does not count them.");
    if (blocks > ptx::kMostPortableCluster)
        notes.push_back(fmt::format(
            "Clusters of {} blocks run on some cards only, and the program has to allow them: "
            "cudaFuncAttributeNonPortableClusterSizeAllowed.",
            blocks));
    auto is_texture = [](const ptx::Instruction& each) {
        const std::string& name = each.parts[0];
        return name == "tex" || name == "suld" || name == "sust";
    };
    if (std::any_of(code.begin(), code.end(), is_texture))
        notes.emplace_back(
            "What the kernel reads by textures and reads and writes by surfaces is not counted: it "
            "does not go through the load/store unit.");
    return notes;
}

}  // namespace lanewise
