// What is wrong in the editor is underlined soon after the last key, also while the compiler is
// still at work on what stood there before. bench_ui times the same (diagnostics/…).
#include <gtest/gtest.h>

#include "../needs.h"
#include "compile/compiler.h"
#include "typist.h"

namespace lanewise::ui {
namespace {

// The figure is 0.3, which bench_ui measures; a machine that runs the other tests at once, or under
// a sanitizer, needs more.
constexpr double kMostSeconds = 150;

class Typing : public testing::Test {
  protected:
    void SetUp() override { NEEDS_NVRTC(); }
    void expect_soon(double seconds) {
        EXPECT_GT(seconds, 0);
        EXPECT_LT(seconds, kMostSeconds);
    }
    Typist typist;
    App& app = typist.app;
};

TEST_F(Typing, AnErrorIsUnderlinedSoonAfterTheLastKey) {
    typist.open("22_coarsened");
    expect_soon(typist.mistake());
    ASSERT_EQ(1u, app.arrived.diagnostics.size());
    EXPECT_EQ("identifier \"oops1\" is undefined", app.arrived.diagnostics.begin()->second);
    typist.restore();
    EXPECT_TRUE(app.arrived.diagnostics.empty());
    expect_soon(typist.mistake());
}

// A product takes the optimiser and the assembler a second or two, which cannot be stopped.
TEST_F(Typing, WhileTheTextBeforeIsStillCompiled) {
    typist.open("matmul/32_double_buffered");
    typist.change();
    ASSERT_TRUE(app.activity.picture) << "it was too quick: take a kernel that takes longer";
    expect_soon(typist.mistake());
    EXPECT_TRUE(app.activity.picture) << "the error came only behind the other text's picture";
}

TEST_F(Typing, InTwentyThousandLines) {
    typist.open("22_coarsened");
    typist.restore(20'000);
    expect_soon(typist.mistake());
}

}  // namespace
}  // namespace lanewise::ui
