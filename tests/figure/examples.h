// Hand-made accesses for the figures' tests and the gallery: one warp, one access, its counts given
// or counted by trace/count/rules.h.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "figure/drawing/figures.h"
#include "trace/count/rules.h"

namespace lanewise {

struct Example {
    BlockTrace block;
    Report report;
};

struct ExampleAccess {
    Space space = Space::global;
    bool is_store = false;
    int bytes_per_lane = 4;
    uint32_t mask = 0xffffffffu;
    std::function<uint64_t(uint64_t lane)> offset;
    std::string buffer = "in";
    uint64_t buffer_address = 0x7000000000;
};

inline Example example(const ExampleAccess& access) {
    TracedAccess traced;
    traced.mask = access.mask;
    traced.warp = 1;
    LaneAddresses device{};
    for (uint64_t lane = 0; lane < 32; ++lane) {
        traced.addresses.push_back(access.offset(lane));
        device[lane] = access.offset(lane);
        if (access.space == Space::global) device[lane] += access.buffer_address;
    }
    int bytes = access.bytes_per_lane;
    Example made;
    if (access.space == Space::global) {
        traced.buffer = 0;
        traced.requests = 1;
        traced.sectors = sectors(device, bytes, access.mask);
        traced.sectors_ideal = sectors_ideal(device, bytes, access.mask);
        made.block.buffers.push_back({access.buffer, access.buffer_address, 1u << 26});
    } else {
        traced.wavefronts = wavefronts(device, bytes, access.mask, access.is_store);
        traced.wavefronts_ideal = wavefronts_ideal(device, bytes, access.mask, access.is_store);
    }
    InstructionReport instruction;
    instruction.space = access.space;
    instruction.is_store = access.is_store;
    instruction.bytes_per_lane = bytes;
    made.report.instructions.push_back(instruction);
    made.block.warps = 8;
    made.block.shared_bytes = 4224;
    made.block.accesses.push_back(traced);
    return made;
}

struct NamedWarp {
    std::string name;
    ExampleAccess access;
    int element_bytes = 4;
    uint32_t block_x = 32;
    int lane = -1;
};

// The shapes that a warp's access takes in the ladder, and awkward ones.
inline std::vector<NamedWarp> warp_examples() {
    auto times = [](uint64_t bytes, uint64_t start = 0) {
        return [=](uint64_t lane) { return start + lane * bytes; };
    };
    return {
        {"contiguous", {.offset = times(4, 0x4000)}},
        {"contiguous_lane", {.offset = times(4, 0x4000)}, 4, 32, 5},
        {"misaligned", {.offset = times(4, 0x4014)}},
        {"strided", {.is_store = true, .offset = times(16384, 0x40), .buffer = "out"}},
        {"strided_lane", {.is_store = true, .offset = times(16384), .buffer = "out"}, 4, 32, 9},
        {"float4", {.bytes_per_lane = 16, .offset = times(16)}},
        {"partial", {.mask = 0x0000ff0f, .offset = times(4)}},
        {"partial_strided", {.mask = 0x3fff, .offset = times(4000, 12)}, 4, 32, 3},
        {"half", {.bytes_per_lane = 2, .offset = times(2)}, 2},
        {"bytes", {.bytes_per_lane = 1, .offset = times(1)}, 1},
        {"bytes_strided", {.bytes_per_lane = 1, .offset = times(4096)}, 1},
        {"double", {.bytes_per_lane = 8, .offset = times(8)}, 8},
        {"stride_8_floats", {.offset = times(32)}},
        {"two_rows",
         {.offset = [](uint64_t lane) { return lane / 16 * 16384 + lane % 16 * 4; }},
         4,
         16},
        {"four_rows",
         {.offset = [](uint64_t lane) { return lane / 8 * 16384 + lane % 8 * 4; }},
         4,
         8,
         20},
        {"broadcast", {.offset = [](uint64_t) { return uint64_t{256}; }}},
        {"one_lane", {.mask = 1, .offset = times(4)}},
        {"rows_of_2", {.offset = times(1024, 8)}, 4, 2},
    };
}

struct NamedBanks {
    std::string name;
    ExampleAccess access;
    BankFigureInput tile;  // rows, cols, pitch, element_bytes, title, lane
};

// A warp reading a column of a tile (`vertical`) or its row, first element at (0, 0).
inline NamedBanks tile_example(int side, int pad, int bytes, bool vertical, int lane = -1) {
    int pitch = side + pad;
    auto offset = [=](uint64_t n) {
        auto i = static_cast<int>(n);
        int row = vertical ? i % side : i / side, col = vertical ? i / side : i % side;
        return static_cast<uint64_t>((row * pitch + col) * bytes);
    };
    NamedBanks made;
    made.name = std::to_string(side) + "x" + std::to_string(pitch) + "_" + std::to_string(bytes) +
                "B_" + (vertical ? "column" : "row");
    made.access = {.space = Space::shared, .bytes_per_lane = bytes, .offset = offset};
    made.access.is_store = !vertical;
    made.tile.rows = made.tile.cols = side;
    made.tile.pitch = pitch;
    made.tile.element_bytes = bytes;
    made.tile.lane = lane;
    made.tile.title = "PAD = " + std::to_string(pad);
    return made;
}

inline std::vector<NamedBanks> bank_examples() {
    std::vector<NamedBanks> all = {
        tile_example(32, 0, 4, true),     tile_example(32, 1, 4, true),
        tile_example(32, 1, 4, false),    tile_example(32, 0, 4, true, 7),
        tile_example(16, 1, 4, true),     tile_example(16, 2, 4, true),
        tile_example(8, 0, 4, true),      tile_example(64, 0, 4, true),
        tile_example(64, 4, 4, true),     tile_example(32, 0, 8, true),
        tile_example(32, 1, 8, true, 31), tile_example(32, 1, 2, true),
        tile_example(32, 0, 1, true),     tile_example(64, 4, 1, true),
        tile_example(64, 1, 8, true),     tile_example(8, 3, 1, false),
    };
    NamedBanks vectors = tile_example(32, 4, 4, false);  // float4: 8 lanes a row
    vectors.name = "32x36_float4_row";
    vectors.access.bytes_per_lane = 16;
    vectors.access.offset = [](uint64_t n) { return (n / 8 * 36 + n % 8 * 4) * 4; };
    all.push_back(vectors);
    return all;
}

inline BankFigureInput bank_input(const NamedBanks& named, const Example& made, float width) {
    BankFigureInput input = named.tile;
    input.block = &made.block;
    input.report = &made.report;
    input.width = width;
    return input;
}

inline WarpFigureInput warp_input(const NamedWarp& named, const Example& made, float width) {
    WarpFigureInput input;
    input.block = &made.block;
    input.report = &made.report;
    input.lane = named.lane;
    input.element_bytes = named.element_bytes;
    input.block_x = named.block_x;
    input.block_y = 8;
    input.width = width;
    input.matrix_cols = 4096;
    return input;
}

inline LadderFigureInput ladder_example(float width) {
    using Source = LadderBar::Source;
    LadderFigureInput input;
    input.width = width;
    input.copy_gb_per_s = 4203;
    input.datasheet_gb_per_s = 4800;
    input.caption = "Recorded on NVIDIA H200, 2026-11-21, 8192 x 8192 float";
    input.bars = {
        {"transpose/00_copy", "Copy, one element per thread", 2667, 2650, 2680, Source::recorded,
         2800, "", false},
        {"transpose/02_copy_wide", "Copy, 16 bytes per thread", 4203, 4160, 4220, Source::recorded,
         4200, "", false},
        {"transpose/10_naive", "Naive, coalesced reads", 551, 548, 556, Source::recorded, 600, "",
         false},
        {"transpose/12_naive_write", "Naive, coalesced writes", 1370, 1362, 1379, Source::recorded,
         1500, "", false},
        {"transpose/20_tiled", "Tile in shared memory", 1736, 1720, 1741, Source::live, 1700, "",
         false},
        {"transpose/22_coarsened", "Coarsened tile", 0, 0, 0, Source::none, 1800, "", false},
        {"transpose/30_padded", "Padded tile", 3487, 3120, 3510, Source::live, 3600, "", true},
    };
    input.bars[6].published = {{1710, "1,710 GB/s on another card"}, {5000, "beyond every bar"}};
    return input;
}

}  // namespace lanewise
