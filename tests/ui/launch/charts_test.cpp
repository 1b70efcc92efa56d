// The charts view: every chart at every size, the keyboard, looking closer, saving.
#include "ui/launch/charts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "../frames.h"
#include "base/error.h"
#include "base/files.h"
#include "ui/chart/picture.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

// No analysis: the recordings are enough for most charts, and nothing needs to be compiled.
class ChartsView : public testing::Test {
  protected:
    ChartsView() {
        choose_stage(app, "30_padded");
        choose_view(app, "charts");
        folder = fs::temp_directory_path() / ("lanewise-charts-" + std::to_string(::getpid()));
        charts(app).folder = folder.string();
        frames.frame(3);
    }
    ~ChartsView() override { fs::remove_all(folder); }
    PlotWindow window() { return charts(app).windows[chart_kinds()[charts(app).chosen].id]; }
    std::vector<fs::path> saved(const std::string& ending) { return files_in(folder, ending); }
    const WidgetRecord* widget(const std::string& id) {
        for (const WidgetRecord& each : audit().widgets)
            if (each.id == id) return &each;
        return nullptr;
    }

    Frames frames{1280, 720};
    App& app = frames.app;
    fs::path folder;
};

}  // namespace

TEST_F(ChartsView, EveryChartIsWholeInEveryThemeAndSize) {
    for (const ChartKind& kind : chart_kinds()) {
        choose_chart(app, kind.id);
        for (auto [width, height] :
             {std::pair{1280, 720}, std::pair{640, 900}, std::pair{2560, 1440}}) {
            frames.resize(width, height);
            for (const char* theme : {"dark", "light", "projector"}) {
                set_theme(theme);
                frames.frame(3);
                for (const std::string& fault : text_faults(audit()))
                    ADD_FAILURE() << kind.id << " " << theme << " " << width << ": " << fault;
                for (const std::string& fault :
                     contrast_faults(audit(), *ImGui::GetDrawData(), look().pixels_per_point()))
                    ADD_FAILURE() << kind.id << " " << theme << " " << width << ": " << fault;
            }
        }
    }
    set_theme("dark");
}

TEST_F(ChartsView, TheKeyboardGoesFromChartToChartAndCloser) {
    choose_chart(app, "sizes");
    frames.frame(2);
    frames.press(Key::down);
    EXPECT_STREQ("times", chart_kinds()[charts(app).chosen].id);
    frames.press(Key::up);
    EXPECT_STREQ("sizes", chart_kinds()[charts(app).chosen].id);
    frames.type('+');
    EXPECT_NEAR(1 / 1.5, window().x1 - window().x0, 1e-6);
    double before = window().x0;
    frames.press(Key::right);
    EXPECT_NEAR(before + 0.1 / 1.5, window().x0, 1e-6);
    frames.press(Key::home);
    EXPECT_EQ(PlotWindow{}, window());
    frames.type('w');
    EXPECT_TRUE(charts_are_wide(app));
    EXPECT_FALSE(frames.says("COURSE"));
    frames.press(Key::escape);
    EXPECT_FALSE(charts_are_wide(app));
    EXPECT_TRUE(frames.says("COURSE"));
}

TEST_F(ChartsView, TheWheelComesCloserAndADoubleClickShowsAll) {
    choose_chart(app, "sizes");
    frames.frame(3);
    const WidgetRecord* chart = widget("chart");
    ASSERT_TRUE(chart);
    ImVec2 middle((chart->box.x0 + chart->box.x1) / 2, (chart->box.y0 + chart->box.y1) / 2);
    send_pointer(middle);
    frames.frame(2);
    send_wheel(1);
    frames.frame(2);
    EXPECT_NEAR(0.8, window().x1 - window().x0, 1e-6);
    EXPECT_GT(window().x0, 0);
    double left = window().x0;
    // A drag to the right brings what lies left into sight, and chooses no stage.
    size_t stage = app.chosen().stage;
    send_button(true);
    frames.frame(2);
    send_pointer(ImVec2(middle.x + 60, middle.y));
    frames.frame(2);
    send_button(false);
    frames.frame(2);
    EXPECT_LT(window().x0, left);
    EXPECT_EQ(stage, app.chosen().stage);
    for (bool down : {true, false, true, false}) {
        send_button(down);
        frames.frame();
    }
    EXPECT_EQ(PlotWindow{}, window());
}

TEST_F(ChartsView, AClickOnACellSetsAllItsKnobsAtOnce) {
    choose_chart(app, "sweep");
    frames.frame(3);
    follow_chart(app, "set:PAD=0,ROWS=16,TILE=16");
    EXPECT_EQ((KnobValues{{"PAD", 0}, {"ROWS", 16}, {"TILE", 16}}), app.chosen().knobs);
    follow_chart(app, "set:PAD=0,ROWS=32,TILE=8");  // not offered: nothing changes
    EXPECT_EQ(16, app.chosen().knobs.at("TILE"));
    follow_chart(app, "stage:transpose/60_tuned;set:ROWS=4");
    EXPECT_EQ("transpose/60_tuned", app.course_id());
    EXPECT_EQ(4, app.chosen().knobs.at("ROWS"));
}

TEST_F(ChartsView, SavesTablesAndPicturesUnderNamesOfTheirOwn) {
    choose_chart(app, "sizes");
    frames.frame(3);
    frames.type('s');
    EXPECT_TRUE(frames.says("Save into"));
    frames.type('c');
    frames.type('c');
    ASSERT_EQ(2u, saved(".csv").size());
    EXPECT_EQ("lanewise-sizes-30_padded-4096x4096-f32-2.csv", saved(".csv")[0].filename());
    EXPECT_EQ("Saved " + saved(".csv")[0].string(), app.said.toast.text);
    std::string table = read_file(saved(".csv")[0]);
    EXPECT_TRUE(table.starts_with("# By size: Padded tile, 4,096")) << table.substr(0, 80);
    EXPECT_NE(std::string::npos, table.find("\nseries,bytes,gb_per_s,p05,p95,what,source\n"));
    EXPECT_NE(std::string::npos, table.find("recorded on NVIDIA H200, 2026-11-21, median of"));
    frames.type('v');
    ASSERT_EQ(1u, saved(".svg").size());
    EXPECT_TRUE(read_file(saved(".svg")[0]).starts_with("<svg "));
    frames.type('p');
    frames.frame(2);
    ASSERT_EQ(1u, saved(".png").size());
    std::string png = read_file(saved(".png")[0]);
    ASSERT_TRUE(png.starts_with("\x89PNG"));
    // Twice as fine as the chart's points, with a margin of 16 all around.
    auto byte = [&](size_t at) { return static_cast<unsigned char>(png[at]); };
    int width = byte(18) << 8 | byte(19);
    EXPECT_EQ(static_cast<int>(2 * (charts(app).width + 32) + 0.999f), width);
    // The next frame has its own fonts again.
    frames.frame(2);
    EXPECT_EQ(std::vector<std::string>{}, text_faults(audit()));
    EXPECT_EQ("transpose/30_padded", app.course_id());  // 'p' was no "previous stage"
    frames.press(Key::escape);
    EXPECT_FALSE(charts(app).save_open);
}

TEST_F(ChartsView, SaysWhereItCouldNotSave) {
    fs::create_directories(folder);
    std::ofstream(folder / "file") << "in the way";
    charts(app).folder = (folder / "file").string();
    size_t notices = app.said.notices.size();
    save_chart(app, ChartFormat::csv);
    ASSERT_EQ(notices + 1, app.said.notices.size());
    EXPECT_TRUE(app.said.notices.front().starts_with("The chart was not saved: "))
        << app.said.notices.front();
    EXPECT_NE(std::string::npos, app.said.notices.front().find(folder.string()));
    EXPECT_TRUE(app.said.toast.text.empty());
}

TEST_F(ChartsView, CopiesTheTable) {
    choose_chart(app, "sizes");
    frames.frame(3);
    frames.type('s');
    frames.type('C');
    EXPECT_EQ(chart_text(app, ChartFormat::csv), ImGui::GetClipboardText());
}

TEST_F(ChartsView, TheRooflineAsksForTheCountsOfEachStageOnce) {
    EXPECT_FALSE(next_survey(app));  // the ladder needs none
    choose_chart(app, "roofline");
    size_t asked = 0;
    while (std::optional<Job> job = next_survey(app)) {
        Analysis counted;
        counted.rows = counted.cols = 4096;
        counted.type = "f32";
        counted.report.totals.global_load.sectors = 4194304;  // each byte once
        take_survey(app, *job, job->stage.id == "transpose/10_naive" ? nullptr : &counted);
        ASSERT_LT(++asked, 100u);
    }
    EXPECT_GT(asked, 15u);
    EXPECT_EQ(0u, charts(app).traffic.at("transpose/10_naive").sectors);
    frames.frame(3);
    EXPECT_TRUE(frames.says("Measured, but not counted: Naive, reads in order"));
    const auto& chart = std::get<PlotFigureInput>(charts(app).input);
    for (const PlotSeries& series : chart.series)
        if (series.name == "Padded tile") {
            EXPECT_EQ(1, series.points.at(0).x);
        }
    choose_shape(app, 1024, 1024);  // counted anew
    EXPECT_TRUE(next_survey(app));
}

TEST_F(ChartsView, ACommandNamesAChart) {
    choose_view(app, "charts:model");
    EXPECT_EQ("charts", app.chosen().tab);
    EXPECT_STREQ("model", chart_kinds()[charts(app).chosen].id);
    try {
        choose_view(app, "charts:modle");
        ADD_FAILURE() << "there is no such chart";
    } catch (const Error& error) {
        EXPECT_STREQ("no chart \"modle\"; did you mean \"model\"?", error.what());
    }
}

// A red square of 4 x 3 points on the theme's background, at two pixels a point.
TEST(Picture, HasTheDrawingsPixels) {
    Context context;
    set_theme("light");
    Drawing drawing;
    drawing.width = 10, drawing.height = 8;
    drawing.rect({2, 3, 4, 3}, Fill::of(Ink::bad));
    drawing.text({0, 0, 10, 2}, "", 8);
    Pixels pixels = pixels_of(2, [&] { return drawing; });
    ASSERT_EQ(20, pixels.width);
    ASSERT_EQ(16, pixels.height);
    auto at = [&](int x, int y) {
        size_t i = 3 * static_cast<size_t>(y * pixels.width + x);
        auto part = [&](size_t k) { return static_cast<uint8_t>(pixels.rgb[i + k]); };
        return Color{part(0), part(1), part(2), 255};
    };
    Color red = palette("light").resolve(Fill::of(Ink::bad));
    Color back = palette("light").resolve(Fill::of(Ink::background));
    for (auto [x, y] : {std::pair{5, 7}, std::pair{10, 10}, std::pair{6, 9}})
        EXPECT_EQ(red, at(x, y)) << x << " " << y;
    for (auto [x, y] : {std::pair{1, 1}, std::pair{2, 9}, std::pair{14, 9}, std::pair{9, 14}})
        EXPECT_EQ(back, at(x, y)) << x << " " << y;
    EXPECT_TRUE(look().fonts_changed);  // the window bakes its own again
    set_theme("dark");
}

// Letters are there, in the text's colour, and only where the text is.
TEST(Picture, HasTheDrawingsLetters) {
    Context context;
    set_theme("light");
    Drawing drawing;
    drawing.width = 60, drawing.height = 40;
    drawing.text({0, 0, 60, 20}, "HHHH", 13);
    Pixels pixels = pixels_of(2, [&] { return drawing; });
    auto darkest = [&](int top, int bottom) {
        int least = 255;
        for (int y = top; y < bottom; ++y)
            for (int x = 0; x < pixels.width; ++x)
                least = std::min<int>(
                    least, static_cast<uint8_t>(
                               pixels.rgb[3 * static_cast<size_t>(y * pixels.width + x)]));
        return least;
    };
    EXPECT_LT(darkest(0, 40), 80);
    EXPECT_GT(darkest(42, 80), 200);
    set_theme("dark");
}

// An exercise's lesson sends its reader to the ladder and to what was published of its rungs.
TEST(ExercisesCharts, AreOfTheLadderThatTheExerciseStandsBeside) {
    Frames frames{1280, 900};
    App& app = frames.app;
    for (const auto& [exercise, rung] :
         {std::pair<std::string, std::string>{"116_published", "transpose/10_naive"},
          {"125_cold_handle", "matmul/90_cublas_product"}}) {
        choose_stage(app, exercise);
        ChartFacts facts = chart_facts(app);
        EXPECT_TRUE(rung.starts_with(facts.operation + "/")) << facts.operation;
        EXPECT_FALSE(published_chart(facts).rows.empty()) << exercise;
        EXPECT_FALSE(size_chart(facts).series.empty()) << exercise;
        size_t rungs = 0, exercises = 0;
        build_ladder(app);
        for (const LadderBar& bar : app.derived.ladder.bars) {
            rungs += bar.id == rung;
            exercises += bar.id.starts_with("pitfalls/");
        }
        EXPECT_EQ(1u, rungs) << exercise;
        EXPECT_EQ(1u, exercises) << exercise;  // itself
    }
}

}  // namespace lanewise::ui
