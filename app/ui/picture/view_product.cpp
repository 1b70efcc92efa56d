// A product's own pictures: which lane holds what, how often each element is fetched, and how a
// block walks along K. All of the machine's execution, none of them drawn by hand.
#include <algorithm>

#include "base/text.h"
#include "figure/product/fragment_figure.h"
#include "figure/product/reuse_figure.h"
#include "figure/product/walk_figure.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/charts.h"
#include "ui/launch/follow.h"
#include "ui/launch/products.h"
#include "ui/look/compact.h"
#include "ui/picture/view_scrub.h"
#include "ui/picture/word.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kWidest = 900;  // points
constexpr float kLeastWalk = 300;

float room() { return std::min(kWidest, available() / look().pixels_per_point()); }

float room_below() { return ImGui::GetContentRegionAvail().y / look().pixels_per_point() - 4; }

// Both counts only grow, so that their sum changes with either.
template <class Make>
const Drawing& laid_out_product(LaidOut& figure, App& app, float width, Make make) {
    return laid_out_at(figure, app.revision + products(app).moves, width, 0, make);
}

void next_row() {
    ImGui::NewLine();
    gap(6);
}

// "Warp ‹ 3 of 8 ›"; 0, or by how much it is to change.
int stepper(const char* id, std::string_view name, uint64_t value, uint64_t count,
            const char* keys) {
    int by = 0;
    word(name, kDim);
    same_line(5);
    if (button(joined(id, "-"), "‹",
               {.enabled = value > 0, .tooltip = frame_text("The one before  ({})", keys)}))
        by = -1;
    same_line(4);
    word(frame_text("{} of {}", with_thousands(value), with_thousands(count)), kMono);
    same_line(4);
    if (button(joined(id, "+"), "›",
               {.enabled = value + 1 < count, .tooltip = frame_text("The next one  ({})", keys)}))
        by = 1;
    return by;
}

void draw_block_field(App& app) {
    word("Block", kDim);
    same_line(5);
    auto block = static_cast<int64_t>(products(app).pictures->place.block);
    if (number_field("block", block, 62)) choose_block(app, block);
}

// ---- which lane holds what

void draw_lane_chip(App& app) {
    if (app.chosen().lane < 0) return;
    same_line(14);
    if (available() < px(110)) next_row();
    word(frame_text("Lane {}", app.chosen().lane), kStrong);
    same_line(4);
    if (button("lane", "×", {.tooltip = "Look at all lanes again  (Escape)"})) choose_lane(app, -1);
}

int lane_in(const std::string& action) {
    int64_t lane = -1;
    if (!action.starts_with("lane:") || !parse_integer(action.substr(5), lane)) return -1;
    return static_cast<int>(lane);
}

// Written anew only where something has changed.
const std::string& kept_words_without_fragments(const App& app, const Products& p) {
    static std::string words;  // only one window draws
    static uint64_t of = ~uint64_t{0};
    if (uint64_t now = app.revision + p.moves; of != now) {
        words = words_without_fragments(p.pictures->multiplying, app.arrived.picture->block,
                                        p.pictures->place.warp);
        of = now;
    }
    return words;
}

// Block, warp, and where the warp has some, which of its products.
void draw_place_of_fragments(App& app) {
    const ProductPictures& shown = *products(app).pictures;
    draw_block_field(app);
    same_line(14);
    if (int by = stepper("warp", "Warp", shown.place.warp, app.arrived.picture->block.warps, "[ ]"))
        choose_warp(app, static_cast<int>(shown.place.warp) + by);
    if (!shown.fragments) return gap(12);
    same_line(14);
    if (available() < px(170)) next_row();
    if (int by =
            stepper("product", "Product", shown.place.product, shown.fragments->products, "← →"))
        choose_product(app, static_cast<int64_t>(shown.place.product) + by);
    draw_lane_chip(app);
    gap(10);
}

void draw_map_of_fragments(App& app) {
    Products& p = products(app);
    const ProductPictures& shown = *p.pictures;
    if (!shown.fragments) return paragraph(kept_words_without_fragments(app, p));
    float high = std::max(kLeastWalk, room_below());
    const Drawing& drawing = laid_out_product(p.fragments, app, room(), [&](float width) {
        int lane = p.hovered >= 0 ? p.hovered : app.chosen().lane;
        return fragment_figure({&*shown.fragments, lane, shown.instruction, width, high},
                               window_measure());
    });
    std::string under;
    follow_figure(app, draw_figure("fragments", drawing, kAtRest, &under));
    if (int lane = lane_in(under); lane != p.hovered) {
        p.hovered = lane;
        ++p.moves;
    }
}

// What is looked at comes first where a window is low.
void draw_fragments(App& app) {
    if (!is_compact()) draw_place_of_fragments(app);
    draw_map_of_fragments(app);
    if (!is_compact()) return;
    gap(10);
    draw_place_of_fragments(app);
}

// ---- how often each element is fetched

void draw_reuse(App& app) {
    Products& p = products(app);
    if (p.reuse.size() < 3 || p.reuse_of != p.setting) return line("Counting fetches …", kDim);
    const Drawing& drawing = laid_out_product(p.maps, app, room(), [&](float width) {
        return reuse_figure(
            {&p.reuse[0], &p.reuse[1], reuse_caption(*p.pictures), width, &p.reuse[2]},
            window_measure());
    });
    draw_figure("reuse", drawing);
}

// ---- the walk along K

void draw_walk_strip(App& app) {
    Products& p = products(app);
    const TileWalk& walk = p.pictures->walk;
    if (draw_play_button("walk:play", p.playing, walk.steps.size() > 1,
                         p.playing ? "Pause  (Space)" : "Play the walk along K  (Space)"))
        play_walk(app);
    same_line(10);
    float width = available() / look().pixels_per_point();
    const Drawing& strip = laid_out_product(p.strip, app, width, [&](float points) {
        return walk_strip(walk, p.step, points, window_measure());
    });
    ImVec2 at = ImGui::GetCursorScreenPos();
    draw_figure("walk strip", strip);
    if (!ImGui::IsItemActive()) return;
    float x = (ImGui::GetIO().MousePos.x - at.x) / look().pixels_per_point();
    choose_walk_step(app, walk_step_at(walk, width, x));
}

void draw_place_of_walk(App& app) {
    draw_block_field(app);
    gap(8);
    draw_walk_strip(app);
    gap(8);
}

void draw_walk(App& app) {
    Products& p = products(app);
    if (!is_compact()) draw_place_of_walk(app);
    float high = room_below();
    const Drawing& drawing = laid_out_product(p.walk, app, room(), [&](float width) {
        return walk_figure({&p.pictures->walk, p.step, "", width, std::max(kLeastWalk, high)},
                           window_measure());
    });
    std::string action = draw_figure("walk", drawing);
    int64_t step = 0;
    if (action.starts_with("step:") && parse_integer(action.substr(5), step))
        choose_walk_step(app, static_cast<int>(step));
    if (!is_compact()) return;
    gap(8);
    draw_place_of_walk(app);
}

constexpr ProductPart kParts[] = {
    {"fragments", "Fragments", "Which lane holds which element for the tensor cores",
     draw_fragments},
    {"reuse", "Reuse", "How often each element is fetched, from global and from shared memory",
     draw_reuse},
    {"walk", "Walk along K", "What a block fetches and multiplies, step by step", draw_walk},
};

void draw_parts(App& app) {
    Products& p = products(app);
    for (size_t i = 0; i < std::size(kParts); ++i) {
        if (i > 0) flow(kParts[i].title);
        if (button(joined("product:", kParts[i].id), kParts[i].title,
                   {.kind = ButtonKind::choice,
                    .selected = p.part == i,
                    .tooltip = joined(kParts[i].what, "  (↑ ↓)")}))
            choose_product_part(app, kParts[i].id);
    }
    flow("Save …XX");
    draw_save_button(app, PictureOf::view, "product:save");
}

// Where the shape itself would take too long.
void say_what_is_shown(const App& app, const ProductPictures& shown) {
    const Selection& c = app.chosen();
    const ProductSize& size = shown.size;
    if (size.M == c.rows && size.N == c.cols && size.K == c.inner) return;
    paragraph(frame_text("Drawn at {} x {} x {}, with the same edges, so that it appears at once. "
                         "The counts are for {} x {} x {}.",
                         size.M, size.N, size.K, c.rows, c.cols, c.inner),
              kDim);
    gap(6);
}

void offer_a_product(App& app) {
    for (size_t i = 0; i < app.content.catalogue.stages().size(); ++i) {
        const Stage& stage = app.content.catalogue.stages()[i];
        if (!has_view(operation_of(stage), "product") || is_library_call(stage) ||
            !stage.error.empty())
            continue;
        gap(12);
        if (button("to product", joined("Go to “", stage.title, "”"))) choose_stage(app, i);
        return;
    }
}

}  // namespace

std::span<const ProductPart> product_parts() { return kParts; }

void draw_product(App& app) {
    if (std::string_view why = no_product(app); !why.empty()) {
        paragraph(why);
        return offer_a_product(app);
    }
    Products& p = products(app);
    draw_parts(app);
    gap(10);
    if (!p.problem.empty()) return paragraph(p.problem, {12, Ink::bad, Font::mono});
    if (!p.pictures || p.pictures->stage != app.stage().id || !app.arrived.picture)
        return line(app.said.error.empty() ? "Interpreting …" : "There is no picture.", kDim);
    draw_save_panel(app, PictureOf::view);
    say_what_is_shown(app, *p.pictures);
    kParts[p.part].draw(app);
}

}  // namespace lanewise::ui
