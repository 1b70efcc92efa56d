#include "engine/options.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/compiler_kind.h"
#include "course/operation.h"
#include "lab/kernel/launch_file.h"
#include "lab/kernel/own_kernel.h"

namespace lanewise {

namespace fs = std::filesystem;

void add_count(EngineCommand& command, const std::string& name, int64_t& count,
               const std::string& help) {
    auto read = [&count, name](const std::string& text) {
        if (parse_integer(text, count)) return;
        throw Error(Status::bad_input, name + " wants a whole number, not \"" + text + "\"");
    };
    command.add_option_function(name, read, help)->default_str(std::to_string(count));
}

void add_blocks(EngineCommand& command, uint64_t& blocks) {
    auto read = [&blocks](const std::string& text) {
        int64_t count = 0;
        if (text != "all" && (!parse_integer(text, count) || count < 1))
            throw Error(Status::bad_input,
                        "--blocks wants a number of blocks, or all, not \"" + text + "\"");
        blocks = static_cast<uint64_t>(count);
    };
    command.add_option_function("--blocks", read,
                                "of a product, interpret so many blocks: at C's "
                                "corners and edges, and spread over the rest; "
                                "all: every one");
}

static const Operation::Size& begin_of(const Operation& operation, bool is_timed) {
    return is_timed ? operation.sizes.timed_at : operation.sizes.begins_at;
}

void JobOptions::add_to(EngineCommand& command) {
    command
        .add_option("stage", stage,
                    "a stage (see `lanewise-engine stages`), or a .cu, .cuh, .ptx or .launch file")
        ->required();
    add_count(command, "--rows", rows, "rows of the input; M of a product");
    add_count(command, "--cols", cols, "columns of the input; N of a product");
    for (const Operation& operation : all_operations())
        if (operation.has_inner()) inner = begin_of(operation, is_timed).inner;
    add_count(command, "--inner", inner,
              "K of a product, which has these sides where none is given");
    command.add_option(
        "--input", input,
        "what a product multiplies: random, cancellation, denormals, special, or zeros:90 "
        "(percent of A)");
    add_count(command, "--batch", batch, "matrices at once");
    command.add_option("--set", settings, "a knob's value, NAME=VALUE; may be repeated")
        ->allow_extra_args(false);
    command.add_option("--type", type, "element type: f32, f64, f16, u8 or f32x4");
    command.add_option("--arch", arch, "compile for this architecture, e.g. sm_90");
    command.add_flag("--json", json, "print one JSON object");
    command.add_option("--time-limit", time_limit_s, "seconds, compiling included; 0: none")
        ->in_range(0.0, 1e8)
        ->capture_default_str();
    own.add_to(command);
    command_ = &command;
}

static void set_knob(KnobValues& knobs, const std::string& setting) {
    size_t equals = setting.find('=');
    int64_t value = 0;
    if (equals == 0 || equals == std::string::npos ||
        !parse_integer(std::string_view(setting).substr(equals + 1), value))
        throw Error(Status::bad_input,
                    "--set wants NAME=VALUE with a whole number, not \"" + setting + "\"");
    knobs[setting.substr(0, equals)] = value;
}

static bool is_source_file(const std::string& name) {
    return name.ends_with(".cu") || name.ends_with(".cuh");
}

// Whether the source begins with a stage's head. A comment that only looks like one ("/*-----")
// has none of a head's fields.
static bool has_stage_head(std::string_view source) {
    source = trimmed(source);
    if (!source.starts_with("/*---")) return false;
    for (std::string_view line : lines_of(source.substr(0, source.find("*/")))) {
        line = trimmed(line);
        for (std::string_view field : {"title", "block", "grid", "operation", "library", "types"})
            if (line.starts_with(field) && trimmed(line.substr(field.size())).starts_with('='))
                return true;
    }
    return false;
}

// Options that say something of a stage would be ignored for a kernel of the user's own.
Job JobOptions::own_job() const {
    if (!is_source_file(stage))
        throw Error(
            Status::bad_input,
            "--kernel and its options are for a .cu, .cuh or .ptx file; \"" + stage + "\" is none");
    refuse_stage_options();
    Job job;
    job.stage = own_stage(stage);
    job.own = own.launch(stage, job.stage.source);
    job.stage.kernel = job.own.kernel;
    job.stage.title = job.own.kernel;
    job.arch = arch;
    validate(job);
    return job;
}

void JobOptions::refuse_stage_options() const {
    for (const char* option :
         {"--rows", "--cols", "--inner", "--input", "--batch", "--set", "--type"})
        if (command_->count(option) > 0)
            throw Error(Status::bad_input,
                        std::string(option) +
                            " belongs to a stage; a kernel of your own takes its sizes by --arg");
}

Job JobOptions::ptx_job() const {
    refuse_stage_options();
    if (!arch.empty())
        throw Error(Status::bad_input,
                    "--arch is for a source: PTX says itself which .target it is for");
    PtxFile file = read_ptx_file(stage);
    const PtxKernel& kernel = kernel_called(file, own.kernel);
    Job job;
    job.own = own.launch(file, kernel);
    job.stage = ptx_stage(file, kernel, job.own.include_folders);
    validate(job);
    return job;
}

Job JobOptions::launch_file_job() const {
    refuse_stage_options();
    if (own.any())
        throw Error(Status::bad_input,
                    stage + " says itself what is launched and how; change it there");
    Job job = read_launch_file(stage);
    job.arch = arch;
    validate(job);
    return job;
}

Job JobOptions::job() const {
    if (is_launch_file(stage)) return launch_file_job();
    if (is_ptx_file(stage)) return ptx_job();
    bool is_bare = is_source_file(stage) && !has_stage_head(read_file(stage));
    if (own.any() || is_bare) return own_job();
    Job job;
    job.stage = find_stage(stage);
    for (const std::string& setting : settings) set_knob(job.knobs, setting);
    if (!type.empty())
        job.type = type;
    else if (!job.stage.types.empty())
        job.type = job.stage.types.front();
    job.rows = rows;
    job.cols = cols;
    job.batch = batch;
    job.arch = arch;
    take_sides(job);
    validate(job);
    return job;
}

// Those that are not given, and what not every operation has.
void JobOptions::take_sides(Job& job) const {
    const Operation& operation = operation_of(job.stage);
    const Operation::Size& begins = begin_of(operation, is_timed);
    auto given = [&](const char* option) { return command_->count(option) > 0; };
    auto refuse = [&](const std::string& why) { throw Error(Status::bad_input, why); };
    if (!given("--rows")) job.rows = begins.rows;
    if (!given("--cols")) job.cols = begins.cols;
    if (operation.has_inner())
        job.inner = given("--inner") ? inner : begins.inner;
    else if (given("--inner"))
        refuse("--inner" + inner_is_for(job.stage));
    if (operation.computes)
        job.input = input;
    else if (given("--input"))
        refuse("--input" + input_is_for(job.stage));
}

std::shared_ptr<const std::string> add_gpu_choice(EngineCommand& command) {
    auto gpu = std::make_shared<std::string>();
    command.add_option("--gpu", *gpu, "which GPU: an index, a part of its name, or its UUID");
    return gpu;
}

void add_compiler_choice(EngineCommand& command) {
    auto choose = [](const std::string& name) {
        choose_compiler(name);
        ::setenv("LANEWISE_COMPILER", name.c_str(), 1);  // for the worker, which compiles, too
    };
    command.add_option_function(
        "--compiler", choose,
        "compile with this one alone: nvrtc, shipped (what was compiled beforehand), clang or "
        "nvcc; "
        "default: the first of them that is there (LANEWISE_COMPILER)");
}

Catalogue load_catalogue() { return Catalogue::load(content_folder()); }

std::vector<Recording> known_recordings(const Catalogue& catalogue) {
    std::vector<std::string> problems;
    auto recordings = read_recordings(catalogue.content() / "assets/recordings", problems);
    for (const std::string& problem : problems)
        fmt::print(stderr, "lanewise-engine: {}; left out\n", problem);
    return recordings;
}

Stage find_stage(const std::string& name) {
    if (!name.ends_with(".cu")) return load_catalogue().find(name);
    fs::path file = fs::absolute(name).lexically_normal();
    read_file(file);  // its own words where the file cannot be read
    Stage stage = read_stage(file, file.parent_path().filename().string());
    if (!stage.error.empty()) throw Error(Status::bad_input, stage.error);
    return stage;
}

void size_of_option(const std::string& text, int64_t& rows, int64_t& cols, int64_t& inner) {
    auto sides = split(text, 'x');
    inner = kNoInner;
    bool two = sides.size() >= 2 && parse_integer(sides[0], rows) && parse_integer(sides[1], cols);
    if (two && sides.size() == 2) return;
    if (two && sides.size() == 3 && parse_integer(sides[2], inner) && inner >= 0) return;
    throw Error(
        Status::bad_input,
        "a size is ROWSxCOLS, for example 4096x4096, or of a product MxNxK, not \"" + text + "\"");
}

void print_json(const nlohmann::json& json) {
    // Source text that is not UTF-8 must not keep the rest from being printed.
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace lanewise
