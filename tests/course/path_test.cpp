// The path through the lessons: hand-worked files, their faults, and what comes next.
#include "course/path.h"

#include <gtest/gtest.h>

#include <set>

#include "../shipped_stages.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

std::vector<Stage> stages_named(const std::vector<std::string>& ids) {
    std::vector<Stage> stages;
    for (const std::string& id : ids) {
        Stage stage;
        stage.id = id;
        stage.operation = id.substr(0, id.find('/'));
        stages.push_back(stage);
    }
    return stages;
}

// Places 0 to 5.
const std::vector<Stage> kStages = stages_named(
    {"zero/0_cores", "zero/1_warps", "t/00_copy", "t/02_wide", "t/10_naive", "pitfalls/106_x"});

// The path goes 0 1, 2 5 4; 3 is further.
const std::string kGoodPath = R"([[section]]
title = "Zero"
lessons = [{ all = "zero/*", minutes = 3 }, { all = "none/*", minutes = 3 }]
[[section]]
title = "Sectors"
lessons = [
    { stage = "t/00_copy", minutes = 20 },
    { stage = "pitfalls/106_x", minutes = 30 },
    { stage = "t/10_naive", minutes = 40 },
]
)";

Path good() { return parse_path(kGoodPath, "path.toml", kStages); }

std::string fault_of(const std::string& text) {
    Path path = parse_path(text, "path.toml", kStages);
    EXPECT_TRUE(path.error.empty() || path.sections.empty());
    return path.error;
}

AskStage among(std::set<std::string> ids) {
    return [ids](const std::string& stage) { return ids.contains(stage); };
}

std::optional<size_t> next(size_t from, std::set<std::string> skipped = {},
                           std::set<std::string> done = {}) {
    return next_on_path(good(), kStages, from, among(skipped), among(done));
}

TEST(Path, ReadsSectionsAndPatterns) {
    Path path = good();
    ASSERT_EQ("", path.error);
    ASSERT_EQ(2u, path.sections.size());
    EXPECT_EQ("Zero", path.sections[0].title);
    EXPECT_EQ((std::vector<PathLesson>{{"zero/0_cores", 3}, {"zero/1_warps", 3}}),
              path.sections[0].lessons);
    EXPECT_EQ(30, core_lesson(path, "pitfalls/106_x")->minutes);
    EXPECT_EQ(nullptr, core_lesson(path, "t/02_wide"));
}

TEST(Path, NamesTheLineOfAFault) {
    const std::string head = "[[section]]\ntitle = \"A\"\nlessons = [\n";
    EXPECT_EQ("path.toml:4: there is no stage \"t/00_cpy\"; did you mean \"t/00_copy\"?",
              fault_of(head + "  { stage = \"t/00_cpy\", minutes = 5 },\n]\n"));
    EXPECT_EQ("path.toml:5: t/00_copy stands in the path already, in \"A\"; name each lesson once",
              fault_of(head + "  { stage = \"t/00_copy\", minutes = 5 },\n"
                              "  { stage = \"t/00_copy\", minutes = 5 },\n]\n"));
    EXPECT_EQ("path.toml:5: t/00_copy stands in the path already, in \"A\"; name each lesson once",
              fault_of(head + "  { stage = \"t/00_copy\", minutes = 5 },\n"
                              "  { all = \"t/*\", minutes = 5 },\n]\n"));
    EXPECT_EQ("path.toml:4: a lesson takes 1 to 240 minutes; write minutes = 30",
              fault_of(head + "  { stage = \"t/00_copy\", minutes = 0 },\n]\n"));
    EXPECT_EQ("path.toml:4: a lesson takes 1 to 240 minutes; write minutes = 30",
              fault_of(head + "  { stage = \"t/00_copy\" },\n]\n"));
    EXPECT_EQ("path.toml:4: \"t/1*\" is no course; write it as \"zero/*\"",
              fault_of(head + "  { all = \"t/1*\", minutes = 5 },\n]\n"));
    EXPECT_TRUE(fault_of("[[section]]\ntitle = \"A\"\n").starts_with("path.toml:1: the section"));
    EXPECT_TRUE(fault_of(head + "  { minutes = 5 },\n]\n").starts_with("path.toml:4: a lesson is"));
    EXPECT_TRUE(fault_of("[[section]]\nlessons = []\n").starts_with("path.toml:1: "));
    EXPECT_TRUE(fault_of("[[sections]]\n").starts_with("path.toml:1: "));
}

TEST(Path, WithoutAFileEverythingIsFurther) {
    Path path = read_path("/nonexistent/path.toml", kStages);
    EXPECT_NE("", path.error);
    EXPECT_EQ((std::vector<size_t>{0, 1, 2, 3, 4, 5}), in_path_order(path, kStages));
}

TEST(Path, GoesThroughTheCoreThenFurther) {
    EXPECT_EQ((std::vector<size_t>{0, 1, 2, 5, 4, 3}), in_path_order(good(), kStages));
    std::vector<Stage> broken = kStages;
    broken[5].error = "x.cu:1: no title";
    EXPECT_EQ((std::vector<size_t>{0, 1, 2, 4, 3}), in_path_order(good(), broken));
}

TEST(Path, NextFollowsItAndPassesOverWhatIsKnown) {
    EXPECT_EQ(5u, next(2));
    EXPECT_EQ(4u, next(2, {"pitfalls/106_x"}));
    EXPECT_EQ(4u, next(5, {}, {"t/10_naive"}));  // what is done may be seen again
    EXPECT_EQ(3u, next(4));                      // the core ends
    EXPECT_EQ(std::nullopt, next(4, {"t/02_wide"}));
}

TEST(Path, FromAFurtherLessonBackToTheCore) {
    EXPECT_EQ(0u, next(3));
    EXPECT_EQ(2u, next(3, {"zero/0_cores"}, {"zero/1_warps"}));
    std::set<std::string> core = {"zero/0_cores", "zero/1_warps", "t/00_copy", "pitfalls/106_x",
                                  "t/10_naive"};
    EXPECT_EQ(std::nullopt, next(3, {}, core));
}

TEST(Path, TellsTheTimeLeft) {
    EXPECT_EQ(96, minutes_left(good(), among({})));
    EXPECT_EQ(53, minutes_left(good(), among({"t/10_naive", "zero/0_cores"})));
    EXPECT_EQ("", duration_text(0));
    EXPECT_EQ("about 5 minutes", duration_text(1));
    EXPECT_EQ("about 40 minutes", duration_text(42));
    EXPECT_EQ("about 85 minutes", duration_text(87));
    EXPECT_EQ("about 1½ hours", duration_text(88));
    EXPECT_EQ("about 10 hours", duration_text(605));
}

// The path that ships has no fault, and its core takes about ten hours.
TEST(Path, ShipsClean) {
    const Catalogue& catalogue = shipped_stages();
    const Path path = read_path(path_file(catalogue.content()), catalogue.stages());
    ASSERT_EQ("", path.error);
    const int minutes = minutes_left(path, among({}));
    EXPECT_GE(minutes, 9 * 60);
    EXPECT_LE(minutes, 11 * 60);
    EXPECT_EQ(catalogue.stages().size(), in_path_order(path, catalogue.stages()).size());
}

// An exercise stands behind the lesson whose idea it uses.
TEST(Path, ExercisesFollowTheirIdea) {
    const Catalogue& catalogue = shipped_stages();
    const Path path = read_path(path_file(catalogue.content()), catalogue.stages());
    auto place = [&](const std::string& id) {
        const std::vector<size_t> order = in_path_order(path, catalogue.stages());
        for (size_t i = 0; i < order.size(); ++i)
            if (catalogue.stages()[order[i]].id == id) return i;
        return order.size();
    };
    EXPECT_LT(place("transpose/30_padded"), place("pitfalls/107_padding_16_wide"));
    EXPECT_LT(place("transpose/30_padded"), place("pitfalls/106_missing_barrier"));
    EXPECT_LT(place("pitfalls/106_missing_barrier"), place("transpose/40_float4"));
    EXPECT_EQ(nullptr, core_lesson(path, "transpose/02_copy_wide"));
}

}  // namespace
}  // namespace lanewise
