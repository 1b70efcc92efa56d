// The data flow of one block, played step by step, and where the blocks of the launch walk.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "figure/flow/flow_figure.h"
#include "lab/flow/block_walk.h"
#include "lab/flow/flow_parts.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct FlowTool {
    // ---- of the picture that is shown
    std::shared_ptr<const Picture> picture;  // kept, so that no other takes its place
    FlowParts parts;
    int step = -1;  // into parts.life.steps; the last one where nothing was chosen
    bool playing = false;
    double begun = -1;  // when the step was reached, in the window's seconds; -1: next frame
    // ---- the walk
    std::shared_ptr<const BlockWalk> walk;
    std::string walk_of, walk_failure;  // the setting it was asked for; why there is none
    bool walk_stale = true;             // the setting may be another
    uint64_t blocks = 0;                // how many are shown; 0: as many as run at once
    uint64_t moves = 0;                 // each changes what the figures show
    LaidOut figure, walk_figure, strip;
    std::string words;  // of the step
    uint64_t words_of = ~uint64_t{0};
};

bool flow_shown(const App& app);
void follow_picture(App& app);  // takes up another picture; cheap where it is the same

void choose_flow_step(App& app, int step);  // clamped; stops playing
void step_flow(App& app, int by);
void step_flow_chapter(App& app, int by);
void play_flow(App& app);  // or pause; from the begin where it stands at the end
void choose_walked(App& app, uint64_t blocks);  // clamped
uint64_t shown_blocks(const FlowTool& flow);
void handle_flow_keys(App& app);

// ---- time, as scrub.h
bool flow_moves(const App& app);
void advance_flow(App& app, double now);
double seconds_per_step(const FlowTool& flow);

// ---- asking and arriving
bool wants_walk(App& app);  // once for each setting
void take_walk(App& app, BlockWalk walk);
void fail_walk(App& app, const std::string& message);

// ---- view_flow.cpp
FlowFigureInput flow_input(const App& app, float width);  // of the picture that is shown
BlockOrderFigureInput block_order_input(const App& app,
                                        float width);  // of the walk, which is there
void draw_flow(App& app);

}  // namespace lanewise::ui
