// A scene that moves stops where the machine did something, as worked out by hand.
#include "course/moments.h"

#include <gtest/gtest.h>

#include <map>

#include "../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"
#include "course/scenes.h"
#include "lab/analysis/analysis.h"
#include "trace/record/block_life.h"

namespace lanewise {
namespace {

struct Played {
    Picture picture;
    BlockLife life;
    std::vector<int> moments;
};
Played played(const std::string& stage, const KnobValues& knobs, int64_t side, int64_t inner,
              const std::vector<std::string>& kinds) {
    Job job;
    job.stage = shipped_stages().find(stage);
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

// Lane l of the one warp loads column l of a square of 32 x 32. Five rounds of 16 shuffles each swap
// lanes that are 16, 8, 4, 2 and 1 apart; in the end lane l holds row l.
TEST(Moments, AreTheRoundsInWhichColumnsBecomeRows) {
    Played turned = played("transpose/70_shuffle", {{"WARPS", 1}}, 64, 0, {"exchange"});
    ASSERT_EQ(6u, turned.moments.size());  // before the first, and after each
    const BlockTrace& block = turned.picture.block;
    ASSERT_EQ(80u, block.shuffles.size());
    EXPECT_EQ(80u, moments_of(turned.life.steps, {"shuffle"}).size());
    EXPECT_EQ(Moment::load, turned.life.steps[static_cast<size_t>(turned.moments[0])].moment);
    std::map<std::pair<int64_t, int64_t>, size_t> holder;  // of (row, col)
    for (int64_t row = 0; row < 32; ++row)
        for (int64_t col = 0; col < 32; ++col) holder[{row, col}] = static_cast<size_t>(col);
    for (size_t i = 0; i < 80; ++i) {
        const TracedShuffle& shuffle = block.shuffles[i];
        EXPECT_EQ(0, shuffle.buffer);
        for (size_t lane = 0; lane < 32; ++lane) {
            const size_t from = shuffle.from[lane];
            EXPECT_EQ(lane ^ (size_t{16} >> i / 16), from) << i;
            ASSERT_LE(0, shuffle.given[from]);
            const int64_t element = shuffle.given[from] / 4;
            EXPECT_EQ(from, (holder[{element / 64, element % 64}])) << "who gives it has it";
        }
        for (size_t lane = 0; lane < 32; ++lane) {
            const int64_t element = shuffle.given[shuffle.from[lane]] / 4;
            holder[{element / 64, element % 64}] = lane;
        }
        if (i == 15) {  // the upper right quarter has changed places with the lower left one
            EXPECT_EQ(0u, (holder[{0, 16}]));
            EXPECT_EQ(16u, (holder[{16, 0}]));
            EXPECT_EQ(5u, (holder[{7, 5}]));
        }
    }
    for (const auto& [place, lane] : holder) EXPECT_EQ(place.first, static_cast<int64_t>(lane));
}

// A sum's partners are 16, 8, 4, 2 and 1 lanes further up; what they give is no loaded element once
// it was added up.
TEST(Moments, AreTheExchangesOfASum) {
    Played sum = played("reduction/40_shuffle", {{"THREADS", 64}}, 64, 0, {"shuffle"});
    const BlockTrace& block = sum.picture.block;
    ASSERT_EQ(10u, block.shuffles.size());  // of two warps
    EXPECT_EQ(16, block.shuffles[0].from[0]);
    EXPECT_EQ(31, block.shuffles[0].from[15]);
    EXPECT_EQ(16, block.shuffles[0].from[16]);  // no lane is so far up: it keeps its own
    EXPECT_EQ(1, block.shuffles[4].from[0]);
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
    for (const Stage& stage : shipped_stages().stages()) {
        std::filesystem::path file = shipped_stages().content() / "lessons" / stage.operation /
                                     std::filesystem::path(stage.file).replace_extension(".md");
        for (const Scene& scene : read_scenes(file)) {
            if (scene.state.moments.empty()) continue;
            ++moving;
            Played shown = played(stage.id, knobs_at(stage, {.set = scene.set}), 256, 256,
                                  scene.state.moments);
            EXPECT_LE(2u, shown.moments.size()) << stage.id;
        }
    }
    EXPECT_EQ(7, moving);
}

}  // namespace
}  // namespace lanewise
