// Shared memory: the tile coloured by bank with the chosen warp's lanes on it, and the same moment
// of another setting beside it, in lock-step.
#include <algorithm>

#include "ui/draw_figure.h"
#include "ui/laid_out.h"
#include "ui/views.h"
#include "ui/widgets.h"

namespace lanewise::ui {
namespace {

constexpr float kLeastWidth = 280, kGap = 16;  // points of one of the two figures

struct Side {
    const Picture* picture;
    int access;
    std::string title;
    LaidOut* figure;
};

// Where nobody says how the kernel lays its shared memory out: words in rows of 32, one per bank.
TileShape tile_of(const Picture& picture) {
    constexpr int kMostRows = 256;
    if (picture.tile.rows > 0) return picture.tile;
    auto rows = static_cast<int>((picture.block.shared_bytes + 127) / 128);
    return {std::clamp(rows, 1, kMostRows), 32, 32};
}

void draw_side(App& app, const Side& side, float width) {
    const Drawing& drawing = laid_out(*side.figure, app, width, [&](float points) {
        BankFigureInput input;
        input.block = &side.picture->block;
        input.report = &side.picture->report;
        input.access = side.access;
        input.lane = app.choice.lane;
        TileShape tile = tile_of(*side.picture);
        input.rows = tile.rows;
        input.cols = tile.cols;
        input.pitch = tile.pitch;
        input.element_bytes = side.picture->element_bytes;
        input.title = side.title;
        input.width = points;
        return bank_figure(input, window_measure());
    });
    follow_figure(app,
                  draw_figure(side.figure == &app.figures.banks ? "tile" : "other tile", drawing));
}

// The first stage that has something to show here.
void offer_a_tile(App& app) {
    if (app.own) return paragraph("This kernel makes no access to shared memory.");
    paragraph(
        "This stage uses no shared memory: every element goes straight from one place in global "
        "memory to the other.",
        kBody);
    for (size_t i = 0; i < app.catalogue.stages().size(); ++i) {
        const Stage& stage = app.catalogue.stages()[i];
        if (!stage.has_tile || !stage.error.empty()) continue;
        gap(12);
        if (button("to tile", "Go to “" + stage.title + "”")) choose_stage(app, i);
        return;
    }
}

}  // namespace

void draw_banks(App& app) {
    if (app.own ? app.picture && app.rows_of[1].empty() : !app.stage().has_tile)
        return offer_a_tile(app);
    if (!app.picture) return;
    draw_access_list(app, Space::shared);
    draw_pads(app);
    int row = chosen_row(app, Space::shared);
    if (row < 0) return;
    Side sides[2] = {
        {app.picture.get(), static_cast<int>(app.rows_of[1][static_cast<size_t>(row)].access),
         app.comparison.chosen_title, &app.figures.banks},
        {app.comparison_picture.get(), comparison_access(app), app.comparison.title,
         &app.figures.comparison}};
    float width = available() / look().pixels_per_point();
    bool both = app.comparison.wanted && sides[1].picture && sides[1].access >= 0;
    if (!app.comparison.wanted) return draw_side(app, sides[0], width);
    bool beside = width >= 2 * kLeastWidth + kGap;
    float each = beside ? (width - kGap) / 2 : width;
    if (app.comparison.before) std::swap(sides[0], sides[1]);
    ImVec2 start = ImGui::GetCursorScreenPos();
    float bottom = start.y;
    for (int i = 0; i < 2; ++i) {
        bool other = sides[i].figure == &app.figures.comparison;
        if (beside && i == 1) ImGui::SetCursorScreenPos(ImVec2(start.x + px(each + kGap), start.y));
        if (!other || both) draw_side(app, sides[i], each);
        bottom = std::max(bottom, ImGui::GetCursorScreenPos().y);
        if (!beside && i == 0) gap(kGap);
    }
    ImVec2 at = ImGui::GetCursorScreenPos();
    if (bottom > at.y) ImGui::SetCursorScreenPos(ImVec2(start.x, bottom));
    ImGui::Dummy(ImVec2(0, 0));
}

}  // namespace lanewise::ui
