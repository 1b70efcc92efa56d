// Small faulty kernels (tests/planted/*.cu) and correct ones that look like them (clean/): each is
// compiled and interpreted, and what is found must be what its comments expect, line by line.
//   // grid: 2 2                     the launch, 1 to 3 numbers
//   // block: 32 8
//   // arch: sm_90a                  where sm_90 is not enough
//   // dynamic shared: 1024          bytes; 0 where the line is missing
//   // arguments: in[4096] out[4096] 64 64      buffers of so many floats, then ints
//                         and map:in:64x32:32x8:128, the map of a tensor of 64 columns and 32 rows
//                         in a buffer, boxes of 32 x 8, and a swizzle of 128 bytes (or 0)
//   … code …  // expect: KIND       one finding of this kind, its column within the code
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <set>
#include <sstream>

#include "../../needs.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/compiler.h"
#include "ptx/callers.h"
#include "ptx/parser.h"
#include "sim/memory/tensor_map.h"
#include "trace/both.h"
#include "trace/check/checker.h"
#include "trace/count/counter.h"

namespace lanewise {

namespace {

struct Planted {
    std::string name, source;
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }

std::vector<Planted> planted_in(const std::string& folder) {
    std::vector<Planted> all;
    for (const auto& file : files_in(folder, ".cu"))
        all.push_back({file.stem().string(), read_file(file)});
    return all;
}

// What follows "// KEY: " in the head; empty where there is no such line.
std::string head_value(const std::string& source, const std::string& key) {
    for (std::string_view line : lines_of(source))
        if (std::string start = "// " + key + ": "; line.starts_with(start))
            return std::string(line.substr(start.size()));
    return {};
}

Dim3 extent(const std::string& text) {
    Dim3 result;
    std::istringstream in(text);
    in >> result.x >> result.y >> result.z;
    return {result.x, std::max(result.y, 1u), std::max(result.z, 1u)};
}

// "in[4096] out[4096] 64 64": the buffers, and the arguments as the driver packs them. `in` may
// only be read, `data` holds something and may be changed; a buffer of any other name is an output.
struct LaunchInput {
    LaunchInput(const std::string& text) {
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            if (word.starts_with("map:")) {
                append_map(word);
                continue;
            }
            size_t bracket = word.find('[');
            if (bracket == std::string::npos) {
                append(static_cast<int32_t>(std::stol(word)));
                continue;
            }
            std::string name = word.substr(0, bracket);
            uint64_t bytes = 4 * std::stoull(word.substr(bracket + 1));
            if (name != "in" && name != "data") outputs.push_back(memory.buffers().size());
            append(name == "in" ? memory.allocate_unique_words(bytes, name)
                                : memory.allocate(bytes, name));
        }
    }
    template <class T>
    void append(T value) {
        size_t at = (arguments.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        arguments.resize(at + sizeof(T));
        std::memcpy(&arguments[at], &value, sizeof(T));
    }
    void append_map(const std::string& word) {
        TensorMap map;
        map.dimensions = 2;
        char name[9];
        unsigned long long cols, rows;
        unsigned swizzle;
        ASSERT_EQ(6, std::sscanf(word.c_str(), "map:%8[^:]:%llux%llu:%ux%u:%u", name, &cols, &rows,
                                 &map.box[0], &map.box[1], &swizzle));
        map.sizes = {cols, rows};
        map.strides = {4 * cols};
        map.swizzle = swizzle == 0 ? Swizzle::none : Swizzle::bytes_128;
        for (const Memory::Buffer& buffer : memory.buffers())
            if (buffer.name == name) map.address = buffer.address;
        TensorMapBytes bytes = encoded(map);
        arguments.resize((arguments.size() + 63) / 64 * 64);
        arguments.insert(arguments.end(), bytes.begin(), bytes.end());
    }
    Memory memory;
    std::vector<size_t> outputs;
    std::vector<std::byte> arguments;
};

// The findings of the whole launch, its blocks spread over so many threads.
std::vector<Finding> found_in(const Planted& planted, size_t threads) {
    CompileOptions options;
    options.kernel = "kernel";
    if (std::string arch = head_value(planted.source, "arch"); !arch.empty()) options.arch = arch;
    options.include_folders = {TESTS_FOLDER "/planted"};
    Program program = compile({planted.name + ".cu", planted.source}, options);
    ptx::Kernel kernel = ptx::parse(program.ptx, program.entry);
    ptx::attribute_to_callers(kernel, [](const std::string& file) { return file.ends_with(".h"); });
    Machine machine(kernel);
    LaunchInput input(head_value(planted.source, "arguments"));
    LaunchShape shape{extent(head_value(planted.source, "grid")),
                      extent(head_value(planted.source, "block")), 0};
    if (std::string shared = head_value(planted.source, "dynamic shared"); !shared.empty())
        shape.dynamic_shared_bytes = static_cast<uint32_t>(std::stoul(shared));
    std::vector<std::unique_ptr<Counter>> counters;
    std::vector<std::unique_ptr<Checker>> checkers;
    std::vector<std::unique_ptr<Both>> both;
    std::vector<Observer*> observers;
    std::vector<const Counter*> counted;
    std::vector<const Checker*> checked;
    for (size_t i = 0; i < threads; ++i) {
        counters.push_back(std::make_unique<Counter>(kernel));
        checkers.push_back(std::make_unique<Checker>(kernel, input.memory, input.outputs));
        both.push_back(std::make_unique<Both>(*counters[i], *checkers[i]));
        observers.push_back(both[i].get());
        counted.push_back(counters[i].get());
        checked.push_back(checkers[i].get());
    }
    Machine::Limits limits;
    limits.instructions_per_warp = 100'000;
    machine.run_all(shape, input.arguments, input.memory, observers, limits);
    Report report = merge(kernel, counted, shape, input.memory);
    add_findings(report, kernel, checked, shape, input.memory);
    return report.findings;
}

// "12 race": line and kind.
using Expected = std::multiset<std::pair<int, std::string>>;

constexpr std::string_view kExpect = "// expect: ";

Expected expected_in(const std::string& source) {
    Expected expected;
    auto lines = lines_of(source);
    for (size_t i = 0; i < lines.size(); ++i)
        if (size_t at = lines[i].find(kExpect); at != std::string_view::npos)
            expected.emplace(static_cast<int>(i) + 1,
                             std::string(trimmed(lines[i].substr(at + kExpect.size()))));
    return expected;
}

std::string name_of(const testing::TestParamInfo<Planted>& test) { return test.param.name; }

std::string text_of(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& f : findings)
        text += f.file + ":" + std::to_string(f.line) + ":" + std::to_string(f.column) + ": " +
                f.kind + ": " + f.message + "; block " + f.block + ", thread " + f.thread + ", " +
                std::to_string(f.count) + " in all\n";
    return text;
}

}  // namespace

class PlantedTest : public testing::TestWithParam<Planted> {
  protected:
    void SetUp() override { NEEDS_NVRTC(); }
};

TEST_P(PlantedTest, IsFoundAtItsLine) {
    const Planted& planted = GetParam();
    ASSERT_FALSE(expected_in(planted.source).empty()) << "the kernel expects nothing";
    std::vector<Finding> findings = found_in(planted, 1);
    Expected found;
    auto lines = lines_of(planted.source);
    for (const Finding& finding : findings) {
        found.emplace(finding.line, finding.kind);
        EXPECT_EQ(planted.name + ".cu", std::filesystem::path(finding.file).filename());
        ASSERT_LE(1, finding.line);
        ASSERT_GE(lines.size(), static_cast<size_t>(finding.line));
        std::string_view line = lines[static_cast<size_t>(finding.line) - 1];
        EXPECT_LT(line.find_first_not_of(' '), static_cast<size_t>(finding.column));
        EXPECT_GT(line.find(kExpect), static_cast<size_t>(finding.column));
        EXPECT_LT(0u, finding.count);
        EXPECT_FALSE(finding.message.empty());
    }
    EXPECT_EQ(expected_in(planted.source), found) << text_of(findings);
    EXPECT_EQ(text_of(findings), text_of(found_in(planted, 3)));  // however blocks are spread
}

INSTANTIATE_TEST_SUITE_P(Faults, PlantedTest,
                         testing::ValuesIn(planted_in(TESTS_FOLDER "/planted")), name_of);

class LookAlikeTest : public PlantedTest {};

TEST_P(LookAlikeTest, IsClean) { EXPECT_EQ("", text_of(found_in(GetParam(), 1))); }

INSTANTIATE_TEST_SUITE_P(Correct, LookAlikeTest,
                         testing::ValuesIn(planted_in(TESTS_FOLDER "/planted/clean")), name_of);

}  // namespace lanewise
