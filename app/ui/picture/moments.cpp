#include "ui/picture/moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "figure/access/life_figure.h"
#include "ui/desk/moving.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/follow.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kLeastWidth = 165, kGap = 14;  // points of one of several figures
constexpr float kCodeBelow = 420;  // points that the workbench leaves for the code of an access

struct Column {
    const Picture* picture;
    const std::vector<LifeStep>* life;
    int step;  // into life; -1: it has no such moment
    std::string_view title;
    LaidOut* figure;
    const char* id;
    bool is_chosen = false;  // among others
};

// Where nobody says how the kernel lays its shared memory out: words in rows of 32, one per bank.
TileShape tile_of(const Picture& picture) {
    constexpr int kMostRows = 256;
    if (picture.tile.rows > 0) return picture.tile;
    auto rows = static_cast<int>((picture.block.shared_bytes + 127) / 128);
    return {std::clamp(rows, 1, kMostRows), 32, 32};
}

Drawing bank_drawing(const App& app, const Column& column, int access, float width, float height,
                     int most_wavefronts) {
    BankFigureInput input;
    input.block = &column.picture->block;
    input.report = &column.picture->report;
    input.access = access;
    input.lane = app.chosen().lane;
    TileShape tile = tile_of(*column.picture);
    input.rows = tile.rows;
    input.cols = tile.cols;
    input.pitch = tile.pitch;
    input.element_bytes = column.picture->element_bytes;
    input.title = std::string(column.title);
    input.is_chosen = column.is_chosen;
    input.is_brief = in_little_room();
    input.width = width;
    input.height = height;
    input.most_wavefronts = most_wavefronts;
    return bank_figure(input, window_measure());
}

Drawing warp_drawing(const App& app, const Column& column, int access, float width, float height) {
    WarpFigureInput input;
    input.block = &column.picture->block;
    input.report = &column.picture->report;
    input.access = access;
    input.lane = app.chosen().lane;
    input.element_bytes = column.picture->element_bytes;
    input.block_x = column.picture->launch.block.x;
    input.block_y = column.picture->launch.block.y;
    input.width = width;
    // In Learn the code below it can wait.
    input.height = is_learning(app) ? height : std::max(0.f, height - kCodeBelow);
    return warp_figure(input, window_measure());
}

// What stands where there are no lanes' addresses to draw.
std::string words_for(const App& app, const Column& column) {
    if (!column.picture) return "Being interpreted …";
    if (column.step < 0) return "This moment does not come here.";
    const LifeStep& step = (*column.life)[static_cast<size_t>(column.step)];
    if (step.moment == Moment::barrier)
        return fmt::format(
            "Warp {} waits at the barrier of line {} until all {} warps of the block have come. "
            "What each of them stored before, all of them may read after.",
            app.chosen().warp, step.line, column.picture->block.warps);
    if (step.copy >= 0)
        return fmt::format(
            "Warp {} and an asynchronous copy ({}, line {}): it goes on by itself, past the lanes. "
            "The data flow shows what it moves.",
            app.chosen().warp, name_of(step), step.line);
    return fmt::format(
        "Warp {} issues an operation of another kind ({}, line {}). It is counted, and has no "
        "lanes' addresses to draw.",
        app.chosen().warp, name_of(step), step.line);
}

// What is left of the window, in points: figures that can be flatter are then seen as a whole.
float height_left() {
    constexpr float kLeast = 200, kFoot = 4;
    float left = ImGui::GetWindowHeight() - ImGui::GetCursorPosY();
    return std::max(kLeast, std::floor(left / look().pixels_per_point()) - kFoot);
}

void draw_column(App& app, const Column& column, float width, float height, int most_wavefronts) {
    int access = column.step < 0 ? -1 : (*column.life)[static_cast<size_t>(column.step)].access;
    bool shared = access >= 0 && (*column.life)[static_cast<size_t>(column.step)].is_shared();

    laid_out_moment(*column.figure, app, width, height, [&](float points) {
        if (access < 0)
            return moment_words(std::string(column.title), words_for(app, column), points,
                                window_measure());
        return shared ? bank_drawing(app, column, access, points, height, most_wavefronts)
                      : warp_drawing(app, column, access, points, height);
    });
    const Drawing& drawing = moving(app, *column.figure, column.picture, column.step);
    follow_figure(app, draw_figure(column.id, drawing, shared ? wavefronts_shown(app) : kAtRest));
}

// Side by side where each has room, else one below the other.
void draw_all(App& app, std::span<const Column> columns) {
    float width = available() / look().pixels_per_point();
    auto count = static_cast<float>(columns.size());
    bool beside = width >= count * kLeastWidth + (count - 1) * kGap;
    float each = beside ? (width - (count - 1) * kGap) / count : width;
    float height = height_left();
    int most = 1;  // wavefronts of any: their tiles become equally flat
    for (const Column& column : columns)
        if (column.step >= 0 && (*column.life)[static_cast<size_t>(column.step)].is_shared())
            most = std::max(most, (*column.life)[static_cast<size_t>(column.step)].cost);
    ImVec2 start = ImGui::GetCursorScreenPos();
    float bottom = start.y;
    for (size_t i = 0; i < columns.size(); ++i) {
        if (beside)
            ImGui::SetCursorScreenPos(
                ImVec2(start.x + px((each + kGap) * static_cast<float>(i)), start.y));
        ImGui::BeginGroup();
        draw_column(app, columns[i], each, beside ? height : 0, most);
        ImGui::EndGroup();
        bottom = std::max(bottom, ImGui::GetCursorScreenPos().y);
        if (!beside && i + 1 < columns.size()) gap(kGap);
    }
    if (bottom > ImGui::GetCursorScreenPos().y) ImGui::SetCursorScreenPos(ImVec2(start.x, bottom));
    ImGui::Dummy(ImVec2(0, 0));
}

bool stands_beside(const App& app, const Beside& beside) {
    bool asked_for = beside.with.kind != CompareWith::Kind::automatic;
    return beside.wanted && (asked_for || app.chosen().tab == "banks");
}

}  // namespace

void draw_moments(App& app) {
    int step = shown_step(app);
    if (!app.arrived.picture || step < 0) return;
    Column chosen{
        app.arrived.picture.get(), &app.derived.life, step, "", &app.sight.figures.access, "warp"};
    bool shared = app.derived.life[static_cast<size_t>(step)].is_shared();
    if (shared) chosen.figure = &app.sight.figures.banks, chosen.id = "tile";
    // It, always first, so that a knob moves what is looked at; then those that it is compared with.
    std::array<Column, 3> columns{};
    size_t count = 0;
    const char* ids[] = {"other tile", "third tile"};
    ++count;
    for (size_t i = 0; i < app.beside.size(); ++i) {
        Beside& beside = app.beside[i];
        if (!stands_beside(app, beside)) continue;
        int there = beside.picture ? same_step(app.derived.life, step, beside.life) : -1;
        columns[count++] = {beside.picture.get(), &beside.life,   there,
                            beside.title,         &beside.figure, ids[i]};
    }
    if (count > 1) {
        chosen.title = frame_text("Yours: {}", app.derived.chosen_title);
        chosen.is_chosen = true;
    }
    columns[0] = chosen;
    draw_all(app, {columns.data(), count});
}

}  // namespace lanewise::ui
