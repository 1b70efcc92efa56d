#include "figure/chart/figure_csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "figure/access/life_figure.h"
#include "figure/access/wavefront_rows.h"
#include "figure/drawing/csv.h"
#include "trace/count/rules.h"

namespace lanewise {

namespace {

template <typename Number>
std::string text_of(Number number) {
    return std::to_string(number);
}

const char* name_of(const ColumnFault& fault) {
    return fault.kind == ColumnFault::Kind::none ? "every element has its place"
                                                 : "elements collide or lie outside their row";
}

}  // namespace

std::string flow_csv(const FlowFigureInput& input, const std::string& title) {
    std::string text =
        csv_comment(title) + csv_row({"step", "warp", "what", "line", "sectors", "sectors_ideal",
                                      "wavefronts", "wavefronts_ideal", "words"});
    FlowFigureInput at = input;
    for (size_t i = 0; i < input.life->steps.size(); ++i) {
        const LifeStep& step = input.life->steps[i];
        at.step = static_cast<int>(i);
        bool shared = step.is_shared(), costs = step.cost > 0 || step.access >= 0;
        auto cost = [&](bool wanted, int value) {
            return wanted && costs ? text_of(value) : std::string();
        };
        text +=
            csv_row({text_of(i + 1), text_of(input.life->warps[i]), name_of(step),
                     text_of(step.line), cost(!shared, step.cost), cost(!shared, step.ideal),
                     cost(shared, step.cost), cost(shared, step.ideal), csv_field(flow_words(at))});
    }
    return text;
}

std::string timeline_csv(const BlockTimeline& timeline, const std::string& title) {
    std::string text = csv_comment(title) + csv_row({"warp", "moment", "first_tick", "ticks",
                                                     "what", "line", "space", "cost", "ideal"});
    for (size_t warp = 0; warp < timeline.warps.size(); ++warp)
        for (const TimelineSegment& each : timeline.warps[warp]) {
            const LifeStep& step = each.step;
            const bool costs = step.access >= 0;
            text += csv_row({text_of(warp), text_of(each.index + 1), text_of(each.begin),
                             text_of(each.ticks()), csv_field(name_of(step)), text_of(step.line),
                             costs ? (step.is_shared() ? "shared" : "global") : "",
                             costs ? text_of(step.cost) : "", costs ? text_of(step.ideal) : ""});
        }
    return text;
}

std::string bytes_csv(const BytesFigureInput& input, const std::string& title) {
    std::string text = csv_comment(title) +
                       csv_row({"from", "to", "useful_bytes", "wasted_bytes", "at_least", "line"});
    for (const BytesPipe& pipe : input.pipes)
        text += csv_row({csv_field(name_of(pipe.from)), csv_field(name_of(pipe.to)),
                         fmt::format("{:.0f}", pipe.useful), fmt::format("{:.0f}", pipe.vain),
                         pipe.at_least ? "yes" : "no", pipe.line > 0 ? text_of(pipe.line) : ""});
    return text;
}

std::string issues_csv(const IssuesFigureInput& input, const std::string& title) {
    std::string text = csv_comment(title) +
                       csv_comment(fmt::format("{:.3f} us in all, by the model", input.time_us)) +
                       csv_row({"issue", "line", "us", "us_without", "fix"});
    for (const IssueRow& row : input.rows)
        text += csv_row({csv_field(row.title), row.line > 0 ? text_of(row.line) : "",
                         fmt::format("{:.3f}", row.us), fmt::format("{:.3f}", row.us_without),
                         csv_field(row.fix)});
    return text;
}

std::string block_order_csv(const BlockOrderFigureInput& input, const std::string& title) {
    std::string text = csv_comment(title);
    for (const WalkPanel& panel : input.panels)
        for (const std::string& words : panel.words) text += csv_comment(panel.name + ": " + words);
    text += csv_row({"block", "matrix", "row", "column", "rows", "columns"});
    for (const WalkPanel& panel : input.panels)
        for (size_t block = 0; block < panel.boxes.size(); ++block) {
            const TouchedBox& box = panel.boxes[block];
            if (box.rows == 0) continue;
            text += csv_row({text_of(block), csv_field(panel.name), text_of(box.row),
                             text_of(box.col), text_of(box.rows), text_of(box.cols)});
        }
    return text;
}

std::string forge_csv(const ForgeFigureInput& input, const std::string& title) {
    const ColumnMap& map = *input.map;
    std::string text = csv_comment(title) + csv_comment("column = " + input.expression) +
                       csv_comment(name_of(first_fault(map)));
    if (input.access)
        text += csv_comment(fmt::format(
            "lane: of the {} of line {} by warp {}, {} wavefronts, {} "
            "at best",
            input.access->is_store ? "store" : "load", input.access->line, input.access->warp,
            input.access->wavefronts, input.access->wavefronts_ideal));
    text += csv_row({"row", "column", "column_in_memory", "byte", "bank", "lane"});
    for (int row = 0; row < map.rows; ++row)
        for (int col = 0; col < map.cols; ++col) {
            int64_t byte = map.place(row, col) * input.element_bytes;
            std::string lane;
            for (size_t i = 0; input.access && i < input.access->elements.size(); ++i)
                if ((input.access->mask >> i & 1) &&
                    input.access->elements[i] == row * map.cols + col)
                    lane += (lane.empty() ? "" : " ") + text_of(i);
            text += csv_row({text_of(row), text_of(col), text_of(map.at(row, col)), text_of(byte),
                             text_of(byte / kWordBytes % kBanks), lane});
        }
    return text;
}

std::string fragment_csv(const FragmentFigureInput& input, const std::string& title) {
    std::string text = csv_comment(title) + csv_comment(input.caption) +
                       csv_row({"matrix", "row", "column", "lane", "register", "element"});
    auto add = [&](const char* name, const HeldFragment& fragment) {
        auto registers = static_cast<size_t>(fragment.registers);
        auto each = static_cast<size_t>(fragment.per_register);
        for (size_t i = 0; i < fragment.held.size(); ++i) {
            const HeldElement& held = fragment.held[i];
            if (held.row < 0) continue;
            bool has_lane = registers * each > 0;  // else shared memory holds it
            text += csv_row({name, text_of(held.row), text_of(held.col),
                             has_lane ? text_of(i / (registers * each)) : "",
                             has_lane ? text_of(i / each % registers) : "",
                             has_lane ? text_of(i % each) : ""});
        }
    };
    add("A", input.map->a);
    add("B", input.map->b);
    add("C", input.map->c);
    return text;
}

std::string reuse_csv(const ReuseFigureInput& input, const std::string& title) {
    std::string text = csv_comment(title) + csv_comment(input.caption) +
                       csv_row({"matrix", "row", "column", "global", "shared"});
    auto add = [&](const char* name, const ReuseMap* map) {
        if (!map) return;
        auto cols = static_cast<size_t>(std::max(1, map->cols));
        for (size_t i = 0; i < map->global.size(); ++i)
            text += csv_row({name, text_of(i / cols), text_of(i % cols), text_of(map->global[i]),
                             i < map->shared.size() ? text_of(map->shared[i]) : ""});
    };
    add("A", input.a);
    add("B", input.b);
    add("C", input.c);
    return text;
}

std::string walk_csv(const TileWalk& walk, const std::string& title) {
    std::string text =
        csv_comment(title) +
        csv_comment(
            "ends are exclusive; barriers: how many of the whole block "
            "came before") +
        csv_row({"step", "k_begin", "k_end", "a_row_begin", "a_row_end", "b_column_begin",
                 "b_column_end", "barriers_before_fetch", "barriers_before_product"});
    for (size_t i = 0; i < walk.steps.size(); ++i) {
        const WalkStep& step = walk.steps[i];
        text += csv_row({text_of(i + 1), text_of(step.k.begin), text_of(step.k.end),
                         text_of(step.rows.begin), text_of(step.rows.end), text_of(step.cols.begin),
                         text_of(step.cols.end), text_of(step.fetched), text_of(step.multiplied)});
    }
    return text;
}

std::string mismatch_csv(const MismatchMap& map, const std::string& title) {
    std::string text = csv_comment(title);
    for (const std::string& pattern : map.patterns) text += csv_comment(pattern);
    text += csv_comment(fmt::format("cells of {} rows and {} columns; {} elements wrong",
                                    map.cell_rows, map.cell_cols, map.wrong));
    text += csv_row({"row", "column", "wrong", "never_written", "elsewhere", "first_row",
                     "first_column", "expected", "actual", "from_row", "from_column"});
    for (size_t i = 0; i < map.cells.size(); ++i) {
        const MismatchCell& c = map.cells[i];
        if (c.wrong == 0) continue;
        auto across = static_cast<size_t>(map.across);
        auto known = [](int64_t number) { return number < 0 ? "" : text_of(number); };
        text += csv_row({text_of(static_cast<int64_t>(i / across) * map.cell_rows),
                         text_of(static_cast<int64_t>(i % across) * map.cell_cols),
                         text_of(c.wrong), text_of(c.unwritten), text_of(c.elsewhere),
                         text_of(c.row), text_of(c.col), csv_field(c.expected), csv_field(c.actual),
                         known(c.from_row), known(c.from_col)});
    }
    return text;
}

}  // namespace lanewise
