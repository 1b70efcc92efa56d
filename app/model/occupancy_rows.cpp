#include "model/occupancy_rows.h"

#include "model/sizes.h"

namespace lanewise {

std::vector<OccupancyRow> occupancy_rows(const SmLimits& limits, const Occupancy& occupancy) {
    int64_t warps = (occupancy.threads_per_block + kWarp - 1) / kWarp;
    int64_t registers = round_up(occupancy.registers_per_thread.value_or(0) * kWarp, kRegisterUnit);
    int64_t register_warps =
        registers > 0 ? limits.registers / registers / kWarpUnit * kWarpUnit : 0;
    int64_t shared =
        round_up<int64_t>(occupancy.shared_bytes_per_block, limits.shared_bytes_reserved > 0 ? 128 : 256) +
        limits.shared_bytes_reserved;
    std::vector<OccupancyRow> rows = {
        {"warps", warps, limits.warps, limits.warps / warps},
        {"blocks", 1, limits.blocks, limits.blocks},
        {"registers", registers * warps, limits.registers,
         !occupancy.is_known() ? kUnknownNumber
         : registers > 0       ? register_warps / warps
                               : kAnyNumber},
        {"shared memory", shared, limits.shared_bytes,
         shared > 0 ? limits.shared_bytes / shared : kAnyNumber},
    };
    for (OccupancyRow& row : rows)
        row.limits = row.resource == occupancy.limited_by ||
                     (row.resource == "warps" && occupancy.limited_by == "threads");
    return rows;
}

}  // namespace lanewise
