// Finding stages; adding one by dropping two files.
#include "course/catalogue.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../shipped_stages.h"
#include "base/error.h"
#include "base/files.h"
#include "course/lesson_lint.h"

namespace lanewise {
namespace {
namespace fs = std::filesystem;

class DroppedFiles : public testing::Test {
  protected:
    void SetUp() override {
        content_ = fs::path(testing::TempDir()) / ("dropped_files-" + std::to_string(::getpid()));
        fs::remove_all(content_);
    }
    void TearDown() override { fs::remove_all(content_); }

    static std::string kernel(const std::string& title) {
        return "/*---\ntitle = \"" + title +
               "\"\nblock = [\"32\"]\ngrid = [\"1\"]\n---*/\n__global__ void go(float* a) {}\n";
    }

    fs::path content_;
};

std::string find_error(const Catalogue& catalogue, const std::string& name) {
    try {
        catalogue.find(name);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "no error";
}

TEST(Catalogue, FindsByIdStemAndNumber) {
    const Catalogue& catalogue = shipped_stages();
    for (const char* name : {"transpose/30_padded", "30_padded", "30"})
        EXPECT_EQ("transpose/30_padded", catalogue.find(name).id);
    EXPECT_EQ("zero/01_cpu_and_gpu", catalogue.stages().front().id);
}

TEST(Catalogue, SuggestsTheClosest) {
    const Catalogue& catalogue = shipped_stages();
    EXPECT_EQ("no stage \"30_paded\"; did you mean \"30_padded\"?",
              find_error(catalogue, "30_paded"));
    EXPECT_EQ("no stage \"transpose/30_paded\"; did you mean \"transpose/30_padded\"?",
              find_error(catalogue, "transpose/30_paded"));
    EXPECT_EQ("no stage \"fast_fourier_transform\"; `lanewise-engine stages` lists what there is",
              find_error(catalogue, "fast_fourier_transform"));
}

TEST(Catalogue, CompareNamesAStage) {
    const Catalogue& catalogue = shipped_stages();
    for (const Stage& stage : catalogue.stages()) {
        if (stage.compare.empty()) continue;
        EXPECT_TRUE(catalogue.find(stage.compare).has_tile) << stage.id;
    }
}

// A rung of the transposes offers a type or says why it does not: the window shows all of them.
TEST(Catalogue, EveryTypeIsOfferedOrTheHeadSaysWhyNot) {
    Catalogue catalogue = Catalogue::load(content_folder());
    for (const Stage& stage : catalogue.stages())
        for (const std::string& type : element_types()) {
            if (stage.operation != "transpose" || is_exercise(stage)) continue;
            bool offered = std::count(stage.types.begin(), stage.types.end(), type) > 0;
            EXPECT_NE(offered, stage.without.contains(type)) << stage.id << ", " << type;
        }
}

TEST_F(DroppedFiles, AddAStage) {
    write_file(content_ / "kernels/transpose/20_second.cu", kernel("Second"));
    write_file(content_ / "kernels/transpose/5_first.cu", kernel("First"));
    write_file(content_ / "kernels/transpose/100_last.cu", kernel("Last"));
    write_file(content_ / "kernels/transpose/notes.txt", "not a stage");
    Catalogue catalogue = Catalogue::load(content_);
    ASSERT_EQ(3u, catalogue.stages().size());  // by number, not by name
    EXPECT_EQ("First", catalogue.stages()[0].title);
    EXPECT_EQ("Second", catalogue.stages()[1].title);
    EXPECT_EQ("Last", catalogue.stages()[2].title);
    EXPECT_EQ("transpose/5_first", catalogue.find("5").id);
    EXPECT_EQ(3u, unpaired(catalogue).size());

    for (const char* stem : {"5_first", "20_second", "100_last"})
        write_file(content_ / "lessons/transpose" / (std::string(stem) + ".md"), "+++\n+++\n");
    EXPECT_EQ(std::vector<std::string>(), unpaired(catalogue));
    write_file(content_ / "lessons/transpose/7_orphan.md", "+++\n+++\n");
    ASSERT_EQ(1u, unpaired(catalogue).size());
    EXPECT_TRUE(unpaired(catalogue)[0].ends_with("7_orphan.md has no stage of its name"));
}

TEST_F(DroppedFiles, MalformedStopNothingElse) {
    write_file(content_ / "kernels/transpose/10_broken.cu", "__global__ void go() {}");
    write_file(content_ / "kernels/transpose/20_fine.cu", kernel("Fine"));
    Catalogue catalogue = Catalogue::load(content_);
    ASSERT_EQ(2u, catalogue.stages().size());
    EXPECT_EQ("10_broken", catalogue.stages()[0].title);
    EXPECT_TRUE(
        find_error(catalogue, "10").starts_with("10_broken.cu:1: a stage begins with a head"));
    EXPECT_EQ("Fine", catalogue.find("20").title);
}

TEST_F(DroppedFiles, OfTwoOperationsAreTheTransposesWhereTheNameIsNotWhole) {
    write_file(content_ / "kernels/matmul/10_naive.cu", kernel("A"));
    write_file(content_ / "kernels/transpose/10_naive.cu", kernel("B"));
    Catalogue catalogue = Catalogue::load(content_);
    write_file(content_ / "kernels/transpose/20_one.cu", kernel("C"));
    write_file(content_ / "kernels/transpose/20_two.cu", kernel("D"));
    EXPECT_EQ("B", catalogue.find("10").title);
    EXPECT_EQ("B", catalogue.find("10_naive").title);
    EXPECT_EQ("A", catalogue.find("matmul/10_naive").title);
    EXPECT_EQ("transpose/10_naive", catalogue.stages()[0].id);
    EXPECT_EQ("\"20\" could be any of transpose/20_one, transpose/20_two; say which",
              find_error(Catalogue::load(content_), "20"));
}

TEST_F(DroppedFiles, NoneIsAnEmptyCatalogue) {
    EXPECT_TRUE(Catalogue::load(content_).stages().empty());
}

}  // namespace
}  // namespace lanewise
