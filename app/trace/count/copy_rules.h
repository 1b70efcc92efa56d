// What one warp's cp.async (LDGSTS) costs, as pure functions of its addresses. Equal to an H200's
// counters in 2,872 launches of one warp each, every width, through the cache and past it, many
// with lanes that fill in zeros (a source size of 0): tests/trace/h200-copy-rules.csv, where both
// sides are rows, and h200-copy-scatter.csv, where lanes are scattered, as those that turn a tile
// while they copy it.
#pragma once
#include "trace/count/rules.h"

namespace lanewise {

// How the machine code says which lanes read. What it says the PTX does not tell: where the
// compiler knows that a size is all or nothing it takes a predicate, and which one is chance.
enum class CopyZeros : uint8_t {
    by_predicate,        // P1 … P6, or none: all read
    by_first_predicate,  // P0, of which the counter of wavefronts makes something else
    by_size,             // LDGSTS.ZFILL
};

// One execution: `mask` lanes write, of which `reading` read; the others write zeros.
struct CopyAccess {
    const LaneAddresses *from, *to;  // global, and shared as offsets in the block's memory
    int bytes_per_lane;              // 4, 8 or 16
    uint32_t mask, reading;
    bool through_cache;  // .ca; .cg goes past L1
    CopyZeros zeros = CopyZeros::by_predicate;
};

struct CopyCost {
    // .ca: distinct sectors that are read. .cg: distinct pairs of a sector that is read and a
    // sector of shared memory that it goes to, so that rows which begin in the middle of a sector
    // on one side only cost twice (smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts). Of
    // several lanes that read for one place only the first counts.
    int sectors = 0;
    // The same as l1tex__t_sectors_pipe_lsu_mem_global_op_ld has it: .cg there counts pairs of a
    // 128-byte line that is read and a sector of shared memory.
    int tag_sectors = 0;
    // .ca: for each phase (32, 16, 8 lanes of 4, 8, 16 bytes) the most lanes that one lane shares
    // a bank with on either side, itself among them: with 3 others at its bank of the cache, and 3
    // at its bank of shared memory, it makes 7. A bank is as wide as what a lane copies. .cg: what
    // comes back from the L2 takes a wavefront for every way of moving halves of sectors from one
    // line to another, whatever lanes it is for; of several lanes that write to one place the first
    // counts, and nothing comes back if that one fills in zeros. If any lane fills in zeros, or the
    // size is a register's, all lanes take besides what they would of .ca. With P0 it is only that,
    // of the places in shared memory: the counter leaves out what comes back.
    // (smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts).
    int wavefronts = 0;
};
CopyCost copy_cost(const CopyAccess& copy);

}  // namespace lanewise
