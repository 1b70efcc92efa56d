// How long a memory-bound launch takes, explained: a closed queueing network whose customers are
// the resident blocks (model/queueing.h). A block's round is its life on a multiprocessor:
//
//   centres of the card       the dispatcher of blocks, L2 (lines and sectors, those written in
//   part
//                             dearer), DRAM (reads, writes, turning between them, and the order in
//                             which blocks walk the rows)
//   centres of its own SM     the load/store pipe (one line or shared wavefront after another; the
//                             way to L2), the schedulers
//   delays                    coming and going of blocks, instructions in a row, loads on their way
//                             as often as the warp waits for them, barriers
//
// Each multiprocessor is a network of its blocks, solved exactly; the card's centres are delays to
// it, as long as a single queue makes everybody wait at the rate that comes out (surrogate delays:
// Jacobson and Lazowska, CACM 25, 1982). While a channel of the DRAM writes, reads wait, so loads
// take longer the more of its time goes into writes (Stuecheli et al., "The Virtual Write Queue",
// ISCA 2010). Blocks leave at the rate that comes out; the last round is only partly full.
//
// A product of matrices adds a centre to each multiprocessor: what does its arithmetic, at the rate
// that the datasheet gives. Its multiply-adds take their turns at the schedulers there, not twice.
// Its loads wait for L1, L2 or DRAM by the share of their sectors that comes from there; those of
// asynchronous copies are waited for no longer than the arithmetic meanwhile takes, so not at all
// here; and what its instructions wait for each other, which are many and independent, counts
// nothing. But beside tensor cores, which take a few instructions, the others wait for each other:
// the warp of a block that executes most of them keeps the block that long. A block alone on a
// multiprocessor overlaps nothing with itself: too slow a picture for kernels that keep several
// instructions of a warp under way, and the better a kernel the more so.
//
// All constants are the device profile's, from micro-benchmarks and from no stage. Not known to it:
// hits in L2 between distant blocks, sectors that L2 gives up half written (no matter of stride or
// pages; lesson 05_strided), clocks that fall under load, atomics, TMA.
#pragma once
#include <string>
#include <vector>

#include "model/device_profile.h"
#include "model/occupancy.h"
#include "model/traffic.h"

namespace lanewise {

// One step of the waterfall from the memory's peak down to the launch.
struct Station {
    std::string name;     // "DRAM", "order of blocks", "L2 sectors", "bytes in flight", …
    double time_us = 0;   // by how much it lengthens the launch, given all before it
    std::string because;  // the sum behind it, in words with its numbers
    double gb_per_s = 0;  // what is left with it and all before it
};

struct BandwidthPrediction {
    double time_us = 0;
    double gb_per_s = 0;            // useful bytes / time
    std::string limited_by;         // the step that costs most; "DRAM" where DRAM is nearly all
    std::vector<Station> stations;  // in order; those that cost nothing are left out
    std::string device;             // profile used
    double peak_gb_per_s = 0;       // the datasheet's: where the waterfall starts
    // Of a product; 0 of all else. The stations' GB/s times the ratio of the first to gb_per_s are
    // their GFLOP/s.
    double gflop_per_s = 0, peak_gflop_per_s = 0;
    std::string unit;  // what does the arithmetic: "FP32", "FP16 tensor cores"
    // ---- bytes of the whole launch below the multiprocessors, where its counts do not reach
    double l2_read_bytes = 0;  // that L1 asks L2 for, for plain loads
    // Each useful byte once; 0 where all of them stay in L2.
    double dram_read_bytes = 0, dram_written_bytes = 0;
};

// The station that loses most, besides what the work itself takes (DRAM, and of a product its
// arithmetic) and the launch; "" where that is less than a twentieth of the time, so that the model
// has nothing to name.
std::string largest_loss(const BandwidthPrediction& prediction);
// Every name that a station may have.
std::vector<std::string> station_names();

// useful_bytes: what the operation must move, each byte once in and once out; not 0. Takes some
// ten microseconds.
BandwidthPrediction predict_bandwidth(const DeviceProfile& device, const Traffic& traffic,
                                      const Occupancy& occupancy, uint64_t useful_bytes);

}  // namespace lanewise
