// A scene that moves stops where the machine did something, as worked out by hand.
#include "course/moments.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "course/catalogue.h"
#include "course/scenes.h"
#include "lab/analysis/analysis.h"
#include "trace/record/block_life.h"

namespace lanewise {
namespace {

const Catalogue& catalogue() {
    static const Catalogue loaded = Catalogue::load(CONTENT_FOLDER);
    return loaded;
}

struct Played {
    Picture picture;
    BlockLife life;
    std::vector<int> moments;
};
Played played(const std::string& stage, const KnobValues& knobs, int64_t side, int64_t inner,
              const std::vector<std::string>& kinds) {
    Job job;
    job.stage = catalogue().find(stage);
    job.type = job.stage.types.front();
    job.arch = "sm_90";
    job.rows = job.cols = side;
    job.inner = inner_for(job.stage, inner);
    job.knobs = default_knobs(job.stage);
    for (const auto& [name, value] : knobs) job.knobs[name] = value;
    Played played{trace_block(job, 0), {}, {}};
    played.life = block_life(played.picture.block, played.picture.report);
    played.moments = moments_of(played.life.steps, kinds);
    return played;
}

// Eight warps write four rows each of a tile of 32 x 32, then wait for each other once. Warp 0
// writes rows 0, 8, 16 and 24, and lane 1 of row r lies in column 1 ^ r.
TEST(Moments, AreTheRowsOfASwizzledTile) {
    Played tile =
        played("transpose/32_swizzled", {{"TILE", 32}, {"ROWS", 8}}, 64, 0, {"tile store"});
    ASSERT_EQ(32u, tile.moments.size());
    for (int i = 0; i < 4; ++i) {
        const LifeStep& step = tile.life.steps[static_cast<size_t>(tile.moments[size_t(i)])];
        const TracedAccess& store = tile.picture.block.accesses[static_cast<size_t>(step.access)];
        const uint64_t row = 8 * static_cast<uint64_t>(i);
        EXPECT_EQ(0u, store.warp);
        EXPECT_EQ(4 * (32 * row + (1 ^ row)), store.addresses[1]) << row;
    }
    EXPECT_EQ(1u, moments_of(tile.life.steps, {"barrier"}).size());
    EXPECT_EQ(33u, moments_of(tile.life.steps, {"barrier", "tile store"}).size());
}

// K of 256 is four steps of 64. Each brings one box of A and four of B, and each box arrives.
TEST(Moments, AreTheBoxesOfAProduct) {
    Played boxes = played("matmul/95_wgmma", {{"STAGES", 2}}, 256, 256, {"copy"});
    ASSERT_EQ(20u, boxes.moments.size());
    EXPECT_EQ(20u, moments_of(boxes.life.steps, {"copy done"}).size());
    int a = 0;
    for (int moment : boxes.moments) {
        const LifeStep& step = boxes.life.steps[static_cast<size_t>(moment)];
        ASSERT_GE(step.copy, 0);
        const TracedCopy& copy = boxes.picture.block.copies[static_cast<size_t>(step.copy)];
        a += boxes.picture.block.buffers[static_cast<size_t>(copy.buffer)].name == "A";
    }
    EXPECT_EQ(4, a);
}

TEST(Moments, AreFoundAroundAStep) {
    EXPECT_EQ(0, moment_at({}, 5));
    EXPECT_EQ(0, moment_at({3, 7, 9}, 1));
    EXPECT_EQ(0, moment_at({3, 7, 9}, 6));
    EXPECT_EQ(1, moment_at({3, 7, 9}, 7));
    EXPECT_EQ(2, moment_at({3, 7, 9}, 100));
}

TEST(Moments, OfASceneAreKindsThatThereAre) {
    auto refusal = [](const std::string& lines) -> std::string {
        try {
            parse_scenes("+++\n[[scene]]\ntitle = 't'\n" + lines + "+++\n", "x.md");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ("", refusal("show = 'view:flow'\nmoments = ['copy', 'barrier']\n"));
    EXPECT_NE(std::string::npos,
              refusal("show = 'view:flow'\nmoments = ['kopy']\n").find("no moment \"kopy\""));
    EXPECT_NE(std::string::npos,
              refusal("show = 'view:banks'\nmoments = ['copy']\n").find("add show = "));
}

// Every scene that moves has at least two moments in the block that it shows.
TEST(Moments, OfTheScenesThatShipAreThere) {
    int moving = 0;
    for (const Stage& stage : catalogue().stages()) {
        std::filesystem::path file = catalogue().content() / "lessons" / stage.operation /
                                     std::filesystem::path(stage.file).replace_extension(".md");
        for (const Scene& scene : read_scenes(file)) {
            if (scene.state.moments.empty()) continue;
            ++moving;
            Played shown = played(stage.id, knobs_at(stage, {.set = scene.set}), 256, 256,
                                  scene.state.moments);
            EXPECT_LE(2u, shown.moments.size()) << stage.id;
        }
    }
    EXPECT_EQ(4, moving);
}

}  // namespace
}  // namespace lanewise
