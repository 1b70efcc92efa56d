// The window where nothing compiles, and where a compiler makes no machine code.
#include <gtest/gtest.h>
#include <unistd.h>

#include "../../needs.h"
#include "../../without_ptxas.h"
#include "../frames.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

// NVRTC is chosen, is not there, and has compiled nothing before.
class WithoutCompiler : public testing::Test {
  protected:
    WithoutCompiler() {
        ::setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
        pretend_no_compiler(true);
        choose_compiler("nvrtc");
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        frames.answer();
        frames.frame(3);
    }
    ~WithoutCompiler() override {
        choose_compiler("");
        pretend_no_compiler(false);
        ::unsetenv("XDG_CACHE_HOME");
    }
    Frames frames{1280, 900};
    App& app = frames.app;
};

TEST_F(WithoutCompiler, ASentenceStandsWhereThePictureWouldBe) {
    EXPECT_EQ("", app.said.error);
    choose_view(app, "access");
    frames.frame(3);
    EXPECT_TRUE(frames.says("Nothing here can compile this"));
    EXPECT_NE(std::string::npos, app.said.uncompiled.find("Install"));
    EXPECT_FALSE(frames.click("error:close"));
}

TEST_F(WithoutCompiler, EverythingElseGoesOn) {
    choose_view(app, "code");
    frames.frame(3);
    EXPECT_TRUE(frames.says("__global__"));
    EXPECT_FALSE(frames.says("Nothing here can compile this"));
    for (const View& view : views()) {
        choose_view(app, view.id);
        frames.frame(3);
        EXPECT_EQ("", app.said.error) << view.id;
    }
    EXPECT_TRUE(frames.says("LADDER"));
}

// It was this stage's.
TEST_F(WithoutCompiler, TheSentenceGoesWithItsStage) {
    choose_stage(app, "10_naive");
    EXPECT_EQ("", app.said.uncompiled);
}

class WindowWithoutPtxas : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_NVRTC();
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        no_ptxas.put(app.stage(), {}, app.chosen().type);
        no_ptxas.put(app.stage(), {{"PAD", 0}}, app.chosen().type);  // which stands beside it
        frames.answer();
        frames.frame(3);
    }
    WithoutPtxas no_ptxas;
    Frames frames{1600, 1600};
    App& app = frames.app;
};

TEST_F(WindowWithoutPtxas, WhoCompiledStandsBesideTheCounts) {
    EXPECT_EQ("", app.said.error);
    EXPECT_EQ(
        "Compiled by clang 19.1.7, and counted as written in PTX. Registers and occupancy "
        "are not known without ptxas.",
        app.derived.counts_compiler);
    EXPECT_TRUE(frames.says("Compiled by clang 19.1.7"));
}

TEST_F(WindowWithoutPtxas, TheCodeViewSaysWhyThereIsNoSass) {
    choose_view(app, "code");
    frames.frame(3);
    EXPECT_TRUE(frames.says("There is no machine code"));
    EXPECT_TRUE(frames.says("ld.global"));
}

TEST_F(WindowWithoutPtxas, OccupancyIsAnUpperBoundAndSaysSo) {
    choose_view(app, "speed");
    frames.frame(3);
    EXPECT_TRUE(frames.says("at most "));
    EXPECT_TRUE(frames.says("not known without ptxas"));
    EXPECT_FALSE(frames.says("of 65,536"));  // registers that nobody counted
}

TEST_F(WindowWithoutPtxas, EveryViewIsDrawn) {
    for (const View& view : views()) {
        choose_view(app, view.id);
        frames.answer();
        frames.frame(3);
        EXPECT_EQ("", app.said.error) << view.id;
        EXPECT_EQ("", app.said.uncompiled) << view.id;
    }
}

}  // namespace
}  // namespace lanewise::ui
