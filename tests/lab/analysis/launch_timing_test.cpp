// The model of launches over small kernels, whose hits in the caches are counted by hand; and that one
// launch has one time wherever it is asked for.
#include "lab/analysis/launch_timing.h"

#include <gtest/gtest.h>

#include <set>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "../own_job.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "gpu/device.h"
#include "lab/change/fixes.h"
#include "lab/job/devices.h"
#include "lab/record/launch_set.h"
#include "lab/record/set_recording.h"

namespace lanewise {
namespace {

const LineHits* line_of(const CauseTable& table, int line) {
    for (const LineHits& hits : table.lines)
        if (hits.line == line) return &hits;
    return nullptr;
}

// As many machine instructions as an H200 counted (smsp__inst_executed), of both halves of the set: the shorter
// launches, and three with guards, a root and WMMA. The counting was made while looking at the making half's.
// Of tickets an instruction in a hundred is missing: what is executed for the lane that stands for all.
TEST(LaunchTiming, MachineInstructionsAreTheProfilers) {
    if (gpu_status().found) GTEST_SKIP() << "the model is then this machine's card's";
    SetRecording recorded;
    for (SetRecording& half : read_set_recordings(CONTENT_FOLDER "/assets/recordings/launches"))
        recorded.times.insert(recorded.times.end(), half.times.begin(), half.times.end());
    const std::set<std::string> also = {"reduction/interleaved", "strided/points_to_length",
                                        "tensor_products/wmma_shared"};
    int compared = 0;
    for (const SetLaunch& launch : read_launch_set(CONTENT_FOLDER, SetHalf::making)) {
        if (launch.folder != "launches") continue;  // docs/model.md has the others, of which one is 11 % off
        const SetTime* time = recorded.find(launch);
        ASSERT_TRUE(time) << launch.id();
        const double counted = time->times.counters.values.at("smsp__inst_executed.sum");
        constexpr double kShort = 2.3e6;
        if (counted > kShort && !also.contains(launch.id())) continue;
        const double told = time_of(record_launch(launch.job)).instructions;
        const double allowed = launch.id() == "atomics/tickets" ? 0.02 : 0.005;
        EXPECT_NEAR(1, told / counted, allowed) << launch.id();
        ++compared;
    }
    EXPECT_EQ(28, compared);
}

// Hits and bytes as an H200 counted them: wmma's fragments, whose instructions ask for the same sectors; gathers and
// strides, for which L2 fetches 64 bytes; loads that come for the other half later; and what L1 loses.
TEST(LaunchTiming, HitsAndBytesAreTheProfilers) {
    if (gpu_status().found) GTEST_SKIP() << "the model is then this machine's card's";
    const std::set<std::string> of_l1 = {"tensor_products/eight_tokens", "tensor_products/low_rank_adapter",
                                         "latency/hash_lookup",  // its table is about as large as L1 with what the driver leaves it
                                         "stencil/wave_25_points", "stencil/sound_in_ground",  // stores take places
                                         "float_products/tiled_16"};  // whose blocks share rows with their neighbours alone
    const std::set<std::string> of_l2 = {"strided/row_per_thread", "streaming/chacha_stream"};
    const std::set<std::string> of_dram = {"sparse/gather_far", "strided/every_ninth", "latency/tree_walk"};
    // Lines that are still on their way; and a minimum in shared memory, which one lane makes for all (REDUX).
    const std::set<std::string> of_turns = {"scan/line_of_sight", "atomics/lights_of_tiles"};
    const std::vector<SetRecording> recordings = read_set_recordings(CONTENT_FOLDER "/assets/recordings/launches");
    size_t compared = 0;
    for (const SetLaunch& launch : read_launch_set(CONTENT_FOLDER, SetHalf::making)) {
        if (!of_l1.contains(launch.id()) && !of_l2.contains(launch.id()) && !of_dram.contains(launch.id()) &&
            !of_turns.contains(launch.id()))
            continue;
        for (const SetRecording& half : recordings) {
            const SetTime* counted = half.card == "NVIDIA H200" ? half.find(launch) : nullptr;
            if (!counted) continue;
            const auto& values = counted->times.counters.values;
            const LaunchTime told = time_of(record_launch(launch.job));
            if (of_l1.contains(launch.id())) {
                EXPECT_NEAR(values.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum") /
                                values.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
                            told.l1_hit, 0.02)
                    << launch.id();
            }
            if (of_l2.contains(launch.id())) {
                EXPECT_NEAR(values.at("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum") /
                                values.at("lts__t_sectors_srcunit_tex_op_read.sum"),
                            told.l2_hit, 0.05)
                    << launch.id();
            }
            if (of_dram.contains(launch.id())) {
                EXPECT_NEAR(1, told.dram_read_bytes / values.at("dram__bytes_read.sum"), 0.05) << launch.id();
            }
            if (of_turns.contains(launch.id())) {
                EXPECT_NEAR(1, told.load_store_turns / values.at("l1tex__data_pipe_lsu_wavefronts.sum"), 0.15) << launch.id();
            }
            ++compared;
            break;
        }
    }
    EXPECT_EQ(of_l1.size() + of_l2.size() + of_dram.size() + of_turns.size(), compared);
}

// Lanes that take numbers from one counter: ptxas has one of them take all and tell the others, so that the word is changed once
// for each warp and not for each lane (2.6 on average here).
TEST(LaunchTiming, OneLaneTakesNumbersForItsWarp) {
    for (const SetLaunch& launch : read_launch_set(CONTENT_FOLDER, SetHalf::making)) {
        if (launch.id() != "stencil/scale_space_extrema") continue;
        const RecordedLaunch recorded = record_launch(launch.job);
        ASSERT_GT(recorded.record.atomics.requests, 50000);
        EXPECT_LT(recorded.record.atomics.busiest_clocks / recorded.record.atomics.requests, 2);
        return;
    }
    FAIL() << "it is not in the set";
}

// 32 loads of one sector: the first brings it, 31 find it.
TEST(LaunchTiming, ASectorThatIsReadAgainIsInL1) {
    NEEDS_NVRTC();
    const CauseTable table = causes_of(record_launch(own_job(
        "__global__ void same(const float* in, float* out, int n) {\n"
        "    float sum = 0;\n"
        "    for (int k = 0; k < n; ++k)\n"
        "        sum += in[k & 7];\n"
        "    out[threadIdx.x] = sum;\n"
        "}\n",
        "same", {1}, {32}, {"f32[8]", "f32[32]", "i32:32"})));
    ASSERT_TRUE(table.holds) << table.sentence;
    ASSERT_EQ(1u, table.lines.size());
    const LineHits* hits = line_of(table, 4);
    ASSERT_TRUE(hits);
    EXPECT_EQ("own.cu", hits->file);
    EXPECT_DOUBLE_EQ(32, hits->l1_sectors);
    EXPECT_DOUBLE_EQ(31.0 / 32, hits->l1_hit);
    EXPECT_DOUBLE_EQ(1, hits->l2_sectors);
    EXPECT_DOUBLE_EQ(0, hits->l2_hit);
    EXPECT_DOUBLE_EQ(31.0 / 32, table.l1_hit);
}

// How many of its loads' sectors come from DRAM for a recorded block, and for how many it waits until they come from there.
std::pair<int, int> come_and_late(const LaunchRecord& record) {
    int come = 0, late = 0;
    for (const RecordedAccess& access : record.accesses)
        for (uint32_t i = 0; access.to == AccessTo::global_load && i < access.sectors; ++i) {
            come += static_cast<int>(record.sectors[access.first_sector + i] & 1);
            late += record.is_late[access.first_sector + i];
        }
    return {come, late};
}

// 264 blocks, of which the 67th is looked at first, and the 199th for the same multiprocessor. Eight of them share each sector of in. It
// comes for the first that asks, and all that begin side by side wait for it.
TEST(LaunchTiming, BlocksSideBySideWaitForOneSectorTogether) {
    NEEDS_NVRTC();
    RecordedLaunch launch = record_launch(own_job(
        "__global__ void shared_words(const float* in, float* out) {\n"
        "    out[blockIdx.x * 32 + threadIdx.x] = in[blockIdx.x];\n"
        "}\n",
        "shared_words", {264}, {32}, {"f32[264]", "f32[8448]"}));
    ASSERT_EQ(2u, launch.record.blocks.size());
    const auto [come, late] = come_and_late(launch.record);
    EXPECT_EQ(1, come);  // the 199th's came for the 193rd
    EXPECT_EQ(2, late);
}

// Each block reads its own line, and after a barrier its neighbour's first word: by then that has
// come for the neighbour.
TEST(LaunchTiming, WhoAsksLaterFindsItInL2) {
    NEEDS_NVRTC();
    RecordedLaunch launch = record_launch(own_job(
        "__global__ void halo(const float* in, float* out) {\n"
        "    __shared__ float held[33];\n"
        "    int i = blockIdx.x * 32 + threadIdx.x;\n"
        "    held[threadIdx.x] = in[i];\n"
        "    __syncthreads();\n"
        "    float next = held[31 - threadIdx.x];\n"
        "    if (threadIdx.x == 0) held[32] = in[i + 32 + (next > 2)];\n"
        "    __syncthreads();\n"
        "    out[i] = next + held[32];\n"
        "}\n",
        "halo", {264}, {32}, {"f32[8488]=0..1", "f32[8448]"}));
    ASSERT_EQ(2u, launch.record.blocks.size());
    const auto [come, late] = come_and_late(launch.record);
    EXPECT_EQ(9, come);  // five of the 67th; of the 199th all but what its neighbour before took
    EXPECT_EQ(8, late);                 // each block's own line alone
}

// Each thread writes a sector of 32 bytes by two stores, or half of it by one.
TEST(LaunchTiming, L2PutsTogetherWhatSeveralStoresWrite) {
    NEEDS_NVRTC();
    auto parts = [](const char* both) {
        return record_launch(own_job(
                                 "__global__ void halves(float4* out, int both) {\n"
                                 "    int i = blockIdx.x * 32 + threadIdx.x;\n"
                                 "    out[2 * i] = make_float4(1, 2, 3, 4);\n"
                                 "    if (both) out[2 * i + 1] = make_float4(5, 6, 7, 8);\n"
                                 "}\n",
                                 "halves", {4}, {32}, {"f32[1024]", both}))
            .record.part_sectors;
    };
    EXPECT_DOUBLE_EQ(0, parts("i32:1"));
    EXPECT_DOUBLE_EQ(128, parts("i32:0"));
}

// More than L2 holds. Of two blocks that the card holds at once each reads it once, at the same time as the other; a
// block alone reads it twice, one time after the other.
TEST(LaunchTiming, BlocksThatReadTogetherLoseNothingInL2) {
    NEEDS_NVRTC();
    const std::string kernel =
        "__global__ void read_all(const float4* in, float* out, int times) {\n"
        "    float sum = 0;\n"
        "    for (int t = 0; t < times; ++t)\n"
        "        for (int i = threadIdx.x; i < 3145728; i += 1024) sum += in[i].x + t;\n"
        "    if (sum == 1) out[blockIdx.x] = sum;\n"
        "}\n";
    const double all = 3145728 * 16 / 32;
    auto again = [&](int blocks, const char* times) {
        return record_launch(own_job(kernel, "read_all", {static_cast<uint32_t>(blocks)}, {1024},
                                     {"f32[12582912]=0", "f32[2]", times}))
            .record.again_sectors;
    };
    EXPECT_DOUBLE_EQ(0, again(2, "i32:1"));
    EXPECT_DOUBLE_EQ(all, again(1, "i32:2"));
}

// An array of a thread at a place that only the data tells lies in local memory, of which the model has no caches.
TEST(LaunchTiming, LocalMemoryGetsNoTime) {
    NEEDS_NVRTC();
    const LaunchTime time = time_of(record_launch(own_job(
        "__global__ void stacked(const unsigned* in, unsigned* out) {\n"
        "    unsigned stack[32];\n"
        "    for (int i = 0; i < 32; ++i) stack[(in[i] + threadIdx.x) & 31] = in[i] * i;\n"
        "    out[threadIdx.x] = stack[in[threadIdx.x] & 31];\n"
        "}\n",
        "stacked", {1}, {32}, {"u32[32]", "u32[32]"})));
    EXPECT_FALSE(time.holds);
    EXPECT_TRUE(time.sentence.starts_with("The model of time does not know local memory, where arrays lie ")) << time.sentence;
    // That of a sine is for huge numbers alone.
    EXPECT_TRUE(time_of(record_launch(own_job(
        "__global__ void sines(const float* in, float* out) {\n"
        "    out[threadIdx.x] = sinf(in[threadIdx.x]);\n"
        "}\n",
        "sines", {1}, {32}, {"f32[32]=0..1", "f32[32]"}))).holds);
}

// 256 floats, 32 sectors, each asked for once.
TEST(LaunchTiming, AStreamFindsNothing) {
    NEEDS_NVRTC();
    const CauseTable table = causes_of(record_launch(own_job(
        "__global__ void stream(const float* in, float* out) {\n"
        "    int i = blockIdx.x * 64 + threadIdx.x;\n"
        "    out[i] = in[i];\n"
        "}\n",
        "stream", {4}, {64}, {"f32[256]", "f32[256]"})));
    ASSERT_EQ(1u, table.lines.size());
    EXPECT_DOUBLE_EQ(32, table.lines[0].l1_sectors);
    EXPECT_DOUBLE_EQ(0, table.lines[0].l1_hit);
    EXPECT_DOUBLE_EQ(32, table.lines[0].l2_sectors);
    EXPECT_DOUBLE_EQ(0, table.lines[0].l2_hit);
    EXPECT_EQ(0, table.l1_hit + table.l2_hit);
}

// Tiles of 64 bytes a row that are copied past L1, again and again, into rows of `pitch` bytes. At 80 every other row begins in
// the middle of a sector: 24 sectors come for 16, so that it takes longer, and `why` names the line. At 64 none does.
TEST(LaunchTiming, CopiesIntoPaddedRowsArriveInPieces) {
    NEEDS_NVRTC();
    auto causes = [](const std::string& pitch) {
        return causes_of(record_launch(own_job(
            "__global__ void copies(const char* in, char* out) {\n"
            "    __shared__ __align__(128) char tile[32 * " + pitch + "];\n"
            "    unsigned to = (unsigned)__cvta_generic_to_shared(tile) + threadIdx.x / 4 * " + pitch + " + threadIdx.x % 4 * 16;\n"
            "    for (int k = 0; k < 64; ++k)\n"
            "        asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16;\" :: \"r\"(to), \"l\"(in + (blockIdx.x * 64 + k) % 512 * 2048 + threadIdx.x * 16) : \"memory\");\n"
            "    asm volatile(\"cp.async.wait_all;\" ::: \"memory\");\n"
            "    __syncthreads();\n"
            "    out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x];\n"
            "}\n",
            "copies", {1056}, {128}, {"u8[1048576]", "u8[135168]"})));
    };
    auto pieces = [](const CauseTable& table) {
        auto found = std::find_if(table.causes.begin(), table.causes.end(), [](const TimeCause& cause) { return cause.name == "copies that arrive in pieces"; });
        return found == table.causes.end() ? TimeCause{} : *found;
    };
    const CauseTable padded = causes("80"), straight = causes("64");
    EXPECT_GT(pieces(padded).us, 0.3 * padded.time_us);
    EXPECT_EQ(5, pieces(padded).line);
    EXPECT_NE(std::string::npos, pieces(padded).fix.find("32 bytes"));
    EXPECT_EQ(0, pieces(straight).us);
    EXPECT_NEAR(straight.time_us, padded.time_us - pieces(padded).us, 0.1 * straight.time_us);
}

// Of two kernels that do the same beside one product each, of halves the multiprocessors' clock is slower, of doubles not.
TEST(LaunchTiming, ProductsOfHalvesSlowTheClock) {
    NEEDS_NVRTC();
    auto slower = [](const std::string& product) {
        const CauseTable table = causes_of(record_launch(own_job(
            "__global__ void sums(float* out) {\n"
            "    float held = threadIdx.x, c[4] = {}; double d[2] = {}; unsigned x = threadIdx.x; double y = x;\n"
            "    " + product + "\n"
            "    for (int k = 0; k < 1000; ++k) held = held * 0.5f + 1;\n"
            "    out[threadIdx.x] = held + c[0] + c[1] + c[2] + c[3] + d[0] + d[1];\n"
            "}\n",
            "sums", {132}, {32}, {"f32[32]"})));
        for (const TimeCause& cause : table.causes)
            if (cause.name == "tensor cores' slower clock") return cause.us / table.time_us;
        return 0.0;
    };
    if (gpu_status().found) GTEST_SKIP() << "the model is then this machine's card's";
    EXPECT_NEAR(0.08, slower("asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};\""
                             " : \"+f\"(c[0]), \"+f\"(c[1]), \"+f\"(c[2]), \"+f\"(c[3]) : \"r\"(x));"), 0.03);
    EXPECT_EQ(0, slower("asm volatile(\"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%2}, {%0,%1};\""
                        " : \"+d\"(d[0]), \"+d\"(d[1]) : \"d\"(y));"));
}

// One block reads all of it in one line, then again in another. 4 KiB stay in L1; 1 MiB does not, and
// is found in L2.
TEST(LaunchTiming, WhatIsReadTwiceIsFoundWhereItFits) {
    NEEDS_NVRTC();
    const std::string source =
        "__global__ void twice(const float* in, float* out, int n) {\n"
        "    float sum = 0, most = 0;\n"
        "    for (int i = threadIdx.x; i < n; i += 1024)\n"
        "        sum += in[i];\n"
        "    for (int i = threadIdx.x; i < n; i += 1024)\n"
        "        most = fmaxf(most, in[i]);\n"
        "    out[threadIdx.x] = sum + most;\n"
        "}\n";
    auto causes = [&](const std::string& n) {
        return causes_of(record_launch(
            own_job(source, "twice", {1}, {1024}, {"f32[" + n + "]", "f32[1024]", "i32:" + n})));
    };
    CauseTable table = causes("1024");
    const LineHits *first = line_of(table, 4), *second = line_of(table, 6);
    ASSERT_TRUE(first && second);
    EXPECT_DOUBLE_EQ(128, first->l1_sectors);
    EXPECT_DOUBLE_EQ(0, first->l1_hit + first->l2_hit);
    EXPECT_DOUBLE_EQ(128, second->l1_sectors);
    EXPECT_DOUBLE_EQ(1, second->l1_hit);
    EXPECT_DOUBLE_EQ(0, second->l2_sectors);
    EXPECT_DOUBLE_EQ(0.5, table.l1_hit);

    table = causes("262144");
    first = line_of(table, 4), second = line_of(table, 6);
    ASSERT_TRUE(first && second);
    EXPECT_DOUBLE_EQ(32768, first->l2_sectors);
    EXPECT_DOUBLE_EQ(0, first->l1_hit + first->l2_hit);
    EXPECT_NEAR(0, second->l1_hit, 0.01);
    EXPECT_NEAR(1, second->l2_hit, 1e-9);
    EXPECT_NEAR(0.5, table.l2_hit, 0.01);
}

// The cards, the list of what was tried and `why` have the same time of one launch.
TEST(LaunchTiming, OneLaunchHasOneTime) {
    NEEDS_NVRTC();
    Job job;
    job.stage = shipped_stages().find("transpose/20_tiled");
    job.arch = "sm_90";
    job.rows = job.cols = 256;
    const CauseTable table = causes_of(record_launch(job));
    ASSERT_TRUE(table.holds) << table.sentence;
    EXPECT_LE(table.low_us, table.time_us);
    // Of this machine's card, if it has one: not every card has a range.
    bool has_range = table.sentence.find("was never compared with this card") == std::string::npos;
    EXPECT_EQ(has_range, table.low_us < table.high_us) << table.sentence;
    EXPECT_DOUBLE_EQ(table.time_us, try_fixes(job).before.time_us);
    ASSERT_FALSE(table.causes.empty());
    for (size_t i = 1; i < table.causes.size(); ++i)
        EXPECT_GE(table.causes[i - 1].us, table.causes[i].us);
    EXPECT_LE(table.launch_us, table.without_us);
    EXPECT_LT(table.without_us, table.time_us);
}

// As where clang compiled: how ptxas would have set it up is not known, and the range is that of such launches.
TEST(LaunchTiming, WithoutMachineCodeItSaysSoAndItsRangeIsWider) {
    if (gpu_status().found) GTEST_SKIP() << "the model is then this machine's card's";
    const ModelRange with = ranges_in_use(true).in_all, without = ranges_in_use(false).in_all;
    EXPECT_GT(without.launches, 90);
    EXPECT_GT(without.high / without.low, with.high / with.low);
    for (const SetLaunch& launch : read_launch_set(CONTENT_FOLDER, SetHalf::making)) {
        if (launch.id() != "reduction/ragged_means") continue;
        RecordedLaunch recorded = record_launch(launch.job);
        ASSERT_FALSE(recorded.code.machine.empty());
        const LaunchTime known = time_of(recorded);
        EXPECT_EQ(std::string::npos, known.sentence.find("machine code"));
        EXPECT_NE(known.simulated_us, known.time_us);
        EXPECT_DOUBLE_EQ(known.simulated_us * ranges_in_use(true).correction.of(known.loads), known.time_us);
        recorded.code.machine.clear();
        const LaunchTime time = time_of(recorded);
        ASSERT_TRUE(time.holds);
        EXPECT_EQ(0u, time.sentence.find("Without the machine code, which ptxas makes, the time is rough."));
        EXPECT_LE(time.high_us, 1.001 * without.high * time.time_us);
        EXPECT_GT(time.high_us, 1.2 * time.time_us);
        return;
    }
    FAIL() << "the set has no such launch";
}

// A block that does next to nothing: an eighth of its time would be less than any launch takes.
TEST(LaunchTiming, NoRangeBeginsBelowWhatAnyLaunchTakes) {
    NEEDS_NVRTC();
    if (gpu_status().found) GTEST_SKIP() << "the model is then this machine's card's";
    RecordedLaunch recorded =
        record_launch(own_job("__global__ void one(float* out) { out[threadIdx.x] = 1; }\n", "one", {1}, {32}, {"f32[32]"}));
    recorded.code.machine.clear();
    const LaunchTime time = time_of(recorded);
    ASSERT_TRUE(time.holds) << time.sentence;
    ASSERT_LT(ranges_in_use(false).in_all.low * time.time_us, device_in_use().launch_us);
    EXPECT_DOUBLE_EQ(device_in_use().launch_us, time.low_us);
}

TEST(LaunchTiming, StopsWhereItIsCancelled) {
    NEEDS_NVRTC();
    const RecordedLaunch launch =
        record_launch(own_job("__global__ void one(float* out) { out[threadIdx.x] = 1; }\n", "one", {1},
                              {32}, {"f32[32]"}));
    CancelFlag cancel{true};
    EXPECT_THROW(causes_of(launch, &cancel), Cancelled);
}

}  // namespace
}  // namespace lanewise
