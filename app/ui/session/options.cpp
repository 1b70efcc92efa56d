#include "ui/session/options.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/error.h"
#include "base/file_uri.h"
#include "base/files.h"
#include "base/text.h"
#include "base/version.h"
#include "lab/job/needs.h"
#include "ui/look/look.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr int kLeastSide = 320, kMostSide = 8192;

std::pair<std::string, int64_t> setting(const std::string& text) {
    size_t equals = text.find('=');
    int64_t value = 0;
    if (equals == std::string::npos || equals == 0 ||
        !parse_integer(text.substr(equals + 1), value))
        throw Error(Status::bad_input,
                    "--set wants NAME=VALUE with a whole number, like PAD=0, not \"" + text + "\"");
    return {text.substr(0, equals), value};
}

void read_size(const std::string& text, Options& options) {
    size_t by = text.find('x');
    int64_t width = 0, height = 0;
    bool read = by != std::string::npos && parse_integer(text.substr(0, by), width) &&
                parse_integer(text.substr(by + 1), height);
    if (!read || width < kLeastSide || height < kLeastSide || width > kMostSide ||
        height > kMostSide)
        throw Error(Status::bad_input,
                    "--size wants WIDTHxHEIGHT, each from " + std::to_string(kLeastSide) + " to " +
                        std::to_string(kMostSide) + ", like 1920x1080, not \"" + text + "\"");
    options.width = static_cast<int>(width);
    options.height = static_cast<int>(height);
    options.size_given = true;
}

// The fields of a kernel of the user's own, as the engine's command line has them.
struct OwnGiven {
    std::string kernel, grid, block, cluster, dynamic_shared;
    std::vector<std::string> arguments, include_folders, defines;

    void add_to(CLI::App& cli) {
        const char* group = "Your own kernel";
        cli.add_option("--kernel", kernel, "A __global__ function of FILE.cu")->group(group);
        cli.add_option("--grid", grid, "Blocks: X[,Y[,Z]]")->group(group);
        cli.add_option("--block", block, "Threads of a block: X[,Y[,Z]]")->group(group);
        cli.add_option("--cluster", cluster,
                       "Blocks of a cluster: X[,Y[,Z]]; of a kernel without __cluster_dims__")
            ->group(group);
        cli.add_option("--dynamic-shared", dynamic_shared, "Bytes of dynamic shared memory")
            ->group(group);
        auto repeated = [&](const char* name, std::vector<std::string>& values, const char* help) {
            cli.add_option(name, values, help)->allow_extra_args(false)->group(group);
        };
        repeated("--arg", arguments,
                 "One per parameter, in order: f32[65536], i32:4096, f32:1.5, "
                 "\"{i32:4096,f32:1.5}\" (a struct)");
        repeated("--include", include_folders, "A folder with headers");
        repeated("--define", defines, "NAME or NAME=VALUE");
    }
    bool any() const {
        return !kernel.empty() || !grid.empty() || !block.empty() || !cluster.empty() ||
               !dynamic_shared.empty() || !arguments.empty() || !include_folders.empty() ||
               !defines.empty();
    }
};

KernelForm suggested_for_ptx(const OwnGiven& given, const std::string& file) {
    if (!given.defines.empty())
        throw Error(Status::bad_input, "--define is for a source: PTX has been compiled already");
    PtxFile ptx = read_ptx_file(file);
    const PtxKernel& kernel = lanewise::kernel_called(ptx, given.kernel);
    return suggested_form(
        kernel, parameters_of(ptx, kernel, ptx_stage(ptx, kernel, given.include_folders)));
}

void suggest(const OwnGiven& given, const std::string& file, KernelForm& form) {
    std::string source = read_file(file);
    std::vector<KernelInSource> kernels = kernels_in_source(source);
    const KernelInSource* kernel = kernel_called(kernels, given.kernel);
    if (!kernel && given.kernel.empty() && !kernels.empty()) kernel = &kernels[0];
    if (kernel) form = suggested_form(*kernel, source);
    bool needs_arguments =
        kernel && !kernel->template_line.empty() && given.kernel.find('<') == std::string::npos;
    if (!needs_arguments && !given.kernel.empty()) form.kernel = given.kernel;
}

// What is not given keeps the suggestion for the kernel, so that --kernel alone is enough.
void take(const OwnGiven& given, Options& options) {
    if (!given.any()) return;
    if (options.file.empty())
        throw Error(Status::bad_input,
                    "--kernel, --grid, --block, --cluster, --dynamic-shared, --arg, --include and "
                    "--define are for a file: lanewise FILE.cu --kernel NAME …, or FILE.ptx");
    KernelForm& form = options.form;
    auto set = [](std::string& field, const std::string& value) {
        if (!value.empty()) field = value;
    };
    if (is_ptx_file(options.file))
        form = suggested_for_ptx(given, options.file);
    else
        suggest(given, options.file, form);
    set(form.grid, given.grid);
    set(form.block, given.block);
    set(form.cluster, given.cluster);
    set(form.dynamic_shared, given.dynamic_shared);
    if (!given.arguments.empty()) form.arguments = given.arguments;
    for (const std::string& folder : given.include_folders) {
        if (folder.empty()) throw Error(Status::bad_input, "--include wants a folder");
        form.include_folders +=
            (form.include_folders.empty() ? "" : ":") + std::filesystem::absolute(folder).string();
    }
    for (const std::string& define : given.defines)
        form.defines += (form.defines.empty() ? "" : " ") + define;
    options.form_given = true;
}

void check(const Options& options, bool scale_given) {
    if (!options.view.empty()) find_view(options.view);
    if (!options.theme.empty()) palette(options.theme);
    if (!options.compiler.empty()) compiler_called(options.compiler);
    if (scale_given && !(options.scale >= kLeastScale && options.scale <= kMostScale))
        throw Error(Status::bad_input, "--scale is a number from 0.75 to 3");
    if (!options.predicted.empty() && options.predicted != "yes" && options.predicted != "no")
        throw Error(Status::bad_input,
                    "--predicted is yes or no, not \"" + options.predicted + "\"");
    if (options.offscreen && options.files.screenshot.empty())
        throw Error(Status::bad_input, "--offscreen needs --screenshot FILE.png to draw into");
    if (!options.offscreen && !options.files.screenshot.empty())
        throw Error(Status::bad_input, "--screenshot needs --offscreen");
    if (options.audience && !(options.offscreen && options.present))
        throw Error(Status::bad_input, "--audience needs --offscreen and --present");
    if (!options.offscreen && !(options.files.boxes.empty() && options.files.texts.empty()))
        throw Error(Status::bad_input, "--boxes and --texts need --offscreen");
}

}  // namespace

ParsedOptions parse_options(int argc, char** argv) {
    ParsedOptions parsed;
    Options& o = parsed.options;
    CLI::App cli("Lanewise: see how a GPU moves memory, and learn to make it fast", "lanewise");
    cli.set_version_flag("--version", "lanewise " + version_and_commit());
    std::vector<std::string> settings;
    std::string size;
    cli.add_option("FILE.cu", o.file,
                   "Open this file's kernel instead of a stage, or that of a FILE.ptx; or a "
                   "workspace (.lanewise), an assignment (.assignment), or a link "
                   "(lanewise://…)");
    OwnGiven given;
    given.add_to(cli);
    cli.add_option("--stage", o.setting.stage, "Open this stage, e.g. transpose/30_padded");
    cli.add_option("--view", o.view, "Show this view (see --list-views)");
    cli.add_option("--mode", o.mode,
                   "learn: the lesson leads, step by step; workbench: everything at once");
    cli.add_option("--predicted", o.predicted,
                   "no: hide every answer until it is predicted, as a window does where no view is "
                   "asked for; yes: hide none, as pictures do");
    cli.add_option("--set", settings, "Set a knob: NAME=VALUE; may be repeated")
        ->allow_extra_args(false);
    CLI::Option* rows = cli.add_option("--rows", o.setting.rows, "Rows of the input matrix");
    CLI::Option* cols = cli.add_option("--cols", o.setting.cols, "Columns of the input matrix");
    cli.add_option("--inner", o.setting.inner, "K, where the stage multiplies matrices")
        ->check(CLI::Range(int64_t{0}, kMaxDimension));
    cli.add_option("--type", o.setting.type, "Element type: f32, f64, f16, u8 or f32x4");
    cli.add_option("--theme", o.theme, "dark, light or projector");
    CLI::Option* scale = cli.add_option("--scale", o.scale, "Size of everything, 0.75 to 3");
    cli.add_option(
        "--engine", o.engine,
        "The command that starts the engine, e.g. \"ssh gpu-box lanewise-engine serve\", or the "
        "address of a class's, ws://HOST:PORT/engine");
    cli.add_option("--compiler", o.compiler,
                   "Compile with this one alone: nvrtc, shipped, clang or nvcc");
    cli.add_flag("--offscreen", o.offscreen, "Draw one picture without a display, and end");
    cli.add_option("--size", size, "Size of the window or picture in pixels, e.g. 1920x1080");
    cli.add_option("--screenshot", o.files.screenshot, "The PNG file that --offscreen writes");
    cli.add_option("--boxes", o.files.boxes,
                   "A JSON file for what --offscreen draws, and where: figures, widgets, texts");
    cli.add_option("--texts", o.files.texts, "A JSON file for every text that --offscreen draws");
    cli.add_flag("--edit", o.edit, "Begin with the stage's kernel in the editor");
    cli.add_option("--do", o.commands,
                   "Begin with this command, by its name, e.g. palette, tour; may be repeated")
        ->allow_extra_args(false);
    cli.add_flag("--present", o.present,
                 "Present the lesson on two screens: the class gets a window of its own");
    cli.add_flag("--audience", o.audience,
                 "With --offscreen --present, draw what the class sees, not the teacher's window");
    cli.add_flag("--embed", o.embed, "Show one view and its setting alone");
    cli.add_flag("--list-views", o.list_views, "List the views, and end");
    cli.add_flag("--run", o.run, "Press Run as soon as the engine is ready");
    cli.add_option("--dump-widgets", o.files.dump_widgets)->group("");
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        bool asked = error.get_exit_code() == 0;
        if (!asked)
            throw Error(Status::bad_input,
                        std::string(error.what()) + " (lanewise --help lists the options)");
        cli.exit(error);
        parsed.finished = true;
        return parsed;
    }
    o.file = path_of_uri(o.file);
    take(given, o);
    for (const std::string& text : settings) o.setting.knobs.push_back(setting(text));
    if ((rows->count() && o.setting.rows < 1) || (cols->count() && o.setting.cols < 1))
        throw Error(Status::bad_input, "--rows and --cols are whole numbers from 1 to 65,536");
    if (!size.empty()) read_size(size, o);
    check(o, scale->count() > 0);
    return parsed;
}

}  // namespace lanewise::ui
