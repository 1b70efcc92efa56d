// The product view: its three pictures, by keys and by pointer, and where it says why there is
// none.
#include <gtest/gtest.h>

#include "../../needs.h"
#include "../frames.h"
#include "ui/desk/commands.h"
#include "ui/launch/products.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

class ProductView : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_NVRTC();
        choose_stage(app, "matmul/40_wmma");
        choose_shape(app, 64, 64, 64);
        show("product");
    }
    void settle() {
        frames.answer();
        frames.frame(3);
    }
    void show(const std::string& view) {
        choose_view(app, view);
        settle();
    }
    Frames frames{1280, 720};
    App& app = frames.app;
};

TEST_F(ProductView, GoesThroughItsPicturesByKeys) {
    EXPECT_TRUE(frames.says("each lane holds") || frames.says("Each lane holds"));
    frames.press(Key::down);
    EXPECT_TRUE(frames.says("A from global memory"));
    EXPECT_TRUE(frames.says("C to global memory"));
    frames.press(Key::down);
    EXPECT_TRUE(frames.says("Step 1 of"));
    frames.press(Key::right);
    EXPECT_TRUE(frames.says("Step 2 of"));
    frames.press(Key::end);
    EXPECT_EQ(static_cast<int>(products(app).pictures->walk.steps.size()) - 1, products(app).step);
    frames.press(Key::up);
    frames.press(Key::up);
    frames.press(Key::right);
    EXPECT_EQ(1u, products(app).product);
    settle();
    EXPECT_TRUE(frames.says("1 of"));
    EXPECT_EQ(
        2, frames.engine.asked["product"]);  // again for another product, and the reuse only once
    settle();
    EXPECT_EQ(2, frames.engine.asked["product"]);
}

TEST_F(ProductView, PointingAtALaneHighlightsIt) {
    for (const WidgetRecord& widget : audit().widgets)
        if (widget.id == "lane:7") {
            send_pointer(
                {(widget.box.x0 + widget.box.x1) / 2, (widget.box.y0 + widget.box.y1) / 2});
            break;
        }
    frames.frame(3);
    EXPECT_EQ(7, products(app).hovered);
    EXPECT_TRUE(frames.says("Lane 7 holds"));
    ASSERT_TRUE(frames.click("lane:7"));
    EXPECT_EQ(7, app.chosen().lane);
    send_pointer({5, 5});
    frames.frame(3);
    EXPECT_EQ(-1, products(app).hovered);
    EXPECT_TRUE(frames.says("Lane 7 holds"));  // it stays chosen
}

TEST_F(ProductView, PlaysTheWalk) {
    choose_view(app, "product:walk");
    frames.frame(2);
    EXPECT_FALSE(walk_plays(app));
    frames.press(Key::space);
    EXPECT_TRUE(walk_plays(app));
    auto last = static_cast<int>(products(app).pictures->walk.steps.size()) - 1;
    ASSERT_GT(last, 0);
    for (int i = 0; i < 3000 && walk_plays(app); ++i) frames.frame();
    EXPECT_FALSE(walk_plays(app));
    EXPECT_EQ(last, products(app).step);
    frames.press(Key::space);  // from the begin
    EXPECT_EQ(0, products(app).step);
    EXPECT_TRUE(walk_plays(app));
    frames.press(Key::home);
    EXPECT_FALSE(walk_plays(app));
    ASSERT_TRUE(frames.click("walk strip"));  // in the middle
    EXPECT_EQ((last + 1) / 2, products(app).step);
}

// What is drawn needs the engine's pictures, which the test of all views has none of.
TEST_F(ProductView, IsWholeAndCanBeReadAtEverySize) {
    choose_view(app, "product");
    for (const char* stage : {"matmul/20_shared_tiles", "matmul/42_mma_sync", "matmul/95_wgmma"}) {
        choose_stage(app, stage);
        choose_shape(app, 128, 128, 64);
        settle();
        for (auto [width, height, scale] :
             {std::tuple{1280, 720, 3.f}, {1920, 1080, 1.f}, {3840, 2160, 3.f}, {1280, 720, 1.f}}) {
            frames.resize(width, height);
            set_scale(scale);
            for (const char* view :
                 {"product:fragments", "product:reuse", "product:walk", "flow"}) {
                set_theme(next_theme(look().theme));
                show(view);
                std::string where = std::string(stage) + ", " + view + ", " + look().theme +
                                    " at " + std::to_string(width);
                for (const std::string& fault : text_faults(audit()))
                    ADD_FAILURE() << where << ": " << fault;
                for (const std::string& fault :
                     contrast_faults(audit(), *ImGui::GetDrawData(), look().pixels_per_point()))
                    ADD_FAILURE() << where << ": " << fault;
            }
        }
    }
}

// At 300 % of a small window all tabs stand in one row, and the picture has most of the height.
TEST_F(ProductView, LeavesTheHeightToThePictureInASmallWindow) {
    frames.resize(1280, 720);
    set_scale(3);
    show("product:fragments");
    float tabs = 0, first = 720;
    for (const WidgetRecord& widget : audit().widgets) {
        if (widget.id.starts_with("view:")) {
            EXPECT_TRUE(tabs == 0 || tabs == widget.box.y1) << widget.id;
            tabs = widget.box.y1;
        }
        if (widget.id.starts_with("product:")) first = std::min(first, widget.box.y0);
    }
    EXPECT_GT(tabs, 0);
    EXPECT_LT(first, 720 / 3);  // two thirds are left
}

// The arrows go through the pictures, so that two other keys scroll what does not fit.
TEST_F(ProductView, IsScrolledByKeysInASmallWindow) {
    frames.resize(1280, 720);
    set_scale(3);
    show("product:fragments");
    auto top = [&] {
        for (const WidgetRecord& widget : audit().widgets)
            if (widget.id == "product:reuse") return widget.box.y0;
        return 0.f;
    };
    float before = top();
    uint64_t block = app.chosen().block;
    frames.press(Key::page_down, true);
    frames.frame(2);
    EXPECT_LT(top(), before - 200);
    frames.press(Key::page_up, true);
    frames.frame(2);
    EXPECT_FLOAT_EQ(before, top());
    EXPECT_EQ(block, app.chosen().block);
}

// What the table of operations names is in the table of views.
TEST(OperationsViews, AreThere) {
    for (const Operation& operation : all_operations()) {
        for (const std::string& view : operation.views.own) EXPECT_EQ(view, find_view(view).id);
        EXPECT_NO_THROW(find_view(operation.views.opening.substr(std::string("view:").size())));
    }
}

// On a small screen at 300 % one row of tools stands above the picture; the rest follows it.
TEST_F(ProductView, BeginsWithItsPictureWhereAWindowIsLow) {
    auto top_of = [&](const std::string& id) {
        for (const WidgetRecord& each : audit().widgets)
            if (each.id == id) return each.box.y0;
        return 720.f;  // further down than the window
    };
    for (const char* view : {"product:walk", "product:fragments"}) {
        set_scale(1);
        show(view);
        EXPECT_LT(top_of("block"), 720 / 3) << view;
        set_scale(3);
        show(view);
        EXPECT_GT(top_of("block"), 720 / 2) << view;
    }
}

TEST_F(ProductView, SaysWhyThereIsNothing) {
    choose_stage(app, "matmul/30_register_tiles");
    settle();
    show("product:fragments");
    EXPECT_TRUE(frames.says("multiplies without tensor cores"));
    choose_stage(app, "matmul/90_cublas_product");
    settle();
    EXPECT_TRUE(frames.says(nothing_to_interpret(app.stage()).substr(0, 20)));
    choose_stage(app, "30_padded");
    settle();
    EXPECT_TRUE(frames.says("These pictures are of products"));
    ASSERT_TRUE(frames.click("to product"));
    EXPECT_TRUE(app.chosen().operation->has_inner());
}

TEST_F(ProductView, IsOfferedWhereItMakesSense) {
    EXPECT_EQ("", find_command(app, "view:product").problem);
    EXPECT_EQ("", find_command(app, "product:walk").problem);
    choose_view(app, "access");
    choose_stage(app, "30_padded");
    settle();
    EXPECT_NE("", find_command(app, "view:product").problem);
    EXPECT_NE("", find_command(app, "product:walk").problem);
    char digit = '0';
    for (const View& view : views()) {
        digit = static_cast<char>(digit + (view.place == Place::middle));
        if (view.id == std::string("product")) break;
    }
    frames.type(digit);
    EXPECT_EQ("access", app.chosen().tab);
    EXPECT_EQ(no_product(app), app.said.toast.text);
    EXPECT_THROW(choose_view(app, "product:reuses"), Error);
    EXPECT_THROW(choose_view(app, "banks:walk"), Error);
}

// At 32 x 32 x 32 a launch is all that takes time: the ladder has microseconds.
TEST_F(ProductView, ASmallLadderIsOfTimes) {
    app.content.recordings.clear();
    Measurement small;
    small.stage = app.stage().id;
    small.knobs = default_knobs(app.stage());
    small.type = "f16";
    small.rows = small.cols = small.inner = 32;
    small.gb_per_s = 1;
    small.time_us = {2.5, 2.4, 2.6, 40};
    small.yardstick.time_us = {4.5, 4.4, 4.6, 40};
    app.arrived.live = {small};
    choose_shape(app, 32, 32, 32);
    build_ladder(app);
    EXPECT_EQ("µs", app.derived.ladder.unit);
    EXPECT_EQ(4.5, app.derived.ladder.copy_gb_per_s);
    EXPECT_EQ(0, app.derived.ladder.datasheet_gb_per_s);
    EXPECT_NE(std::string::npos, app.derived.ladder.caption.find("Launch-bound"));
    auto bar = std::find_if(app.derived.ladder.bars.begin(), app.derived.ladder.bars.end(),
                            [](const LadderBar& each) { return each.gb_per_s > 0; });
    ASSERT_NE(app.derived.ladder.bars.end(), bar);
    EXPECT_EQ(2.5, bar->gb_per_s);
    EXPECT_EQ(2.6, bar->high);
    app.arrived.live[0].rows = app.arrived.live[0].cols = app.arrived.live[0].inner = 256;
    choose_shape(app, 256, 256, 256);
    build_ladder(app);
    EXPECT_EQ("GFLOP/s", app.derived.ladder.unit);
}

// A shape that would take too long is pictured by one with the same edges.
TEST_F(ProductView, SaysWhatStandsForALargeShape) {
    App& a = app;
    choose_shape(a, 4096, 4097, 64);
    ProductPictures pictures = *products(a).pictures;
    pictures.size = pictured_size(job_of(a));
    EXPECT_EQ((ProductSize{256, 129, 64}), pictures.size);
    take_product(a, pictures);
    frames.frame(2);
    EXPECT_TRUE(frames.says("Drawn at 256 x 129 x 64"));
}

// What its message said is said in the view as well: that may have been closed.
TEST(WithoutHeaders, AStageSaysInItsViewsWhatItNeeds) {
    Frames frames{1280, 900};
    App& app = frames.app;
    choose_stage(app, "matmul/92_cutlass_simt");
    choose_view(app, "access");
    frames.frame(2);
    EXPECT_FALSE(frames.says("There is no picture of this stage"));  // not yet asked for
    app.arrived.picture.reset();
    app.stale.picture = app.stale.analysis = false;
    frames.frame(2);
    EXPECT_TRUE(frames.says("There is no picture of this stage"));
    choose_view(app, "code");
    frames.frame(2);
    EXPECT_FALSE(frames.says("There is no picture of this stage"));
}

}  // namespace
}  // namespace lanewise::ui
