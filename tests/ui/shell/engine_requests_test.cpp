// The table of requests before an engine that only listens: what is asked for when, in which order,
// and what becomes of what is open.
#include "ui/shell/engine_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>

#include "../frames.h"
#include "lab/analysis/analysis.h"
#include "lab/change/pad_table.h"
#include "lab/json/json.h"
#include "service/client.h"
#include "service/jobs.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

// Writes down what it is told: "picture", "cancel analyse".
class Listener : public Engine {
  public:
    uint64_t request(const std::string& method, Json params) override {
        methods_.push_back(method);
        told.push_back(method);
        asked.push_back(std::move(params));
        return methods_.size();
    }
    void cancel(uint64_t id) override { told.push_back("cancel " + methods_[id - 1]); }
    void poll(const std::function<void(Answer)>& on_answer,
              const std::function<void(uint64_t, double, std::string)>& on_progress) override {
        for (uint64_t id : std::exchange(at_work, {})) on_progress(id, 0.5, "at work");
        for (Answer& each : std::exchange(answers, {})) on_answer(std::move(each));
    }
    void wait(double) override {}
    int process_id() const override { return 0; }
    EngineHello hello() const override { return {}; }

    // Of the latest request for it.
    uint64_t id_of(const std::string& method) const {
        for (size_t i = methods_.size(); i-- > 0;)
            if (methods_[i] == method) return i + 1;
        return 0;
    }
    void answer(uint64_t id, Json result) {
        Answer answer;
        answer.id = id;
        answer.ok = true;
        answer.result = std::move(result);
        answers.push_back(std::move(answer));
    }
    void fail(uint64_t id, Status status, const std::string& error, Json details = {}) {
        Answer answer;
        answer.id = id;
        answer.status = status;
        answer.error = error;
        answer.details = std::move(details);
        answers.push_back(std::move(answer));
    }

    std::vector<std::string> told;  // since it was last looked at
    std::vector<Json> asked;        // the parameters of each, from the begin
    std::deque<Answer> answers;
    std::vector<uint64_t> at_work;

  private:
    std::vector<std::string> methods_;
};

using Told = std::vector<std::string>;

class Requests : public testing::Test {
  protected:
    Requests() {
        choose_shape(app, 64, 64);
        choose_stage(app, "30_padded");
    }
    Told update(double now) {
        link.update(app, now);
        return std::exchange(engine.told, {});
    }
    Json picture() { return trace_block(job_of(app), 0); }
    // Until the counts are asked for: the requests 1 to 4.
    void begin() {
        EXPECT_EQ(Told{"picture"}, update(0));
        engine.answer(1, picture());
        EXPECT_EQ(Told{"picture"}, update(0.05));  // what stands beside it
        EXPECT_EQ((Told{"analyse", "pads"}), update(0.13));
    }
    Frames frames;
    App& app = frames.app;
    Listener& engine = *new Listener;
    EngineLink link{std::unique_ptr<Engine>(&engine), engine_requests()};
};

TEST_F(Requests, EveryMethodIsTheEngines) {
    std::set<std::string> known;
    for (const Method& method : lab_service().methods) known.insert(method.name);
    for (const EngineRequest& row : engine_requests()) {
        EXPECT_TRUE(known.contains(row.method)) << row.method;
        EXPECT_TRUE(row.ask && row.take && row.fail) << row.method;
    }
}

TEST_F(Requests, ThePictureComesFirstAndTheCountsWhenTheHandRests) {
    EXPECT_EQ(0, link.next_due(app, 0));
    EXPECT_EQ(Told{"picture"}, update(0));
    EXPECT_TRUE(app.activity.picture);
    EXPECT_EQ(Told{}, update(0.5));  // everything else waits for it
    EXPECT_LT(link.next_due(app, 0.5), 0);
    engine.answer(1, picture());
    EXPECT_EQ((Told{"picture", "analyse", "pads"}), update(0.6));
    EXPECT_TRUE(app.arrived.picture);
    EXPECT_TRUE(app.activity.picture && app.activity.analysis);
    EXPECT_FALSE(link.settled(app));
}

TEST_F(Requests, CountsAreDueWhenTheHandHasRested) {
    update(0);
    engine.answer(1, picture());
    EXPECT_EQ(Told{"picture"}, update(0.05));
    EXPECT_NEAR(0.07, link.next_due(app, 0.05), 1e-9);
    EXPECT_EQ(Told{}, update(0.1));
    EXPECT_EQ((Told{"analyse", "pads"}), update(0.121));
}

TEST_F(Requests, AnotherPictureStopsTheCountsAndForgetsTheComparison) {
    begin();
    choose_knob(app, "PAD", 0);
    EXPECT_EQ((Told{"cancel analyse", "picture"}), update(0.2));
    engine.answer(2, picture());  // nobody waits for it any more
    engine.fail(3, Status::fine, "cancelled");
    EXPECT_EQ(Told{}, update(0.21));
    EXPECT_FALSE(app.beside[0].picture);
    EXPECT_EQ("", app.said.error);
    engine.answer(5, picture());
    EXPECT_EQ((Told{"picture", "analyse", "cancel pads", "pads"}), update(0.4));
}

TEST_F(Requests, AnotherBlockCountsAnewWhatItHasStopped) {
    begin();
    choose_block(app, 1);
    EXPECT_EQ((Told{"cancel analyse", "picture"}), update(0.2));
    engine.fail(3, Status::fine, "cancelled");
    engine.answer(5, picture());
    Told told = update(0.4);
    EXPECT_EQ(1, std::count(told.begin(), told.end(), "analyse"));
    engine.answer(engine.id_of("analyse"), Json(analyse(job_of(app))));
    engine.answer(engine.id_of("picture"), picture());
    update(0.6);
    ASSERT_TRUE(app.arrived.analysis);
    choose_block(app, 0);  // and nothing where they are there
    told = update(0.8);
    EXPECT_EQ(0, std::count(told.begin(), told.end(), "analyse"));
}

// Another padding has the same table.
TEST_F(Requests, PadsAreAskedForOnce) {
    begin();
    engine.answer(engine.id_of("pads"), Json(PadTable{}));
    choose_knob(app, "PAD", 0);
    update(0.2);
    EXPECT_TRUE(app.arrived.pads);
    engine.answer(5, picture());
    EXPECT_EQ((Told{"picture", "analyse"}), update(0.4));
}

TEST_F(Requests, AfterAFailureNothingElseOfItIsAskedFor) {
    update(0);
    engine.fail(1, Status::bad_input, "The block has too many threads.");
    EXPECT_EQ(Told{}, update(1));
    EXPECT_EQ("The block has too many threads.", app.said.error);
    EXPECT_EQ(Status::bad_input, app.said.failed);
    EXPECT_TRUE(link.settled(app));
    choose_knob(app, "PAD", 0);
    EXPECT_EQ(Told{"picture"}, update(2));
    EXPECT_EQ("", app.said.error);
    EXPECT_EQ(Status::fine, app.said.failed);
}

TEST_F(Requests, NothingToCompileWithIsSaidInThePicturesPlace) {
    update(0);
    engine.fail(1, Status::no_compile, "Install a compiler.", {{"no_compiler", true}});
    update(1);
    EXPECT_EQ("", app.said.error);
    EXPECT_EQ("Install a compiler.", app.said.uncompiled);
    // What stands beside it may lack its program alone.
    choose_knob(app, "PAD", 0);
    update(2);
    engine.answer(2, picture());
    update(2.01);
    engine.fail(3, Status::no_compile, "Install a compiler.", {{"no_compiler", true}});
    EXPECT_EQ((Told{"analyse", "pads"}), update(3));
    EXPECT_EQ("", app.said.uncompiled);
}

TEST_F(Requests, AnAnswerOfAnotherVersionIsSaid) {
    update(0);
    engine.answer(1, {{"no", "picture"}});
    update(0.01);
    EXPECT_TRUE(app.said.error.starts_with("The engine's answer makes no sense")) << app.said.error;
}

TEST_F(Requests, OneThingAtATimeRunsOnTheGpu) {
    begin();
    app.wanted.measurement = app.wanted.count = true;
    EXPECT_EQ(Told{"measure"}, update(1));
    EXPECT_FALSE(app.wanted.count);  // pressed in vain
    EXPECT_TRUE(app.activity.measurement);
    engine.at_work = {engine.id_of("pads")};
    update(1.1);
    EXPECT_EQ("", app.activity.what);
    engine.at_work = {engine.id_of("measure")};
    app.wanted.staircase = true;
    EXPECT_EQ(Told{}, update(1.2));
    EXPECT_EQ("at work", app.activity.what);
    EXPECT_FALSE(app.wanted.staircase);
    app.wanted.cancel = true;
    EXPECT_EQ(0, link.next_due(app, 1.2));
    EXPECT_EQ((Told{"cancel analyse", "cancel pads", "cancel measure"}), update(1.3));
    engine.fail(engine.id_of("measure"), Status::fine, "cancelled");
    app.wanted.count = true;
    EXPECT_EQ(Told{"count"}, update(1.4));
    EXPECT_EQ("", app.said.error);
}

TEST_F(Requests, ACountOfAnotherSettingIsNotShown) {
    begin();
    app.wanted.count = true;
    update(1);
    choose_knob(app, "PAD", 0);
    engine.answer(engine.id_of("count"), Json::object());
    update(2);
    EXPECT_FALSE(app.arrived.counter_reading);
    EXPECT_TRUE(app.said.toast.text.starts_with("The setting has changed")) << app.said.toast.text;
}

TEST_F(Requests, AKernelOfOnesOwnIsMeasuredAsSuch) {
    begin();
    app.own = OwnKernel{};
    app.own->stage = app.content.catalogue.stages()[app.chosen().stage];
    app.wanted.measurement = true;
    EXPECT_EQ(Told{"measure_own"}, update(1));
    app.own.reset();
}

// While a picture of a product is compiled whole, its text is checked beside it.
TEST_F(Requests, WhatIsTypedIsCheckedBeforeItsPicture) {
    begin();
    replace_source(app, original_source(app) + "// mine\n");
    EXPECT_EQ(0, link.next_due(app, 1));
    EXPECT_EQ(Told{}, update(1));
    EXPECT_NEAR(kTypingRest, link.next_due(app, 1), 1e-9);
    EXPECT_EQ((Told{"check", "cancel analyse", "picture"}), update(1 + kTypingRest));
    engine.fail(engine.id_of("analyse"), Status::fine, "cancelled");
    choose_knob(app, "PAD", 0);
    EXPECT_EQ(Told{"picture"}, update(2));  // the text is the same
    uint64_t check = engine.id_of("check");
    reset_edit(app);
    EXPECT_EQ(Told{"picture"}, update(3));
    engine.fail(check, Status::no_compile, "It does not compile.");
    update(4);
    EXPECT_EQ("", app.said.error);  // it is no longer there
}

}  // namespace
}  // namespace lanewise::ui
