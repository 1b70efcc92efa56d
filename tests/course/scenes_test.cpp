// The scenes of the lessons that ship, and what is said about a malformed one.
#include "course/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../shipped_stages.h"
#include "base/error.h"
#include "base/files.h"
#include "course/lesson_lint.h"

namespace lanewise {
namespace {

using Problems = std::vector<std::string>;

const Problems kSceneViews = {"lesson",
                              "access",
                              "machine:workers",
                              "machine:multiprocessor",
                              "machine:launch",
                              "machine:levels",
                              "flow",
                              "banks",
                              "code",
                              "speed",
                              "charts",
                              "counts",
                              "ladder",
                              "charts:sizes",
                              "charts:sweep",
                              "charts:published",
                              "flow",
                              "product:fragments",
                              "product:reuse",
                              "product:walk"};

TEST(Scenes, AreReadInOrder) {
    std::vector<Scene> scenes = parse_scenes(
        "+++\ntitle = \"t\"\n[[scene]]\ntitle = 'Look'\nsay = 'There.'\nshow = 'view:banks'\n"
        "set = ['PAD=0', 'TILE=16']\n[[scene]]\nshow = 'question'\n+++\n[[scene]] of the body\n",
        "x.md");
    ASSERT_EQ(2u, scenes.size());
    EXPECT_EQ("Look", scenes[0].title);
    EXPECT_EQ("There.", scenes[0].say);
    EXPECT_EQ("view:banks", scenes[0].show);
    EXPECT_EQ((Problems{"PAD=0", "TILE=16"}), scenes[0].set);
    EXPECT_FALSE(scenes[0].asks());
    EXPECT_TRUE(scenes[1].asks());
    EXPECT_TRUE(parse_scenes("+++\ntitle = \"t\"\n+++\n", "x.md").empty());
    EXPECT_TRUE(parse_scenes("", "x.md").empty());
}

TEST(Scenes, SayWhatIsWrongAndWhere) {
    auto refusal = [](const std::string& scene) -> std::string {
        try {
            parse_scenes("+++\n[[scene]]\n" + scene + "+++\n", "x.md");
        } catch (const Error& error) {
            return error.what();
        }
        return "not refused";
    };
    EXPECT_NE(std::string::npos, refusal("say = 'x'\n").find("title = "));
    EXPECT_NE(std::string::npos, refusal("show = 'question'\ntitle = 'x'\n").find("x.md:3: "));
    EXPECT_NE(std::string::npos, refusal("titel = 'x'\n").find("did you mean \"title\"?"));
    EXPECT_NE(std::string::npos, refusal("title = 'x'\nset = 'PAD=0'\n").find("list of texts"));
    EXPECT_NE(std::string::npos, refusal("title = 'x'\nlane = '32'\n").find("x.md:4: "));
    EXPECT_NE(std::string::npos, refusal("title = 'x'\nsize = '12'\n").find("1000x50"));
    EXPECT_NE(std::string::npos, refusal("title = 'x'\nzoom = 'byte'\n").find("\"lane\""));
    EXPECT_NE(std::string::npos, refusal("title = 'x'\nblock = '-1'\n").find("x.md:4: "));
    EXPECT_NE(std::string::npos, refusal("title = 'x'\nanswer = '1'\n").find("choices = "));
    EXPECT_NE(std::string::npos, refusal("title = 'x'\nreveal = 'view:banks'\n").find("choices"));
    EXPECT_NE(std::string::npos,
              refusal("title = 'x'\nsay = 'q'\nchoices = ['1', '2']\n").find("answer = "));
    EXPECT_NE(std::string::npos,
              refusal("title = 'x'\nchoices = ['1', '2']\nanswer = '1'\n").find("the question"));
    EXPECT_NE(std::string::npos, refusal("show = 'question'\nchoices = ['1', '2']\nanswer = '1'\n"
                                         "say = 'q'\n")
                                     .find("no words of its own"));
}

TEST(Scenes, OfTheLessonsThatShipAreClean) {
    size_t scripted = 0;
    for (const Stage& stage : shipped_stages().stages()) {
        std::filesystem::path file = lesson_path(shipped_stages(), stage);
        std::vector<Scene> scenes = parse_scenes(read_file(file), file.filename().string());
        scripted += !scenes.empty();
        Lesson lesson = with_scenes(read_lesson(file, stage.id), scenes);
        EXPECT_EQ(Problems(), lesson_problems(lesson, stage, shipped_stages(), kSceneViews));
        EXPECT_EQ(Problems(), scene_problems(scenes, stage, shipped_stages()));
        bool asks = std::any_of(scenes.begin(), scenes.end(),
                                [](const Scene& scene) { return scene.asks(); });
        bool reveals = std::any_of(scenes.begin(), scenes.end(), [](const Scene& scene) {
            return !scene.poll.choices.empty() && !scene.reveal.empty();
        });
        EXPECT_GE(scenes.size(), 4u) << stage.id;
        EXPECT_LE(scenes.size(), is_exercise(stage) ? 5u : 7u) << stage.id;
        if (!is_exercise(stage)) {
            EXPECT_TRUE(asks) << stage.id;
            continue;
        }
        // A wrong claim first, not yet a question; then one of its own, answered by a picture.
        EXPECT_FALSE(scenes[0].asks() || !scenes[0].poll.choices.empty()) << stage.id;
        EXPECT_TRUE(reveals) << stage.id;
    }
    EXPECT_EQ(shipped_stages().stages().size(), scripted);
}

TEST(Scenes, AskQuestionsOfTheirOwn) {
    std::vector<Scene> scenes = parse_scenes(
        "+++\n[[scene]]\ntitle = 'Look'\nsay = 'How many?'\nchoices = ['1', '32']\nanswer = 'PAD'\n"
        "explain = 'So.'\nreveal = 'view:banks'\n+++\n",
        "x.md");
    ASSERT_EQ(1u, scenes.size());
    EXPECT_EQ("How many?", scenes[0].poll.question);
    EXPECT_EQ("PAD", scenes[0].poll.answer);
    EXPECT_EQ("So.", scenes[0].poll.explain);
    EXPECT_EQ((Problems{"1", "32"}), scenes[0].poll.choices);
    EXPECT_EQ("view:banks", scenes[0].reveal);
    EXPECT_FALSE(scenes[0].asks());  // that is the lesson's prediction
}

TEST(Scenes, WhoseQuestionsAreNotWellFormedAreSaid) {
    const Stage& stage = shipped_stages().find("30_padded");
    auto problem = [&](Prediction poll) {
        Lesson lesson = read_lesson(lesson_path(shipped_stages(), stage), stage.id);
        Scene scene{"Look", poll.question, "view:banks", {}, {}, poll};
        Problems found = lesson_problems(with_scenes(lesson, {scene}), stage, shipped_stages(), kSceneViews);
        for (const std::string& each : scene_problems({scene}, stage, shipped_stages()))
            found.push_back(each);
        return found.empty() ? "" : found[0];
    };
    EXPECT_EQ("", problem({"q", "wavefronts_per_request load", "e", {"1", "32"}}));
    EXPECT_EQ("", problem({"q", "Both", "e", {"The load", "Both"}}));
    EXPECT_NE(std::string::npos,
              problem({"q", "both", "e", {"The load", "Both"}}).find("none of its choices"));
    EXPECT_NE(std::string::npos, problem({"q", "PADS", "e", {"1", "2"}}).find("cannot evaluate"));
    EXPECT_NE(std::string::npos, problem({"q", "PAD", "e", {"1", "1"}}).find("all different"));
    EXPECT_NE(std::string::npos, problem({"q", "PAD", "e", {"1"}}).find("at least two"));
    EXPECT_NE(std::string::npos,
              problem({"q", "PAD", "It takes 32 wavefronts.", {"1", "2"}}).find("to compute"));
    EXPECT_NE(std::string::npos,
              problem({"q", "PAD", "e", {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}})
                  .find("more choices than there are keys"));
}

TEST(Scenes, SayAllThatTheyNeed) {
    std::vector<Scene> scenes = parse_scenes(
        "+++\n[[scene]]\ntitle = 'Look'\nshow = 'view:banks'\ntype = 'f64'\nsize = '1000x50'\n"
        "at = 'tile['\nlane = '5'\nzoom = 'block'\nbeside = ['PAD=0', '32_swizzled']\n"
        "[[scene]]\ntitle = 'Product'\nsize = '512x256x128'\n[[scene]]\ntitle = 'As it was'\n+++\n",
        "x.md");
    ASSERT_EQ(3u, scenes.size());
    SceneState all{"f64", "tile[", "block", 1000, 50, kNoInner, 5, {"PAD=0", "32_swizzled"}};
    EXPECT_EQ(all, scenes[0].state);
    EXPECT_EQ(128, scenes[1].state.inner);
    EXPECT_EQ(SceneState(), scenes[2].state);
}

TEST(Scenes, WhoseStateThereIsNotAreSaid) {
    const Stage& stage = shipped_stages().find("30_padded");
    auto problem = [&](Scene scene) {
        Problems found = scene_problems({scene}, stage, shipped_stages());
        return found.size() == 1 ? found[0] : std::to_string(found.size()) + " problems";
    };
    auto with = [](SceneState state, Problems set = {}) {
        return Scene{"Look", "", "view:banks", set, state};
    };
    EXPECT_EQ("0 problems", problem(with({.at = "tile[TILE][TILE + PAD]", .lane = 3})));
    EXPECT_NE(std::string::npos, problem(with({.type = "f8"})).find("\"f8\""));
    EXPECT_NE(std::string::npos, problem(with({.at = "tile["})).find("holds"));
    EXPECT_NE(std::string::npos, problem(with({.beside = {"PAD=9"}})).find("beside"));
    EXPECT_NE(std::string::npos, problem(with({.beside = {"PAD=1"}})).find("itself"));
    EXPECT_NE(std::string::npos, problem(with({.beside = {"33_padded"}})).find("there is not"));
    EXPECT_NE(std::string::npos, problem(with({.beside = {"40_wmma"}})).find("another course"));
    EXPECT_NE(std::string::npos, problem(with({.rows = 8, .cols = 8, .inner = 8}))
                                     .find("needs a size of rows and cols: \"1000x50\""));
    // Each is offered, and both together are not.
    EXPECT_NE(std::string::npos, problem(with({}, {"TILE=64", "ROWS=32"})).find("cannot be set"));
    const Stage& square = shipped_stages().find("86_in_place");
    EXPECT_EQ(1u, scene_problems({with({.rows = 8, .cols = 9})}, square, shipped_stages()).size());
}

TEST(Scenes, AreLookedAtAsTheLessonsTextIs) {
    const Stage& stage = shipped_stages().find("30_padded");
    Lesson lesson = read_lesson(lesson_path(shipped_stages(), stage), stage.id);
    lesson = with_scenes(lesson, {{"It takes 32 wavefronts", "", "view:bank", {"PAD=99"}}});
    Problems found = lesson_problems(lesson, stage, shipped_stages(), kSceneViews);
    ASSERT_EQ(3u, found.size());
    std::string all = found[0] + "\n" + found[1] + "\n" + found[2];
    EXPECT_NE(std::string::npos, all.find("for the app to compute")) << all;
    EXPECT_NE(std::string::npos, all.find("did you mean \"view:banks\"?")) << all;
    EXPECT_NE(std::string::npos, all.find("set:PAD=99")) << all;
}

}  // namespace
}  // namespace lanewise
