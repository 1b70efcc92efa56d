// What is measured: one function per subject, each a few loops over what matters there.
#include <fmt/format.h>

#include <bit>
#include <set>

#include "lab/micro/microbench.h"

namespace lanewise {
namespace {

using List = std::vector<Microbench>;
constexpr uint64_t kMiB = 1 << 20;
constexpr int kLeastReserved = 1024;  // of shared memory, by the system for each block

struct Vector {
    const char* type;
    uint64_t bytes;
};
constexpr Vector kWord = {"u32", 4}, kPair = {"uint2", 8}, kQuad = {"uint4", 16};

// Dynamic shared memory that lets just so many blocks onto a multiprocessor.
uint32_t shared_for(const MicrobenchCard& card, int blocks) {
    int share = card.shared_bytes_per_sm / blocks - kLeastReserved;
    return static_cast<uint32_t>(share / 128 * 128);
}

// `bytes` of memory, each byte of every piece once.
Microbench once_over(const std::string& name, const char* kernel, Vector vector, uint64_t loads,
                     uint32_t threads, uint64_t bytes, uint64_t piece = 1, uint64_t stride = 0) {
    bool copies = std::string(kernel) == "micro_copy";
    uint64_t area = copies ? bytes / 2 : bytes;
    uint64_t step = stride ? stride : piece * vector.bytes;
    uint64_t vectors = area / step * piece, per_block = threads * loads;
    Microbench bench = {name, fmt::format("{}<{}, {}, {}>", kernel, vector.type, loads, piece), 0,
                        threads};
    bench.blocks = static_cast<uint32_t>(vectors / per_block);
    bench.bytes = bytes;
    bench.a = step;
    bench.work = static_cast<double>(vectors * vector.bytes * (copies ? 2 : 1));
    bench.unit = "B";
    return bench;
}

// DRAM by the bytes in flight: of a thread, and of the blocks that fit.
void add_dram(List& list, const MicrobenchCard& card) {
    struct Way {
        const char *name, *kernel;
    };
    for (Way way : {Way{"dram_read", "micro_read"}, Way{"dram_write", "micro_write"},
                    Way{"dram_copy", "micro_copy"}}) {
        uint64_t bytes = card.memory_bytes;
        for (Vector vector : {kWord, kQuad})
            for (uint64_t loads : {1, 2, 4, 8})
                list.push_back(once_over(way.name, way.kernel, vector, loads, 256, bytes));
        for (Vector vector : {kWord, kQuad})
            for (uint64_t loads : {1, 4})
                list.push_back(once_over(way.name, way.kernel, vector, loads, 1024, bytes));
        for (int blocks : {1, 2, 3, 4, 6})
            for (auto [vector, loads] : {std::pair(kWord, 1), std::pair(kQuad, 4)}) {
                Microbench bench = once_over(way.name, way.kernel, vector,
                                             static_cast<uint64_t>(loads), 256, bytes);
                bench.dynamic_shared = shared_for(card, blocks);
                list.push_back(bench);
            }
    }
}

// Copies with a barrier in the middle.
void add_staged(List& list, const MicrobenchCard& card) {
    for (uint64_t bytes : {card.l2_bytes, card.memory_bytes})
        for (uint32_t threads : {256u, 1024u})
            for (uint64_t loads : {1, 4}) {
                Microbench bench = once_over("staged", "micro_copy", kWord, loads, threads, bytes);
                bench.kernel = fmt::format("micro_staged<u32, {}, {}>", loads, threads);
                bench.b = 32;
                list.push_back(bench);
            }
}

// Parts of sectors, of 64-byte halves and of lines, from and to DRAM.
void add_pieces(List& list, const MicrobenchCard& card) {
    struct Piece {
        uint64_t vectors, stride;
    };
    for (auto [name, kernel] :
         {std::pair("pieces_read", "micro_read"), std::pair("pieces_write", "micro_write")})
        for (Piece p : {Piece{1, 32},
                        {1, 64},
                        {1, 128},
                        {4, 32},
                        {8, 64},
                        {8, 128},
                        {8, 256},
                        {16, 128},
                        {16, 256},
                        {32, 256},
                        {32, 512},
                        {32, 1024}})
            list.push_back(
                once_over(name, kernel, kWord, 4, 256, card.memory_bytes, p.vectors, p.stride));
}

// Tiles of a matrix: the length of the run in each row, and which way the blocks go.
void add_walks(List& list, const MicrobenchCard& card) {
    for (int run : {64, 128, 256, 512, 1024})
        for (uint64_t pitch : {32'768u, 65'536u})
            for (int what : {0, 1, 2})
                for (uint64_t order = 0; order < 4; ++order) {
                    bool used = what == 2 || (what == 0 ? order < 2 : order % 2 == 0);
                    if (!used || (pitch == 32'768 && run != 128)) continue;
                    Microbench bench = {"walk", fmt::format("micro_walk<{}, {}>", what, run)};
                    uint64_t bytes = card.memory_bytes;
                    bench.blocks = static_cast<uint32_t>((what == 2 ? bytes / 2 : bytes) / 4096);
                    bench.bytes = bytes;
                    bench.a = pitch;
                    bench.b = order;
                    bench.work = static_cast<double>(bytes);
                    bench.unit = "B";
                    list.push_back(bench);
                }
}

// L2 from the whole card, and from 8 multiprocessors, where theirs is the narrowest place.
void add_l2(List& list, const MicrobenchCard& card) {
    struct Shape {
        Vector vector;
        uint64_t piece, stride;
    };
    const Shape shapes[] = {{kWord, 1, 4},   {kQuad, 1, 16}, {kWord, 1, 32},
                            {kPair, 1, 32},  {kQuad, 1, 32}, {kWord, 8, 128},
                            {kWord, 1, 128}, {kWord, 4, 32}, {kWord, 16, 128}};
    auto sms = static_cast<uint32_t>(card.sm_count);
    for (auto [name, kernel] :
         {std::pair("l2_read", "micro_l2_read"), std::pair("l2_write", "micro_l2_write")})
        for (uint32_t blocks : {2 * sms, 8u})
            for (const Shape& s : shapes) {
                Microbench bench = {name, fmt::format("{}<{}, {}>", kernel, s.vector.type, s.piece),
                                    blocks, 1024};
                bench.bytes = card.l2_bytes;
                bench.a = s.stride;
                bench.b = 64;
                bench.work = static_cast<double>(blocks) * 32 * 64;
                bench.unit = "warp access";
                list.push_back(bench);
            }
}

// Columns of 32 lines, word by word: in L2 and beyond it.
void add_columns(List& list, const MicrobenchCard& card) {
    for (uint64_t b : {0, 1, 2})
        for (uint64_t bytes : {card.l2_bytes, card.memory_bytes})
            for (uint64_t pitch : {4096u, 16'384u, 32'768u, 65'536u, 262'144u})
                for (uint32_t threads : {256u, 1024u}) {
                    Microbench bench = {b & 1 ? "column_read" : "column_write", "micro_column"};
                    bench.threads = threads;
                    bench.blocks = static_cast<uint32_t>(bytes / 4 / threads);
                    bench.bytes = bytes;
                    bench.a = pitch;
                    bench.b = b;
                    bench.work = static_cast<double>(bytes / 128);
                    bench.unit = "warp access";
                    list.push_back(bench);
                }
}

// A GiB in sectors of 32 rows and more at a time: many rows close together, or few far apart; and
// rows whose distance is no power of two.
void add_scatters(List& list, const MicrobenchCard& card) {
    constexpr uint64_t kUseful = 1024 * kMiB, kLine = 128;
    for (uint64_t apart : {8, 1})
        for (uint64_t rows : {8192u, 32'768u})
            for (uint64_t spread : {uint64_t{1}, uint64_t{2}, uint64_t{4}, uint64_t{8}})
                for (uint64_t odd : {uint64_t{0}, kLine}) {
                    uint64_t pitch = kUseful / rows * spread + odd;
                    if (pitch * rows > card.reach_bytes || (apart == 1 && spread % 4 != 0))
                        continue;
                    Microbench bench = {"scatter", fmt::format("micro_scatter<{}>", apart)};
                    bench.blocks = static_cast<uint32_t>(kUseful / (apart * 32 * 32));
                    bench.bytes = pitch * rows;
                    bench.a = pitch;
                    bench.b = rows;
                    bench.work = static_cast<double>(kUseful / 128);
                    bench.unit = "warp access";
                    list.push_back(bench);
                }
}

void add_latency(List& list, const MicrobenchCard& card) {
    constexpr uint64_t kSteps = 2000;
    for (uint64_t bytes :
         {uint64_t{16'384}, uint64_t{131'072}, kMiB, 4 * kMiB, card.l2_bytes, 16 * card.l2_bytes,
          card.memory_bytes, card.reach_bytes / 2, card.reach_bytes}) {
        Microbench bench = {"latency", "micro_chase", 1, 1};
        bench.bytes = bytes;
        bench.a = 128;
        bench.b = kSteps;
        bench.work = static_cast<double>(kSteps);
        bench.unit = "load";
        list.push_back(bench);
    }
}

// What happens on a multiprocessor: all of them do the same, two blocks of 1,024 threads each.
Microbench on_every_sm(const MicrobenchCard& card, const std::string& name,
                       const std::string& kernel, uint64_t a, uint64_t trips, double per_warp,
                       const char* unit) {
    Microbench bench = {name, kernel, 2 * static_cast<uint32_t>(card.sm_count), 1024};
    bench.bytes = card.memory_bytes;
    bench.a = a;
    bench.b = trips;
    bench.work = 64 * per_warp;  // of one multiprocessor
    bench.unit = unit;
    return bench;
}

void add_sm(List& list, const MicrobenchCard& card) {
    constexpr uint64_t kTrips = 256;
    constexpr double kAccesses = 8.0 * kTrips, kOperations = 64.0 * kTrips;
    for (uint64_t stride : {4, 8, 16, 32, 64, 128})
        list.push_back(on_every_sm(card, "l1_read", "micro_l1_read", stride, kTrips, kAccesses,
                                   "warp access of an SM"));
    for (const char* store : {"false", "true"})
        for (uint64_t stride : {1, 2, 4, 8, 16, 32})
            list.push_back(on_every_sm(card, "shared", fmt::format("micro_shared<{}>", store),
                                       stride, kTrips, kAccesses, "warp access of an SM"));
    for (const char* parameters : {"float, 8", "u32, 8", "u64, 4"})
        list.push_back(on_every_sm(card, "issue", fmt::format("micro_issue<{}>", parameters), 3,
                                   kTrips, kOperations, "multiply-add of an SM"));
    Microbench alone = {"dependent", "micro_issue<float, 1>", 1, 32};
    alone.a = 3;
    alone.b = kTrips;
    alone.work = kOperations;
    alone.unit = "multiply-add of a warp";
    list.push_back(alone);
    for (uint32_t threads : {64u, 256u, 1024u})
        for (uint32_t resident : {1u, 2048 / threads}) {
            Microbench bench = {"barrier", "micro_barrier",
                                resident * static_cast<uint32_t>(card.sm_count), threads};
            bench.b = 1024;
            bench.work = 1024;
            bench.unit = "barrier of a block";
            list.push_back(bench);
        }
}

// Coming and going of blocks. work: blocks of one multiprocessor.
void add_blocks(List& list, const MicrobenchCard& card) {
    auto add = [&](const char* name, const char* kernel, uint32_t threads, uint32_t per_sm,
                   uint64_t clocks, uint32_t shared) {
        Microbench bench = {name, kernel, per_sm * static_cast<uint32_t>(card.sm_count), threads};
        bench.a = clocks;
        bench.dynamic_shared = shared;
        bench.work = per_sm;
        bench.unit = "block of an SM";
        list.push_back(bench);
    };
    for (uint32_t threads : {32u, 64u, 128u, 256u, 512u, 1024u})
        add("block", "micro_block", threads, 1024, 0, 0);
    for (uint32_t threads : {32u, 64u, 128u, 256u, 512u, 1024u})
        for (uint64_t clocks : {1000, 4000}) add("stay", "micro_stay", threads, 256, clocks, 0);
    for (uint32_t threads : {256u, 1024u})  // one block at a time: the whole of the change shows
        add("stay", "micro_stay", threads, 64, 1000, shared_for(card, 1));
    list.push_back({"launch", "micro_block", 1, 32, 0, 0, 0, 0, 1, "launch"});
    list.push_back({"launch", "micro_block", static_cast<uint32_t>(card.sm_count), 1024, 0, 0, 0, 0,
                    1, "launch"});
}

// The same copies as from DRAM, inside L2.
void add_l2_copies(List& list, const MicrobenchCard& card) {
    for (Vector vector : {kWord, kQuad})
        for (uint64_t loads : {1, 4})
            for (const char* kernel : {"micro_copy", "micro_read", "micro_write"})
                list.push_back(once_over("l2_once", kernel, vector, loads, 256, card.l2_bytes));
}

// ---- For the machine of time (model/machine): names that begin with "time_"

// Of one warp alone: what an instruction is late by; of a full multiprocessor: how many it takes.
void add_operations(List& list, const MicrobenchCard& card) {
    struct Operation {
        int op;
        const char* type;
        int chains, each;
    };
    for (Operation o : {Operation{0, "u32", 8, 1},
                        {1, "u32", 8, 2},
                        {2, "u32", 8, 1},
                        {3, "u32", 8, 1},
                        {4, "u32", 8, 1},
                        {5, "u32", 8, 1},
                        {6, "u32", 8, 1},
                        {7, "u32", 8, 2},
                        {8, "u32", 8, 1},
                        {9, "u32", 8, 2},
                        {10, "u32", 8, 1},
                        {11, "u32", 8, 1},
                        {12, "u32", 8, 1},
                        {13, "u32", 8, 1},
                        {20, "u64", 4, 1},
                        {21, "u64", 4, 1},
                        {22, "u64", 4, 2}}) {
        constexpr uint64_t kTrips = 128;
        double operations = 32.0 * kTrips * o.each;
        list.push_back(on_every_sm(card, "time_rate",
                                   fmt::format("micro_operation<{}, {}, {}>", o.op, o.chains, o.type),
                                   3, kTrips, operations, "operation of an SM"));
        Microbench alone = {"time_late", fmt::format("micro_operation<{}, 1, {}>", o.op, o.type), 1,
                            32};
        alone.a = 3;
        alone.b = kTrips;
        alone.work = operations;
        alone.unit = "operation of a warp";
        list.push_back(alone);
    }
}

void add_matrix_units(List& list, const MicrobenchCard& card) {
    constexpr uint64_t kTrips = 256;
    auto sms = static_cast<uint32_t>(card.sm_count);
    for (auto [chains, threads] : {std::pair(1, 32u), {8, 32u}, {1, 128u}, {2, 128u}, {4, 128u},
                                   {8, 128u}, {1, 512u}, {4, 512u}, {8, 512u}}) {
        Microbench bench = {"time_mma", fmt::format("micro_mma<{}>", chains), sms, threads};
        bench.b = kTrips;
        bench.work = 8.0 * kTrips * threads / 32;
        bench.unit = "product of an SM";
        list.push_back(bench);
    }
    // Long enough that its begin does not count.
    constexpr uint64_t kLong = 4096;
    Microbench busy = {"time_mma", "micro_mma<8>", sms, 512};
    busy.b = kLong;
    busy.work = 8.0 * kLong * 512 / 32;
    busy.unit = "product of an SM";
    list.push_back(busy);
    for (auto [kernel, threads] : {std::pair("micro_mma_real<1>", 32u), {"micro_mma_real<4>", 256u}}) {
        Microbench bench = {"time_mma_real", kernel, sms, threads};
        bench.b = kTrips;
        bench.work = 8.0 * kTrips * threads / 32;
        bench.unit = "product of an SM";
        list.push_back(bench);
    }
    for (const char* kernel : {"micro_clock<0>", "micro_clock<1>"}) {
        Microbench bench = {"time_clock", kernel, sms, 64};
        bench.b = kLong;
        bench.work = 32.0 * kLong;
        bench.unit = "operation of a warp";
        list.push_back(bench);
    }
    for (uint64_t pitch : {16, 32, 64, 80, 128})
        for (uint32_t threads : {32u, 1024u}) {
            Microbench bench = {"time_ldmatrix", "micro_ldmatrix", sms, threads};
            bench.a = pitch;
            bench.b = kTrips;
            bench.work = 8.0 * kTrips * threads / 32;
            bench.unit = "load of an SM";
            list.push_back(bench);
        }
}

void add_turns(List& list, const MicrobenchCard& card) {
    Microbench chase = {"time_shared_chase", "micro_shared_chase", 1, 1};
    chase.b = 4096;
    chase.work = 4096;
    chase.unit = "load";
    list.push_back(chase);
    for (const char* diverge : {"false", "true"})
        for (uint32_t threads : {32u, 1024u}) {
            Microbench bench = {"time_loop", fmt::format("micro_loop<{}>", diverge),
                                static_cast<uint32_t>(card.sm_count), threads};
            bench.a = 3;
            bench.b = 4096;
            bench.work = 4096.0 * threads / 32;
            bench.unit = "turn of an SM's warps";
            list.push_back(bench);
        }
}

void add_atomics(List& list, const MicrobenchCard& card) {
    auto sms = static_cast<uint32_t>(card.sm_count);
    auto add = [&](int kind, int place, uint64_t words, uint32_t blocks, uint32_t threads,
                   uint64_t trips) {
        Microbench bench = {"time_atomic", fmt::format("micro_atomic<{}, {}>", kind, place), blocks,
                            threads};
        bench.bytes = 8 * words * 32;
        bench.a = words;
        bench.b = trips;
        bench.work = static_cast<double>(blocks) * threads * static_cast<double>(trips);
        bench.unit = "atomic";
        list.push_back(bench);
    };
    for (int kind : {0, 1, 2, 3, 4}) {
        for (uint64_t words : {1, 8, 64, 256, 4096, 65536, 1048576}) add(kind, 0, words, 4 * sms, 256, 8);
        for (uint64_t words : {32, 1024, 1048576}) add(kind, 1, words, 4 * sms, 256, 8);
        for (uint64_t words : {1, 64, 4096}) add(kind, 2, words, 4 * sms, 256, 8);
    }
    for (int kind : {0, 1}) {
        add(kind, 1, 1048576, 1, 1024, 64);
        add(kind, 0, 1048576, 1, 1024, 64);
        add(kind, 2, 1, 1, 32, 64);
    }
    Microbench chain = {"time_atomic_chain", "micro_atomic_chain", 1, 1};
    chain.b = 1000;
    chain.work = 1000;
    chain.unit = "atomic";
    list.push_back(chain);
    for (int kind : {0, 1, 2, 3, 4})
        for (const char* banks : {"false", "true"})
            for (uint64_t ways : {1, 2, 8, 32})
                for (uint32_t threads : {32u, 1024u}) {
                    if (ways == 1 && *banks == 't') continue;
                    Microbench bench = {"time_shared_atomic",
                                        fmt::format("micro_shared_atomic<{}, {}>", kind, banks), sms,
                                        threads};
                    bench.a = ways;
                    bench.b = 64;
                    bench.work = 4.0 * 64 * threads / 32;
                    bench.unit = "warp access of an SM";
                    list.push_back(bench);
                }
}

// Sectors at random: from L1, L2 and DRAM, by how many are under way.
void add_gathers(List& list, const MicrobenchCard& card) {
    auto sms = static_cast<uint32_t>(card.sm_count);
    auto add = [&](const char* name, const std::string& kernel, uint64_t bytes, uint64_t together,
                   uint32_t blocks, uint32_t threads, uint64_t trips, int loads) {
        Microbench bench = {name, kernel, blocks, threads};
        bench.bytes = bytes;
        bench.a = together;
        bench.b = trips;
        bench.work = static_cast<double>(blocks) * threads * static_cast<double>(trips) * loads;
        bench.unit = "word";
        list.push_back(bench);
    };
    for (uint64_t bytes : {uint64_t{32} << 10, kMiB, 16 * kMiB, 32 * kMiB, 64 * kMiB, 256 * kMiB,
                           card.memory_bytes}) {
        for (uint64_t together : {1, 8, 32})
            add("time_gather", "micro_gather<4, false>", bytes, together, 2 * sms, 1024, 4, 4);
        for (auto [blocks, threads] : {std::pair(sms, 32u), {sms, 256u}, {2 * sms, 1024u}})
            add("time_gather", "micro_gather<1, true>", bytes, 1, blocks, threads, 16, 1);
        if (bytes >= kMiB) add("time_strew", "micro_strew<4>", bytes, 1, 2 * sms, 1024, 4, 4);
    }
}

// The same bytes launch after launch: how much of them L2 keeps.
void add_rereading(List& list, const MicrobenchCard&) {
    for (uint64_t mib : {8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 256})
        for (const char* kernel : {"micro_read", "micro_write", "micro_copy"})
            list.push_back(once_over("time_reread", kernel, kQuad, 4, 256, mib * kMiB));
}

void add_l1_vectors(List& list, const MicrobenchCard& card) {
    constexpr uint64_t kTrips = 256;
    for (auto [type, stride] : {std::pair("u32", 4u), {"u32", 0u}, {"u32", 32u}, {"u32", 128u},
                                {"uint2", 8u}, {"uint4", 16u}, {"uint4", 32u}, {"uint4", 128u}})
        list.push_back(on_every_sm(card, "time_l1", fmt::format("micro_l1_vector<{}>", type), stride,
                                   kTrips, 4.0 * kTrips, "warp access of an SM"));
}

}  // namespace

std::vector<Microbench> microbenches(const MicrobenchCard& card) {
    List list;
    add_latency(list, card);
    add_blocks(list, card);
    add_sm(list, card);
    add_l2(list, card);
    add_l2_copies(list, card);
    add_columns(list, card);
    add_scatters(list, card);
    add_dram(list, card);
    add_staged(list, card);
    add_pieces(list, card);
    add_walks(list, card);
    add_operations(list, card);
    add_matrix_units(list, card);
    add_turns(list, card);
    add_atomics(list, card);
    add_gathers(list, card);
    add_rereading(list, card);
    add_l1_vectors(list, card);
    return list;
}

std::string OccupyingKernel::name() const { return fmt::format("occupying<{}, {}>", live, shared); }

std::vector<OccupyingKernel> occupying_kernels() {
    std::vector<OccupyingKernel> all;
    for (int live : {4, 20, 28, 36, 44, 52, 68, 92, 124, 160, 200, 236})
        for (uint32_t shared : {0u, 100u, 4224u, 33'000u}) all.push_back({live, shared});
    return all;
}

std::vector<std::string> microbench_kernels() {
    // The larger a card, the more of the list fits onto it; its kernels are the same.
    MicrobenchCard card{132, 228 << 10, uint64_t{1} << 36, uint64_t{1} << 36, uint64_t{1} << 24};
    std::set<std::string> names = {"chase_fill"};
    for (const Microbench& bench : microbenches(card)) names.insert(bench.kernel);
    for (const OccupyingKernel& occupying : occupying_kernels()) names.insert(occupying.name());
    return {names.begin(), names.end()};
}

}  // namespace lanewise
