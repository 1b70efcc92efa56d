// The client against a toy engine in a process of its own, and against things that are no engine.
#include "service/client.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <nlohmann/json.hpp>

#include "../needs.h"
#include "../shipped_stages.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/json/json.h"
#include "patience.h"
#include "service/protocol.h"

namespace lanewise {

using Json = nlohmann::json;

namespace {

const std::string kFakeEngine = std::string("'") + PROGRAMS + "/fake_engine'";

// A client whose answers can be waited for one at a time.
struct Talk {
    explicit Talk(const std::string& prefix) : client(prefix) {}

    Answer answer(uint64_t id) {
        for (auto start = Clock::now(); seconds_since(start) < kPatience;) {
            client.wait(0.05);
            client.poll([&](Answer one) { answers[one.id] = std::move(one); },
                        [&](uint64_t, double fraction, std::string) {
                            ++notices;
                            last_fraction = fraction;
                        });
            if (answers.count(id)) return answers[id];
        }
        ADD_FAILURE() << "no answer to request " << id;
        return {};
    }
    Answer ask(const std::string& method, Json params = Json::object()) {
        return answer(client.request(method, std::move(params)));
    }
    // What follows the greeting.
    EngineHello complete_hello() {
        for (auto start = Clock::now();
             !client.hello().complete && seconds_since(start) < kPatience;)
            client.wait(0.01);
        return client.hello();
    }
    // Until the engine has shown a sign of life, after which its silence means something. Those
    // come from the thread that takes requests in, twice a second and before it takes the next one.
    void hear_a_beat() {
        EXPECT_TRUE(ask("count", {{"to", 1200}}).ok);  // so many milliseconds at least
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(ask("echo").ok);
    }

    EngineClient client;
    std::map<uint64_t, Answer> answers;
    int notices = 0;
    double last_fraction = 0;
};

bool no_children_left() { return ::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

void expect_failure(const std::string& engine, const std::string& expected) {
    Talk talk(engine);
    for (int attempt = 0; attempt < 2; ++attempt) {  // and again: a restart changes nothing
        Answer answer = talk.ask("ping");
        EXPECT_FALSE(answer.ok);
        EXPECT_NE(Status::fine, answer.status);
        EXPECT_NE(std::string::npos, answer.error.find(expected)) << answer.error;
    }
    EXPECT_FALSE(talk.client.running());
}

}  // namespace

TEST(Client, StartsTheEngineAtTheFirstRequestAndGetsItsAnswer) {
    Talk talk(kFakeEngine);
    EXPECT_FALSE(talk.client.running());
    EXPECT_EQ(0, talk.client.process_id());
    Answer answer = talk.ask("echo", {{"rows", 4096}});
    EXPECT_TRUE(answer.ok) << answer.error;
    EXPECT_EQ(Json({{"rows", 4096}}), answer.result);
    EXPECT_TRUE(talk.client.running());
    EXPECT_EQ("lanewise-engine", talk.client.hello().program);
    EXPECT_EQ(program_version(), talk.client.hello().version);
    EXPECT_EQ("a fake has none", talk.complete_hello().problem);
}

TEST(Client, HandsOverProgressAndBigAnswers) {
    Talk talk(kFakeEngine);
    EXPECT_TRUE(talk.ask("count", {{"to", 20}}).ok);
    EXPECT_EQ(20, talk.notices);
    EXPECT_EQ(1.0, talk.last_fraction);
    Answer big = talk.ask("big", {{"bytes", 20 << 20}});
    EXPECT_EQ(size_t{20} << 20, big.result.get_ref<const std::string&>().size());
    std::string long_text(1 << 20, 'y');  // more than a pipe holds: request() must not block
    EXPECT_EQ(long_text, talk.ask("echo", long_text).result.get_ref<const std::string&>());
}

TEST(Client, AnswersKeepTheirStatus) {
    Talk talk(kFakeEngine);
    Answer answer = talk.ask("refuse");
    EXPECT_FALSE(answer.ok);
    EXPECT_EQ(Status::needs_gpu, answer.status);
    EXPECT_EQ("there is no GPU", answer.error);
    EXPECT_TRUE(answer.details.is_null());
}

TEST(Client, WhatAJobPrintsNeverReachesTheWire) {
    Talk talk(kFakeEngine);
    EXPECT_TRUE(talk.ask("print").ok);
    EXPECT_TRUE(talk.ask("echo").ok);
}

TEST(Client, CancelStopsAJob) {
    Talk talk(kFakeEngine);
    uint64_t id = talk.client.request("count", {{"to", 1'000'000}});
    while (talk.notices == 0) {
        talk.client.wait(0.05);
        talk.client.poll({}, [&](uint64_t, double, std::string) { ++talk.notices; });
    }
    talk.client.cancel(id);
    Answer answer = talk.answer(id);
    EXPECT_FALSE(answer.ok);
    EXPECT_EQ(Status::fine, answer.status);
    EXPECT_EQ("cancelled", answer.error);
    talk.client.cancel(id);  // too late: ignored
    EXPECT_TRUE(talk.ask("echo").ok);
}

TEST(Client, AKilledEngineFailsItsRequestsAndTheNextOneWorks) {
    Talk talk(kFakeEngine);
    ASSERT_TRUE(talk.ask("echo").ok);
    int process = talk.client.process_id();
    uint64_t first = talk.client.request("count", {{"to", 1'000'000}});
    uint64_t second = talk.client.request("echo", {});
    ::kill(process, SIGKILL);
    for (uint64_t id : {first, second}) {
        Answer answer = talk.answer(id);
        EXPECT_FALSE(answer.ok);
        EXPECT_EQ(Status::failed_check, answer.status);
        EXPECT_EQ(0u, answer.error.find("the engine stopped (killed by signal 9 (Killed))"))
            << answer.error;
    }
    EXPECT_TRUE(talk.ask("echo").ok);
    EXPECT_NE(process, talk.client.process_id());
}

TEST(Client, ACrashShowsTheEnginesLastWords) {
    Talk talk(kFakeEngine);
    Answer answer = talk.ask("crash");
    EXPECT_EQ(
        "the engine stopped (killed by signal 6 (Aborted)). It said:\n"
        "    first line\n    last words",
        answer.error);
    EXPECT_TRUE(talk.ask("echo").ok);
}

TEST(Client, AJobThatHeedsNothingCostsItsEngineOnly) {
    Talk talk(kFakeEngine);
    Answer answer = talk.ask("overdue");
    EXPECT_EQ(Status::out_of_time, answer.status);
    EXPECT_TRUE(talk.ask("echo").ok);
    uint64_t id = talk.client.request("hang", {});
    talk.client.cancel(id);
    EXPECT_FALSE(talk.answer(id).ok);
    EXPECT_TRUE(talk.ask("echo").ok);
}

TEST(Client, AnEngineThatLostItsGpuAnswersAndIsReplaced) {
    Talk talk(kFakeEngine);
    ASSERT_TRUE(talk.ask("echo").ok);
    int process = talk.client.process_id();
    EXPECT_EQ("the launch failed", talk.ask("lose").error);
    EXPECT_TRUE(talk.ask("echo").ok);  // at once: the answer said that this engine ends
    EXPECT_NE(process, talk.client.process_id());
}

TEST(Client, WakesItsOwner) {
    std::atomic<int> wakes = 0;
    EngineClient client(kFakeEngine, [&] { ++wakes; });
    client.request("echo", {});
    client.wait(kPatience);
    bool answered = false;
    client.poll([&](Answer answer) { answered = answer.ok; }, {});
    EXPECT_TRUE(answered);
    EXPECT_GE(wakes, 1);
}

TEST(Client, SaysWhyThereIsNoEngine) {
    expect_failure("/nowhere/engine", "cannot start the engine (/nowhere/engine)");
    expect_failure("'open quote", "a quote is not closed");
    expect_failure("sh -c 'exit 3' --", "stopped before it greeted (exit status 3)");
    expect_failure("sh -c 'echo no such host >&2; exit 255' --", "no such host");
    expect_failure("sh -c 'echo Welcome to gpu-box; exec cat' --", "\"Welcome to gpu-box\"");
    expect_failure("sh -c 'echo ok' --", "\"ok\"");
    expect_failure("sh -c 'printf \"\\004\\000\\000\\000abcd\"' --", "stream is damaged");
    EXPECT_TRUE(no_children_left());
}

// An engine that greets with this protocol's number.
static void refuses(int protocol) {
    std::string frame =
        encode({{"type", "hello"}, {"protocol", protocol}, {"program", "x"}, {"version", "9.9"}});
    std::string octal;
    for (unsigned char byte : frame) {
        char digits[8];
        std::snprintf(digits, sizeof digits, "\\%03o", byte);
        octal += digits;
    }
    expect_failure("sh -c 'printf \"" + octal + "\"; exec sleep 60' --",
                   "the engine is version 9.9 and speaks another protocol");
}

// A greeting of an older protocol and of a newer one: either is refused before anything else is
// said.
TEST(Client, RefusesAnotherVersion) {
    for (int protocol : {1, kProtocolVersion + 1}) refuses(protocol);
    EXPECT_TRUE(no_children_left());
}

TEST(Client, SaysWhichSideIsOlder) {
    for (auto [protocol, advice] :
         {std::pair(99, "update this program"), std::pair(0, "update lanewise-engine on the")}) {
        std::string octal;
        for (unsigned char byte :
             encode({{"type", "hello"}, {"protocol", protocol}, {"program", "x"}})) {
            char digits[8];
            std::snprintf(digits, sizeof digits, "\\%03o", byte);
            octal += digits;
        }
        expect_failure("sh -c 'printf \"" + octal + "\"; exec sleep 60' --", advice);
    }
}

TEST(Client, SkipsWhatALoginPrints) {
    Talk talk("sh -c 'echo Welcome to gpu-box; exec " PROGRAMS "/fake_engine'");
    EXPECT_TRUE(talk.ask("echo").ok);
    EXPECT_EQ("Welcome to gpu-box", talk.client.hello().banner);
}

TEST(Client, KnowsWhatToDoAboutUsualFailures) {
    expect_failure("sh -c 'echo \"me@box: Permission denied (publickey,password).\" >&2; exit 255'",
                   "ssh-copy-id");
    expect_failure("sh -c 'exec no-such-engine'", "Give the full path of lanewise-engine");
}

// A stopped process keeps its pipes open and says nothing, as a machine behind a broken network.
TEST(Client, ALostConnectionIsSaidSoonAndTheWorkAskedForAgain) {
    Talk talk(kFakeEngine);
    talk.hear_a_beat();
    int process = talk.client.process_id();
    ::kill(process, SIGSTOP);
    uint64_t id = talk.client.request("echo", {{"rows", 7}});
    std::string told;
    Answer answer;
    for (auto start = Clock::now(); !answer.ok && seconds_since(start) < kPatience;) {
        talk.client.wait(0.05);
        talk.client.poll([&](Answer one) { answer = std::move(one); },
                         [&](uint64_t, double, std::string what) { told = what; });
    }
    EXPECT_EQ(id, answer.id);
    EXPECT_EQ(Json({{"rows", 7}}), answer.result);
    EXPECT_EQ(
        "the connection to the engine was lost: nothing has been heard of it for 2.5 s; starting "
        "it "
        "again",
        told);
    EXPECT_NE(process, talk.client.process_id());
}

// It spins where it should show signs of life: the machine is busy, the engine is not lost.
TEST(Client, AnEngineThatIsAtWorkIsWaitedFor) {
    Talk talk(kFakeEngine);
    talk.hear_a_beat();
    int process = talk.client.process_id();
    EXPECT_TRUE(talk.ask("stall", {{"ms", 4500}}).ok);  // it has begun
    uint64_t id = talk.client.request("echo", {{"rows", 7}});
    std::vector<std::string> told;
    Answer answer;
    for (auto start = Clock::now(); answer.id != id && seconds_since(start) < kPatience;) {
        talk.client.wait(0.05);
        talk.client.poll([&](Answer one) { answer = std::move(one); },
                         [&](uint64_t, double, std::string what) { told.push_back(what); });
    }
    EXPECT_EQ(Json({{"rows", 7}}), answer.result) << answer.error;
    EXPECT_EQ(process, talk.client.process_id());
    ASSERT_FALSE(told.empty());
    for (const std::string& what : told)
        EXPECT_EQ("this machine is busy: the engine is at work, but gets no turn to answer", what);
}

// A client that is stopped and goes on later, as a suspended laptop: its engine has ended
// meanwhile.
TEST(Client, AnEngineThatGaveItsClientUpIsStartedAgain) {
    Talk talk("sh -c '" PROGRAMS "/fake_engine; exit 72'");
    ASSERT_TRUE(talk.ask("echo").ok);
    uint64_t id = talk.client.request("crash", {});
    Answer answer = talk.answer(id);  // asked again once, and then it is not the connection
    EXPECT_EQ(0u, answer.error.find("the engine stopped (exit status 72)")) << answer.error;
    EXPECT_EQ(1, talk.notices);  // that it is started again
}

TEST(Client, AnEngineCanBeTried) {
    EngineTest good = test_engine(kFakeEngine);
    EXPECT_TRUE(good.ok);
    EXPECT_EQ("lanewise-engine " + program_version() + ", none; a fake has none", good.said);
    EngineTest bad = test_engine("/nowhere/engine");
    EXPECT_FALSE(bad.ok);
    EXPECT_EQ(0u, bad.said.find("cannot start the engine (/nowhere/engine)"));
    EXPECT_TRUE(no_children_left());
}

TEST(Client, LeavesNoProcessBehind) {
    auto start = Clock::now();
    {
        Talk talk(kFakeEngine);
        ASSERT_TRUE(talk.ask("echo").ok);
        talk.client.request("count", {{"to", 1'000'000}});
    }
    EXPECT_TRUE(no_children_left());
    {
        EngineClient deaf("sh -c 'trap \"\" TERM; exec sleep 1000 <&-' --");
        deaf.request("ping", {});
    }
    EXPECT_TRUE(no_children_left());
    EXPECT_LT(seconds_since(start), kPatience);
}

// ---- The engine itself

namespace {

const std::string kRealEngine = std::string("'") + PROGRAMS + "/lanewise-engine' serve";

Job padded_job() {
    Job job;
    job.stage = shipped_stages().find("30_padded");
    job.arch = "sm_90";
    return job;
}

}  // namespace

TEST(RealEngine, GreetsAndSaysWhatItHas) {
    Talk talk(kRealEngine);
    EXPECT_TRUE(talk.ask("ping").ok);
    EngineHello hello = talk.complete_hello();
    ASSERT_TRUE(hello.complete);
    EXPECT_EQ(hello.gpu.is_null(), !hello.problem.empty());
    Answer status = talk.ask("status");
    ASSERT_TRUE(status.ok) << status.error;
    EXPECT_GE(status.result["checks"].size(), 9u);
}

TEST(RealEngine, DrawsCountsAndComplains) {
    NEEDS_NVRTC();
    Talk talk(kRealEngine);
    Job job = padded_job();
    Answer answer = talk.ask("picture", {{"job", job}, {"block", 129}});
    ASSERT_TRUE(answer.ok) << answer.error;
    Picture picture = answer.result.get<Picture>();
    EXPECT_EQ(129u, picture.block.block);
    EXPECT_EQ(8u * 16, picture.block.accesses.size());  // 8 warps, 4 loads and 4 stores each, twice

    job.rows = 1000;
    job.cols = 50;
    answer = talk.ask("analyse", {{"job", job}});
    ASSERT_TRUE(answer.ok) << answer.error;
    EXPECT_TRUE(answer.result.get<Analysis>().correct);

    job.knobs["PAD"] = 77;
    EXPECT_EQ(Status::bad_input, talk.ask("picture", {{"job", job}}).status);
    job.knobs.clear();
    job.stage.source += "\nthis is no CUDA";
    answer = talk.ask("picture", {{"job", job}});
    EXPECT_EQ(Status::no_compile, answer.status);
    ASSERT_FALSE(answer.details.is_null());
    EXPECT_EQ("30_padded.cu", answer.details["diagnostics"][0]["file"]);
    EXPECT_FALSE(talk.ask("picture", {{"jab", 1}}).ok);
    if (talk.client.hello().complete && talk.client.hello().gpu.is_null()) {
        EXPECT_EQ(Status::needs_gpu, talk.ask("measure", {{"job", padded_job()}}).status);
    }
}

// The engine compiles ahead of a picture, so that one can be cancelled meanwhile; nobody hears of that.
TEST(RealEngine, APictureSaysHowItsKernelWasCompiled) {
    Talk talk(kRealEngine);
    const Json params = {{"job", padded_job()}, {"block", 0}};
    Answer answer = talk.ask("picture", params);
    ASSERT_TRUE(answer.ok) << answer.error;
    const Picture first = answer.result.get<Picture>();
    EXPECT_NE(std::string::npos, first.compiled.find(" by ")) << first.compiled;
    EXPECT_EQ("compiled before", talk.ask("picture", params).result.get<Picture>().compiled);
}

TEST(RealEngine, KilledInTheMiddleOfARunItComesBack) {
    Talk talk(kRealEngine);
    ASSERT_TRUE(talk.ask("ping").ok);
    uint64_t id = talk.client.request("analyse", {{"job", padded_job()}});
    ::kill(talk.client.process_id(), SIGKILL);
    Answer answer = talk.answer(id);
    EXPECT_EQ(Status::failed_check, answer.status);
    EXPECT_NE(std::string::npos, answer.error.find("killed by signal 9"));
    Job small = padded_job();
    small.rows = small.cols = 64;
    EXPECT_TRUE(talk.ask("analyse", {{"job", small}}).ok);
}

TEST(RealEngine, AnAnalysisIsCancelled) {
    Talk talk(kRealEngine);
    Job job = padded_job();
    job.rows = job.cols = 16384;  // about two seconds
    uint64_t id = talk.client.request("analyse", {{"job", job}});
    talk.ask("ping");
    talk.client.cancel(id);
    Answer answer = talk.answer(id);
    EXPECT_FALSE(answer.ok);
    EXPECT_EQ("cancelled", answer.error);
}

}  // namespace lanewise
