// Scripted walks with values worked by hand: through transpose/70_shuffle, and through a user's
// histogram (tests/programs/fixtures/step_histogram.cu).
#include "lab/step/step_commands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "../own_job.h"
#include "base/error.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/json/step_json.h"

namespace lanewise {
namespace {

Job shuffle_job() {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    job.stage = catalogue.find("transpose/70_shuffle");
    job.rows = job.cols = 64;
    return job;
}

// 128 bytes, byte i is i: of 8 bins of 32 values each gets 16 of a block of 64 threads and 1 turn.
Job histogram_job() {
    return own_job_of(
        "programs/fixtures/step_histogram.cu --kernel histogram --grid 2 --block 64 --arg "
        "u8[256]=0+1 --arg u32[8]=0 --arg i32:256",
        TESTS_FOLDER);
}

// Without the command and what the recording takes, which depend on the way and not on the moment.
nlohmann::json moment_of(const StepReply& reply) {
    nlohmann::json json = reply;
    json.erase("command");
    json.erase("assigned");
    json["place"].erase("recorded_bytes");
    return json;
}

const NamedValues* named(const std::vector<NamedValues>& list, const std::string& name) {
    for (const NamedValues& each : list)
        if (each.name == name) return &each;
    return nullptr;
}

class Walk {
  public:
    explicit Walk(const Job& job, const Debugger::Options& options = {})
        : commands_(job, options) {}
    StepReply operator()(const std::string& command) {
        StepReply reply = commands_.run(command);
        EXPECT_EQ("", reply.error) << command;
        return reply;
    }
    std::string error(const std::string& command) { return commands_.run(command).error; }
    LaneValues value(const std::string& expression) {
        StepReply reply = (*this)("print " + expression);
        return reply.values.empty() ? LaneValues{} : reply.values[0].values;
    }
    StepCommands& commands() { return commands_; }

  private:
    StepCommands commands_;
};

float word_as_float(uint32_t index) {
    return static_cast<float>(static_cast<double>(std::bit_cast<float>(unique_word(index))));
}

TEST(StepShuffle, ShowsTheExchangeOfTheFirstRound) {
    Walk walk(shuffle_job());
    walk("break 37 block 1,0 warp 1");
    StepReply stop = walk("run");
    ASSERT_TRUE(stop.place);
    EXPECT_EQ(StepStop::Why::breakpoint, stop.place->why);
    EXPECT_EQ("(1,0)", stop.place->block);
    EXPECT_EQ(1u, stop.place->warp);
    EXPECT_EQ(37, stop.place->line);
    // Block (1,0) has columns 32 to 63, its warp 1 rows 32 to 63; lane l holds column l, and gives
    // element 16 of it away where it is one of the lower lanes, else element 0.
    LaneValues give = walk.value("give");
    for (uint32_t lane = 0; lane < 32; ++lane) {
        uint32_t row = 32 + (lane & 16 ? 0 : 16), col = 32 + lane;
        EXPECT_EQ(std::bit_cast<uint32_t>(word_as_float(row * 64 + col)), give.bits[lane]) << lane;
    }
    StepReply behind = walk("next");
    const NamedValues* got = named(behind.assigned, "got");
    ASSERT_TRUE(got);
    for (uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(give.bits[lane ^ 16], got->values.bits[lane]) << lane;
    EXPECT_EQ("0, 1, 2 … 31", in_few_words(walk.value("lane")));
    EXPECT_EQ("32 in all lanes", in_few_words(walk.value("first_row")));
    EXPECT_EQ("32 in all lanes", in_few_words(walk.value("first_col")));
    EXPECT_EQ(0xffff0000u, walk.value("upper").true_lanes());
    EXPECT_EQ(63, walk.value("first_row + lane").integer(31));
    EXPECT_NE(walk.error("print half").find("unrolled"), std::string::npos);
}

// Every line from the begin to the return, then every line back: the same moments with the same
// values, and the same by instructions.
TEST(StepShuffle, IsTheSameForwardAndBack) {
    for (const std::string unit : {"next", "step"}) {
        Walk walk(shuffle_job());
        walk("warp 1");
        walk(unit);
        std::vector<nlohmann::json> there;
        for (;;) {
            StepReply values = walk("values");
            there.push_back(moment_of(values));
            if (walk(unit).place->why == StepStop::Why::returned) break;
        }
        ASSERT_GT(there.size(), 300u);
        for (size_t i = there.size(); i-- > 0;) {
            StepReply moved = walk("back");
            ASSERT_EQ(StepStop::Why::moved, moved.place->why) << i;
            ASSERT_EQ(there[i], moment_of(walk("values"))) << unit << " " << i;
        }
        EXPECT_EQ(StepStop::Why::start, walk("back").place->why);
    }
}

// Without memory for a recording every way back begins at the start, and comes to the same place.
TEST(StepShuffle, GoesBackWithoutARecording) {
    Walk walk(shuffle_job());
    walk("block 1,0");
    walk("warp 1");
    walk("next 4");
    nlohmann::json there = moment_of(walk("values"));
    walk("next 2");
    walk("limit 0");
    EXPECT_EQ(StepStop::Why::moved, walk("back 2").place->why);
    EXPECT_EQ(there, moment_of(walk("values")));
    EXPECT_EQ(StepStop::Why::start, walk("back 100").place->why);
}

TEST(StepShuffle, GoesToWhoWroteAnElement) {
    Walk walk(shuffle_job());
    // out[45 * 64 + 33] = in[33 * 64 + 45]: block (1,0), warp 1, lane 1.
    StepReply reply = walk("at wrote out[45 * 64 + 33]");
    EXPECT_EQ("(1,0)", reply.place->block);
    EXPECT_EQ(1u, reply.place->warp);
    EXPECT_EQ(2u, reply.place->lanes);
    EXPECT_EQ(45, reply.place->line);
    EXPECT_EQ(0u, reply.place->instruction.find("st.global"));
    EXPECT_FALSE(walk("who out[45 * 64 + 33]").written->is_known);
    walk("step");
    StepReply who = walk("who out[45 * 64 + 33]");
    ASSERT_TRUE(who.written->is_known);
    EXPECT_EQ(2u, who.written->write.lanes);
    EXPECT_EQ(reply.place->at, who.written->write.at);
    EXPECT_EQ(fmt::format("{:.6g}", word_as_float(33 * 64 + 45)), who.written->value);
}

class StepHistogram : public testing::Test {
  protected:
    void SetUp() override { NEEDS_NVRTC(); }
};

TEST_F(StepHistogram, CountsWhatEachLaneCounts) {
    Walk walk(histogram_job());
    walk("break 12");
    StepReply stop = walk("run");
    EXPECT_EQ(12, stop.place->line);
    // Block 0, warp 0: lane l stands at byte l, whose bin is 0.
    EXPECT_EQ("128 in all lanes", in_few_words(walk.value("stride")));
    EXPECT_EQ("0, 1, 2 … 31", in_few_words(walk.value("i")));
    EXPECT_EQ("0 in all lanes", in_few_words(walk.value("bin")));
    EXPECT_EQ("0, 1, 2 … 31", in_few_words(walk.value("data[i]")));
    EXPECT_EQ("0 in all lanes", in_few_words(walk.value("local[bin]")));
    walk("next");
    EXPECT_EQ("32 in all lanes", in_few_words(walk.value("local[0]")));
    // Its next turn: bytes 128 to 159, bin 4.
    walk("run");
    EXPECT_EQ("128, 129, 130 … 159", in_few_words(walk.value("i")));
    EXPECT_EQ("4 in all lanes", in_few_words(walk.value("bin")));
    // Then warp 1: bytes 32 to 63.
    stop = walk("run");
    EXPECT_EQ(1u, stop.place->warp);
    EXPECT_EQ("1 in all lanes", in_few_words(walk.value("bin")));
}

TEST_F(StepHistogram, LanesPartAndMeet) {
    Walk walk(histogram_job());
    walk("break 15 block 0 warp 0");
    walk("run");
    StepReply branch = walk("lanes");
    EXPECT_EQ(kEveryLane, branch.place->look.lanes);
    EXPECT_EQ(~0xffu, branch.place->look.executing);  // threadIdx.x >= 8: they branch, to the end
    walk("step");
    StepReply apart = walk("lanes");
    EXPECT_EQ(0xffu, apart.place->look.lanes);
    EXPECT_EQ(0xffu, apart.place->look.live);
    walk("block 0");
    walk("delete all");
    walk("break 7 warp 1");
    walk("run");
    // Warp 1 has no thread below 8: its lanes branch together. Those of warp 0 part, and meet at
    // the barrier's line.
    walk("step");
    EXPECT_EQ(kEveryLane, walk("lanes").place->look.lanes);
    walk("block 0");
    walk("warp 0");
    walk("delete all");
    walk("break 7");
    walk("run");
    walk("step");
    apart = walk("lanes");
    EXPECT_EQ(0xffu, apart.place->look.lanes);
    EXPECT_EQ(7, apart.place->line);
    EXPECT_EQ(8, apart.place->meets_line);
    ASSERT_EQ(1u, apart.place->look.paths.size());
    EXPECT_EQ(kEveryLane, apart.place->look.paths[0].lanes);
    EXPECT_EQ(8, apart.place->path_lines[0].first);
    walk("delete all");
    walk("break 15 warp 0");
    walk("run");
    // Behind the barrier: of block 0 warp 0 has filled bins 0 and 4, and warp 1 bin 1.
    EXPECT_EQ(32, walk.value("local[0]").integer(0));
    EXPECT_EQ(32, walk.value("local[4]").integer(0));
    EXPECT_EQ(32, walk.value("local[1]").integer(0));
    EXPECT_EQ(0, walk.value("local[2]").integer(0));
}

TEST_F(StepHistogram, SaysWhoWroteAWord) {
    Walk walk(histogram_job());
    walk("break 15 block 0 warp 0");
    walk("run");
    struct Known {
        const char* word;
        uint32_t warp, lanes;
    };
    // Bins 1 and 5 are warp 1's; bin 2 nobody's in block 0, so that its zero is warp 0's lane 2.
    for (const Known& each : {Known{"local[1]", 1, kEveryLane}, Known{"local[5]", 1, kEveryLane},
                              Known{"local[4]", 0, kEveryLane}, Known{"local[2]", 0, 1u << 2}}) {
        StepReply who = walk(std::string("who ") + each.word);
        ASSERT_TRUE(who.written->is_known) << each.word;
        EXPECT_EQ(0u, who.written->write.at.block) << each.word;
        EXPECT_EQ(each.warp, who.written->write.warp) << each.word;
        EXPECT_EQ(each.lanes, who.written->write.lanes) << each.word;
        EXPECT_EQ(std::string(each.word) == "local[2]" ? 7 : 12, who.written->line) << each.word;
    }
    EXPECT_FALSE(walk("who bins[2]").written->is_known);
    walk("delete all");
    walk("run");
    // Block 1 adds last to all: its lane b to bin b. Bins 2 and 3, 6 and 7 are its own.
    StepReply who = walk("who bins[2]");
    EXPECT_EQ("32", who.written->value);
    EXPECT_EQ(1u, who.written->write.at.block);
    EXPECT_EQ(0u, who.written->write.warp);
    EXPECT_EQ(4u, who.written->write.lanes);
    EXPECT_EQ(15, who.written->line);
}

TEST_F(StepHistogram, BreaksOnConditions) {
    Walk walk(histogram_job());
    walk("break 12 if bin == 5 && lane > 16");
    StepReply stop = walk("run");
    EXPECT_EQ(0u, stop.place->at.block);
    EXPECT_EQ(1u, stop.place->warp);  // its second turn: bytes 160 to 191
    EXPECT_EQ(0xfffe0000u, stop.place->lanes);
    EXPECT_EQ(160, walk.value("i").integer(0));
    EXPECT_EQ(StepStop::Why::launch_end, walk("run").place->why);
    EXPECT_EQ(1u, walk("breaks").breakpoints.at(0).hits);
    StepReply back = walk("back run");
    EXPECT_EQ(1u, back.place->at.block);  // of block 1 none
    walk("block 0");
    walk("goto 1000000");
    back = walk("back run");
    EXPECT_EQ(stop.place->at, back.place->at);
    EXPECT_EQ(1u, back.place->warp);
}

// A lane that divides by zero is named once; the others still decide, and nothing stops by it.
TEST_F(StepHistogram, AConditionMayDivideByZero) {
    Walk walk(histogram_job());
    walk("break 12 if 256 / (lane - 3) == 1000");
    StepReply end = walk("run");
    EXPECT_EQ(StepStop::Why::launch_end, end.place->why);
    size_t said = 0;
    for (const std::string& note : end.notes)
        said += note.find("divides by zero in lane 3 of warp 0") != std::string::npos;
    EXPECT_EQ(1u, said);
    walk("delete all");
    walk("block 0");
    walk("break 12 if 256 / (lane - 3) == 256");
    StepReply stop = walk("run");
    EXPECT_EQ(StepStop::Why::breakpoint, stop.place->why);
    EXPECT_EQ(1u << 4, stop.place->lanes);
}

TEST_F(StepHistogram, TakesAHundredThousandBreakpoints) {
    Walk walk(histogram_job());
    for (int i = 0; i < 100'000; ++i)
        ASSERT_EQ("",
                  walk.error(fmt::format("break {} if threadIdx.x == {}", 7 + i % 9, 100'000 + i)));
    EXPECT_EQ(100'000u, walk("breaks").breakpoints.size());
    walk("delete all");
    EXPECT_EQ(StepStop::Why::launch_end, walk("run").place->why);
}

TEST_F(StepHistogram, SaysWhatToDoWhereItCannot) {
    Walk walk(histogram_job());
    EXPECT_NE(walk.error("jump 3").find("no command \"jump\""), std::string::npos);
    EXPECT_NE(walk.error("nxt").find("`next`"), std::string::npos);
    EXPECT_NE(walk.error("break 900").find("lines 5 to 16"), std::string::npos);
    EXPECT_NE(walk.error("break 12 if bn == 1").find("did you mean \"bin\""), std::string::npos);
    EXPECT_NE(walk.error("break 12 if bin ==").find("^"), std::string::npos);
    EXPECT_NE(walk.error("break 12 block 2").find("no block 2"), std::string::npos);
    EXPECT_NE(walk.error("break 12 lane 32").find("lanes 0 to 31"), std::string::npos);
    EXPECT_NE(walk.error("warp 2").find("warps 0 to 1"), std::string::npos);
    EXPECT_NE(walk.error("print %r999").find("no register"), std::string::npos);
    EXPECT_NE(walk.error("mem 0x10").find("nothing lies at"), std::string::npos);
    EXPECT_NE(walk.error("who").find("say which"), std::string::npos);
    EXPECT_NE(walk.error("next -1").find("whole number"), std::string::npos);
    EXPECT_NE(walk.error("at 3").find("wrote NAME"), std::string::npos);
    StepReply start = walk("back");
    EXPECT_EQ(StepStop::Why::start, start.place->why);
    EXPECT_EQ(1u, walk("break 13").breakpoints.at(0).line == 14 ? 1u : 0u);  // line 13 is a brace
}

// Kernels of no file: a loop that never ends, a store beyond a buffer, a print.
class StepOwn : public StepHistogram {};

TEST_F(StepOwn, AnEndlessLoopIsGivenUpAndEarlierMomentsStay) {
    Job job = own_job(
        "__global__ void k(volatile int* p) {\n    int turns = 0;\n    while (p[0] == "
        "0)\n        turns += 2;\n    p[1] = turns;\n}\n",
        "k", {1}, {32}, {"i32[2]=0"});
    Walk walk(job);
    StepReply stop = walk("run");
    EXPECT_EQ(StepStop::Why::never_ends, stop.place->why);
    ASSERT_FALSE(stop.notes.empty());
    EXPECT_NE(stop.notes[0].find("does not end"), std::string::npos) << stop.notes[0];
    uint64_t steps = stop.place->at.step;
    EXPECT_GT(steps, 1'000'000u);
    StepReply back = walk("back step");
    EXPECT_EQ(steps - 1, back.place->at.step);
    back = walk("goto 500000");
    EXPECT_EQ(500'000u, back.place->at.step);
    EXPECT_LE(back.place->recorded_bytes, 256u << 20);
}

TEST_F(StepOwn, StopsBeforeAFaultAndGoesThereFromAFinding) {
    Job job = own_job(
        "__global__ void k(float* out, int n) {\n    int at = blockIdx.x * 32 + "
        "threadIdx.x;\n    if (at % 2 == 0)\n        out[at * n] = at;\n}\n",
        "k", {4}, {32}, {"f32[64]", "i32:1"});
    Walk walk(job);
    StepReply stop = walk("run");
    EXPECT_EQ(StepStop::Why::fault, stop.place->why);
    EXPECT_EQ("(2,0)", stop.place->block);  // blocks 0 and 1 have the 64 elements
    EXPECT_EQ(4, stop.place->line);
    EXPECT_EQ(1u, stop.place->lanes);
    EXPECT_NE(stop.notes.at(0).find("out-of-bounds store: out + 256 bytes"), std::string::npos);
    EXPECT_EQ(64, walk.value("at").integer(0));
    StepReply again = walk("at block 3 fault");
    EXPECT_EQ("(3,0)", again.place->block);
    StepReply thread = walk("at block 1 thread 6 line 4");
    EXPECT_EQ("(1,0)", thread.place->block);
    EXPECT_EQ(1u << 6, thread.place->lanes);
    EXPECT_EQ(4, thread.place->line);
    EXPECT_EQ(38, walk.value("at").integer(6));
    StepReply never = walk("at block 1 thread 7 line 4");
    ASSERT_FALSE(never.notes.empty());
    EXPECT_NE(never.notes.back().find("does not come to line 4"), std::string::npos);
}

TEST_F(StepOwn, ShowsCarriedValuesAndFloats) {
    Job job = own_job(
        "__global__ void k(const float* a, float* out, int n) {\n    float sum = "
        "0;\n#pragma unroll 1\n    for (int i = threadIdx.x; i < n; i += 32)\n        "
        "sum += a[i];\n    out[threadIdx.x] = sum;\n}\n",
        "k", {1}, {32}, {"f32[96]=0+1", "f32[32]=0", "i32:96"});
    Walk walk(job);
    walk("break 5");
    walk("run");
    EXPECT_EQ("0, 1, 2 … 31", in_few_words(walk.value("i")));
    walk("run");
    EXPECT_EQ("32, 33, 34 … 63", in_few_words(walk.value("i")));
    EXPECT_EQ(31.0, walk.value("sum").number(31));
    walk("delete all");
    walk("break 6");
    walk("run");
    EXPECT_EQ(31.0 + 63 + 95, walk.value("sum").number(31));
    StepReply left = walk("next");
    const NamedValues* stored = named(left.assigned, "out[threadIdx.x]");
    ASSERT_TRUE(stored);
    EXPECT_EQ(0.0 + 32 + 64, stored->values.number(0));
    EXPECT_EQ(96.0 + 3, walk.value("out[1]").number(0));
}

}  // namespace
}  // namespace lanewise
