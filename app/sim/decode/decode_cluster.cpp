// Decodes what the blocks of a cluster do together: barrier.cluster (9.7.13.4), mapa and getctarank
// (9.7.9). In a cluster of one block barrier.cluster is decode_async.cpp's.
#include "sim/async/cluster_barrier.h"
#include "sim/decode/decoder.h"

namespace lanewise {

namespace {

// mapa{.shared::cluster}.u64 d, a, b    b: the block's rank
void map_address(KernelDecoder& d) {
    bool wide = d.has("u64");
    if (d.operands() != 3) d.unknown();
    d.op().a = d.source(d.operand(1), wide);
    d.op().b = d.source(d.operand(2), false);
    d.op().d = d.destination(d.operand(0), wide);
    d.op().execute = wide ? run_map_wide : run_map_word;
}

// getctarank{.shared::cluster}.u64 d, a
void rank_of_address(KernelDecoder& d) {
    bool wide = d.has("u64");
    d.op().a = d.source(d.operand(1), wide);
    d.op().d = d.destination(d.operand(0), false);
    d.op().execute = wide ? run_rank_wide : run_rank_word;
}

}  // namespace

bool decode_cluster(KernelDecoder& d) {
    const std::string& opcode = d.now().parts[0];
    if (opcode == "mapa") return map_address(d), true;
    if (opcode == "getctarank") return rank_of_address(d), true;
    bool is_barrier = opcode == "barrier" && d.has("cluster");
    if (!is_barrier || d.result().cluster.count() == 1) return false;
    if (!d.has("arrive") && !d.has("wait")) d.unknown();
    d.op().bytes = 0;
    d.op().execute = d.has("wait") ? run_cluster_wait : run_cluster_arrive;
    if (d.has("wait")) d.op().flow = Flow::wait;
    return true;
}

}  // namespace lanewise
