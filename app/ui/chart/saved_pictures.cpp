// The pictures that are no charts, as they are saved: laid out anew at a width of their own, and
// their numbers as rows. chart_save.cpp writes them.
#include <fmt/format.h>

#include "figure/chart/figure_csv.h"
#include "ui/desk/commands.h"
#include "ui/desk/share.h"
#include "ui/desk/tools.h"
#include "ui/instrument/why.h"
#include "ui/launch/charts.h"
#include "ui/launch/launch.h"
#include "ui/launch/products.h"

namespace lanewise::ui {
namespace {

constexpr float kWide = 900, kMapWidth = 460;  // points

std::string titled(const App& app, const std::string& what) {
    return what + ": " + setting_in_words(app);
}

std::optional<SavedPicture> forge_picture(const App& app) {
    std::shared_ptr<const SwizzleResult> result = app.tools->forge.result;
    if (!result || !result->problem.empty() || result->stage != app.stage().id) return {};
    auto input = [&app, result] {
        return ForgeFigureInput{&result->map,      forge_access(app),        result->element_bytes,
                                app.chosen().lane, result->trial.expression, kWide};
    };
    std::string title = titled(app, "Swizzle forge, " + result->trial.expression);
    return SavedPicture{"forge", title,
                        [input](const Measure& measure) { return forge_figure(input(), measure); },
                        [input, title] { return forge_csv(input(), title); }};
}

std::optional<SavedPicture> flow_picture(const App& app) {
    const FlowTool& flow = app.tools->flow;
    if (!app.arrived.picture || flow.picture != app.arrived.picture || flow.parts.matrices.empty())
        return {};
    std::string title =
        titled(app, fmt::format("Data flow of block {}, step {} of {}", app.chosen().block,
                                flow.step + 1, flow.parts.life.steps.size()));
    return SavedPicture{
        "flow", title,
        [&app](const Measure& measure) { return flow_figure(flow_input(app, kWide), measure); },
        [&app, title] { return flow_csv(flow_input(app, kWide), title); }};
}

std::optional<SavedPicture> timeline_picture(const App& app) {
    const TimelineTool& tool = app.tools->timeline;
    if (!app.arrived.picture || tool.picture != app.arrived.picture) return {};
    constexpr float kHigh = 560;
    std::string title = titled(app, fmt::format("All warps of block {}", app.chosen().block));
    return SavedPicture{"timeline", title,
                        [&app](const Measure& measure) {
                            return timeline_figure(timeline_input(app, kWide, kHigh), measure);
                        },
                        [&tool, title] { return timeline_csv(tool.timeline, title); }};
}

std::optional<SavedPicture> bytes_picture(const App& app) {
    if (!app.of_launch()) return {};
    constexpr float kHigh = 420;
    std::string title = titled(app, "Where the bytes go");
    return SavedPicture{"bytes", title,
                        [&app, title](const Measure& measure) {
                            BytesFigureInput input = bytes_input(app, kWide, kHigh);
                            input.title = title;
                            return bytes_figure(input, measure);
                        },
                        [&app, title] { return bytes_csv(bytes_input(app, kWide, 0), title); }};
}

std::optional<SavedPicture> issues_picture(const App& app) {
    if (!app.of_launch()) return {};
    constexpr float kNarrow = 560;
    std::string title = titled(app, "Issues by modelled time");
    return SavedPicture{"issues", title,
                        [&app](const Measure& measure) {
                            return issues_figure(issues_input(app, kNarrow), measure);
                        },
                        [&app, title] { return issues_csv(issues_input(app, kNarrow), title); }};
}

std::optional<SavedPicture> blocks_picture(const App& app) {
    if (!flow_shown(app) || !app.tools->flow.walk) return {};
    std::string title = titled(app, "Where the blocks walk");
    return SavedPicture{
        "blocks", title,
        [&app](const Measure& measure) {
            return block_order_figure(block_order_input(app, kWide), measure);
        },
        [&app, title] { return block_order_csv(block_order_input(app, kWide), title); }};
}

std::optional<SavedPicture> fragments_picture(const ProductPictures& p, const App& app) {
    if (!p.fragments) return {};
    FragmentFigureInput input{&*p.fragments, app.chosen().lane, p.instruction, kWide};
    std::string title = titled(app, fmt::format("Fragments of block {}, warp {}, product {}",
                                                p.place.block, p.place.warp, p.place.product));
    return SavedPicture{"fragments", title,
                        [input](const Measure& measure) { return fragment_figure(input, measure); },
                        [input, title] { return fragment_csv(input, title); }};
}

std::optional<SavedPicture> product_picture(const App& app) {
    if (!app.products || !app.products->pictures) return {};
    const Products& products = *app.products;
    const ProductPictures& p = *products.pictures;
    if (p.stage != app.stage().id) return {};
    std::string part = product_parts()[products.part].id;
    if (part == "fragments") return fragments_picture(p, app);
    if (part == "reuse") {
        if (products.reuse.size() < 3) return {};
        ReuseFigureInput input{&products.reuse[0], &products.reuse[1], reuse_caption(p), kWide,
                               &products.reuse[2]};
        std::string title = titled(app, "Fetches of each element");
        return SavedPicture{"reuse", title,
                            [input](const Measure& m) { return reuse_figure(input, m); },
                            [input, title] { return reuse_csv(input, title); }};
    }
    std::string title = titled(app, fmt::format("Walk along K of block {}", p.place.block));
    WalkFigureInput input{&p.walk, products.step, words_of(p.walk, products.step), kWide};
    return SavedPicture{"walk", title,
                        [input](const Measure& measure) { return walk_figure(input, measure); },
                        [&p, title] { return walk_csv(p.walk, title); }};
}

std::optional<SavedPicture> mismatch_picture(const App& app) {
    std::shared_ptr<const MismatchMap> map = shown_mismatch(app);
    if (!map) return {};
    std::string title = titled(app, map->on_gpu ? "Wrong on the GPU" : "Wrong result");
    return SavedPicture{"mismatch", title,
                        [map](const Measure& measure) {
                            return mismatch_figure({map.get(), kMapWidth}, measure);
                        },
                        [map, title] { return mismatch_csv(*map, title); }};
}

}  // namespace

std::optional<SavedPicture> saved_picture(const App& app, PictureOf of) {
    if (of == PictureOf::mismatch) return mismatch_picture(app);
    if (of == PictureOf::blocks) return blocks_picture(app);
    if (forge_shown(app)) return forge_picture(app);
    if (flow_shown(app)) return flow_picture(app);
    if (timeline_shown(app)) return timeline_picture(app);
    if (bytes_shown(app)) return bytes_picture(app);
    if (issues_shown(app)) return issues_picture(app);
    if (product_shown(app)) return product_picture(app);
    return {};
}

void add_picture_commands(const App& app, std::vector<Command>& all) {
    const struct {
        PictureOf of;
        const char *id, *name;
    } pictures[] = {{PictureOf::view, "chart", "the picture"},
                    {PictureOf::blocks, "blocks", "the blocks' walk"},
                    {PictureOf::mismatch, "mismatch", "the map of a wrong result"}};
    const std::pair<const char*, ChartFormat> formats[] = {
        {"PNG", ChartFormat::png}, {"SVG", ChartFormat::svg}, {"CSV", ChartFormat::csv}};
    for (const auto& each : pictures) {
        std::string problem = nothing_to_save(app, each.of);
        auto add = [&](const char* verb, const char* word, const char* name,
                       std::function<void(App&)> act) {
            all.push_back({fmt::format("{}:{}:{}", each.id, verb, name), "Charts",
                           fmt::format("{} {} as {}", word, each.name, name), "", std::move(act),
                           problem, false});
        };
        for (const auto& [name, format] : formats)
            add("save", "Save", name,
                [of = each.of, format = format](App& a) { save_picture(a, of, format); });
        for (const auto& [name, format] : formats)
            if (format != ChartFormat::png)
                add("copy", "Copy", name,
                    [of = each.of, format = format](App& a) { copy_picture(a, of, format); });
    }
}

}  // namespace lanewise::ui
