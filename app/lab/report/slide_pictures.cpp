#include "lab/report/slide_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "course/card_figures.h"
#include "course/moments.h"
#include "course/named_access.h"
#include "course/path.h"
#include "course/query.h"
#include "figure/access/zoom_figure.h"
#include "figure/chart/chart.h"
#include "figure/drawing/figures.h"
#include "figure/drawing/svg.h"
#include "figure/product/mismatch_figure.h"
#include "figure/product/walk_figure.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/prediction.h"
#include "lab/analysis/scene_check.h"
#include "lab/chart/charts.h"
#include "lab/chart/course_gains.h"
#include "lab/flow/flow_parts.h"
#include "lab/flow/product_pictures.h"
#include "lab/job/devices.h"
#include "lab/job/needs.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/product/product.h"
#include "lab/report/access_drawing.h"
#include "lab/report/page_parts.h"

namespace lanewise {
namespace {

// Points. Two tiles stand at the sides of what is as wide as anything else.
constexpr float kWide = 900, kHigh = 480, kHalf = 430, kTileHigh = 560;

// It fills what the slide has for it, whatever its own size: below the words, or beside them.
std::string figure(const Drawing& drawing, const std::string& label) {
    const bool is_tall = drawing.height > 0.7f * drawing.width;
    return fmt::format("<figure{}>{}</figure>\n", is_tall ? kTallFigure : "",
                       svg_for_page(drawing, label));
}

// "4,096 × 4,096 f32, PAD = 1".
std::string setting_in_words(const Job& job) {
    auto side = [](int64_t n) { return with_thousands(static_cast<uint64_t>(n)); };
    std::string words = side(job.rows) + " × " + side(job.cols);
    if (is_product(job.stage)) words += " × " + side(job.inner);
    words += " " + job.type;
    return job.knobs.empty() ? words : words + ", " + knobs_in_words(job.knobs);
}

// Another setting or stage that stands beside the scene's own; nothing for "none".
std::optional<Job> beside_job(const Catalogue& catalogue, const Job& job,
                              const std::string& beside) {
    if (beside == "none") return std::nullopt;
    Job other = job;
    if (parse_setting(beside, other.knobs)) return other;
    other.stage = catalogue.find(beside);
    other.knobs = default_knobs(other.stage);
    return other;
}

// The access that the scene names, or the dearest of this kind of memory: of the loads first in
// shared memory, of the stores first in global memory, where a transpose loses most. -1: none.
int shown_access(const Scene& scene, const Picture& picture, const Stage& stage, Space space) {
    if (!scene.state.at.empty()) {
        NamedAccess named =
            named_access(scene.state.at, stage.source, picture.report, picture.block);
        if (named.problem.empty() && named.space == space) return named.first;
    }
    const bool stores_first = space == Space::global;
    const int access = dearest_access(picture, space, stores_first);
    return access >= 0 ? access : dearest_access(picture, space, !stores_first);
}

bool stores(const Picture& picture, int access) {
    const TracedAccess& traced = picture.block.accesses[static_cast<size_t>(access)];
    return picture.report.instructions[traced.instruction].is_store;
}

// The setting, of two that are compared what differs.
std::string heading(const Job& job, const Job& other) {
    if (job.stage.id != other.stage.id) return job.stage.title;
    KnobValues differing;
    for (const auto& [name, value] : job.knobs)
        if (auto its = other.knobs.find(name); its == other.knobs.end() || its->second != value)
            differing[name] = value;
    return knobs_in_words(differing.empty() ? job.knobs : differing);
}

// Without the mark that a kernel's source has on the lines of the idea.
std::string_view without_mark(std::string_view line) {
    constexpr std::string_view kMark = "// <-";
    const std::string_view text = trimmed(line);
    if (!text.ends_with(kMark)) return line;
    line = line.substr(0, line.rfind(kMark));
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

// A product as the lesson pages have it: small enough to be interpreted whole in a moment.
Job SlidePictures::job_of(const Scene& scene) const {
    constexpr int64_t kSide = 256;
    Job job = scene_job(stage_, scene);
    if (is_product(stage_) && scene.state.rows == 0) job.rows = job.cols = job.inner = kSide;
    return job;
}

const Analysis& SlidePictures::analysis(const Job& job) {
    auto [found, is_new] = analyses_.try_emplace(setting_in_words(job));
    if (is_new) {
        const bool countable = !is_library_call(stage_) && cannot_interpret(stage_).empty();
        found->second = countable ? analyse(job) : nothing_counted(job);
    }
    return found->second;
}

std::optional<double> SlidePictures::counted(const Scene& scene, const std::string& query) {
    const Job job = job_of(scene);
    const Analysis& run = analysis(job);
    const NameLookup counts = counts_lookup(run.report.totals, run.knobs, run.rows, run.cols,
                                            element_bytes(run.type), run.inner);
    try {
        return query_value(
            query, with_card(with_outcome(counts, run.mismatch.count, run.report.findings.size()),
                             card_of_figures(cards_, device_in_use().name)));
    } catch (const Error&) {
        return std::nullopt;  // nothing of the kind is counted
    }
}

std::string SlidePictures::banks(const Scene& scene) {
    const Job job = job_of(scene);
    const Picture picture = trace_block(job, static_cast<uint64_t>(scene.state.block));
    const int access = shown_access(scene, picture, stage_, Space::shared);
    if (access < 0) return only_in_window("banks");
    std::optional<Job> other;
    if (!scene.state.beside.empty())
        other = beside_job(catalogue_, job, scene.state.beside.front());
    if (!other)
        return figure(bank_drawing(picture, access, knobs_in_words(job.knobs), kHalf, kTileHigh),
                      scene.title);
    const Picture its = trace_block(*other, static_cast<uint64_t>(scene.state.block));
    const bool is_store = stores(picture, access);
    int its_access = other->stage.id == job.stage.id
                         ? shown_access(scene, its, other->stage, Space::shared)
                         : dearest_access(its, Space::shared, is_store);
    Drawing own = bank_drawing(picture, access, heading(job, *other), kHalf, kTileHigh);
    if (its_access < 0) return figure(own, scene.title);
    const Drawing its_own = bank_drawing(its, its_access, heading(*other, job), kHalf, kTileHigh);
    return figure(side_by_side(own, its_own, kWide), scene.title);
}

std::string SlidePictures::access(const Scene& scene) {
    const Job job = job_of(scene);
    const Picture picture = trace_block(job, static_cast<uint64_t>(scene.state.block));
    if (scene.state.zoom == "grid")
        return figure(
            grid_figure({picture.launch.grid, picture.launch.block, picture.block.block, kWide},
                        measure_approximately),
            scene.title);
    if (scene.state.zoom == "block")
        return figure(
            block_figure({picture.launch.block, 0, scene.state.lane, kWide}, measure_approximately),
            scene.title);
    const int access = shown_access(scene, picture, stage_, Space::global);
    if (access < 0) return only_in_window("access");
    const Drawing own =
        warp_drawing(picture, access, row_length(picture, stage_, stores(picture, access)), kWide);
    return figure(own, scene.title);
}

std::vector<std::string> SlidePictures::flow(const Scene& scene) {
    const Job job = job_of(scene);
    const Picture picture = trace_block(job, static_cast<uint64_t>(scene.state.block));
    const FlowParts parts = flow_parts(picture, job);
    std::vector<int> moments = moments_of(parts.life.steps, scene.state.moments);
    if (moments.empty()) moments.push_back(static_cast<int>(parts.life.steps.size()) - 1);
    // As many as a class looks at: the first ones, and how it ends.
    constexpr size_t kMost = 6;
    if (moments.size() > kMost) moments.erase(moments.begin() + kMost - 1, moments.end() - 1);
    std::vector<std::string> pictures;
    for (int step : moments) {
        const FlowFigureInput input = flow_input(picture, parts, step, kWide);
        pictures.push_back("<p class=\"moment\">" + escaped(flow_words(input)) + "</p>\n" +
                           figure(flow_figure(input, measure_approximately), scene.title));
    }
    return pictures;
}

// The quoted lines, marked, with a few around them.
std::string SlidePictures::code(const std::string& quote) const {
    constexpr int kAround = 5;
    const std::string& source = stage_.source;
    const size_t at = source.find(quote);
    if (at == std::string::npos) return {};
    auto line_at = [&](size_t place) {
        return 1 + static_cast<int>(std::count(
                       source.begin(), source.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
    };
    const int first = line_at(at), last = line_at(at + (quote.empty() ? 0 : quote.size() - 1));
    std::string rows;
    int line = 0;
    bool in_head = trimmed(source).starts_with("/*---");
    for (std::string_view text : lines_of(source)) {
        ++line;
        if (in_head) {
            in_head = trimmed(text) != "---*/";
            continue;
        }
        if (line < first - kAround || line > last + kAround) continue;
        rows += fmt::format("<tr{}><td>{}</td><td>{}</td></tr>\n",
                            line >= first && line <= last ? " class=\"marked\"" : "", line,
                            escaped(without_mark(text)));
    }
    return "<table class=\"code\">" + rows + "</table>\n";
}

std::string SlidePictures::proof(const Scene& scene) {
    const Job job = job_of(scene);
    const Analysis& run = analysis(job);
    std::string words = "<p class=\"moment\">" + escaped(result_in_words(run)) + "</p>\n";
    if (run.correct || !cannot_map_mismatches(job).empty()) return words;
    const MismatchMap map = find_mismatches(job);
    return words +
           figure(mismatch_figure({&map, kWide, kHigh}, measure_approximately), pattern_words(map));
}

std::string SlidePictures::gains() const {
    const Path path = read_path(path_file(catalogue_.content()), catalogue_.stages());
    const CourseGains gains =
        course_gains(path, catalogue_.stages(), recordings_, ladder_of(stage_));
    if (gains.rungs.empty()) return only_in_window("ladder");
    LadderFigureInput input = gains_figure_input(gains, kWide);
    for (LadderBar& bar : input.bars) bar.selected = bar.id == stage_.id;
    return figure(ladder_figure(input, measure_approximately), "The ladder");
}

std::string SlidePictures::chart(const std::string& name, const Scene& scene) const {
    const Job job = job_of(scene);
    ChartFacts facts;
    std::vector<std::string> problems;  // doctor names them
    const std::vector<PublishedFigure> published =
        read_all_published(catalogue_.content() / "assets/recordings/published", problems);
    facts.stages = catalogue_.stages();
    facts.recordings = recordings_;
    facts.published = published;
    facts.profiles = cards_;
    facts.operation = ladder_of(stage_);
    facts.type = job.type;
    facts.rows = job.rows;
    facts.cols = job.cols;
    facts.stage = stage_.id;
    facts.knobs = job.knobs;
    for (const ChartOfFacts& each : kChartsOfFacts)
        if (name == each.id && !each.needs_traffic)
            return figure(
                draw_chart(each.make(facts), kWide, kHigh, {}, measure_approximately).drawing,
                each.what);
    return only_in_window("charts:" + name);
}

std::string SlidePictures::walk(const Scene& scene) {
    const ProductPictures product = product_pictures(job_of(scene), {}, false);
    if (product.walk.steps.empty()) return only_in_window("product:walk");
    const int step = static_cast<int>(product.walk.steps.size()) / 2;
    return figure(walk_figure({&product.walk, step, "", kWide, kHigh}, measure_approximately),
                  scene.title);
}

std::string SlidePictures::only_in_window(const std::string& view) const {
    return fmt::format(
        "<p class=\"moment\">This picture is in the window: <code>lanewise --stage {} --view "
        "{}</code></p>\n",
        escaped(stage_.id), escaped(view));
}

std::vector<std::string> SlidePictures::of(const Scene& scene, const std::string& link) {
    const size_t colon = std::min(link.find(':'), link.size());
    const std::string what = link.substr(0, colon);
    const std::string rest = link.substr(std::min(colon + 1, link.size()));
    if (what == "code") return {code(rest)};
    const bool needs_machine = what == "proof" || rest == "banks" || rest == "access" ||
                               rest == "flow" || rest == "counts" || rest == "product:walk";
    if (needs_machine && (is_library_call(stage_) || !cannot_interpret(stage_).empty()))
        return {only_in_window(what == "proof" ? "lesson" : rest)};
    if (what == "proof") return {proof(scene)};
    if (what != "view") return {};
    if (rest == "banks") return {banks(scene)};
    if (rest == "access") return {access(scene)};
    if (rest == "flow") return flow(scene);
    if (rest == "counts") {
        const Job job = job_of(scene);
        return {"<p class=\"moment\">" + escaped(setting_in_words(job)) + "</p>\n" +
                counts_html(analysis(job))};
    }
    if (rest == "ladder") return {gains()};
    if (rest == "speed") {
        WaterfallFigureInput input = waterfall_of(predict(job_of(scene)), 0);
        input.width = kWide;
        return {figure(waterfall_figure(input, measure_approximately), scene.title)};
    }
    if (rest == "product:walk") return {walk(scene)};
    if (rest.starts_with("charts:")) return {chart(rest.substr(7), scene)};
    return {only_in_window(rest)};
}

}  // namespace lanewise
