// What a window asks and is answered: the values of a transpose worked by hand, and that an answer
// depends on its question alone, whatever was asked before.
#include "lab/step/step_session.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "../own_job.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/json/step_json.h"
#include "lab/step/step_words.h"

namespace lanewise {
namespace {

using Json = nlohmann::json;

// 40 columns: of the second block of a row of blocks only lanes 0 to 7 have an element.
Job naive_job() {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    job.stage = catalogue.find("transpose/10_naive");
    job.knobs = {{"BLOCK_X", 32}, {"BLOCK_Y", 2}};
    job.rows = 8;
    job.cols = 40;
    return job;
}

int line_of(const Job& job, const std::string& text) {
    auto lines = lines_of(job.stage.source);
    for (size_t i = 0; i < lines.size(); ++i)
        if (lines[i].find(text) != lines[i].npos) return static_cast<int>(i) + 1;
    return 0;
}

const NamedValues& named(const StepShown& shown, const std::string& name) {
    for (const NamedValues& each : shown.reply.values)
        if (each.name == name) return each;
    static const NamedValues none;
    return none;
}

// A moment without what depends on the way there. Numbers and hits count in the session.
Json moment(StepShown shown) {
    for (StepBreak& each : shown.breaks) each.number = 0, each.hits = 0;
    Json json = shown;
    for (const char* key : {"command", "assigned", "earliest"}) json.erase(key);
    json["place"].erase("recorded_bytes");
    return json;
}

TEST(StepSession, ShowsAMomentWithTheValuesOfAllLanes) {
    Job job = naive_job();
    StepSession session(job, {});
    const int store = line_of(job, "// <-");
    // Block 3 is (1,1): columns 32 to 63, rows 2 and 3. Its warp 1 has row 3.
    StepQuestion question{{{3, 0}, 1}, {std::to_string(store)}, {"row * 100 + col"}, "run"};
    StepShown shown = session.answer(question);
    ASSERT_TRUE(shown.reply.place);
    const StepPlace& place = *shown.reply.place;
    EXPECT_EQ("(1,1)", place.block);
    EXPECT_EQ(store, place.line);
    EXPECT_EQ(StepStop::Why::breakpoint, place.why);
    EXPECT_EQ(0u, place.warp);  // which comes there first
    EXPECT_EQ(0xffu, place.look.lanes);
    EXPECT_EQ("Breakpoint 1, for lanes 0 to 7.", why_in_words(place));
    EXPECT_EQ("2 in all lanes", in_few_words(named(shown, "row").values));
    EXPECT_EQ("32, 33, 34 … 63", in_few_words(named(shown, "col").values));
    ASSERT_EQ(1u, shown.reply.watches.size());
    EXPECT_EQ(239, shown.reply.watches[0].values.integer(7));
    ASSERT_EQ(1u, shown.breaks.size());
    EXPECT_EQ(store, shown.breaks[0].line);
    EXPECT_EQ(1u, shown.breaks[0].hits);
    ASSERT_EQ(2u, shown.warps.size());
    EXPECT_TRUE(std::binary_search(shown.code_lines.begin(), shown.code_lines.end(), store));
    EXPECT_FALSE(shown.wrong);
    // All of the block: its end is where a step beyond it leads.
    question.from = {{3, 1'000'000}, 1};
    question.command.clear();
    StepShown end = session.answer(question);
    EXPECT_EQ(end.steps, end.reply.place->at.step);
    EXPECT_EQ(shown.steps, end.steps);
    EXPECT_EQ(WarpLook::State::finished, end.warps[0].state);
}

// Whatever was asked between, and in a new session: the same moment, with the same breakpoints.
TEST(StepSession, AnAnswerDependsOnItsQuestionAlone) {
    Job job = naive_job();
    const std::string store = std::to_string(line_of(job, "// <-"));
    const StepQuestion question{{{0, 12}, 1}, {store + " if row == 1"}, {"col"}, "next"};
    StepSession session(job, {});
    const Json first = moment(session.answer(question));
    session.answer({{{2, 0}, 0}, {store, "23"}, {}, "run"});
    session.answer({{{3, 5}, 1}, {}, {"rows"}, "back line"});
    EXPECT_EQ(first, moment(session.answer(question)));
    StepSession other(job, {});
    EXPECT_EQ(first, moment(other.answer(question)));
}

TEST(StepSession, SaysInASentenceWhatCannotBeDone) {
    Job job = naive_job();
    StepSession session(job, {});
    const std::string store = std::to_string(line_of(job, "// <-"));
    StepShown shown =
        session.answer({{{0, 4}, 0},
                        {store + " if row ==", store + " if roww == 1", "9000", store},
                        {"row +"},
                        ""});
    ASSERT_EQ(4u, shown.breaks.size());
    EXPECT_EQ("A name or a number is missing here.", shown.breaks[0].error);
    EXPECT_EQ("Nothing is called roww at line " + store + "; did you mean \"row\"?",
              shown.breaks[1].error);
    EXPECT_NE(shown.breaks[2].error.find("has no code behind it"), std::string::npos);
    EXPECT_EQ("", shown.breaks[3].error);  // the good one is set all the same
    EXPECT_GT(shown.breaks[3].number, 0);
    EXPECT_EQ("A name or a number is missing here.", shown.reply.watches.at(0).from);
    EXPECT_EQ(4u, shown.reply.place->at.step);
    // Back beyond the begin: it stays there.
    shown = session.answer({{{0, 2}, 0}, {}, {}, "back 100 step"});
    EXPECT_EQ(StepStop::Why::start, shown.reply.place->why);
    EXPECT_EQ("This is the begin: there is nothing before.", why_in_words(*shown.reply.place));
    // A block and a warp that are not there: where it stood before is still shown.
    shown = session.answer({{{99, 0}, 0}, {}, {}, "next"});
    EXPECT_NE(shown.reply.error.find("blocks 0 to 7"), std::string::npos);
    EXPECT_TRUE(shown.reply.place);
    shown = session.answer({{{0, 0}, 7}, {}, {}, ""});
    EXPECT_NE(shown.reply.error.find("warps 0 to 1"), std::string::npos);
    shown = session.answer({{{0, 0}, 0}, {store + " if 1 / (lane - 3) == 9"}, {}, "run"});
    EXPECT_NE(shown.reply.notes.at(0).find("divides by zero in lane 3"), std::string::npos);
}

TEST(StepSession, ALongRunIsStopped) {
    StepSession session(naive_job(), {});
    const std::atomic<bool> stop = true;
    StepShown shown = session.answer({{{0, 0}, 0}, {}, {}, "run"}, &stop);
    EXPECT_EQ(StepStop::Why::interrupted, shown.reply.place->why);
    EXPECT_EQ(0u, shown.steps);  // nor is the block known as a whole then
}

TEST(StepSession, TravelsAsJson) {
    Job job = naive_job();
    StepSession session(job, {});
    StepQuestion question{
        {{3, 0}, 1}, {std::to_string(line_of(job, "// <-"))}, {"row * 0.5f", "1.0 / 0"}, "run"};
    EXPECT_EQ(question.from, Json(question).get<StepQuestion>().from);
    EXPECT_EQ(Json(question), Json(Json(question).get<StepQuestion>()));
    session.answer(question);
    for (const char* command : {"", "next", "step", "who out[0]", "who out[90]"}) {
        question.command = command;
        const StepShown shown = session.answer(question);
        const Json there = shown;
        const auto back = there.get<StepShown>();
        // All but what the window does not read of the reply.
        Json read = back;
        for (const char* key : {"breakpoints", "memory", "source"})
            EXPECT_FALSE(read.contains(key));
        EXPECT_EQ(there, read) << command;
        ASSERT_EQ(shown.reply.values.size(), back.reply.values.size());
        for (size_t i = 0; i < shown.reply.values.size(); ++i)
            for (size_t lane = 0; lane < 32; ++lane)
                EXPECT_EQ(lane_text(shown.reply.values[i].values, lane),
                          lane_text(back.reply.values[i].values, lane));
    }
}

TEST(StepSession, KnowsTheFirstStepThatGoesWrong) {
    NEEDS_NVRTC();
    Job job = own_job(
        "__global__ void k(int* out) {\n"
        "    int i = threadIdx.x;\n"
        "    out[i * 2] = i;\n"
        "}\n",
        "k", {2, 1, 1}, {32, 1, 1}, {"i32[62]"});
    StepSession session(job, {});
    StepShown shown = session.answer({{{0, 0}, 0}, {}, {}, ""});
    ASSERT_TRUE(shown.wrong);
    EXPECT_NE(shown.wrong->words.find("out"), std::string::npos) << shown.wrong->words;
    // Lane 31 alone stores out[62]; everything before has been executed.
    shown = session.answer({shown.wrong->at, {}, {}, "step"});
    EXPECT_FALSE(shown.reply.notes.empty());
    shown = session.answer({{{0, 0}, 0}, {}, {}, "run"});
    EXPECT_EQ(StepStop::Why::fault, shown.reply.place->why);
    EXPECT_EQ(1u << 31, shown.reply.place->lanes);
    EXPECT_EQ(3, shown.reply.place->line);
}

}  // namespace
}  // namespace lanewise
