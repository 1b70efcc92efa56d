// Chooses what the report draws of each stage: where its bytes go, its first block's warps on a
// timeline, its first global load, its worst global store, and the worst access of each
// shared-memory instruction, beside the same instruction's without (or with) padding.
#include <fmt/format.h>

#include <algorithm>

#include "figure/chart/sweep_figure.h"
#include "figure/drawing/figures.h"
#include "figure/flow/timeline_figure.h"
#include "figure/product/fragment_figure.h"
#include "figure/product/mismatch_figure.h"
#include "figure/product/reuse_figure.h"
#include "figure/product/walk_figure.h"
#include "lab/analysis/prediction.h"
#include "lab/flow/bytes_path.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/product/product.h"
#include "lab/report/access_drawing.h"
#include "lab/report/report_page.h"

namespace lanewise {
namespace {

constexpr float kPageWidth = 900, kChartHeight = 560, kWalkHeight = 480;
constexpr float kHalfWidth = 438;  // two figures side by side, with a gap of 24

Drawing draw_warp(const Picture& picture, int access, bool is_store, const Stage& stage) {
    return warp_drawing(picture, access, row_length(picture, stage, is_store), kPageWidth);
}

void add_banks(const ReportStage& entry, bool is_store, std::vector<ReportFigure>& figures) {
    int access = dearest_access(*entry.picture, Space::shared, is_store);
    if (access < 0) return;
    Drawing drawing = bank_drawing(*entry.picture, access, entry.picture_title, kHalfWidth);
    int other = entry.comparison ? dearest_access(*entry.comparison, Space::shared, is_store) : -1;
    if (other >= 0)
        drawing = side_by_side(
            drawing, bank_drawing(*entry.comparison, other, entry.comparison_title, kHalfWidth),
            kPageWidth);
    std::string what = is_store ? "store" : "load";
    figures.push_back(
        {entry.stage.id, entry.stage.path.stem().string() + "-shared-" + what,
         fmt::format("The dearest shared-memory {} of a warp in the first block.", what),
         std::move(drawing)});
}

// The model's way from the memory's peak down to the stage.
void add_waterfall(const ReportStage& entry, std::vector<ReportFigure>& figures) {
    const BandwidthPrediction& model = entry.analysis.prediction;
    if (model.stations.empty()) return;
    bool same_card = entry.measurement && entry.measurement->provenance.card == model.device;
    double measured = !same_card              ? 0
                      : model.gflop_per_s > 0 ? gflop_per_s(*entry.measurement)
                                              : entry.measurement->gb_per_s;
    WaterfallFigureInput input = waterfall_of(model, measured);
    input.caption = fmt::format("Modelled for {}{}: {}", model.device, shape_modelled(entry),
                                speed_words(model));
    input.width = kPageWidth;
    figures.push_back({entry.stage.id, entry.stage.path.stem().string() + "-model",
                       "Where the memory's peak goes, as the bandwidth model explains it.",
                       waterfall_figure(input, measure_approximately)});
}

void add_bytes(const ReportStage& entry, std::vector<ReportFigure>& figures) {
    if (!entry.picture) return;
    BytesFigureInput input = bytes_of(entry.analysis, nullptr);
    const bool moves = std::any_of(input.pipes.begin(), input.pipes.end(),
                                   [](const BytesPipe& pipe) { return pipe.moved() > 0; });
    if (!moves) return;
    input.width = kPageWidth;
    input.height = 320;
    figures.push_back({entry.stage.id, entry.stage.path.stem().string() + "-bytes",
                       "Where the bytes go: each pipe is as wide as what it moves.",
                       bytes_figure(input, measure_approximately)});
}

void add_timeline(const ReportStage& entry, std::vector<ReportFigure>& figures) {
    const BlockTimeline timeline = block_timeline(entry.picture->block, entry.picture->report);
    if (waste_of(timeline).in_vain() == 0) return;  // then the warps look alike, and fine
    TimelineFigureInput input;
    input.timeline = &timeline;
    input.width = kPageWidth;
    input.height = 420;
    input.with_words = false;
    figures.push_back({entry.stage.id, entry.stage.path.stem().string() + "-timeline",
                       "All warps of the first block, a segment for each access.",
                       timeline_figure(input, measure_approximately)});
}

void add_sweep(const ReportStage& entry, std::vector<ReportFigure>& figures) {
    if (entry.sweep.cells.empty()) return;
    SweepFigureInput input = entry.sweep;
    input.width = input.map.empty() ? kHalfWidth : kPageWidth;
    figures.push_back({entry.stage.id, entry.stage.path.stem().string() + "-sweep",
                       "Every setting of its knobs that was measured, against the best copy.",
                       sweep_figure(input, measure_approximately)});
}

Drawing draw_walk(const TileWalk& walk) {
    constexpr float kGap = 10;
    int step = static_cast<int>(walk.steps.size()) / 2;
    Drawing strip = walk_strip(walk, step, kPageWidth, measure_approximately);
    Drawing figure = walk_figure({&walk, step, "", kPageWidth, kWalkHeight}, measure_approximately);
    Drawing both;
    both.width = kPageWidth;
    both.height = strip.height + kGap + figure.height;
    both.add(strip, {0, 0});
    both.add(figure, {0, strip.height + kGap});
    return both;
}

// Of a product: which lane holds what, how often each element is fetched, and its walk along K.
void add_product_figures(const ReportStage& entry, std::vector<ReportFigure>& figures) {
    if (!entry.product) return;
    std::string stem = entry.stage.path.stem().string();
    const ProductPictures& product = *entry.product;
    if (product.fragments)
        figures.push_back(
            {entry.stage.id, stem + "-fragments",
             "Which lane holds which element, as the first warp multiplies for the first time.",
             fragment_figure({&*product.fragments, -1, "", kPageWidth}, measure_approximately)});
    if (product.reuse.size() == 3)
        figures.push_back(
            {entry.stage.id, stem + "-reuse",
             "How many warp instructions fetch each element of A and of B, and write each of C.",
             reuse_figure({&product.reuse[0], &product.reuse[1], reuse_caption(product), kPageWidth,
                           &product.reuse[2]},
                          measure_approximately)});
    if (!product.walk.steps.empty())
        figures.push_back({entry.stage.id, stem + "-walk",
                           "The first block's walk along K, in the middle of its way.",
                           draw_walk(product.walk)});
}

// Of a wrong result, where it is wrong: in the machine, and on the card.
void add_mismatch(const ReportStage& entry, std::vector<ReportFigure>& figures) {
    std::string stem = entry.stage.path.stem().string();
    auto add = [&](const MismatchMap& map, const char* file, const char* caption) {
        std::string words = caption + (" " + pattern_words(map));
        figures.push_back({entry.stage.id, stem + file, words,
                           mismatch_figure({&map, kPageWidth}, measure_approximately)});
    };
    if (entry.mismatch)
        add(*entry.mismatch, "-mismatch", "Where the machine's result is wrong, and how.");
    if (entry.measurement && entry.measurement->mismatch_map)
        add(*entry.measurement->mismatch_map, "-mismatch-gpu",
            "Where the card's result is wrong, and how.");
}

void add_stage(const ReportStage& entry, std::vector<ReportFigure>& figures) {
    add_mismatch(entry, figures);
    add_bytes(entry, figures);
    if (!entry.picture) return;
    add_timeline(entry, figures);
    std::string stem = entry.stage.path.stem().string();
    if (int load = first_access(*entry.picture, Space::global, false); load >= 0)
        figures.push_back({entry.stage.id, stem + "-global-load",
                           "The first global load of the first block.",
                           draw_warp(*entry.picture, load, false, entry.stage)});
    if (int store = dearest_access(*entry.picture, Space::global, true); store >= 0)
        figures.push_back({entry.stage.id, stem + "-global-store",
                           "The dearest global store of the first block.",
                           draw_warp(*entry.picture, store, true, entry.stage)});
    add_banks(entry, true, figures);
    add_banks(entry, false, figures);
    add_waterfall(entry, figures);
    add_sweep(entry, figures);
    add_product_figures(entry, figures);
}

LadderBar bar_of(const ReportInput& input, const ReportStage& entry) {
    LadderBar bar;
    bar.id = entry.stage.id;
    bar.label = entry.stage.title;
    bar.model_gb_per_s = entry.analysis.prediction.gb_per_s;
    for (const PublishedFigure& figure :
         published_for(input.published, bar.id, input.type, input.rows, input.cols))
        bar.published.push_back({figure.value, in_words(figure)});
    if (!entry.measurement) return bar;
    const Measurement& m = *entry.measurement;
    bar.gb_per_s = m.gb_per_s;
    bar.share = m.yardstick.ratio.median;
    if (m.time_us.p95 > 0) bar.low = m.gb_per_s * m.time_us.median / m.time_us.p95;
    if (m.time_us.p05 > 0) bar.high = m.gb_per_s * m.time_us.median / m.time_us.p05;
    bar.source = entry.live ? LadderBar::Source::live : LadderBar::Source::recorded;
    bar.tooltip = fmt::format("{}: {:.0f} GB/s on {}, {}", bar.label, bar.gb_per_s,
                              m.provenance.card, m.provenance.date.substr(0, 10));
    return bar;
}

// Of one operation: another moves other bytes, or computes.
Drawing draw_ladder(const ReportInput& input, const Operation& operation) {
    LadderFigureInput ladder;
    ladder.width = kPageWidth;
    std::string newest;  // its copy is the line drawn; a bar's percentage is its own round's
    for (const ReportStage& entry : input.stages) {
        if (&operation_of(entry.stage) != &operation) continue;
        ladder.bars.push_back(bar_of(input, entry));
        if (!entry.measurement) continue;
        const Measurement& m = *entry.measurement;
        if (m.yardstick.gb_per_s <= 0 || m.provenance.date <= newest) continue;
        newest = m.provenance.date;
        ladder.copy_gb_per_s = m.yardstick.gb_per_s;
        ladder.datasheet_gb_per_s = m.provenance.datasheet_gb_per_s;
        ladder.caption =
            fmt::format("{} on {}, {}, {} x {} {}", entry.live ? "Measured" : "Recorded",
                        m.provenance.card, m.provenance.date.substr(0, 10), m.rows, m.cols, m.type);
    }
    return ladder_figure(ladder, measure_approximately);
}

}  // namespace

// Keeps the tooltips of lanes, sectors and stages, and of the few terms of a model; those of a
// thousand untouched cells would make the page heavy.
static void drop_idle_hits(Drawing& drawing) {
    constexpr size_t kFew = 40;
    if (drawing.hits.size() <= kFew) return;
    std::erase_if(drawing.hits, [](const HitBox& hit) { return hit.action.empty(); });
}

std::vector<ReportFigure> report_figures(const ReportInput& input) {
    std::vector<ReportFigure> figures;
    for (const Operation& operation : all_operations()) {
        if (operation.rate != Operation::Rate::bytes) continue;  // report_products.cpp
        bool first = figures.empty();
        auto is_its = [&](const ReportStage& entry) {
            return &operation_of(entry.stage) == &operation;
        };
        if (!first && std::none_of(input.stages.begin(), input.stages.end(), is_its)) continue;
        figures.push_back({"", first ? "ladder" : "ladder-" + operation.id,
                           fmt::format("Every stage against the best copy of the same run. Course: "
                                       "{}.",
                                       operation.id),
                           draw_ladder(input, operation)});
    }
    auto add = [&](const char* where, const ReportChart& each) {
        figures.push_back(
            {where, each.file, each.title + ". " + each.caption,
             draw_chart(each.chart, kPageWidth, kChartHeight, {}, measure_approximately).drawing});
    };
    for (const ReportChart& each : input.charts) add("", each);
    for (const ReportChart& each : input.product_charts) add(kProductCharts, each);
    for (const ReportStage& entry : input.stages) add_stage(entry, figures);
    for (ReportFigure& figure : figures) drop_idle_hits(figure.drawing);
    return figures;
}

}  // namespace lanewise
