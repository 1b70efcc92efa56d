// The scenes of the lessons that ship, and what is said about a malformed one.
#include "course/scenes.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "course/lesson_lint.h"

namespace lanewise {
namespace {

using Problems = std::vector<std::string>;

const Catalogue& catalogue() {
    static const Catalogue loaded = Catalogue::load(CONTENT_FOLDER);
    return loaded;
}
const Problems kViews = {"lesson", "access", "banks",  "code",
                         "speed",  "charts", "counts", "ladder"};

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
}

TEST(Scenes, OfTheLessonsThatShipAreClean) {
    size_t scripted = 0;
    for (const Stage& stage : catalogue().stages()) {
        std::filesystem::path file = lesson_path(catalogue(), stage);
        std::vector<Scene> scenes = parse_scenes(read_file(file), file.filename().string());
        scripted += !scenes.empty();
        Lesson lesson = with_scenes(read_lesson(file, stage.id), scenes);
        EXPECT_EQ(Problems(), lesson_problems(lesson, stage, catalogue(), kViews));
    }
    EXPECT_GE(scripted, 1u);
}

TEST(Scenes, AreLookedAtAsTheLessonsTextIs) {
    const Stage& stage = catalogue().find("30_padded");
    Lesson lesson = read_lesson(lesson_path(catalogue(), stage), stage.id);
    lesson = with_scenes(lesson, {{"It takes 32 wavefronts", "", "view:bank", {"PAD=99"}}});
    Problems found = lesson_problems(lesson, stage, catalogue(), kViews);
    ASSERT_EQ(3u, found.size());
    std::string all = found[0] + "\n" + found[1] + "\n" + found[2];
    EXPECT_NE(std::string::npos, all.find("for the app to compute")) << all;
    EXPECT_NE(std::string::npos, all.find("did you mean \"view:banks\"?")) << all;
    EXPECT_NE(std::string::npos, all.find("set:PAD=99")) << all;
}

}  // namespace
}  // namespace lanewise
