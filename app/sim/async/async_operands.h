// What an asynchronous instruction works on, where an Op has too little room: copies past the
// registers (cp.async, cp.async.bulk) and mbarriers. decode_async.cpp fills it, Op::immediate
// points to it.
#pragma once
#include "sim/operation/reach.h"

namespace lanewise {

struct AddressRows {
    uint32_t row = 0;  // of Warp::state; not read without has_base
    bool has_base = false, wide = true;
    uint64_t displacement = 0;
    Operations::Where where = Operations::Where::generic;
    LaneAddresses32 of(Warp& w) const {
        return lane_addresses(w, row, has_base, wide, displacement);
    }
};

struct AsyncOperands {
    AddressRows barrier;   // an mbarrier
    AddressRows to, from;  // of a copy
    AddressRows map;       // of a tensor copy
    uint32_t dimensions = 0;
    uint32_t coordinates[5] = {};  // rows
    bool is_im2col = false;        // of a tensor copy
    uint32_t offsets[3] = {};      // im2col: rows of words of 16 bits, where has_offsets,
    bool has_offsets = false;      // else they are 0
    uint32_t size = 0;             // row of the bytes of a bulk copy
    uint32_t blocks = 0;           // row of the mask of the blocks that a bulk copy goes to,
    bool multicasts = false;       // where it says them
    uint32_t bytes = 0;            // cp.async: of the copy
    uint32_t source = 0;           // cp.async: row of the bytes that are read, the rest being zeros
    uint32_t ignore = 0;           // cp.async: predicate row of the lanes that read nothing
    uint32_t ignore_flip = 0;
};

// A shared address, given in its own space or generically.
inline uint64_t in_shared(uint64_t address) {
    return address - kSharedWindow < kWindowBytes ? address - kSharedWindow : address;
}

inline const AsyncOperands& async_operands(const Op& op) {
    return *reinterpret_cast<const AsyncOperands*>(op.immediate);
}

}  // namespace lanewise
