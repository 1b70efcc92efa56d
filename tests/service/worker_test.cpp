// Kernels that misbehave, in a real worker with the fake driver: whatever they do is an answer, and
// the next worker is there at once.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "../needs.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/json/json.h"
#include "lab/record/doctor.h"
#include "patience.h"
#include "service/jobs.h"
#include "service/gpu_queue.h"
#include "service/kernel_runs.h"

namespace lanewise {

namespace {

// The stage of tests/programs/hostile/ with this name; where there is none, a right one by this
// name, whose misdeed is the fake driver's alone.
Job hostile(const std::string& name) {
    std::filesystem::path folder = TESTS_FOLDER "/programs/hostile", file = folder / (name + ".cu");
    Job job;
    if (std::filesystem::exists(file)) {
        job.stage = read_stage(file, "hostile");
    } else {
        std::string source = read_file(folder / "fine.cu");
        size_t at = source.find("void fine");
        Stage like;
        like.id = "hostile/" + name;
        like.operation = "hostile";
        like.file = name + ".cu";
        job.stage = parse_stage(source.replace(at, 9, "void " + name), like);
    }
    EXPECT_EQ("", job.stage.error);
    job.type = "f32";
    job.rows = 33;
    job.cols = 65;
    return job;
}

struct Crash {
    Status status = Status::fine;
    std::string message;
    Json details;  // the crash; null where it was none
};

class WorkerTest : public testing::Test {
  protected:
    inline static const std::filesystem::path queue_ =
        std::filesystem::temp_directory_path() / ("lanewise-worker-" + std::to_string(::getpid()));
    static void SetUpTestSuite() {
        ::setenv("LANEWISE_CUDA_DRIVER", FAKE_DRIVER, 1);
        ::setenv("FAKE_DEVICES", "2", 1);
        ::setenv("FAKE_PRINTED_BYTES", "200000000", 1);
        // Other tests queue as well, in processes beside this one.
        std::filesystem::create_directories(queue_);
        ::setenv("LANEWISE_QUEUE_FOLDER", queue_.c_str(), 1);
        use_gpu_worker("other", true);
    }
    static void TearDownTestSuite() {
        std::filesystem::remove_all(queue_);
        ::unsetenv("LANEWISE_QUEUE_FOLDER");
    }
    void SetUp() override { NEEDS_NVRTC(); }

    Json run(const std::string& name, double time_limit_s = 5, const CancelFlag* cancel = nullptr) {
        Json params = {{"job", hostile(name)}, {"options", {{"time_limit_s", time_limit_s}}}};
        return run_in_worker(gpu_worker(), "measure", params, {}, cancel);
    }
    Crash crash(const std::string& name, double time_limit_s = 5) {
        try {
            run(name, time_limit_s);
        } catch (const DetailedError& error) {
            bool crashed = error.details().is_object() && error.details().contains("crash");
            return {error.status(), error.what(), crashed ? error.details()["crash"] : Json()};
        }
        return {};
    }
    void expect_fine() { EXPECT_EQ(true, run("fine")["correct"]); }
};

TEST_F(WorkerTest, TheWorkerSpeaksForTheGpus) {
    EXPECT_EQ("Other Fake", gpu_status().gpu.name);
    EXPECT_EQ(2u, gpu_status().all.size());
    for (const Check& check : examine()) {
        if (check.name != "GPU") continue;
        EXPECT_TRUE(check.ok);
        EXPECT_EQ(0u, check.found.find("Other Fake (sm_90), 64 MiB")) << check.found;
        EXPECT_NE(std::string::npos, check.found.find("; --gpu 0: Fake GPU"));
    }
    EXPECT_EQ("GPU-01112131-4151-6171-8191-a1b1c1d1e1f1", status_json()["gpus"][1]["uuid"]);
}

// What the fake driver's "quarter" writes is right in the first 33 / 4 columns of the output.
TEST_F(WorkerTest, AWrongResultBringsItsMap) {
    Json result = run("quarter");
    EXPECT_EQ(false, result["correct"]);
    ASSERT_TRUE(result.contains("mismatch_map"));
    const Json& map = result["mismatch_map"];
    EXPECT_EQ(true, map["on_gpu"]);
    EXPECT_EQ(65 * 25, map["wrong"]);
    EXPECT_EQ(result["mismatch"]["count"], map["wrong"]);
    EXPECT_FALSE(map["patterns"].empty());
    EXPECT_FALSE(run("fine").contains("mismatch_map"));
}

TEST_F(WorkerTest, FaultsSayWhatHappenedAndWhere) {
    struct Case {
        const char *name, *kind, *finding;
        int line;
    };
    for (Case c : {Case{"out_of_bounds", "illegal_access", "out_of_bounds", 13},
                   Case{"misaligned", "misaligned", "misaligned", 14}}) {
        Crash it = crash(c.name);
        EXPECT_EQ(Status::failed_check, it.status);
        ASSERT_TRUE(it.details.is_object()) << it.message;
        EXPECT_EQ(c.kind, it.details["kind"]);
        EXPECT_EQ(c.finding, it.details["finding"]["kind"]);
        EXPECT_EQ(c.line, it.details["finding"]["line"]);
        std::string place = std::string(c.name) + ".cu:" + std::to_string(c.line) + ":";
        EXPECT_NE(std::string::npos, it.message.find(place)) << it.message;
    }
    Crash trap = crash("traps");
    EXPECT_EQ("launch_failure", trap.details["kind"]);
    EXPECT_EQ("trap", trap.details["finding"]["kind"]);
    EXPECT_EQ(14, trap.details["finding"]["line"]);
    expect_fine();
}

TEST_F(WorkerTest, AnEndlessLoopIsStoppedByTheTimeLimit) {
    Crash it = crash("endless", 0.3);
    EXPECT_EQ(Status::out_of_time, it.status);
    EXPECT_EQ("endless", it.details["kind"]);
    EXPECT_EQ("runaway", it.details["finding"]["kind"]);
    expect_fine();
}

TEST_F(WorkerTest, ADriverThatDoesNotComeBackIsGivenUp) {
    Crash it = crash("deaf");
    EXPECT_EQ(Status::out_of_time, it.status);
    EXPECT_EQ("endless", it.details["kind"]);
    EXPECT_NE(std::string::npos, it.message.find("waits for a driver that does not answer"));
    expect_fine();
}

TEST_F(WorkerTest, AWorkerThatEndsOrIsKilledIsSaidToHave) {
    Crash it = crash("exits");
    EXPECT_EQ("killed", it.details["kind"]);
    EXPECT_NE(std::string::npos, it.message.find("ended (exit status 3)")) << it.message;
    EXPECT_NE(std::string::npos, crash("killed").message.find("killed by signal 9"));
    expect_fine();
    ::kill(gpu_worker().process_id(), SIGKILL);  // between two jobs: nobody is hurt
    expect_fine();
}

TEST_F(WorkerTest, ALaunchWithoutMemoryCostsNoWorker) {
    expect_fine();
    int process = gpu_worker().process_id();
    Crash it = crash("eats_memory");
    EXPECT_TRUE(it.details.is_null());
    EXPECT_EQ(0u, it.message.find("the kernel needs more GPU memory than there is"));
    EXPECT_EQ(process, gpu_worker().process_id());
}

// The fake driver keeps half of the card for it.
TEST_F(WorkerTest, AWorkerWhoseDriverKeepsMuchMemoryIsReplaced) {
    expect_fine();
    int process = gpu_worker().process_id();
    Json result = run("hoards");
    EXPECT_EQ(true, result["correct"]);
    EXPECT_FALSE(result.contains("hoards_memory"));  // between worker and engine only
    EXPECT_NE(process, gpu_worker().process_id());
    process = gpu_worker().process_id();
    expect_fine();
    EXPECT_EQ(process, gpu_worker().process_id());
}

TEST_F(WorkerTest, PrintedTextIsShownAndDisturbsNothing) {
    Json result = run("prints_little");
    EXPECT_EQ(true, result["correct"]);
    EXPECT_EQ(std::string(99, 'p') + "\n",
              result["printed"]["text"].get<std::string>().substr(0, 100));
    EXPECT_FALSE(run("fine").contains("printed"));
}

TEST_F(WorkerTest, ALotOfTextIsCountedAndNotKept) {
    Json result = run("prints_much");
    EXPECT_EQ(true, result["correct"]);
    EXPECT_EQ(200'000'000u, result["printed"]["bytes"]);
    EXPECT_EQ(size_t{64} << 10, result["printed"]["text"].get<std::string>().size());
}

// Compiled meanwhile: who waits for the GPU hears of a mistake before the turn comes.
TEST_F(WorkerTest, AMistakeIsToldWhileSomebodyElseHasTheGpu) {
    GpuQueue another(gpu_queue_folder(), gpu_status().gpu.uuid);
    ASSERT_EQ(0, another.before());
    Job job = hostile("fine");
    size_t body = job.stage.source.find('{', job.stage.source.find("void fine"));
    job.stage.source.insert(body + 1, "\n    nothing();\n");
    std::vector<std::string> told;
    auto hear = [&](double, const std::string& what) { told.push_back(what); };
    EXPECT_THROW(run_in_worker(gpu_worker(), "measure", {{"job", job}}, hear, nullptr), CompileError);
    EXPECT_EQ(std::vector<std::string>{"waiting for the GPU: 1 measurement before this one"}, told);
    Json race = {{"job", hostile("fine")}, {"beside", {job}}};
    EXPECT_THROW(run_in_worker(gpu_worker(), "race", race, {}, nullptr), CompileError);
}

TEST_F(WorkerTest, CancelEndsEvenWhatHeedsNothing) {
    for (const char* name : {"endless", "deaf"}) {
        CancelFlag cancel = false;
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
            cancel = true;
        });
        auto start = Clock::now();
        EXPECT_THROW(run(name, 2 * kPatience, &cancel), Cancelled) << name;
        EXPECT_LT(seconds_since(start), kPatience) << name;
        later.join();
    }
    CancelFlag at_once = true;
    EXPECT_THROW(run("fine", 5, &at_once), Cancelled);
    expect_fine();
}

TEST_F(WorkerTest, TheThirdCrashInARowOffersTheInterpreter) {
    expect_fine();
    for (int row = 1; row <= 4; ++row) {
        Crash it = crash("kills_itself_killed");
        EXPECT_EQ(row, it.details["in_a_row"]);
        EXPECT_EQ(row >= 3, it.details["offer_interpreter"]);
        EXPECT_EQ(row >= 3, it.message.find("interpret it instead") != std::string::npos);
    }
    EXPECT_EQ(1, crash("exits_as_another").details["in_a_row"]);  // another kernel
}

TEST_F(WorkerTest, TwoHundredMisdeedsInARow) {
    const char* kMisdeeds[] = {"out_of_bounds", "misaligned", "traps",  "eats_memory",
                               "prints_little", "exits",      "killed", "endless"};
    double slowest = 0;
    for (int i = 0; i < 200; ++i) {
        const char* name = kMisdeeds[i % 8];
        auto go = [&] {
            gpu_worker().call("measure",
                              {{"job", hostile(name)}, {"options", {{"time_limit_s", 0.05}}}}, {},
                              nullptr);
        };
        if (std::string(name) == "prints_little")
            EXPECT_NO_THROW(go());
        else
            EXPECT_THROW(go(), Error) << name;
        auto start = Clock::now();
        EXPECT_TRUE(gpu_worker().status().found) << name;
        slowest = std::max(slowest, seconds_since(start));
    }
    EXPECT_LT(slowest, kPatience);
    std::cout << "the slowest worker was back after " << slowest << " s\n";
    for (auto start = Clock::now(); children().size() > 2 && seconds_since(start) < kPatience;)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    gpu_worker().status();
    EXPECT_EQ(2u, children().size());  // the worker and its spare; no zombie
}

}  // namespace
}  // namespace lanewise
