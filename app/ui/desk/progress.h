// The page of how far the learner has come, and going back to what is due (review.h).
#pragma once
#include <string>

namespace lanewise::ui {

struct App;

struct ProgressPage {
    bool open = false, focus_wanted = false;
};

void open_progress(App& app);
void close_progress(App& app);
void review_stage(App& app, const std::string& stage);  // its question is open again
void review_next(App& app);
void draw_progress_page(App& app);  // view_progress.cpp

}  // namespace lanewise::ui
