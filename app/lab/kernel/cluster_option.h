// The size of a launch's clusters, for kernels that do not say it themselves with __cluster_dims__
// (--cluster). It stands among OwnLaunch::variables under the name that it has in the kernel:
// "$cluster=2,1,1" (ptx/cluster.h).
#pragma once
#include <optional>
#include <string>

#include "lab/job/job.h"
#include "ptx/cluster.h"

namespace lanewise {

// Of "2", "2,2" or "2,2,1". Throws Error(bad_input), which names --cluster.
std::string cluster_variable(const std::string& sides);
bool is_cluster_variable(const std::string& variable);
std::optional<ptx::BlockLimit> cluster_given(const OwnLaunch& own);

// Makes the kernel what the launch says. Throws Error(bad_input) where the kernel itself says another
// size: no card launches it then.
void take_cluster(const OwnLaunch& own, ptx::Kernel& kernel);

}  // namespace lanewise
