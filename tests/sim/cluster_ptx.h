// PTX of kernels whose blocks run in clusters.
#pragma once
#include <string>

#include "run_ptx.h"

namespace lanewise {

// kernel_around(body) in clusters of this size: "2" or "2, 2, 1". With 1,024 bytes of shared memory,
// `tile`; %r1 is the block's rank, %r2 how many blocks the cluster has.
inline std::string in_cluster(const std::string& size, const std::string& body) {
    std::string text = kernel_around(
        ".shared .align 8 .b8 tile[1024];\n"
        "mov.u32 %r1, %cluster_ctarank;\nmov.u32 %r2, %cluster_nctarank;\n" +
        body);
    return text.insert(text.find("\n{"), "\n.explicitcluster\n.reqnctapercluster " + size);
}

inline const std::string kClusterSync =
    "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n";

}  // namespace lanewise
