#include "lab/record/offered_programs.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "course/lesson.h"
#include "lab/change/pad_table.h"
#include "lab/change/swizzle.h"
#include "lab/job/needs.h"
#include "lab/kernel/own_kernel.h"
#include "lab/measure/copy_kernel.h"
#include "lab/micro/microbench.h"
#include "lab/micro/staircase_kernel.h"
#include "lab/product/product_kernel.h"
#include "lab/record/launch_set.h"

namespace lanewise {

namespace {

// Each program once, however many ways lead to it.
class Offer {
  public:
    explicit Offer(OfferedArchive& archive) : archive_(archive) {}
    void add(const Source& source, const CompileOptions& options, bool with_cubin) {
        if (!seen_.insert({source.text, options.kernel, options.arch}).second) return;
        archive_.programs.push_back({source, options, with_cubin});
    }

  private:
    using Seen = std::array<std::string, 3>;  // text, kernel, architecture
    OfferedArchive& archive_;
    std::set<Seen> seen_;
};

// Of every setting for the first architecture; of the default one also for sm_80, whose cubins
// sm_86 and sm_89 run, too. Those of sm_75 would be the tenth that is more than 3 MB.
bool has_cubin(const std::string& arch, bool is_default) {
    return arch.starts_with(offered_archs().front()) || (is_default && arch == "sm_80");
}

// For every architecture that runs the stage; several may come to one (arch_for).
void add_setting(Offer& offer, const Stage& stage, const KnobValues& knobs, const std::string& type,
                 bool is_default) {
    for (const std::string& arch : offered_archs()) {
        CompileOptions options = compile_options(stage, knobs, type, arch);
        offer.add({stage.file, stage.source}, options, has_cubin(options.arch, is_default));
    }
}

void add_settings(Offer& offer, const Stage& stage) {
    for (const std::string& type : stage.types)
        for (const KnobValues& knobs : knob_combinations(stage, type))
            add_setting(offer, stage, knobs, type,
                        knobs == default_knobs(stage) && type == stage.types.front());
}

// The table has paddings that the stage does not offer: those beside the other knobs' defaults.
void add_paddings(Offer& offer, Stage stage) {
    if (!has_padding(stage)) return;
    for (Knob& knob : stage.knobs)
        if (knob.name == kPadKnob) {
            knob.choices.clear();
            for (int64_t pad = 0; pad <= kMostPad; ++pad) knob.choices.push_back(pad);
        }
    KnobValues knobs = default_knobs(stage);
    for (const std::string& type : stage.types)
        for (int64_t pad = 0; pad <= kMostPad; ++pad) {
            knobs[kPadKnob] = pad;
            if (!knob_problem(stage, knobs, type).empty()) continue;
            offer.add({stage.file, stage.source},
                      compile_options(stage, knobs, type, offered_archs().front()), true);
        }
}

void add_forge(Offer& offer, const Stage& stage) {
    if (!cannot_swizzle(stage).empty()) return;
    for (const SwizzlePreset& preset : swizzle_presets()) {
        Job job;
        job.stage = stage;
        job.knobs = default_knobs(stage);
        job.type = stage.types.front();
        job.arch = arch_for(stage, offered_archs().front());
        int unused = 0;
        job = swizzled_job(job, preset.trial, unused);
        Source source{job.stage.file, job.stage.source};
        offer.add(source, compile_options(job.stage, job.knobs, job.type, job.arch), true);
        offer.add(source, column_map_options(job), false);
    }
}

std::filesystem::path lesson_file(const Catalogue& catalogue, const Stage& stage) {
    return catalogue.content() / "lessons" / (stage.id + ".md");
}

OfferedArchive of_stage(const Catalogue& catalogue, const Stage& stage) {
    OfferedArchive archive{stage.id, stage.headers, {}};
    Offer offer(archive);
    add_settings(offer, stage);
    add_paddings(offer, stage);
    add_forge(offer, stage);
    if (!is_exercise(stage)) return archive;
    Lesson lesson = read_lesson(lesson_file(catalogue, stage), stage.id);
    if (!lesson.error.empty()) throw Error(Status::bad_input, lesson.error);
    Stage solution = parse_stage(solved(lesson, stage.source), stage);
    if (!solution.error.empty()) throw Error(Status::bad_input, solution.error);
    add_settings(offer, solution);
    return archive;
}

// A micro-benchmark's PTX is enough for the card that it measures; of what `occupancy` sweeps the
// registers are asked.
bool needs_cubin(const std::string& kernel) {
    return !kernel.starts_with("micro_") && kernel != "chase_fill";
}

OfferedArchive of_laboratory(const std::string& name, const Source& source,
                             const std::vector<std::string>& kernels,
                             const std::vector<std::string>& archs) {
    OfferedArchive archive{"lab/" + name, "", {}};
    Offer offer(archive);
    for (const std::string& kernel : kernels)
        for (const std::string& arch : archs) {
            CompileOptions options;
            options.kernel = kernel;
            options.arch = arch;
            offer.add(source, options, has_cubin(arch, true) && needs_cubin(kernel));
        }
    return archive;
}

// Those of one class of the set, beside each other as read_launch_set() has them.
void add_set(const std::filesystem::path& content, std::vector<OfferedArchive>& archives) {
    std::string last;
    for (const SetLaunch& launch : read_launch_set(content, SetHalf::all)) {
        const bool is_in_a_half = launch.folder != SetLaunch{}.folder;
        std::string name = (is_in_a_half ? "launches/" + launch.folder : launch.folder) + "/" + launch.kind;
        if (name != last) archives.push_back({name, "", {}});
        last = name;
        CompileOptions options =
            own_options(launch.job.stage, launch.job.own, offered_archs().front());
        std::vector<OfferedProgram>& programs = archives.back().programs;
        bool is_there = std::any_of(programs.begin(), programs.end(), [&](const auto& each) {
            return each.options.kernel == options.kernel;
        });
        Source source{launch.job.stage.file, launch.job.stage.source};
        if (!is_there) programs.push_back({source, options, true});
    }
}

}  // namespace

const std::vector<std::string>& offered_archs() {
    static const std::vector<std::string> all = {"sm_90", "sm_80", "sm_75"};
    return all;
}

std::vector<OfferedArchive> offered_programs(const Catalogue& catalogue) {
    std::vector<OfferedArchive> all;
    for (const Stage& stage : catalogue.stages()) {
        if (!stage.error.empty()) throw Error(Status::bad_input, stage.error);
        if (!is_library_call(stage)) all.push_back(of_stage(catalogue, stage));
    }
    const std::vector<std::string>& archs = offered_archs();
    all.push_back(of_laboratory("measuring", measuring_source(), measuring_kernels(), archs));
    all.push_back(of_laboratory("staircase", staircase_source(), staircase_kernels(), archs));
    all.push_back(of_laboratory("product", product_kernel_source(),
                                {reference_kernel(), judge_kernel()}, archs));
    all.push_back(of_laboratory("microbench", {"microbench.cu", micro_source()},
                                microbench_kernels(), {archs.front()}));
    add_set(catalogue.content(), all);
    return all;
}

}  // namespace lanewise
