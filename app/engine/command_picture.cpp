// picture: a warp's access as an SVG, for lecture notes and pages; with --to, one that moves from
// one setting to another. Needs no GPU.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/lesson.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "figure/drawing/moving_svg.h"
#include "figure/drawing/svg.h"
#include "lab/analysis/analysis.h"
#include "lab/report/access_drawing.h"

namespace lanewise {
namespace {

constexpr float kWarpWidth = 900, kBankWidth = 600, kMargin = 16;  // points

struct PictureOptions {
    JobOptions job;
    std::string view, out, theme = "light";
    bool store = false;
    std::vector<std::string> to;  // NAME=VALUE
};

void check_picture(const PictureOptions& options) {
    palette(options.theme);
    if (!options.view.empty() && options.view != "warp" && options.view != "banks")
        throw Error(Status::bad_input, "--view " + options.view + ": there are warp and banks");
    if (std::filesystem::path(options.out).extension() != ".svg")
        throw Error(Status::bad_input, "--out " + options.out + ": the name must end in .svg");
}

// Of a moving picture, which is about them, the knobs that change; else all.
std::string title_of(const Job& job, const std::vector<std::string>& to) {
    if (to.empty()) return knobs_in_words(job.knobs);
    KnobValues named, shown;
    for (const std::string& setting : to) parse_setting(setting, named);
    for (const auto& [name, value] : job.knobs)
        if (named.contains(name)) shown[name] = value;
    return knobs_in_words(shown);
}

struct Frame {
    Drawing drawing;
    std::string what;  // a whole sentence without its full stop
};

Frame frame_of(const Job& job, const PictureOptions& options, const std::string& title) {
    const Picture picture = trace_block(job, 0);
    const bool has_shared = dearest_access(picture, Space::shared, options.store) >= 0;
    const bool banks = options.view.empty() ? has_shared : options.view == "banks";
    const Space space = banks ? Space::shared : Space::global;
    const int access = dearest_access(picture, space, options.store);
    if (access < 0)
        throw Error(
            Status::bad_input,
            fmt::format("the first block of {} has no {} {} memory to draw", job.stage.title,
                        options.store ? "store to" : "load from", banks ? "shared" : "global"));
    const TracedAccess& traced = picture.block.accesses[static_cast<size_t>(access)];
    const bool own = !job.own.kernel.empty();
    const int64_t cols = own ? 0 : row_length(picture, job.stage, options.store);
    Frame frame;
    frame.drawing = banks ? bank_drawing(picture, access, title, kBankWidth)
                          : warp_drawing(picture, access, cols, kWarpWidth);
    auto words = [](int count, const char* what, int ideal) {
        return fmt::format("{}, ideal {}", counted(static_cast<uint64_t>(count), what), ideal);
    };
    frame.what = banks ? words(traced.wavefronts, "wavefront", traced.wavefronts_ideal)
                       : words(traced.sectors, "sector", traced.sectors_ideal);
    return frame;
}

Job other_setting(const Job& job, const std::vector<std::string>& to) {
    Job other = job;
    for (const std::string& setting : to)
        if (!parse_setting(setting, other.knobs))
            throw Error(Status::bad_input, "--to " + setting + ": write NAME=VALUE");
    validate(other);
    return other;
}

void write_picture(const PictureOptions& options) {
    check_picture(options);
    const Job job = options.job.job();
    Frame frame = frame_of(job, options, title_of(job, options.to));
    if (options.to.empty()) {
        write_file(options.out, svg(framed(frame.drawing, kMargin), palette(options.theme),
                                    fmt::format("{}: {}", job.stage.title, frame.what)));
        fmt::print("{}: {}.\n", options.out, frame.what);
        return;
    }
    const Job other = other_setting(job, options.to);
    const std::string title = title_of(other, options.to);
    Frame after = frame_of(other, options, title);
    // Of one size, so that the ground below both stands still.
    Drawing &from = frame.drawing, &to = after.drawing;
    from.width = to.width = std::max(from.width, to.width);
    from.height = to.height = std::max(from.height, to.height);
    const std::string what = fmt::format("{}; with {}: {}", frame.what, title, after.what);
    write_file(options.out,
               moving_svg(framed(from, kMargin), framed(to, kMargin), palette(options.theme),
                          fmt::format("{}: {}", job.stage.title, what)));
    fmt::print("{}: {}.\n", options.out, what);
}

}  // namespace

static void add_picture(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "picture", "draw a warp's dearest access as an SVG, still or moving between two settings");
    auto options = std::make_shared<PictureOptions>();
    options->job.add_to(*command);
    command->add_option("--view", options->view,
                        "warp: lanes and sectors; banks: shared memory. Else banks where the "
                        "kernel uses shared memory");
    command->add_flag("--store", options->store, "of the stores, not of the loads");
    command->add_option("--to", options->to,
                        "NAME=VALUE: the picture moves to this setting and back; may be repeated");
    command->add_option("--theme", options->theme, "dark, light or projector")
        ->capture_default_str();
    command->add_option("--out", options->out, "the .svg file to write")->required();
    command->callback([options] { write_picture(*options); });
}
static const CommandRow kPicture("picture", "why", add_picture, Compiles::yes);

}  // namespace lanewise
