// From a knob change to the picture that it makes, through the same engine process and protocol as
// the window uses; and the engine's memory after the whole ladder.
#include <benchmark/benchmark.h>
#include <sys/types.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "base/files.h"
#include "course/catalogue.h"
#include "figure/drawing/figures.h"
#include "lab/job/needs.h"
#include "lab/json/json.h"
#include "lab/product/product.h"
#include "service/client.h"

namespace lanewise {
namespace {

const Catalogue& catalogue() {
    static const Catalogue loaded = Catalogue::load(content_folder());
    return loaded;
}

// One engine for all benchmarks, as in the window.
EngineClient& engine() {
    static EngineClient client((program_folder() / "lanewise-engine").string() + " serve");
    return client;
}

Json answer_to(const std::string& method, const Json& params) {
    uint64_t id = engine().request(method, params);
    for (;;) {
        Json result;
        std::string failure = "-";
        engine().poll(
            [&](Answer answer) {
                if (answer.id != id) return;
                failure = answer.error;
                result = std::move(answer.result);
            },
            [](uint64_t, double, const std::string&) {});
        if (failure.empty()) return result;
        if (failure != "-") throw std::runtime_error(failure);
        engine().wait(1);
    }
}

Job padded_job(int64_t pad) {
    Job job;
    job.stage = catalogue().find("transpose/30_padded");
    job.knobs = {{"PAD", pad}};
    return job;
}

// Draws what the shared-memory view shows of this picture: every warp's first shared access would
// be the same work, so the last access of the block stands for the chosen one.
void draw_banks(const Picture& picture) {
    BankFigureInput input;
    input.block = &picture.block;
    input.report = &picture.report;
    for (size_t i = 0; i < picture.block.accesses.size(); ++i)
        if (picture.block.accesses[i].buffer < 0) input.access = static_cast<int>(i);
    input.rows = picture.tile.rows;
    input.cols = picture.tile.cols;
    input.pitch = picture.tile.pitch;
    benchmark::DoNotOptimize(bank_figure(input, measure_approximately));
}

// Each repetition is one change. A comment makes the source new, so that NVRTC really compiles.
void knob_change(benchmark::State& state, bool compile_anew) {
    static int changes = 0;
    for (auto _ : state) {
        Job job = padded_job(changes % 5);
        if (compile_anew) job.stage.source += "// " + std::to_string(changes) + "\n";
        ++changes;
        draw_banks(answer_to("picture", {{"job", job}, {"block", 0}}).get<Picture>());
    }
}
BENCHMARK_CAPTURE(knob_change, compiled_anew, true)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->Repetitions(31)
    ->ReportAggregatesOnly()
    ->UseRealTime();
BENCHMARK_CAPTURE(knob_change, seen_before, false)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->Repetitions(31)
    ->ReportAggregatesOnly()
    ->UseRealTime();

double resident_mb(int process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string word; status >> word;)
        if (word == "VmRSS:") return status >> word, std::stod(word) / 1024;
    return 0;
}

// The engine's resident memory once every transpose has been analysed in full at 4096 x 4096.
void memory_after_the_ladder(benchmark::State& state) {
    for (auto _ : state)
        for (const Stage& stage : catalogue().stages()) {
            if (is_product(stage) || !cannot_interpret(stage).empty()) continue;
            Job job;
            job.stage = stage;
            job.type = stage.types.front();
            answer_to("analyse", {{"job", job}});
        }
    state.counters["resident_MB"] = resident_mb(engine().process_id());
}
BENCHMARK(memory_after_the_ladder)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();

}  // namespace
}  // namespace lanewise
