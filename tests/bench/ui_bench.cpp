// Building the interface of one frame, without drawing it: what a frame costs while nothing but
// the pointer moves, for each view. The 99th percentile is what a user could feel.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "lab/analysis.h"
#include "ui/look.h"
#include "ui/session.h"
#include "ui/views.h"

namespace lanewise::ui {
namespace {

void fill(App& app) {
    take_picture(app, trace_block(job_of(app), 0));
    for (size_t i = 0; i < app.beside.size(); ++i)
        if (app.beside[i].wanted) take_comparison(app, i, trace_block(comparison_job(app, i), 0));
    take_analysis(app, analyse(job_of(app)));
}

void frame(benchmark::State& state, const char* view) {
    Context context;
    map_keys();
    Options options;
    options.offscreen = true;
    options.stage = "transpose/30_padded";
    options.view = view;
    options.rows = options.cols = 1024;
    App app = open_app(options);
    fill(app);
    bake_fonts_unseen();
    for (int i = 0; i < 5; ++i) build_frame(app, 1920, 1080, i);
    std::vector<double> times_ms;
    for (auto _ : state) {
        auto begun = std::chrono::steady_clock::now();
        build_frame(app, 1920, 1080, 6);
        std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begun;
        times_ms.push_back(took.count());
    }
    std::sort(times_ms.begin(), times_ms.end());
    state.counters["p99_ms"] = times_ms[times_ms.size() * 99 / 100];
}
BENCHMARK_CAPTURE(frame, access, "access")->Unit(benchmark::kMillisecond)->Iterations(500);
BENCHMARK_CAPTURE(frame, banks, "banks")->Unit(benchmark::kMillisecond)->Iterations(500);
BENCHMARK_CAPTURE(frame, sizes, "charts:sizes")->Unit(benchmark::kMillisecond)->Iterations(500);
BENCHMARK_CAPTURE(frame, model, "charts:model")->Unit(benchmark::kMillisecond)->Iterations(500);
BENCHMARK_CAPTURE(frame, code, "code")->Unit(benchmark::kMillisecond)->Iterations(500);

}  // namespace
}  // namespace lanewise::ui
