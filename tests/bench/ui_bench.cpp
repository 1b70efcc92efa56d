// What the window costs, in CPU time of this thread, so that a loaded machine says the same as an
// idle one:
//   frame/…    building one frame while nothing but the pointer moves (99th percentile under 3 ms)
//   drag/…     a knob turned: from the click to the frame that shows the new picture (under 60 ms)
//   key        a key struck in the editor of a long kernel (under 16 ms)
//   first      from nothing to the first frame that could be drawn (under 400 ms)
//   soak       3,600 actions, as many as an hour has seconds, through stages of each kind: memory
//              in MiB at the begin, in the middle and at the end (under 300, and flat). Compiler
//              and machine, the engine's in the window, are in this process and in the sum
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <vector>

#include "../ui/soak.h"
#include "lab/analysis.h"
#include "lab/pad_table.h"
#include "ui/charts.h"
#include "ui/edits.h"
#include "ui/look.h"
#include "ui/session.h"
#include "ui/views.h"

namespace lanewise::ui {
namespace {

constexpr int kWidth = 1920, kHeight = 1080, kFrames = 500;

double thread_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// The 99th of a hundred, and the median, of what each turn of the benchmark took.
class Times {
  public:
    template <class Work>
    void take(Work work) {
        double begun = thread_ms();
        work();
        ms_.push_back(thread_ms() - begun);
    }
    void report(benchmark::State& state) {
        std::sort(ms_.begin(), ms_.end());
        state.counters["p50_ms"] = ms_[ms_.size() / 2];
        state.counters["p99_ms"] = ms_[ms_.size() * 99 / 100];
    }

  private:
    std::vector<double> ms_;
};

void fill(App& app) {
    if (app.picture_stale) take_picture(app, trace_block(job_of(app), 0));
    for (size_t i = 0; i < app.beside.size(); ++i)
        if (app.beside[i].wanted && app.beside[i].stale)
            take_comparison(app, i, trace_block(comparison_job(app, i), 0));
    app.picture_stale = false;
    for (Beside& beside : app.beside) beside.stale = false;
}

App open(const char* stage, const std::string& view) {
    map_keys();
    Options options;
    options.offscreen = true;
    options.stage = stage;
    options.view = view;
    options.rows = options.cols = 1024;
    App app = open_app(options);
    fill(app);
    take_analysis(app, analyse(job_of(app)));
    if (has_padding(app.stage())) take_pads(app, pad_table(job_of(app), 0));
    return app;
}

void settle(App& app) {
    bake_fonts_unseen();
    for (int i = 0; i < 5; ++i) build_frame(app, kWidth, kHeight, i);
}

void frame(benchmark::State& state, const char* stage, const std::string& view) {
    Context context;
    App app = open(stage, view);
    settle(app);
    Times times;
    for (auto _ : state) times.take([&] { build_frame(app, kWidth, kHeight, 6); });
    times.report(state);
}

// The machine's part runs in the engine's process; it is in the sum here.
void drag(benchmark::State& state, const char* view) {
    Context context;
    App app = open("transpose/30_padded", view);
    settle(app);
    Times times;
    int64_t pad = 0;
    for (auto _ : state)
        times.take([&] {
            pad = (pad + 1) % 5;
            choose_knob(app, "PAD", pad);
            fill(app);
            build_frame(app, kWidth, kHeight, 6);
        });
    times.report(state);
}

void key(benchmark::State& state) {
    Context context;
    App app = open("matmul/32_double_buffered", "code");
    open_editor(app);
    settle(app);
    Times times;
    for (auto _ : state)
        times.take([&] {
            send_character('x');
            build_frame(app, kWidth, kHeight, 6);
        });
    times.report(state);
}

void first(benchmark::State& state) {
    Times times;
    for (auto _ : state)
        times.take([&] {
            Context context;
            map_keys();
            Options options;
            options.offscreen = true;
            App app = open_app(options);
            bake_fonts_unseen();
            build_frame(app, kWidth, kHeight, 0);
        });
    times.report(state);
}

void soak(benchmark::State& state) {
    constexpr size_t kHour = 3600;
    const std::vector<std::string> stages = {"10_naive",
                                             "30_padded",
                                             "84_tma",
                                             "102_tile_not_swapped",
                                             "matmul/10_naive_product",
                                             "matmul/40_wmma",
                                             "matmul/90_cublas_product"};
    auto mebibytes = [](uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
    for (auto _ : state) {
        Soak window(kWidth, kHeight);
        window.round(stages);  // what is read once
        const size_t begun = window.actions();
        const uint64_t heap = heap_bytes();
        state.counters["begin_mib"] = mebibytes(resident_bytes());
        auto until = [&](size_t actions) {
            while (window.actions() - begun < actions) window.round(stages);
        };
        until(kHour / 2);
        state.counters["middle_mib"] = mebibytes(resident_bytes());
        until(kHour);
        state.counters["end_mib"] = mebibytes(resident_bytes());
        state.counters["heap_grown_kib"] =
            (static_cast<double>(heap_bytes()) - static_cast<double>(heap)) / 1024;
        state.counters["actions"] = static_cast<double>(window.actions() - begun);
    }
}

void register_all() {
    using benchmark::RegisterBenchmark;
    auto add = [](const std::string& name, const char* stage, const std::string& view) {
        RegisterBenchmark(("frame/" + name).c_str(),
                          [=](benchmark::State& s) { frame(s, stage, view); })
            ->Unit(benchmark::kMillisecond)
            ->Iterations(kFrames);
    };
    for (const View& view : views()) add(view.id, "transpose/30_padded", view.id);
    for (const ChartKind& kind : chart_kinds())
        add(std::string("charts:") + kind.id, "transpose/30_padded",
            std::string("charts:") + kind.id);
    add("code of a product", "matmul/32_double_buffered", "code");
    for (const char* view : {"access", "banks", "code"})
        RegisterBenchmark((std::string("drag/") + view).c_str(),
                          [=](benchmark::State& s) { drag(s, view); })
            ->Unit(benchmark::kMillisecond)
            ->Iterations(50);
    RegisterBenchmark("key", key)->Unit(benchmark::kMillisecond)->Iterations(200);
    RegisterBenchmark("soak", soak)->Unit(benchmark::kSecond)->Iterations(1);
    RegisterBenchmark("first", first)->Unit(benchmark::kMillisecond)->Iterations(10);
}

const bool kRegistered = (register_all(), true);

}  // namespace
}  // namespace lanewise::ui
