// The pictures that are no charts leave the window as the charts do: as files and over the
// clipboard, by button and by command.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "../frames.h"
#include "base/files.h"
#include "lab/change/swizzle.h"
#include "lab/flow/block_walk.h"
#include "lab/mismatch/mismatch_map.h"
#include "ui/desk/commands.h"
#include "ui/desk/tools.h"
#include "ui/launch/charts.h"
#include "ui/launch/products.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

class SavedPictures : public testing::Test {
  protected:
    void SetUp() override {
        folder = fs::temp_directory_path() /
                 ("lanewise-pictures-" +
                  std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder);
        fs::create_directories(folder);
        charts(app).folder = folder.string();
    }
    void TearDown() override { fs::remove_all(folder); }
    void go(const char* stage, const char* view) {
        choose_stage(app, stage);
        choose_shape(app, 64, 64);
        frames.answer();
        choose_view(app, view);
        frames.frame(3);
    }
    std::string text(PictureOf of, ChartFormat format) { return picture_text(app, of, format); }
    static bool has(const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    }
    Frames frames{1280, 1000};
    App& app = frames.app;
    fs::path folder;
};

TEST_F(SavedPictures, OfTheDataFlow) {
    go("22_coarsened", "flow");
    EXPECT_TRUE(
        has(text(PictureOf::view, ChartFormat::svg), "Data flow of block 0, step 129 of 129"));
    EXPECT_TRUE(has(text(PictureOf::view, ChartFormat::csv), "Warp 0 loads from in"));
    EXPECT_EQ("Show the data flow first.", nothing_to_save(app, PictureOf::blocks));
    take_walk(app, walk_blocks(job_of(app), kMostWalked));
    frames.frame(2);
    EXPECT_TRUE(has(text(PictureOf::blocks, ChartFormat::csv), "0,in,0,0,32,32"));
    // By its button, as a file of its own name.
    ASSERT_TRUE(frames.click("flow:save"));
    EXPECT_TRUE(charts(app).save_open);
    ASSERT_TRUE(frames.click("save:svg"));
    EXPECT_TRUE(fs::exists(folder / "lanewise-flow-22_coarsened-64x64-f32.svg"))
        << app.said.toast.text;
    send_pointer({2, 2});  // the button's tooltip goes
    frames.frame(3);
    EXPECT_EQ(std::vector<std::string>{}, text_faults(audit()));
    ASSERT_TRUE(frames.click("blocks:save"));
    EXPECT_EQ(PictureOf::blocks, charts(app).save_of);
    ASSERT_TRUE(frames.click("copy:csv"));
    EXPECT_EQ(text(PictureOf::blocks, ChartFormat::csv), ImGui::GetClipboardText());
    // A picture as pixels waits for the end of its frame.
    ASSERT_TRUE(frames.click("save:png"));
    save_pending_chart(app);
    std::string png = read_file(folder / "lanewise-blocks-22_coarsened-64x64-f32.png");
    EXPECT_TRUE(png.starts_with("\x89PNG"));
}

TEST_F(SavedPictures, OfTheForge) {
    go("22_coarsened", "forge");
    EXPECT_NE("", nothing_to_save(app, PictureOf::view));  // nothing has been tried
    take_swizzle(app, try_swizzle(job_of(app), 0, {"col ^ row", 0}));
    frames.frame(3);
    EXPECT_TRUE(has(text(PictureOf::view, ChartFormat::svg), "Swizzle forge, col ^ row"));
    EXPECT_TRUE(has(text(PictureOf::view, ChartFormat::csv), "# column = col ^ row"));
    act(app, find_command(app, "chart:copy:CSV"));
    EXPECT_EQ(text(PictureOf::view, ChartFormat::csv), ImGui::GetClipboardText());
    nlohmann::json all = nlohmann::json::parse(everything_as_json(app));
    EXPECT_EQ("col ^ row", all["forge"]["trial"]["expression"]);
    EXPECT_FALSE(all.contains("mismatch_map"));
}

TEST_F(SavedPictures, OfAProduct) {
    choose_stage(app, "matmul/42_mma_sync");
    choose_shape(app, 64, 64, 64);
    choose_view(app, "product:fragments");
    frames.answer();
    frames.frame(3);
    EXPECT_TRUE(has(text(PictureOf::view, ChartFormat::csv), "matrix,row,column,lane,register"));
    EXPECT_TRUE(has(text(PictureOf::view, ChartFormat::svg), "Fragments of block 0"));
    choose_view(app, "product:reuse");
    frames.frame(2);
    EXPECT_TRUE(has(text(PictureOf::view, ChartFormat::csv), "matrix,row,column,global,shared"));
    choose_view(app, "product:walk");
    frames.frame(2);
    EXPECT_TRUE(has(text(PictureOf::view, ChartFormat::csv), "step,k_begin,k_end"));
    EXPECT_TRUE(nlohmann::json::parse(everything_as_json(app)).contains("product_pictures"));
    choose_view(app, "code");
    EXPECT_NE("", find_command(app, "chart:save:PNG").problem);
}

TEST_F(SavedPictures, OfAWrongResult) {
    go("102_tile_not_swapped", "access");
    EXPECT_EQ("Open the map of a wrong result first.",
              find_command(app, "mismatch:save:SVG").problem);
    act(app, find_command(app, "mismatch"));
    frames.answer();
    frames.frame(3);
    EXPECT_EQ("", find_command(app, "mismatch:save:SVG").problem);
    EXPECT_TRUE(has(text(PictureOf::mismatch, ChartFormat::svg), "its inside was not turned"));
    EXPECT_TRUE(has(text(PictureOf::mismatch, ChartFormat::csv), "# Every 32 × 32 tile lies"));
    EXPECT_TRUE(nlohmann::json::parse(everything_as_json(app)).contains("mismatch_map"));
}

}  // namespace
}  // namespace lanewise::ui
