// The settings page: by keyboard and mouse, what is refused, and what is used afterwards.
#include "ui/state/settings.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>

#include "../frames.h"

namespace lanewise::ui {
namespace {

TEST(EngineCommand, IsWhatStartsIt) {
    WindowState::Engine engine;
    EXPECT_EQ(default_engine_command(), engine_command(engine));
    engine.prefix = "ssh box lanewise-engine";
    EXPECT_EQ("ssh box lanewise-engine serve", engine_command(engine));
    engine.gpu = "H200";
    EXPECT_EQ("ssh box lanewise-engine serve --gpu 'H200'", engine_command(engine));
    engine.prefix = "ssh box 'cd lw && lanewise-engine serve'";
    EXPECT_EQ("ssh box 'cd lw && lanewise-engine serve' --gpu 'H200'", engine_command(engine));
    engine.sandbox = true;
    EXPECT_TRUE(engine_command(engine).ends_with("serve' --gpu 'H200' --sandbox"));
    engine.compiler = "clang";
    EXPECT_TRUE(engine_command(engine).ends_with(" --sandbox --compiler clang"));
    // A server's address takes no further words: its card, its sandbox and its compiler are its own.
    engine.prefix = " wss://lab.example.org ";
    EXPECT_EQ("wss://lab.example.org", engine_command(engine));
    engine.prefix = "ssh 'box";
    EXPECT_THROW(engine_command(engine), Error);
}

TEST(WishForAGpu, MeansThatOneAlone) {
    std::vector<EngineState::Gpu> gpus = {{"NVIDIA H200", "GPU-1"},
                                          {"NVIDIA GeForce RTX 2080 Ti", "GPU-2"},
                                          {"NVIDIA A100", "GPU-3"},
                                          {"NVIDIA A100", "GPU-4"}};
    EXPECT_EQ("H200", wish_for(gpus, 0));
    EXPECT_EQ("Ti", wish_for(gpus, 1));     // 2080 would be taken for an index
    EXPECT_EQ("GPU-4", wish_for(gpus, 3));  // two of a name
}

class Settings : public testing::Test {
  protected:
    Settings() {
        choose_shape(app, 128, 128);
        frames.answer();
        frames.frame(2);
    }
    // Until the test's thread has answered.
    void wait_for_test() {
        app.open.settings->running.wait_for(std::chrono::minutes(3));
        take_engine_test(app);
        ASSERT_FALSE(engine_test_runs(app));
    }
    Frames frames{1280, 1024};
    App& app = frames.app;
};

TEST_F(Settings, OpenAndCloseByKey) {
    frames.type(',');
    ASSERT_TRUE(app.open.settings);
    frames.frame(3);
    EXPECT_TRUE(frames.says("Settings"));
    frames.type('n');  // belongs to the field now
    EXPECT_EQ("n", app.open.settings->engine.prefix);
    frames.press(Key::escape);
    EXPECT_FALSE(app.open.settings);
    EXPECT_EQ("", app.saved.engine.prefix);  // typed and not used
}

TEST_F(Settings, AnotherEngineIsRememberedAndStarted) {
    ASSERT_TRUE(frames.click("settings"));
    frames.frame(2);
    ASSERT_TRUE(frames.click("place:slurm"));
    EXPECT_EQ("srun --gres=gpu:1 --unbuffered lanewise-engine serve",
              app.open.settings->engine.prefix);
    ASSERT_TRUE(frames.click("settings:use"));
    EXPECT_FALSE(app.open.settings);
    EXPECT_EQ("srun --gres=gpu:1 --unbuffered lanewise-engine serve", app.saved.engine.prefix);
    EXPECT_TRUE(app.wanted.another_engine);
    EXPECT_TRUE(app.stale.picture);
    EXPECT_FALSE(app.engine.known);
}

TEST_F(Settings, TheSameEngineGoesOn) {
    open_settings(app);
    app.open.settings->time_limit = "20";
    use_settings(app);
    EXPECT_EQ(20, app.saved.engine.time_limit_s);
    EXPECT_FALSE(app.wanted.another_engine);
}

TEST_F(Settings, WhatCannotBeUsedIsSaidAtItsField) {
    open_settings(app);
    app.open.settings->engine.prefix = "ssh 'box";
    app.open.settings->time_limit = "5 s";
    settings_changed(app);
    frames.frame(3);
    EXPECT_EQ(2u, app.open.settings->problems.size());
    EXPECT_TRUE(frames.says("From 0.5 to 300 seconds."));
    use_settings(app);
    EXPECT_TRUE(app.open.settings);
    EXPECT_EQ("", app.saved.engine.prefix);
    for (const char* bad : {"0", "301", "nan", "", "-1"}) {
        app.open.settings->time_limit = bad;
        settings_changed(app);
        EXPECT_TRUE(app.open.settings->problems.contains("time_limit")) << bad;
    }
}

TEST_F(Settings, TheTestButtonSaysWhoAnswers) {
    open_settings(app);
    app.open.settings->engine.prefix = "ssh box lanewise-engine";
    app.open.settings->test = [](const std::string& command) {
        return EngineTest{true, "lanewise-engine 1, asked by " + command};
    };
    frames.frame(3);
    ASSERT_TRUE(frames.click("settings:test"));
    wait_for_test();
    frames.frame(2);
    EXPECT_TRUE(frames.says("It works: lanewise-engine 1, asked by ssh box lanewise-engine serve"));
    app.open.settings->test = [](const std::string&) {
        return EngineTest{false, "no route to host"};
    };
    ASSERT_TRUE(frames.click("settings:test"));
    wait_for_test();
    frames.frame(2);
    EXPECT_TRUE(frames.says("It does not work: no route to host"));
}

TEST_F(Settings, ClosingDoesNotWaitForTheTest) {
    auto closed = std::make_shared<std::promise<void>>();
    auto ended = std::make_shared<std::promise<std::future_status>>();
    open_settings(app);
    app.open.settings->test = [closed, ended](const std::string&) {
        ended->set_value(closed->get_future().wait_for(std::chrono::minutes(3)));
        return EngineTest{};
    };
    start_engine_test(app);
    EXPECT_TRUE(engine_test_runs(app));
    close_settings(app);
    EXPECT_FALSE(engine_test_runs(app));
    closed->set_value();  // only now the test goes on
    EXPECT_EQ(std::future_status::ready, ended->get_future().get());
}

TEST_F(Settings, AGpuIsChosenByName) {
    app.engine.gpus = {{"NVIDIA H200", "GPU-1"}, {"NVIDIA A100", "GPU-2"}};
    open_settings(app);
    frames.frame(3);
    ASSERT_TRUE(frames.click("gpu:1"));
    EXPECT_EQ("A100", app.open.settings->engine.gpu);
    use_settings(app);
    EXPECT_EQ("A100", app.saved.engine.gpu);
    EXPECT_TRUE(app.wanted.another_engine);
}

TEST_F(Settings, TheSandboxIsAClickAway) {
    open_settings(app);
    frames.frame(3);
    ASSERT_TRUE(frames.click("sandbox:Bubblewrap"));
    ASSERT_TRUE(frames.click("compiler:clang"));
    use_settings(app);
    EXPECT_TRUE(app.saved.engine.sandbox);
    EXPECT_EQ("clang", app.saved.engine.compiler);
    EXPECT_TRUE(app.wanted.another_engine);
}

TEST_F(Settings, ThemeAndScaleChangeAtOnce) {
    open_settings(app);
    frames.frame(3);
    ASSERT_TRUE(frames.click("theme:projector"));
    EXPECT_EQ("projector", look().theme);
    EXPECT_EQ("projector", app.saved.theme);
    ASSERT_TRUE(frames.click("scale:125 %"));
    EXPECT_FLOAT_EQ(1.25f, app.saved.scale);
}

}  // namespace
}  // namespace lanewise::ui
