// The staircase without a GPU: what is replayed, what the kernel does (on the machine), the line
// through the steps, and the files.
#include "lab/micro/staircase.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "base/files.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/json/json.h"
#include "lab/json/staircase_json.h"
#include "lab/micro/staircase_kernel.h"
#include "lab/micro/staircase_show.h"
#include "ptx/parser.h"
#include "sim/warp/machine.h"
#include "trace/count/counter.h"
#include "trace/count/rules.h"

namespace lanewise {

namespace {

StaircaseAccess made_up(int bytes_per_lane, bool is_store, int wavefronts) {
    for (const StaircaseAccess& access : staircase_ladder())
        if (access.bytes_per_lane == bytes_per_lane && access.is_store == is_store &&
            access.wavefronts == wavefronts)
            return access;
    ADD_FAILURE() << "no such step";
    return {};
}

StaircaseStep step(int bytes_per_lane, bool is_store, int wavefronts, double cycles) {
    return {made_up(bytes_per_lane, is_store, wavefronts), {cycles, cycles, cycles}, {}, 0};
}

// 23 cycles and 2 more for each wavefront; a stage's access of 5 wavefronts that takes 33.
Staircase example() {
    Staircase staircase;
    for (int n : {1, 2, 3, 8, 32}) staircase.steps.push_back(step(4, false, n, 23 + 2.0 * n));
    StaircaseStep own = step(4, false, 5, 33);
    own.access.of_stage = true;
    own.access.line = 28;
    own.access.name = "ld.shared.f32 %f1, [%r2]";
    staircase.steps.push_back(own);
    staircase.stage = "transpose/20_tiled";
    staircase.provenance.card = "Fake GPU";
    staircase.provenance.date = "2026-11-21T15:00:00Z";
    fit_staircase(staircase);
    return staircase;
}

}  // namespace

TEST(StaircaseLadder, HasEveryNumberOfWavefronts) {
    std::set<int> words, doubles, quads;
    for (const StaircaseAccess& access : staircase_ladder()) {
        (access.bytes_per_lane == 4   ? words
         : access.bytes_per_lane == 8 ? doubles
                                      : quads)
            .insert(access.wavefronts);
        EXPECT_LE(access.shared_bytes(), 4096u);
    }
    EXPECT_EQ(32u, words.size());  // 1 … 32
    EXPECT_EQ(1, *words.begin());
    EXPECT_EQ(32, *words.rbegin());
    EXPECT_EQ(16u, doubles.size());  // 2, 4 … 32
    EXPECT_EQ(2, *doubles.begin());
    EXPECT_EQ((std::set<int>{4, 8, 12, 16, 20, 24, 28, 32}), quads);
}

TEST(StaircaseLadder, ThreeLanesWantOneBankAndTheOthersHaveTheirs) {
    StaircaseAccess access = made_up(4, false, 3);
    EXPECT_EQ("3 lanes want one bank", access.name);
    EXPECT_EQ(0u, access.offsets[0]);
    EXPECT_EQ(128u, access.offsets[1]);
    EXPECT_EQ(256u, access.offsets[2]);
    EXPECT_EQ(12u, access.offsets[3]);
    EXPECT_EQ(124u, access.offsets[31]);
    EXPECT_EQ(260u, access.shared_bytes());
}

TEST(StaircaseAccesses, AreTheStagesOwnOncePerInstruction) {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    job.stage = catalogue.find("30_padded");
    job.knobs = {{"PAD", 0}};
    job.rows = job.cols = 64;
    std::vector<StaircaseAccess> accesses = staircase_accesses(trace_block(job, 0));
    // Four stores of a row and four loads of a column: the loads, of 32 wavefronts, come first.
    ASSERT_EQ(8u, accesses.size());
    EXPECT_EQ(32, accesses[0].wavefronts);
    EXPECT_FALSE(accesses[0].is_store);
    EXPECT_EQ(128u, accesses[0].offsets[1] - accesses[0].offsets[0]);
    EXPECT_GT(accesses[0].line, 0);
    EXPECT_TRUE(accesses[0].of_stage);
    EXPECT_EQ(1, accesses[7].wavefronts);
    EXPECT_TRUE(accesses[7].is_store);
}

// What the kernel does, interpreted: filling, one load of the first word, then the access (and, of
// a store, the load behind it) once per kStaircaseAccesses and look.
static SharedCounts interpreted(const StaircaseAccess& access, SharedCounts& others) {
    Program program = compile_staircase_kernel(access.bytes_per_lane, access.is_store, "sm_90");
    ptx::Kernel kernel = ptx::parse(program.ptx).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    uint64_t offsets = memory.allocate(sizeof access.offsets, "offsets");
    uint64_t clock = memory.allocate(kStaircaseLooks * 8, "clock");
    std::memcpy(memory.buffers()[0].storage, access.offsets.data(), sizeof access.offsets);
    LaunchShape shape;
    shape.block.x = 32;
    shape.dynamic_shared_bytes = access.shared_bytes();
    struct Sums : Observer {
        void on_memory(const MemoryEvent& event) override {
            if (event.space != Space::shared) return;
            auto cost = static_cast<uint64_t>(
                wavefronts(*event.addresses, event.bytes_per_lane, event.mask, event.is_store));
            bool timed = event.is_store == is_store && event.mask == mask &&
                         event.bytes_per_lane == bytes && has_clock;
            (timed ? mine : rest) += {1, cost, 0, 0};
        }
        void on_barrier(const BarrierEvent&) override { has_clock = true; }
        bool is_store = false, has_clock = false;
        uint32_t mask = 0;
        int bytes = 0;
        SharedCounts mine, rest;
    } sums;
    sums.is_store = access.is_store;
    sums.mask = access.mask;
    sums.bytes = access.bytes_per_lane;
    machine.run(shape, staircase_arguments(access, offsets, clock), memory, 0, 1, sums);
    others = sums.rest;
    return sums.mine;
}

TEST(StaircaseKernel, DoesTheAccessAndNothingElseBetweenTwoLooks) {
    constexpr uint64_t kTimes = kStaircaseAccesses * kStaircaseLooks;
    SharedCounts others;
    SharedCounts loads = interpreted(made_up(16, false, 12), others);
    EXPECT_EQ(kTimes, loads.instructions);
    EXPECT_EQ(kTimes * 12, loads.wavefronts);
    SharedCounts stores = interpreted(made_up(8, true, 6), others);
    EXPECT_EQ(kTimes, stores.instructions);
    EXPECT_EQ(kTimes * 6, stores.wavefronts);
    // The load behind each store, and the one that fetches the zero: one wavefront each. Before
    // them, 3 * 2 rows of 128 bytes less what the last one does not use are filled.
    EXPECT_GE(others.wavefronts, kTimes + 1);
    EXPECT_LE(others.wavefronts, kTimes + 1 + 6);
}

TEST(StaircaseKernel, LanesThatTheStageLeavesOutStayOut) {
    StaircaseAccess access = made_up(4, false, 32);
    access.mask = 0x0000f00f;  // 8 of the 32 lanes, all of bank 0
    SharedCounts others;
    SharedCounts loads = interpreted(access, others);
    EXPECT_EQ(uint64_t{kStaircaseAccesses * kStaircaseLooks} * 8, loads.wavefronts);
}

TEST(StaircaseFit, FindsBaseAndSlope) {
    Staircase staircase = example();
    ASSERT_EQ(1u, staircase.lines.size());
    EXPECT_DOUBLE_EQ(23, staircase.lines[0].base);
    EXPECT_DOUBLE_EQ(2, staircase.lines[0].per_wavefront.median);
    EXPECT_DOUBLE_EQ(0, staircase.lines[0].worst);
    EXPECT_EQ("4-byte loads: 25.0 cycles, 2.00 (2.00 to 2.00) of them per wavefront",
              in_words(staircase.lines[0]));
    EXPECT_DOUBLE_EQ(5, staircase.steps.back().seen);
}

TEST(StaircaseFit, OneStepThatIsOffDoesNotTurnTheLine) {
    Staircase staircase = example();
    staircase.steps[2].samples = {90, 90, 90};  // instead of 29
    fit_staircase(staircase);
    EXPECT_NEAR(2, staircase.lines[0].per_wavefront.median, 0.01);
    EXPECT_NEAR(61, staircase.lines[0].worst, 0.5);
    // The stage's steps are no part of the line.
    staircase.steps.back().samples = {900};
    fit_staircase(staircase);
    EXPECT_NEAR(2, staircase.lines[0].per_wavefront.median, 0.01);
    EXPECT_GT(staircase.steps.back().seen, 400);
}

TEST(StaircaseFit, ACardWithoutConflictsHasNoLineToReadFrom) {
    Staircase staircase = example();
    for (StaircaseStep& one : staircase.steps) one.samples = {30, 30};
    fit_staircase(staircase);
    EXPECT_EQ(0, staircase.steps.back().seen);
    EXPECT_NE(std::string::npos, staircase_text(staircase).find("no line to compare with"));
}

TEST(StaircaseFit, NarrowAccessesLieOnTheLineOfABanksWord) {
    Staircase staircase = example();
    staircase.steps.back().access.bytes_per_lane = 1;
    EXPECT_EQ(&staircase.lines[0], line_of(staircase, staircase.steps.back().access));
    staircase.steps.back().access.is_store = true;
    EXPECT_EQ(nullptr, line_of(staircase, staircase.steps.back().access));
}

TEST(StaircaseJson, ComesBackWhole) {
    Staircase before = example(), after = Json(before).get<Staircase>();
    EXPECT_EQ(Json(before), Json(after));
    EXPECT_EQ(before.steps[3].samples, after.steps[3].samples);
    EXPECT_DOUBLE_EQ(5, after.steps.back().seen);
    EXPECT_EQ(28, after.steps.back().access.line);
}

TEST(StaircaseText, SetsTheMachinesCountBesideTheCards) {
    std::string text = staircase_text(example());
    EXPECT_NE(std::string::npos, text.find("ld.shared.f32 %f1, [%r2]")) << text;
    EXPECT_NE(std::string::npos, text.find("agrees")) << text;
    std::string csv = staircase_csv(example());
    EXPECT_NE(std::string::npos,
              csv.find("ld.shared.f32 %f1, [%r2];28;1;0;4;5;33.000;33.000;33.000;5.00\n"))
        << csv;
}

static std::string error_of(const std::string& text) {
    std::filesystem::path file = std::filesystem::temp_directory_path() /
                                 ("lanewise-staircase-" + std::to_string(::getpid()) + ".json");
    write_file(file, text);
    std::string message = "read";
    try {
        read_staircase(file);
    } catch (const Error& error) {
        message = error.what();
        message.erase(0, file.string().size());
    }
    std::filesystem::remove(file);
    return message;
}

TEST(StaircaseFiles, DamageIsNamed) {
    EXPECT_EQ("read", error_of(Json(example()).dump()));
    Json newer = example();
    newer["schema"] = kStaircaseSchema + 1;
    EXPECT_EQ(
        " has schema 2, and this program reads 1: take it again with `lanewise-engine probe "
        "--json`, or update the program",
        error_of(newer.dump()));
    EXPECT_TRUE(error_of("{}").starts_with(" is no staircase: "));
    EXPECT_TRUE(error_of("[1,").starts_with(" is no staircase: "));
    Json without = example();
    without["steps"][0].erase("mask");
    EXPECT_TRUE(error_of(without.dump()).starts_with(" is no staircase: "));
}

}  // namespace lanewise
