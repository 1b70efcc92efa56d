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
