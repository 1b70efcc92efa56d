// Runs the micro-benchmarks on the card and writes what they took.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ctime>
#include <map>
#include <thread>

#include "base/error.h"
#include "compile/compiler.h"
#include "compile/cubin.h"
#include "gpu/device.h"
#include "lab/measure/copy_kernel.h"
#include "lab/micro/microbench.h"

namespace lanewise {
namespace {

constexpr uint64_t kMostMemory = 2ull << 30, kMostReach = 16ull << 30;
constexpr int kSamples = 7;
constexpr double kSampleUs = 300;  // a sample is at least so long, or kMostLaunches launches
constexpr int kMostLaunches = 100;
constexpr uint64_t kMostToWarm = 16ull << 20;  // a larger ring is to be found in DRAM
// Beyond this in all, a kernel needs the driver's leave, which is asked for the dynamic part alone.
constexpr uint32_t kDefaultShared = 48 * 1024;
constexpr double kHoldUs = 400;  // while the CPU puts a sample into the stream

template <typename T>
void pack(std::vector<std::byte>& bytes, T value) {
    auto raw = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

std::vector<std::byte> packed(std::initializer_list<uint64_t> words) {
    std::vector<std::byte> bytes;
    for (uint64_t word : words) pack(bytes, word);
    return bytes;
}

LaunchShape shape_of(uint32_t blocks, uint32_t threads, uint32_t shared = 0) {
    LaunchShape shape;
    shape.grid.x = blocks;
    shape.block.x = threads;
    shape.dynamic_shared_bytes = shared;
    return shape;
}

class Bench {
  public:
    explicit Bench(Gpu& gpu, uint64_t bytes)
        : gpu_(gpu), memory_(gpu.allocate(bytes)), start_(gpu.event()), stop_(gpu.event()) {
        fill();
    }

    // Words that are all different: constants may be cheaper to move.
    void fill() {
        Program program = compile_measuring_kernel(fill_kernel(), gpu_.description().arch);
        GpuModule kernel = gpu_.load(program.gpu_code(), program.entry);
        gpu_.launch(kernel, shape_of(4096, 256),
                    packed({memory_.address(), memory_.bytes() / sizeof(uint32_t)}));
        gpu_.synchronize();
    }

    MicrobenchResult run(const Microbench& bench, bool once) {
        MicrobenchResult result = {bench, 0, {}};
        const GpuModule& kernel = module(bench.kernel);
        std::vector<std::byte> arguments =
            packed({memory_.address(), bench.bytes, bench.a, bench.b});
        auto launch = [&] {
            gpu_.launch(kernel, shape_of(bench.blocks, bench.threads, bench.dynamic_shared),
                        arguments);
        };
        result.blocks_per_sm = gpu_.blocks_per_sm(kernel, bench.threads, bench.dynamic_shared);
        bool chases = bench.kernel == "micro_chase";
        if (chases)
            gpu_.launch(module("chase_fill"), shape_of(1024, 256),
                        packed({memory_.address(), bench.bytes, bench.a, 0}));
        launch();
        // What chase_fill wrote in part of a sector costs a way to DRAM when it is first read.
        bool warms = chases && bench.bytes <= kMostToWarm;
        for (uint64_t seen = 0; warms && seen < 4 * bench.bytes; seen += bench.a * bench.b)
            launch();
        gpu_.synchronize();
        if (!once) result.us = timed(launch);
        if (chases) fill();
        return result;
    }

  private:
    const GpuModule& module(const std::string& kernel) {
        auto [position, is_new] = modules_.try_emplace(kernel);
        if (is_new) {
            CompileOptions options;
            options.kernel = kernel;
            options.arch = gpu_.description().arch;
            Program program = compile({"microbench.cu", micro_source()}, options);
            position->second = gpu_.load(program.gpu_code(), program.entry);
        }
        return position->second;
    }

    double sample(const std::function<void()>& launch, int launches) {
        GpuGraph graph = gpu_.capture([&] {
            for (int i = 0; i < launches; ++i) launch();
        });
        gpu_.launch(graph);
        std::vector<std::byte> nanoseconds = packed({static_cast<uint64_t>(1000 * kHoldUs)});
        gpu_.launch(hold(), shape_of(1, 1), nanoseconds);
        gpu_.record(start_);
        gpu_.launch(graph);
        gpu_.record(stop_);
        gpu_.synchronize();
        return stop_.us_since(start_) / launches;
    }

    Spread timed(const std::function<void()>& launch) {
        double one = std::max(sample(launch, 1), 0.5);
        int launches = std::clamp(static_cast<int>(std::ceil(kSampleUs / one)), 1, kMostLaunches);
        std::vector<double> us;
        for (int i = 0; i < kSamples; ++i) us.push_back(sample(launch, launches));
        return spread_of(us);
    }

    const GpuModule& hold() {
        auto [position, is_new] = modules_.try_emplace(hold_kernel());
        if (is_new) {
            Program program = compile_measuring_kernel(hold_kernel(), gpu_.description().arch);
            position->second = gpu_.load(program.gpu_code(), program.entry);
        }
        return position->second;
    }

    Gpu& gpu_;
    GpuBuffer memory_;
    GpuEvent start_, stop_;
    std::map<std::string, GpuModule> modules_;
};

MicrobenchCard card_of(Gpu& gpu) {
    const GpuDescription& about = gpu.description();
    MicrobenchCard card;
    card.sm_count = about.sm_count;
    card.shared_bytes_per_sm = about.shared_bytes_per_sm;
    card.memory_bytes = std::min(kMostMemory, std::bit_floor(gpu.free_bytes() / 2));
    card.reach_bytes = std::min(kMostReach, std::bit_floor(gpu.free_bytes() / 2));
    card.l2_bytes = std::bit_floor(about.l2_bytes / 3);
    return card;
}

}  // namespace

std::vector<MicrobenchResult> run_microbenches(const CalibrateOptions& options,
                                               const Progress& progress, const CancelFlag* cancel) {
    Gpu& gpu = Gpu::open();
    MicrobenchCard card = card_of(gpu);
    std::vector<Microbench> list = microbenches(card);
    std::erase_if(list, [&](const Microbench& b) { return !b.name.starts_with(options.only); });
    if (list.empty())
        throw Error(Status::bad_input, "no micro-benchmark is called \"" + options.only + "\"");
    Bench bench(gpu, card.reach_bytes);
    std::vector<MicrobenchResult> results;
    for (size_t i = 0; i < list.size(); ++i) {
        if (cancel && *cancel) throw Cancelled{};
        if (progress)
            progress(static_cast<double>(i) / static_cast<double>(list.size()), list[i].name);
        results.push_back(bench.run(list[i], options.once));
    }
    if (progress) progress(1, "measured");
    return results;
}

static std::string utc_now() {
    std::time_t now = std::time(nullptr);
    std::tm utc = {};
    ::gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

std::string calibration_csv(const std::vector<MicrobenchResult>& results) {
    const GpuDescription& gpu = Gpu::open().description();
    std::string text = fmt::format("# {}, driver {}, {} MHz, {}\n", gpu.name, gpu.driver,
                                   Gpu::open().sm_clock_mhz_now(), utc_now());
    text +=
        "name;kernel;blocks;threads;dynamic_shared;blocks_per_sm;bytes;a;b;work;unit;us;us_p05;"
        "us_p95;unit_per_us\n";
    for (const MicrobenchResult& r : results) {
        const Microbench& m = r.bench;
        text +=
            fmt::format("{};{};{};{};{};{};{};{};{};{};{};{:.3f};{:.3f};{:.3f};{:.6g}\n", m.name,
                        m.kernel, m.blocks, m.threads, m.dynamic_shared, r.blocks_per_sm, m.bytes,
                        m.a, m.b, m.work, m.unit, r.us.median, r.us.p05, r.us.p95, r.rate());
    }
    return text;
}

std::string occupancy_sweep(const Progress& progress) {
    Gpu& gpu = Gpu::open();
    std::string text = fmt::format("# {}, driver {}, {}\n", gpu.description().name,
                                   gpu.description().driver, utc_now());
    text += "threads,registers,static_shared,dynamic_shared,blocks_per_sm\n";
    for (const OccupyingKernel& occupying : occupying_kernels()) {
        if (progress) progress(static_cast<double>(occupying.live) / 240, "occupancy");
        uint32_t shared = occupying.shared;
        CompileOptions options;
        options.kernel = occupying.name();
        options.arch = gpu.description().arch;
        Program program = compile({"microbench.cu", micro_source()}, options);
        GpuModule kernel = gpu.load(program.gpu_code(), program.entry);
        KernelResources needs = kernel_resources(program.cubin, program.entry);
        if (!needs.registers_per_thread)
            throw Error(Status::bad_input,
                        fmt::format("the table lists registers, which are {}: {} has none",
                                    kNotKnown, program.compiler));
        for (int threads : {1, 32, 33, 64, 96, 160, 256, 288, 384, 512, 640, 768, 1024})
            for (uint32_t dynamic : {0u, 1u, 5000u, 20'000u, 70'000u}) {
                if (dynamic <= kDefaultShared && shared + dynamic > kDefaultShared) continue;
                text +=
                    fmt::format("{},{},{},{},{}\n", threads, *needs.registers_per_thread,
                                needs.static_shared_bytes, dynamic,
                                gpu.blocks_per_sm(kernel, static_cast<uint32_t>(threads), dynamic));
            }
    }
    return text;
}

}  // namespace lanewise
