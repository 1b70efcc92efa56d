// Numbers that depend on the card: whoever asks for one says whose it is, and asks the occupancy
// tables instead of typing it in.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "../shipped_stages.h"
#include "base/files.h"
#include "course/lesson_lint.h"
#include "course/query.h"
#include "course/scenes.h"
#include "model/occupancy.h"

namespace lanewise {
namespace {

const char* const kArchitectures[] = {"sm_75", "sm_80",  "sm_86",  "sm_87", "sm_89",
                                      "sm_90", "sm_100", "sm_103", "sm_120"};

// What is the same everywhere is no matter of a card; a block's 1,024 threads are not, too.
std::set<int64_t> numbers_of_cards() {
    std::set<int64_t> numbers;
    for (const char* arch : kArchitectures) {
        const SmLimits* limits = sm_limits(arch);
        EXPECT_TRUE(limits) << arch;
        if (!limits) continue;
        numbers.insert({limits->threads, limits->shared_bytes, limits->shared_bytes_per_block,
                        limits->registers});
    }
    numbers.erase(1024);
    return numbers;
}

// Those of the same value that say something else.
const std::map<std::string, std::string>& other_meanings() {
    static const std::map<std::string, std::string> meanings = {
        {"transpose/02_copy_wide", "2,048 bytes in flight, which the task asks for"},
        {"matmul/94_cutlass_tensor", "2,048 is a side of C"},
        {"pitfalls/123_half_sums", "2,048 is where halves end to number every integer"}};
    return meanings;
}

std::vector<std::string> expressions_of(const Stage& stage, const Lesson& lesson,
                                        const std::vector<Scene>& scenes) {
    std::vector<std::string> all = {lesson.predict.answer, lesson.gate.expect};
    for (const GateCase& one : lesson.gate.cases) all.push_back(one.expect);
    for (const Scene& scene : scenes) all.insert(all.end(), {scene.poll.answer, scene.expect});
    for (const Stage::Requirement& each : stage.requirements) all.push_back(each.expression);
    return all;
}

TEST(Cards, NumbersAreAskedOfTheTables) {
    const std::set<int64_t> of_cards = numbers_of_cards();
    EXPECT_TRUE(of_cards.contains(1536) && of_cards.contains(2048) && of_cards.contains(65'536));
    const std::regex number("[0-9]+");
    std::set<std::string> found;
    for (const Stage& stage : shipped_stages().stages()) {
        std::filesystem::path file = lesson_path(shipped_stages(), stage);
        for (const std::string& text :
             expressions_of(stage, read_lesson(file, stage.id), read_scenes(file)))
            for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at)
                if (at->length() < 10 && of_cards.contains(std::stoll(at->str())))
                    found.insert(stage.id);
    }
    for (const std::string& id : found)
        EXPECT_TRUE(other_meanings().contains(id)) << id << ": ask sm_90.threads and the like";
    for (const auto& [id, reason] : other_meanings()) EXPECT_TRUE(found.contains(id)) << id;
}

// Little's law in 02_copy_wide: with the card's own latency and bandwidth, none of it typed in.
TEST(Cards, LittlesLawHasTheirOwnNumbers) {
    const Lesson lesson =
        read_lesson(lesson_path(shipped_stages(), shipped_stages().find("02_copy_wide")), "02_copy_wide");
    const std::vector<DeviceProfile> cards = device_profiles(shipped_stages().content());
    const DeviceProfile* card = card_of_figures(cards);
    ASSERT_NE(nullptr, card);
    std::set<std::string> answers;
    for (const LessonBlock& block : lesson.blocks)
        for (const LessonRun& run : block.runs)
            if (run.query.find("card.") != std::string::npos)
                answers.insert(answer_query(
                    run.query, counts_lookup({}, {{"LOADS", 1}}, 4096, 4096, 4), card));
    EXPECT_FALSE(answers.contains("–"));
    // An H200: 331 ns at 4,590 GB/s, over 132 multiprocessors; 512 bytes a warp, 128 of the copy.
    for (const char* expected :
         {"NVIDIA H200", "331", "4,590", "1,519,290", "132", "11,509", "23", "64", "90"})
        EXPECT_TRUE(answers.contains(expected)) << expected;
}

// Then the right choice is the same on every card.
TEST(Cards, AreNamedByTheQuestionsAboutThem) {
    const std::regex card("H200|H100|A100|RTX|sm_[0-9]+");
    int asked = 0;
    auto look_at = [&](const std::string& id, const Prediction& question) {
        if (question.answer.find("sm_") == std::string::npos) return;
        ++asked;
        EXPECT_TRUE(std::regex_search(question.question, card)) << id << ": " << question.question;
    };
    for (const Stage& stage : shipped_stages().stages()) {
        std::filesystem::path file = lesson_path(shipped_stages(), stage);
        look_at(stage.id, read_lesson(file, stage.id).predict);
        for (const Scene& scene : read_scenes(file)) look_at(stage.id, scene.poll);
    }
    EXPECT_EQ(2, asked);  // 60_tuned's
}

}  // namespace
}  // namespace lanewise
