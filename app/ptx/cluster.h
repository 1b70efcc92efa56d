// Clusters: blocks that run together, and may look into each other's shared memory (PTX manual,
// "Cooperative Thread Arrays: Cluster"; directives .reqnctapercluster, .explicitcluster and
// .maxclusterrank).
//
// How large a kernel's clusters are stands among its variables, under a name that no user has. So a
// launch that says it for a kernel that does not (--cluster) is a kernel like any other.
#pragma once
#include <cstdint>

#include "ptx/instruction.h"

namespace lanewise::ptx {

inline constexpr const char* kClusterName = "$cluster";
inline constexpr uint32_t kMostPortableCluster = 8, kMostCluster = 16;  // blocks

struct ClusterSize {
    BlockLimit blocks;       // x is 0 where nobody says anything
    uint32_t most_rank = 0;  // .maxclusterrank: a launch may have so many blocks; 0: it is not said
    uint64_t count() const { return blocks.x == 0 ? 1 : blocks.count(); }
};
ClusterSize cluster_size(const Kernel& kernel);
void set_cluster_size(Kernel& kernel, const ClusterSize& size);

// Whether its blocks run in clusters of several.
bool works_in_clusters(const Kernel& kernel);

}  // namespace lanewise::ptx
