// barrier.cluster, mapa and getctarank, of kernels whose blocks run in clusters; and where a warp
// waits for another block of its cluster.
#pragma once
#include "sim/warp/warp.h"

namespace lanewise {

void run_cluster_arrive(Warp& w, const Op& op);
void run_cluster_wait(Warp& w, const Op& op);

// d = the address `a`, of block b of the cluster. In a cluster of one block: a.
void run_map_word(Warp& w, const Op& op);
void run_map_wide(Warp& w, const Op& op);
// d = the rank of the block whose shared memory the address a is in
void run_rank_word(Warp& w, const Op& op);
void run_rank_wide(Warp& w, const Op& op);

// Of an instruction of Flow::wait in a cluster: whether its warp is to wait until the others have had
// their turn. was_asked: they have had it since the warp came here; before: it has asked here in vain.
bool waits_for_blocks(Warp& w, const Op& op, bool was_asked, bool before);

}  // namespace lanewise
