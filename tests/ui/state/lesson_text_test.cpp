// The left column as it is read: no full stop begins a row, and the list of stages shows whole
// rows.
#include <gtest/gtest.h>

#include <cmath>

#include "../frames.h"
#include "ui/state/settings.h"

namespace lanewise::ui {
namespace {

bool is_punctuation(const std::string& text) {
    return !text.empty() && std::string_view(".,;:!?)").find(text[0]) != std::string_view::npos;
}

// Whether some text ends where this one begins, in the same row.
bool has_left_neighbour(const TextRecord& text) {
    float middle = (text.extent.y0 + text.extent.y1) / 2;
    for (const TextRecord& other : audit().texts)
        if (std::abs(other.extent.x1 - text.extent.x0) < 1 && other.extent.y0 < middle &&
            middle < other.extent.y1)
            return true;
    return false;
}

TEST(LessonText, NoRowBeginsWithTheFullStopOfTheOneBefore) {
    Frames frames(1280, 4000);  // whole lessons
    size_t stops = 0;
    for (float scale : {1.f, 1.25f, 1.5f}) {
        set_scale(scale);
        for (size_t stage = 0; stage < frames.app.content.catalogue.stages().size(); ++stage) {
            choose_stage(frames.app, stage);
            for (const LessonBlock& block : frames.app.lesson().blocks)
                for (const LessonRun& run : block.runs)
                    frames.app.derived.answers[run.query] = "12.5 %";
            frames.frame(2);
            float left = audit().texts.empty() ? 0 : px(340);  // the lesson's column
            for (const TextRecord& text : audit().texts) {
                if (!is_punctuation(text.text) || text.extent.x0 > left) continue;
                ++stops;
                EXPECT_TRUE(has_left_neighbour(text))
                    << frames.app.stage().id << " at " << scale << ": “" << text.text << "”";
            }
        }
    }
    EXPECT_GT(stops, 100u);
}

TEST(CourseList, BeginsWithAWholeRow) {
    Frames frames(1440, 900);
    for (const char* stage : {"00_copy", "30_padded", "50_diagonal", "matmul/42_mma_sync"}) {
        choose_stage(frames.app, stage);
        frames.frame(3);
        bool shown = false;
        for (const TextRecord& text : audit().texts) {
            if (text.extent.x0 > px(300) || text.extent.y1 < text.clip.y0) continue;
            EXPECT_GE(text.extent.y0, text.clip.y0) << stage << " cuts " << text.text;
            shown |= text.text == frames.app.stage().title && text.extent.y1 <= text.clip.y1;
        }
        EXPECT_TRUE(shown) << stage;
    }
}

}  // namespace
}  // namespace lanewise::ui
