// An access is found by what the source calls it, and a scene that shows another is refused.
#include "course/named_access.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../shipped_stages.h"
#include "base/files.h"
#include "course/lesson_lint.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/scene_check.h"
#include "lab/job/needs.h"

namespace lanewise {
namespace {

using Problems = std::vector<std::string>;

const std::string kSource =
    "for (int k = 0; k < 4; ++k) sum += float(a[x][k]) * float(b[k][y]);\n"
    "out[i] =\n"
    "    in[i];\n"
    "sums[x] += sums[x + step];\n"
    "*reinterpret_cast<float2*>(to) = make_float2(1, 2);\n"
    "held[0] = *reinterpret_cast<const float4*>(&in[4 * i]);\n"
    "tile[x][y].element[i] = held[1];\n";

TEST(NamedAccess, IsReadInTheSource) {
    auto words = [](const std::string& at) {
        AccessText text = access_text(at, kSource);
        return text.array + (text.is_store ? " store " : " load ") +
               std::to_string(text.first_line) + "-" + std::to_string(text.line) + " " +
               std::to_string(text.place) + "/" + std::to_string(text.places) + text.problem;
    };
    EXPECT_EQ("a load 1-1 0/1", words("a[x][k]"));
    EXPECT_EQ("b load 1-1 0/1", words("float(b[k][y])"));
    EXPECT_EQ("out store 2-2 0/1", words("out[i]"));
    EXPECT_EQ("in load 2-3 0/1", words("in[i]"));  // its statement begins a line before
    EXPECT_EQ("sums load 4-4 1/2", words("sums[x + step]"));
    EXPECT_EQ("to store 5-5 0/1", words("*reinterpret_cast<float2*>(to)"));
    EXPECT_EQ("in load 6-6 0/1", words("in[4 * i]"));
    EXPECT_EQ("tile store 7-7 0/1", words("tile[x][y].element[i]"));
}

TEST(NamedAccess, IsOneAndNoLine) {
    auto problem = [](const std::string& at) { return access_text(at, kSource).problem; };
    EXPECT_EQ("it names 2 accesses, of a and b: name one",
              problem("float(a[x][k]) * float(b[k][y])"));
    EXPECT_EQ("it names no access; write it as the source does: a_tile[x][k]", problem("++k"));
    EXPECT_EQ("the source holds it 0 times; quote what it holds once", problem("c[0]"));
    EXPECT_EQ("it is read and written there: name the access beside it", problem("sums[x] +="));
}

Picture picture_at_256(const std::string& stage, const KnobValues& knobs) {
    Job job;
    job.stage = shipped_stages().find(stage);
    job.type = job.stage.types.front();
    job.arch = "sm_90";
    job.rows = job.cols = 256;
    job.inner = inner_for(job.stage, 256);
    job.knobs = default_knobs(job.stage);
    for (const auto& [name, value] : knobs) job.knobs[name] = value;
    return trace_block(job, 0);
}

// The compiler loads B's element before A's, and says one column for both.
TEST(NamedAccess, TellsTwoArraysOfOneLineApart) {
    Picture picture = picture_at_256("matmul/22_padded_tiles", {{"TILE", 32}, {"PAD", 0}});
    const std::string& source = shipped_stages().find("matmul/22_padded_tiles").source;
    auto addresses = [&](const std::string& at) {
        NamedAccess named = named_access(at, source, picture.report, picture.block);
        EXPECT_EQ("", named.problem);
        EXPECT_EQ(Space::shared, named.space);
        return picture.block.accesses.at(static_cast<size_t>(named.first)).addresses;
    };
    std::vector<uint64_t> a = addresses("a_tile[x][k]"), b = addresses("b_tile[k][y]");
    EXPECT_EQ(0u, a[0]);
    EXPECT_EQ(32u * 4, a[1] - a[0]);  // a column: a row of 32 floats further
    EXPECT_EQ(32u * 32 * 4, b[0]);    // the second array begins behind the first
    EXPECT_EQ(b[0], b[31]);           // one element for all
}

// "sums[x] += sums[x + step]" reads both: lane 0's word, and the one a step further.
TEST(NamedAccess, TellsTwoElementsOfOneArrayApart) {
    Picture picture = picture_at_256("reduction/20_sequential", {});
    const std::string& source = shipped_stages().find("reduction/20_sequential").source;
    NamedAccess named = named_access("sums[x + step]", source, picture.report, picture.block);
    ASSERT_EQ("", named.problem);
    const TracedAccess& first = picture.block.accesses.at(static_cast<size_t>(named.first));
    uint64_t step = picture.launch.block.count() / 2;
    EXPECT_EQ(4 * step, first.addresses[0]);
    EXPECT_EQ(4 * step + 4, first.addresses[1]);
}

std::vector<Scene> scenes_of(const std::string& tables) {
    return parse_scenes("+++\n" + tables + "+++\n", "x.md");
}
std::string scenes_problem(const std::string& tables, const std::string& stage) {
    Problems found = access_problems({}, scenes_of(tables), shipped_stages().find(stage));
    if (found.empty()) return "";
    EXPECT_EQ(1u, found.size()) << found.back();
    return found[0].substr(found[0].find("\" ") + 2);
}

TEST(SceneCheck, RefusesWhatThePictureContradicts) {
    const std::string stage = "matmul/22_padded_tiles";
    const std::string a = "[[scene]]\ntitle = 't'\nshow = 'view:banks'\nat = 'a_tile[x][k]'\n";
    EXPECT_EQ("", scenes_problem(a, stage));
    const std::string ideal = "expect = 'shared_load.wavefronts == shared_load.wavefronts_ideal'\n";
    EXPECT_TRUE(scenes_problem(a + ideal, stage)
                    .starts_with("expects what is not so: shared_load.wavefronts == "
                                 "shared_load.wavefronts_ideal: now "));
    EXPECT_EQ("", scenes_problem(a + "set = ['PAD=1', 'TILE=32']\n" + ideal, stage));
    EXPECT_EQ("expects what is not so: loads_before_store == 2: now 1, must be 2",
              scenes_problem(a + "expect = 'loads_before_store == 2'\n", stage));
    EXPECT_TRUE(scenes_problem(a + "expect = 'conflicts == 2'\n", stage)
                    .starts_with("expects what cannot be asked: "));
}

TEST(SceneCheck, RefusesTwoNamesForOneAccessAndOnePictureTwice) {
    const std::string stage = "matmul/22_padded_tiles";
    const std::string scene =
        "[[scene]]\ntitle = 'first'\nshow = 'view:banks'\nat = 'a_tile[x][k]'\n";
    EXPECT_EQ("", scenes_problem(scene + scene + "set = ['PAD=1']\n", stage));
    EXPECT_EQ("is the picture of the scene \"first\"", scenes_problem(scene + scene, stage));
    EXPECT_EQ(
        "shows the access of the scene \"first\" under another name: \"float(a_tile[x][k])\" for "
        "\"a_tile[x][k]\"",
        scenes_problem(scene + "[[scene]]\ntitle = 'second'\nshow = 'view:banks'\n"
                           "at = 'float(a_tile[x][k])'\n",
                       stage));
}

TEST(SceneCheck, RefusesLinksToNoAccess) {
    Lesson lesson;
    lesson.blocks.push_back({LessonBlock::Kind::paragraph, 0, 0, {}});
    LessonRun run;
    run.link = "at:threadIdx.x, y = threadIdx.y";
    lesson.blocks[0].runs.push_back(run);
    EXPECT_EQ(1u, access_problems(lesson, {}, shipped_stages().find("matmul/22_padded_tiles")).size());
}

class ScenesAccess : public testing::TestWithParam<std::string> {};

TEST_P(ScenesAccess, IsWhatTheirWordsSay) {
    const Stage& stage = shipped_stages().find(GetParam());
    if (std::string why = cannot_interpret(stage); !why.empty() && !is_library_call(stage))
        GTEST_SKIP() << why;
    std::filesystem::path file = lesson_path(shipped_stages(), stage);
    std::vector<Scene> scenes = parse_scenes(read_file(file), file.filename().string());
    EXPECT_EQ(Problems(), access_problems(read_lesson(file, stage.id), scenes, stage));
}

INSTANTIATE_TEST_SUITE_P(Of, ScenesAccess, testing::ValuesIn(all_stage_ids()),
                         [](const testing::TestParamInfo<std::string>& id) {
                             std::string name = id.param;
                             std::replace(name.begin(), name.end(), '/', '_');
                             return name;
                         });

}  // namespace
}  // namespace lanewise
