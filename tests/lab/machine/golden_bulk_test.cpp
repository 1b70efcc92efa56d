// Equality with the hardware for the results of bulk copies: what an H200 answered to each launch
// of tests/golden/h200/bulk_words.txt, against the machine.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstring>
#include <ostream>

#include "../../case_name.h"
#include "../../needs.h"
#include "../own_job.h"
#include "base/files.h"
#include "lab/machine/interpret.h"

namespace lanewise {

namespace {

// A line: what the card answered, a space, the launch.
struct Answer {
    std::string answer, command;
};

void PrintTo(const Answer& answer, std::ostream* out) { *out << answer.command; }

std::vector<Answer> answers() {
    std::vector<Answer> result;
    std::string text = read_file(TESTS_FOLDER "/golden/h200/bulk_words.txt");
    for (std::string_view line : lines_of(text)) {
        if (line.empty() || line.front() == '#') continue;
        size_t space = line.find(' ');
        result.push_back({std::string(line.substr(0, space)), std::string(line.substr(space + 1))});
    }
    return result;
}

// FNV-1a, 64 bits.
uint64_t hash_of(const Memory::Buffer& buffer) {
    uint64_t hash = 0xcbf2'9ce4'8422'2325;
    for (uint64_t i = 0; i < buffer.bytes; ++i)
        hash = (hash ^ std::to_integer<uint64_t>(buffer.storage[i])) * 0x100'0000'01b3;
    return hash;
}

std::string hashes_of(const Memory& memory) {
    std::string text;
    for (const Memory::Buffer& buffer : memory.buffers())
        text += fmt::format("{}{:016x}", text.empty() ? "" : ",", hash_of(buffer));
    return text;
}

constexpr const char* kIllegal = "CUDA_ERROR_ILLEGAL_INSTRUCTION";

}  // namespace

class GoldenBulk : public testing::TestWithParam<Answer> {};

TEST_P(GoldenBulk, TheMachineAnswersWhatTheHardwareAnswered) {
    NEEDS_NVRTC();
    Job job = own_job_of(GetParam().command, TESTS_FOLDER "/golden/h200");
    Preparation preparation = prepare(job);
    StageLaunch launch(job, preparation.kernel->kernel);
    Report report = interpret(*preparation.kernel, job.own.shape, launch, 1, nullptr);
    if (GetParam().answer != kIllegal) {
        EXPECT_TRUE(report.findings.empty());
        EXPECT_EQ(GetParam().answer, hashes_of(launch.memory));
        return;
    }
    for (const Finding& finding : report.findings) {
        if (finding.kind != "misaligned") continue;
        EXPECT_EQ("global", finding.space);
        EXPECT_GT(finding.line, 0);
        EXPECT_NE(std::string::npos, finding.message.find("make the first coordinate a multiple"));
        return;
    }
    FAIL() << "nothing is found";
}

static std::string bulk_name(const testing::TestParamInfo<Answer>& row) {
    std::string name = std::to_string(row.index) + "_" + words_of(row.param.command).at(2);
    return case_name(name);
}

INSTANTIATE_TEST_SUITE_P(H200, GoldenBulk, testing::ValuesIn(answers()), bulk_name);

// A store over the end of a row, of which it is known that the card wrote four words more than lie
// in the tensor, and what the first of them was.
TEST(GoldenBulkStore, WritesWholeSixteenBytes) {
    NEEDS_NVRTC();
    Job job = own_job_of(
        "kernels/bulk.cu --kernel store_2d --grid 2 --block 64 --dynamic-shared 128 --arg "
        "tensor:f32:9x10:box=4x8:pitch=12 --arg u32[64] --arg i32:32 --arg i32:4 --arg i32:7 --arg "
        "i32:8 --arg i32:0",
        TESTS_FOLDER "/golden/h200");
    Preparation preparation = prepare(job);
    StageLaunch launch(job, preparation.kernel->kernel), untouched(job, preparation.kernel->kernel);
    interpret(*preparation.kernel, job.own.shape, launch, 1, nullptr);
    auto word = [](const StageLaunch& of, size_t index) {
        uint32_t value = 0;
        std::memcpy(&value, of.memory.buffers()[0].storage + 4 * index, 4);
        return value;
    };
    EXPECT_EQ(0x7aae1aceu, word(launch, 7 * 12 + 10));
    int beyond = 0;
    for (size_t i = 0; i < 108; ++i)
        beyond += i % 12 >= 10 && word(launch, i) != word(untouched, i);
    EXPECT_EQ(4, beyond);  // of rows 7 and 8
}

// So that a file that cannot be read is no silence.
TEST(GoldenBulkWords, AreOfEveryCase) {
    size_t cases = 0, stopped = 0;
    std::string text = read_file(TESTS_FOLDER "/golden/h200/bulk_cases.txt");
    for (std::string_view line : lines_of(text)) cases += !line.empty() && line.front() != '#';
    for (const Answer& answer : answers()) stopped += answer.answer == kIllegal;
    EXPECT_EQ(9u, stopped);
    EXPECT_EQ(21u, cases);
    EXPECT_EQ(cases, answers().size() - stopped);
}

}  // namespace lanewise
