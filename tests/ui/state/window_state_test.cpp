#include "ui/state/window_state.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

class WindowStateFile : public testing::Test {
  protected:
    void SetUp() override { fs::remove_all(folder); }
    void TearDown() override { fs::remove_all(folder); }
    fs::path folder =
        fs::path(testing::TempDir()) / ("lanewise-window-state-" + std::to_string(::getpid()));
    fs::path file = folder / "window.json";
    std::string message;
};

TEST_F(WindowStateFile, ComesBackAsWritten) {
    WindowState state;
    state.theme = "light";
    state.scale = 1.25f;
    state.stage = "transpose/30_padded";
    state.mode = kLearn;
    state.panes = {"issues", "picture", "timeline", false, 300, 0, 412.5f, 240};
    state.panes.code_hits = true;
    state.reduce_motion = true;
    state.progress["transpose/20_tiled"] = {"32", 75, true, true, false};
    state.engine = {"ssh box lanewise-engine serve", "H200", 12.5, true, "clang"};
    state.kernels["/home/me/turn.cu"] = {"turn<float, 32>", "8,32", "32,8",    "1024",
                                         {"f32[64]"},       "/inc", "FAST N=4", "",
                                         "2,1,1"};
    write_window_state(file, state, message);
    EXPECT_TRUE(read_window_state(file, message) == state);
    EXPECT_EQ("", message);
}

// Known by its question: kept, and not so in a file from before there was such a thing.
TEST_F(WindowStateFile, KnowsWhatWasTestedOut) {
    WindowState state;
    state.progress["transpose/10_naive"].tested_out = true;
    write_window_state(file, state, message);
    EXPECT_TRUE(read_window_state(file, message).progress.at("transpose/10_naive").tested_out);
    std::string text = read_file(file);
    const std::string field = "\"tested_out\": true";
    const size_t at = text.find(field);
    ASSERT_NE(std::string::npos, at);
    text.replace(at, field.size(), "\"unknown_field\": true");
    write_file(file, text);
    EXPECT_FALSE(read_window_state(file, message).progress.at("transpose/10_naive").tested_out);
    EXPECT_EQ("", message);
}

TEST_F(WindowStateFile, MissingGivesTheDefaults) {
    EXPECT_TRUE(read_window_state(file, message) == WindowState());
    EXPECT_EQ("", message);
}

TEST_F(WindowStateFile, UnreadableIsSetAsideAndSaid) {
    std::string aside = "window.json.bad";
    int number = 1;
    for (const char* text : {"{\"theme\": \"da", "[]", "{\"theme\": \"pink\", \"scale\": 1}"}) {
        write_file(file, text);
        message.clear();
        EXPECT_TRUE(read_window_state(file, message) == WindowState());
        // Under a name of its own: none of them is lost.
        std::string name = number == 1 ? aside : aside + "-" + std::to_string(number);
        EXPECT_NE(std::string::npos, message.find(name)) << message;
        EXPECT_EQ(text, read_file(folder / name));
        EXPECT_FALSE(fs::exists(file));
        ++number;
    }
}

// Else the window could not even open its settings.
TEST_F(WindowStateFile, AnEngineThatIsNoCommandIsSetAside) {
    WindowState state;
    state.engine.prefix = "ssh 'box";
    write_window_state(file, state, message);
    EXPECT_TRUE(read_window_state(file, message) == WindowState());
    EXPECT_NE(std::string::npos, message.find("window.json.bad")) << message;
}

TEST_F(WindowStateFile, ANewerVersionsIsSetAsideToo) {
    std::string text = "{\"version\": 3, \"progress\": [\"in a way not known here\"]}";
    write_file(file, text);
    EXPECT_TRUE(read_window_state(file, message) == WindowState());
    EXPECT_NE(std::string::npos, message.find("newer")) << message;
    EXPECT_EQ(text, read_file(folder / "window.json.newer"));
}

TEST_F(WindowStateFile, TheFirstVersionsMigrates) {
    write_file(file, R"({"theme": "light", "scale": 1.5, "stage": "transpose/20_tiled",
        "width": 1280, "height": 720, "progress": {
            "transpose/20_tiled": {"guess": "32", "right": true, "passed": true},
            "transpose/30_padded": {"guess": "2", "right": false, "passed": false}}})");
    WindowState state = read_window_state(file, message);
    EXPECT_EQ("", message);
    EXPECT_EQ("light", state.theme);
    EXPECT_TRUE(
        (state.progress["transpose/20_tiled"] == WindowState::Progress{"32", 0, true, true, true}));
    EXPECT_TRUE((state.progress["transpose/30_padded"] ==
                 WindowState::Progress{"2", 0, false, false, false}));
    EXPECT_TRUE(state.engine == WindowState::Engine());
    // And is written in this version.
    write_window_state(file, state, message);
    EXPECT_NE(std::string::npos, read_file(file).find("\"version\": 2"));
    EXPECT_TRUE(read_window_state(file, message) == state);
}

TEST_F(WindowStateFile, ScaleIsHeldToItsRange) {
    WindowState state;
    state.scale = 40;
    write_window_state(file, state, message);
    EXPECT_EQ(3.0f, read_window_state(file, message).scale);
}

TEST_F(WindowStateFile, SaysWhereItCannotBeWritten) {
    write_file(folder, "a file where the folder should be");
    write_window_state(file, WindowState(), message);
    EXPECT_NE(std::string::npos, message.find("cannot be saved")) << message;
}

}  // namespace
}  // namespace lanewise::ui
