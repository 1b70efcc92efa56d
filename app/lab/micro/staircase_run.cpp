// The staircase on the GPU: each access a launch of one warp, alone on the card.
#include <fmt/format.h>

#include <map>

#include "gpu/device.h"
#include "lab/analysis/analysis.h"
#include "lab/measure/rig.h"
#include "lab/measure/rounds.h"
#include "lab/micro/staircase_kernel.h"

namespace lanewise {

namespace {

class StaircaseRunner {
  public:
    StaircaseRunner(Gpu& gpu, double time_limit_s, const CancelFlag* cancel)
        : gpu_(gpu),
          rig_(gpu, {1, 1, 1, 4}, cancel),  // whose own matrix is not used
          time_limit_s_(time_limit_s),
          offsets_(gpu.allocate(32 * sizeof(uint32_t))),
          clock_(gpu.allocate(kStaircaseLooks * sizeof(uint64_t))) {}

    std::vector<double> samples(const StaircaseAccess& access) {
        const GpuModule& kernel = module(access.bytes_per_lane, access.is_store);
        gpu_.upload(offsets_, std::as_bytes(std::span(access.offsets)));
        LaunchShape shape;
        shape.block.x = 32;
        shape.dynamic_shared_bytes = (access.shared_bytes() + 15) / 16 * 16;
        gpu_.launch(kernel, shape,
                    staircase_arguments(access, offsets_.address(), clock_.address()));
        rig_.wait(time_limit_s_);
        std::array<uint64_t, kStaircaseLooks> looks = {};
        gpu_.download(std::as_writable_bytes(std::span(looks)), clock_);
        std::vector<double> cycles;
        for (size_t i = 2; i < looks.size(); ++i)
            cycles.push_back(static_cast<double>(looks[i] - looks[i - 1]) / kStaircaseAccesses);
        return cycles;
    }

    const Program& program(int bytes_per_lane, bool is_store) {
        module(bytes_per_lane, is_store);
        return programs_.at({bytes_per_lane, is_store});
    }

  private:
    const GpuModule& module(int bytes_per_lane, bool is_store) {
        auto [position, is_new] = modules_.try_emplace({bytes_per_lane, is_store});
        if (is_new) {
            Program program =
                compile_staircase_kernel(bytes_per_lane, is_store, gpu_.description().arch);
            position->second = gpu_.load(program.gpu_code(), program.entry);
            programs_[{bytes_per_lane, is_store}] = std::move(program);
        }
        return position->second;
    }

    Gpu& gpu_;
    Rig rig_;
    double time_limit_s_;
    GpuBuffer offsets_, clock_;
    std::map<std::pair<int, bool>, GpuModule> modules_;
    std::map<std::pair<int, bool>, Program> programs_;
};

}  // namespace

Staircase measure_staircase(const StaircaseOptions& options, const Progress& progress,
                            const CancelFlag* cancel) {
    auto say = [&](double fraction, const std::string& what) {
        if (progress) progress(fraction, what);
    };
    Gpu& gpu = Gpu::open();
    say(0, "compiling");
    std::vector<StaircaseAccess> accesses = staircase_ladder();
    Staircase staircase;
    if (options.job) {
        Job job = *options.job;
        job.arch = gpu.description().arch;
        Picture picture = trace_block(job, 0);
        staircase.stage = job.own.is_used() ? job.stage.file : picture.stage;
        staircase.knobs = picture.knobs;
        staircase.type = picture.type;
        std::vector<StaircaseAccess> own = staircase_accesses(picture);
        if (own.empty())
            staircase.note =
                fmt::format("{} has no plain access of shared memory to replay.", staircase.stage);
        accesses.insert(accesses.end(), own.begin(), own.end());
    }
    StaircaseRunner runner(gpu, options.time_limit_s, cancel);
    RoundsTaken rounds;
    for (size_t i = 0; i < accesses.size(); ++i) {
        say(static_cast<double>(i) / static_cast<double>(accesses.size()),
            fmt::format("access {} of {}", i + 1, accesses.size()));
        staircase.steps.push_back({accesses[i], runner.samples(accesses[i]), {}, 0});
        if (double mhz = gpu.sm_clock_mhz_now(); mhz > 0) rounds.sm_clocks_mhz.push_back(mhz);
    }
    fit_staircase(staircase);
    const Program& program = runner.program(4, false);
    staircase.provenance = provenance_of(program, program.ptx, gpu.description(), rounds);
    say(1, "measured");
    return staircase;
}

}  // namespace lanewise
