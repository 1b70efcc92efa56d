// The answer of a prediction is nowhere on screen before it is given, at any stage, in any view.
#include <gtest/gtest.h>

#include <regex>

#include "../frames.h"
#include "../../needs.h"
#include "ui/desk/commands.h"
#include "ui/desk/tour.h"
#include "ui/path/predict_first.h"
#include "ui/shell/shell.h"
#include "ui/state/views.h"

namespace lanewise::ui {

namespace {

// What only a look at the machine's counts, or at a time, can have written.
const std::regex kTold(
    R"((\d[\d.,]*\s*(sectors?|wavefronts?|requests?|GB/s|TFLOP/s|bytes useful))|)"
    R"(\bideal\b|[Cc]oalesced\.|wasted:|[Cc]onflict-free|conflicts? in)");

class PredictFirst : public testing::Test {
  protected:
    PredictFirst() { frames_.app.learner.predicts_first = true; }
    // The texts that tell something, but for the question's own words, the source, and the ladder
    // in the right column, whose speeds are those of all stages.
    std::vector<std::string> told() {
        std::vector<std::string> found;
        const Lesson& lesson = frames_.app.lesson();
        const float right = kWidth - layout_for(kWidth, Region::picture, Region::controls).controls;
        for (const TextRecord& each : audit().texts) {
            if (each.extent.x0 >= right && each.text.find("GB/s") != std::string::npos) continue;
            const bool is_asked = lesson.predict.question.find(each.text) != std::string::npos ||
                                  lesson.aim.find(each.text) != std::string::npos;
            const auto& lines = frames_.app.derived.source.lines;
            const bool is_source = std::ranges::any_of(lines, [&](const std::string& line) {
                return line.find(each.text) != std::string::npos;
            });
            if (!is_asked && !is_source && std::regex_search(each.text, kTold))
                found.push_back(each.text);
        }
        return found;
    }
    bool has_widget(const std::string& id) const {
        return std::ranges::any_of(audit().widgets, [&](const auto& w) { return w.id == id; });
    }
    static constexpr int kWidth = 1600;
    Frames frames_{kWidth, 1000};
};

}  // namespace

TEST_F(PredictFirst, NoViewOfAnyStageTellsTheAnswer) {
    App& app = frames_.app;
    for (size_t stage = 0; stage < app.content.catalogue.stages().size(); ++stage) {
        choose_stage(app, stage);
        if (app.lesson().predict.question.empty()) continue;
        choose_shape(app, 256, 256, app.chosen().operation->has_inner() ? 64 : kNoInner);
        frames_.answer();
        for (const View& view : views()) {
            if (view.place != Place::middle || view.id == std::string("charts")) continue;
            choose_view(app, view.id);
            frames_.frame(2);
            ASSERT_TRUE(answer_is_hidden(app)) << app.course_id();
            EXPECT_EQ(std::vector<std::string>(), told()) << app.course_id() << " " << view.id;
            for (const std::string& choice : app.lesson().predict.choices)
                EXPECT_TRUE(has_widget("ask:" + choice)) << app.course_id() << " " << choice;
            EXPECT_FALSE(has_widget("gate")) << app.course_id();
        }
    }
}

TEST_F(PredictFirst, AnsweringBringsThePicture) {
    App& app = frames_.app;
    choose_stage(app, "transpose/10_naive");
    choose_shape(app, 256, 256);
    frames_.answer();
    frames_.frame(2);
    EXPECT_TRUE(told().empty());
    predict(app, 0);
    frames_.frame(2);
    EXPECT_FALSE(answer_is_hidden(app));
    EXPECT_FALSE(told().empty());
    EXPECT_TRUE(has_widget("gate"));
    choose_stage(app, "transpose/12_naive_write");  // asks for itself
    frames_.frame();
    EXPECT_TRUE(answer_is_hidden(app));
}

TEST_F(PredictFirst, WhoDoesNotWantToGuessSeesItAtOnce) {
    App& app = frames_.app;
    choose_stage(app, "transpose/10_naive");
    choose_shape(app, 256, 256);
    frames_.answer();
    frames_.frame(2);
    EXPECT_TRUE(has_widget("show answer"));
    act(app, find_command(app, "answer"));
    frames_.frame(2);
    EXPECT_FALSE(answer_is_hidden(app));
    EXPECT_FALSE(told().empty());
    EXPECT_EQ("No answer is hidden here.", find_command(app, "answer").problem);
    EXPECT_TRUE(app.saved.progress["transpose/10_naive"].guess.empty());  // it was no guess
}

TEST_F(PredictFirst, WhoEditsOrIsShownAroundIsNotAsked) {
    App& app = frames_.app;
    choose_stage(app, "transpose/30_padded");
    act(app, find_command(app, "edit"));
    EXPECT_FALSE(answer_is_hidden(app));
    act(app, find_command(app, "edit"));
    start_tour(app);
    EXPECT_TRUE(answer_is_hidden(app));  // it rings the stage, then the question …
    step_tour(app, 1);
    EXPECT_TRUE(answer_is_hidden(app));
    step_tour(app, 1);  // … and then shows what answers it
    EXPECT_FALSE(answer_is_hidden(app));
    end_tour(app);
    EXPECT_TRUE(answer_is_hidden(app));
}

TEST_F(PredictFirst, TheTourRingsTheQuestionAndNoAnswer) {
    for (const TourStep& step : tour_steps())
        EXPECT_FALSE(std::string_view(step.widget).starts_with("predict:")) << step.title;
    choose_stage(frames_.app, "transpose/30_padded");
    frames_.frame(2);
    EXPECT_TRUE(has_widget("question"));
}

}  // namespace lanewise::ui
