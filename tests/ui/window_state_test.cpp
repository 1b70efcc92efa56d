#include "ui/window_state.h"

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
    state.progress["transpose/20_tiled"] = {"32", true, false};
    state.kernels["/home/me/turn.cu"] = {"turn<float, 32>", "8,32", "32,8",    "1024",
                                         {"f32[64]"},       "/inc", "FAST N=4"};
    write_window_state(file, state, message);
    EXPECT_TRUE(read_window_state(file, message) == state);
    EXPECT_EQ("", message);
}

TEST_F(WindowStateFile, MissingGivesTheDefaults) {
    EXPECT_TRUE(read_window_state(file, message) == WindowState());
    EXPECT_EQ("", message);
}

TEST_F(WindowStateFile, UnreadableIsSetAsideAndSaid) {
    for (const char* text : {"{\"theme\": \"da", "[]", "{\"theme\": \"pink\", \"scale\": 1}"}) {
        write_file(file, text);
        message.clear();
        EXPECT_TRUE(read_window_state(file, message) == WindowState());
        EXPECT_NE(std::string::npos, message.find("window.json.bad")) << message;
        EXPECT_EQ(text, read_file(folder / "window.json.bad"));
        EXPECT_FALSE(fs::exists(file));
    }
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
