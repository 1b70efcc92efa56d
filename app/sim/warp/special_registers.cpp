#include "sim/warp/special_registers.h"

#include "ptx/grid_barrier.h"

namespace lanewise {

namespace {

using At = const Standpoint&;

uint32_t lane(At at) { return at.thread % 32; }
uint32_t x(At at) { return at.thread % at.shape->block.x; }
uint32_t y(At at) { return at.thread / at.shape->block.x % at.shape->block.y; }
uint32_t z(At at) { return at.thread / at.shape->block.x / at.shape->block.y; }

constexpr SpecialRegister kRegisters[] = {
    {"%tid.x", false, [](At at) -> uint64_t { return x(at); }},
    {"%tid.y", false, [](At at) -> uint64_t { return y(at); }},
    {"%tid.z", false, [](At at) -> uint64_t { return z(at); }},
    {"%ntid.x", false, [](At at) -> uint64_t { return at.shape->block.x; }},
    {"%ntid.y", false, [](At at) -> uint64_t { return at.shape->block.y; }},
    {"%ntid.z", false, [](At at) -> uint64_t { return at.shape->block.z; }},
    {"%ctaid.x", true, [](At at) -> uint64_t { return at.block.x; }},
    {"%ctaid.y", true, [](At at) -> uint64_t { return at.block.y; }},
    {"%ctaid.z", true, [](At at) -> uint64_t { return at.block.z; }},
    {"%nctaid.x", false, [](At at) -> uint64_t { return at.shape->grid.x; }},
    {"%nctaid.y", false, [](At at) -> uint64_t { return at.shape->grid.y; }},
    {"%nctaid.z", false, [](At at) -> uint64_t { return at.shape->grid.z; }},
    {"%cluster_ctarank", true,
     [](At at) -> uint64_t {
         const Dim3& size = at.cluster;
         return at.block.x % size.x +
                size.x * (at.block.y % size.y + size.y * (at.block.z % size.z));
     }},
    {"%cluster_nctarank", false, [](At at) -> uint64_t { return at.cluster.count(); }},
    {"%cluster_ctaid.x", true, [](At at) -> uint64_t { return at.block.x % at.cluster.x; }},
    {"%cluster_ctaid.y", true, [](At at) -> uint64_t { return at.block.y % at.cluster.y; }},
    {"%cluster_ctaid.z", true, [](At at) -> uint64_t { return at.block.z % at.cluster.z; }},
    {"%cluster_nctaid.x", false, [](At at) -> uint64_t { return at.cluster.x; }},
    {"%cluster_nctaid.y", false, [](At at) -> uint64_t { return at.cluster.y; }},
    {"%cluster_nctaid.z", false, [](At at) -> uint64_t { return at.cluster.z; }},
    {"%clusterid.x", true, [](At at) -> uint64_t { return at.block.x / at.cluster.x; }},
    {"%clusterid.y", true, [](At at) -> uint64_t { return at.block.y / at.cluster.y; }},
    {"%clusterid.z", true, [](At at) -> uint64_t { return at.block.z / at.cluster.z; }},
    {"%nclusterid.x", false, [](At at) -> uint64_t { return at.shape->grid.x / at.cluster.x; }},
    {"%nclusterid.y", false, [](At at) -> uint64_t { return at.shape->grid.y / at.cluster.y; }},
    {"%nclusterid.z", false, [](At at) -> uint64_t { return at.shape->grid.z / at.cluster.z; }},
    // Of the driver's registers those that a cooperative launch fills.
    {"%envreg1", false, [](At) -> uint64_t { return ptx::kGridWorkspace >> 32; }},
    {"%envreg2", false, [](At) -> uint64_t { return ptx::kGridWorkspace & 0xffffffff; }},
    {"%laneid", false, [](At at) -> uint64_t { return lane(at); }},
    {"%warpid", false, [](At at) -> uint64_t { return at.thread / 32; }},
    {"%nwarpid", false, [](At at) -> uint64_t { return (at.shape->block.count() + 31) / 32; }},
    {"%smid", false, [](At) -> uint64_t { return 0; }},
    {"%nsmid", false, [](At) -> uint64_t { return 1; }},
    {"%gridid", false, [](At) -> uint64_t { return 0; }},
    {"%lanemask_eq", false, [](At at) -> uint64_t { return 1u << lane(at); }},
    {"%lanemask_lt", false, [](At at) -> uint64_t { return (1u << lane(at)) - 1; }},
    {"%lanemask_le", false, [](At at) -> uint64_t { return (2ull << lane(at)) - 1; }},
    {"%lanemask_gt", false, [](At at) -> uint64_t { return ~uint32_t((2ull << lane(at)) - 1); }},
    {"%lanemask_ge", false, [](At at) -> uint64_t { return ~((1u << lane(at)) - 1); }},
    {"%is_explicit_cluster", false, [](At at) -> uint64_t { return at.has_cluster; }},
    {"%current_graph_exec", false, [](At) -> uint64_t { return 0; }},
    {"%aggr_smem_size", false,
     [](At at) -> uint64_t { return at.static_shared_bytes + at.shape->dynamic_shared_bytes; }},
    {"%dynamic_smem_size", false, [](At at) -> uint64_t { return at.shape->dynamic_shared_bytes; }},
    {"%total_smem_size", false,
     [](At at) -> uint64_t { return at.static_shared_bytes + at.shape->dynamic_shared_bytes; }},
};

}  // namespace

const SpecialRegister* find_special_register(std::string_view name) {
    for (const SpecialRegister& reg : kRegisters)
        if (reg.name == name) return &reg;
    return nullptr;
}

}  // namespace lanewise
