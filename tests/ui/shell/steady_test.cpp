// A frame like the one before it allocates nothing, in every view: neither by operator new nor
// through Dear ImGui. A program of its own, since it replaces operator new.
#include <execinfo.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "../frames.h"
#include "lab/flow/block_walk.h"
#include "ui/desk/tools.h"
#include "ui/launch/charts.h"
#include "ui/launch/products.h"
#include "ui/launch/zoom.h"
#include "ui/state/edits.h"
#include "ui/state/views.h"

namespace {

// The calls that led to the first allocations of a frame, for the message.
constexpr int kDepth = 24;
constexpr size_t kShown = 4;
struct Trace {
    std::array<void*, kDepth> calls;
    int depth = 0;
};
std::atomic<bool> counting = false;
std::atomic<size_t> allocations = 0;
std::array<Trace, kShown> traces;

void* counted(size_t bytes) {
    if (counting) {
        size_t number = allocations++;
        if (number < kShown) {
            counting = false;  // backtrace() may allocate when it is first called
            traces[number].depth = backtrace(traces[number].calls.data(), kDepth);
            counting = true;
        }
    }
    return std::malloc(bytes ? bytes : 1);
}

}  // namespace

// Never inlined: the compiler would see free() of what a `new` returned, and warn.
[[gnu::noinline]] void* operator new(size_t bytes) {
    if (void* memory = counted(bytes)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
    return counted(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace lanewise::ui {
namespace {

constexpr int kSettling = 6, kFrames = 3;

class Steady : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        ImGui::SetAllocatorFunctions([](size_t bytes, void*) { return counted(bytes); },
                                     [](void* memory, void*) { std::free(memory); });
    }
    Steady() {
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        // The forge makes what it says of a result anew for each frame: it is drawn without one.
        frames.engine.unanswered = {"swizzle"};
        frames.answer();
        audit().on = false;
    }
    // What frames cost when nothing happens any more.
    void expect_none(const std::string& where) {
        frames.answer();
        frames.frame(kSettling);
        allocations = 0;
        counting = true;
        frames.frame(kFrames);
        counting = false;
        EXPECT_EQ(0u, allocations) << where << ": that many in " << kFrames << " frames";
        for (size_t i = 0; i < std::min<size_t>(allocations, kShown); ++i) {
            std::fprintf(stderr, "%s, allocation %zu; addr2line -Cfpe … of\n", where.c_str(), i);
            backtrace_symbols_fd(traces[i].calls.data(), traces[i].depth, 2);
        }
    }
    Frames frames{1920, 1080};
    App& app = frames.app;
};

TEST_F(Steady, EveryView) {
    for (const View& view : views()) {
        choose_view(app, view.id);
        expect_none(view.id);
    }
}

TEST_F(Steady, EveryPictureOfAProduct) {
    choose_stage(app, "40_wmma");
    choose_shape(app, 64, 64, 64);
    for (const ProductPart& part : product_parts()) {
        choose_view(app, std::string("product:") + part.id);
        frames.answer();
        ASSERT_TRUE(products(app).pictures);
        expect_none(part.id);
        choose_lane(app, 5);
        expect_none(std::string("a lane, ") + part.id);
        choose_lane(app, 5);
    }
}

// Where nothing plays; what plays lays its figure out anew for each step.
TEST_F(Steady, TheDataFlowAndItsWalk) {
    choose_view(app, "flow");
    frames.answer();
    ASSERT_TRUE(app.tools->flow.walk);
    expect_none("at its end");
    choose_flow_step(app, 3);
    expect_none("a step");
    choose_walked(app, 2);
    expect_none("two blocks");
}

TEST_F(Steady, EveryChart) {
    for (const ChartKind& kind : chart_kinds()) {
        choose_view(app, std::string("charts:") + kind.id);
        expect_none(kind.id);
    }
}

TEST_F(Steady, EveryZoom) {
    choose_view(app, "access");
    for (Zoom zoom : {Zoom::grid, Zoom::block, Zoom::warp, Zoom::lane}) {
        choose_zoom(app, zoom);
        expect_none("zoom " + std::to_string(static_cast<int>(zoom)));
    }
}

TEST_F(Steady, EverySize) {
    for (const char* view : {"access", "banks", "code", "speed"})
        for (auto [width, height, scale] :
             {std::tuple{1280, 720, 1.f}, {1280, 720, 2.f}, {1280, 720, 3.f}, {3840, 2160, 2.f}}) {
            set_scale(scale);
            frames.resize(width, height);
            choose_view(app, view);
            expect_none(std::string(view) + " at " + std::to_string(width) + ", scale " +
                        std::to_string(scale));
        }
    set_scale(1);
}

TEST_F(Steady, WhileAWarpIsPlayedAndPaused) {
    choose_view(app, "banks");
    step_life(app, 1);
    frames.frame(400);  // its wavefronts have all come
    expect_none("a moment of the life");
}

TEST_F(Steady, AProductAndAPitfall) {
    for (const char* stage : {"20_shared_tiles", "106_missing_barrier", "90_cublas"}) {
        choose_stage(app, stage);
        if (app.chosen().operation->has_inner()) choose_shape(app, 64, 64, 64);
        for (const char* view : {"access", "banks", "code"}) {
            choose_view(app, view);
            expect_none(std::string(stage) + ", " + view);
        }
    }
}

TEST_F(Steady, AWordUnderThePointerAndACardThatStays) {
    choose_view(app, "access");
    pin_word(app, *app.tools->words.glossary.find("DRAM"), {300, 300, 340, 320});
    expect_none("a card");
    unpin_word(app);
    expect_none("the lesson without it");
}

TEST_F(Steady, Presenting) {
    start_presenting(app);
    for (int i = 0; i < 4; ++i) {
        frames.answer();
        // The clock's picture changes every few seconds; the frames of this test are within one.
        expect_none("slide " + std::to_string(i));
        next_scene(app);
    }
}

TEST_F(Steady, TheTeachersWindow) {
    app.tools->more_windows = true;
    app.tools->presenter.screens = 2;
    start_presenting(app);
    for (int i = 0; i < 4; ++i) {
        frames.answer();
        expect_none("the teacher's slide " + std::to_string(i));
        next_scene(app);
    }
}

}  // namespace
}  // namespace lanewise::ui
