// The debugger as a request: what is kept between two of them makes no difference but in time.
#include "service/step_sessions.h"

#include <gtest/gtest.h>

#include "../shipped_stages.h"
#include "base/text.h"
#include "course/catalogue.h"
#include "lab/json/json.h"
#include "lab/json/step_json.h"
#include "service/jobs.h"

namespace lanewise {
namespace {

// They count since the breakpoint was set, which a new session does anew.
Json without_hits(StepShown shown) {
    for (StepBreak& each : shown.breaks) each.number = 0, each.hits = 0;
    return shown;
}

class StepRequests : public testing::Test {
  protected:
    StepRequests() {
        const Catalogue& catalogue = shipped_stages();
        job.stage = catalogue.find("transpose/10_naive");
        job.knobs = {{"BLOCK_X", 32}, {"BLOCK_Y", 2}};
        job.rows = 8;
        job.cols = 40;
        auto lines = lines_of(job.stage.source);
        for (size_t i = 0; i < lines.size(); ++i)
            if (lines[i].find("// <-") != lines[i].npos) store = std::to_string(i + 1);
    }
    StepShown ask(const StepQuestion& question) {
        Json params = question;
        params["job"] = job;
        JobContext context{cancel, [](double, const std::string&) {}};
        return step(params, context).get<StepShown>();
    }
    Job job;
    std::string store;
    CancelFlag cancel = false;
};

TEST_F(StepRequests, AreAMethodOfTheEngine) {
    bool found = false;
    for (const Method& method : lab_service().methods) found = found || method.name == "step";
    EXPECT_TRUE(found);
}

TEST_F(StepRequests, GoOnWhereTheOneBeforeCame) {
    StepShown shown = ask({{{0, 0}, 0}, {store}, {}, "run"});
    // Row 0: lane l stores column l.
    const StepPosition there{shown.reply.place->at, shown.reply.place->warp};
    EXPECT_EQ("breakpoint", std::string(Json(shown)["place"]["why"]));
    EXPECT_EQ(0u, there.warp);
    const std::string of_warp_1 = store + " warp 1";
    shown = ask({there, {store, of_warp_1}, {}, "run"});
    EXPECT_GT(shown.reply.place->at, there.at);
    EXPECT_EQ(2u, shown.breaks.at(0).hits);
    shown = ask({there, {of_warp_1}, {}, "run"});
    EXPECT_EQ(1u, shown.reply.place->warp);
    shown = ask({{shown.reply.place->at, 1}, {store + " lane 31"}, {}, "back run"});
    shown = ask({{shown.reply.place->at, 0}, {store + " lane 31"}, {}, "back run"});
    EXPECT_EQ(there.at, shown.reply.place->at);
}

// Another launch between them, as a knob brings it: all that it costs is a new recording.
TEST_F(StepRequests, LoseNothingToAnotherLaunch) {
    const StepQuestion question{{{1, 9}, 1}, {store}, {"row"}, "next"};
    Json first = without_hits(ask(question));
    job.knobs["BLOCK_Y"] = 4;
    EXPECT_EQ(4u, ask({{{0, 0}, 0}, {}, {}, ""}).warps.size());
    job.knobs["BLOCK_Y"] = 2;
    EXPECT_EQ(first, without_hits(ask(question)));
}

// A far block begins the recording itself, and the answer says so.
TEST_F(StepRequests, AFarBlockBeginsWithoutThoseBefore) {
    job.rows = job.cols = 512;  // 16 × 256 blocks
    StepShown shown = ask({{{0, 0}, 0}, {}, {}, ""});
    EXPECT_EQ(0u, shown.first_block);
    shown = ask({{{4000, 0}, 1}, {}, {}, "next 2"});
    EXPECT_EQ(4000u, shown.first_block);
    EXPECT_EQ(4000u, shown.reply.place->at.block);
    EXPECT_EQ(0u, ask({{{3, 0}, 1}, {}, {}, ""}).first_block);
}

TEST_F(StepRequests, RefuseWhatCannotBeRecorded) {
    job.rows = 0;
    EXPECT_THROW(ask({{{0, 0}, 0}, {}, {}, ""}), Error);
}

TEST_F(StepRequests, EndSoonWhereTheyAreCancelled) {
    cancel = true;
    EXPECT_EQ(StepStop::Why::interrupted, ask({{{0, 0}, 0}, {}, {}, "run"}).reply.place->why);
}

}  // namespace
}  // namespace lanewise
