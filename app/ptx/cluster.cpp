#include "ptx/cluster.h"

#include <algorithm>
#include <cstring>

namespace lanewise::ptx {

namespace {

constexpr uint64_t kAddress = 0x6d00'0000'0000;  // nobody's
constexpr size_t kWords = 4;                     // x, y, z and .maxclusterrank

bool is_cluster(const ModuleVariable& variable) { return variable.name == kClusterName; }

}  // namespace

ClusterSize cluster_size(const Kernel& kernel) {
    ClusterSize size;
    auto found = std::find_if(kernel.variables.begin(), kernel.variables.end(), is_cluster);
    if (found == kernel.variables.end()) return size;
    uint32_t words[kWords] = {};
    std::memcpy(words, found->initial.data(), std::min(sizeof words, found->initial.size()));
    size.blocks = {words[0], words[1], words[2]};
    size.most_rank = words[3];
    return size;
}

void set_cluster_size(Kernel& kernel, const ClusterSize& size) {
    std::erase_if(kernel.variables, is_cluster);
    const uint32_t words[kWords] = {size.blocks.x, size.blocks.y, size.blocks.z, size.most_rank};
    ModuleVariable variable{kClusterName, kAddress, sizeof words, true, {}};
    variable.initial.resize(sizeof words);
    std::memcpy(variable.initial.data(), words, sizeof words);
    kernel.variables.push_back(std::move(variable));
}

bool works_in_clusters(const Kernel& kernel) { return cluster_size(kernel).count() > 1; }

}  // namespace lanewise::ptx
