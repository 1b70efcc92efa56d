#include "lab/record/published.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/files.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

std::vector<PublishedFigure> ours() {
    std::vector<std::string> problems;
    auto figures = read_all_published(CONTENT_FOLDER "/assets/recordings/published", problems);
    EXPECT_TRUE(problems.empty()) << problems.front();
    return figures;
}

TEST(Published, TheArticlesCardsAreThereAndEveryFigureHasItsSource) {
    std::set<std::string> cards;
    for (const PublishedFigure& f : ours()) {
        cards.insert(f.card);
        EXPECT_FALSE(f.source_title.empty()) << f.name;
        EXPECT_EQ(0u, f.stage.find(f.operation + "/")) << f.stage;
        EXPECT_EQ(f.rows == 0, f.cols == 0) << f.name;
        // What moves more than the card's memory can is not quoted without saying so.
        bool beyond = f.datasheet_gb_per_s > 0 && f.value > f.datasheet_gb_per_s;
        if (f.unit == "GB/s" && beyond) {
            EXPECT_FALSE(f.caveat.empty()) << f.name;
        }
    }
    for (const char* card : {"NVIDIA A100-SXM4-80GB", "NVIDIA A100-PCIE-40GB",
                             "NVIDIA GeForce RTX 3080", "NVIDIA GeForce RTX 2080 Ti"})
        EXPECT_TRUE(cards.count(card)) << card;
}

TEST(Published, FoundByStageTypeAndShape) {
    auto all = ours();
    auto padded = published_for(all, "transpose/30_padded", "f32", 16384, 1024);
    ASSERT_EQ(1u, padded.size());
    EXPECT_EQ(1650, padded[0].value);
    EXPECT_EQ(
        "1,650 GB/s on NVIDIA A100-SXM4-80GB, published in “Matrix Transpose: The Canonical "
        "CUDA Optimization Problem — From Naive to Bank-Conflict-Free” (CUDA Kernel "
        "Engineering, part 18 of 32).",
        in_words(padded[0]));
    EXPECT_TRUE(published_for(all, "transpose/30_padded", "f64", 16384, 1024).empty());
    // A figure that is no bandwidth, or whose shape is not known, is no mark on a bandwidth chart.
    for (const PublishedFigure& f :
         published_for(all, "transpose/42_float4_turned", "f32", 8192, 8192))
        EXPECT_EQ("GB/s", f.unit);
    EXPECT_TRUE(published_for(all, "transpose/90_cublas", "f32", 8192, 8192).empty());
}

// The lesson "Published and measured" leaves none out.
TEST(Published, EveryTransposeFigureStandsInTheLesson) {
    std::string lesson = read_file(CONTENT_FOLDER "/lessons/pitfalls/116_published.md");
    std::replace(lesson.begin(), lesson.end(), '\n', ' ');
    size_t count = 0;
    for (const PublishedFigure& f : ours()) {
        if (f.operation != "transpose") continue;
        std::string words = in_words(f);
        std::string value = words.substr(0, words.find(' '));
        EXPECT_NE(std::string::npos, lesson.find(" " + value + " ")) << words;
        ++count;
    }
    EXPECT_LE(30u, count);
}

TEST(Published, NamesStagesThatExist) {
    for (const PublishedFigure& f : ours()) {
        std::filesystem::path kernel = CONTENT_FOLDER "/kernels/" + f.stage + ".cu";
        EXPECT_TRUE(std::filesystem::exists(kernel)) << f.stage;
    }
}

TEST(Published, BadFilesAreNamedAndStopNothingElse) {
    fs::path folder = fs::temp_directory_path() / ("lanewise-pub-" + std::to_string(::getpid()));
    const char* head = R"({"schema": 1, "card": "C", "datasheet_gb_per_s": 1,
        "sources": {"s": {"title": "T", "by": "B"}}, "figures": [)";
    const char* item = R"({"source": "s", "name": "n", "stage": "o/s", "operation": "o",
        "type": "f32", "rows": 1, "cols": 2, "unit": "GB/s", "caveat": "", "value": )";
    write_file(folder / "a.json", std::string(head) + item + "0}]}");
    write_file(folder / "b.json", std::string(head) + item + "7}]}");
    write_file(folder / "c.json", R"({"schema": 2, "figures": []})");
    write_file(folder / "d.json", std::string(head) + item);
    std::vector<std::string> problems;
    auto figures = read_all_published(folder, problems);
    ASSERT_EQ(1u, figures.size());
    EXPECT_EQ(7, figures[0].value);
    ASSERT_EQ(3u, problems.size());
    EXPECT_NE(std::string::npos, problems[0].find("figure 1: its value is not positive"));
    EXPECT_NE(std::string::npos, problems[1].find("schema 2, this program reads schema 1"));
    EXPECT_NE(std::string::npos, problems[2].find("d.json"));
    EXPECT_TRUE(read_all_published(folder / "none", problems).empty());
    fs::remove_all(folder);
}

}  // namespace
}  // namespace lanewise
