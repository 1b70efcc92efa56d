// What is shipped is what is offered: every setting, of this very source, and no more bytes than
// the repository bears. Needs no compiler: a program is known by its source and its options.
#include "lab/record/offered_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "../../case_name.h"
#include "../../needs.h"
#include "../../shipped_stages.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/compiler.h"
#include "compile/cubin.h"
#include "compile/program_archive.h"
#include "compile/sass_places.h"
#include "compile/program_store.h"
#include "compile/shipped_programs.h"
#include "lab/analysis/analysis.h"
#include "lab/product/product.h"
#include "ptx/parser.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMostShippedBytes = 3'000'000;

const Catalogue& catalogue() {
    return shipped_stages();
}

const std::vector<OfferedArchive>& offered() {
    static const std::vector<OfferedArchive> all = offered_programs(catalogue());
    return all;
}

fs::path assets_folder() { return fs::path(CONTENT_FOLDER) / "assets"; }
fs::path programs_folder() { return assets_folder() / "programs"; }

bool is_of_the_set(const std::string& archive) { return archive.starts_with("launches/"); }

// Of the files, which are quicker to list than the settings: every test of this program registers
// these. HoldsWhatIsOffered compares the two.
std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const fs::path& root : {programs_folder(), assets_folder() / "launches"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
            if (entry.path().extension() != ".programs") continue;
            fs::path from = root == programs_folder() ? root : assets_folder();
            all.push_back(entry.path().lexically_relative(from).replace_extension());
        }
    std::ranges::sort(all);
    return all;
}

const OfferedArchive& offered_as(const std::string& name) {
    for (const OfferedArchive& archive : offered())
        if (archive.name == name) return archive;
    throw Error(Status::bad_input, name);
}

ProgramArchive shipped_as(const std::string& name) {
    fs::path file = (is_of_the_set(name) ? assets_folder() : programs_folder()) / (name + ".programs");
    return ProgramArchive(read_file(file), file.string());
}

// Without the lines that say where the toolkit's headers lie, and the bytes of debuggers: a name in them
// differs each time.
std::string without_debug(std::string_view ptx) {
    std::string text;
    for (std::string_view line : lines_of(ptx))
        if (!line.starts_with("\t.file") && !trimmed(line).starts_with(".b8")) text.append(line).append("\n");
    return text;
}

// While it lives, nothing is used but what is shipped.
struct ShippedAlone {
    ShippedAlone() { choose_compiler("shipped"); }
    ~ShippedAlone() { choose_compiler(""); }
};

void expect_interpreted(const Stage& stage, const KnobValues& knobs, const std::string& type) {
    Job job{stage, knobs, type, {13, is_in_place(stage) ? 13 : 37}, "sm_90"};
    job.inner = 19;
    Analysis analysis = analyse(job, 1);
    ASSERT_TRUE(analysis.correct) << name_expression(stage, knobs, type);
    ASSERT_GT(analysis.resources.registers_per_thread.value_or(0), 0)
        << name_expression(stage, knobs, type);
}

// Every branch of every architecture leads to an instruction, and the last to itself, as ptxas ends all code.
void expect_flow(const Program& program) {
    std::set<uint32_t> addresses;
    std::vector<SassPlace> branches;
    for (const SassPlace& place : sass_places(program.cubin, program.entry)) {
        addresses.insert(place.address);
        if (place.target != SassPlace::kNowhere) branches.push_back(place);
    }
    ASSERT_FALSE(branches.empty());
    for (const SassPlace& branch : branches) ASSERT_TRUE(addresses.contains(branch.target)) << branch.address;
    EXPECT_EQ(branches.back().address, branches.back().target);
}

bool is_of_a_stage(const std::string& archive) {
    return !archive.starts_with("lab/") && !is_of_the_set(archive);
}

}  // namespace

class Shipped : public testing::TestWithParam<std::string> {};

TEST_P(Shipped, IsWhatIsOffered) {
    const OfferedArchive& archive = offered_as(GetParam());
    ProgramArchive shipped = shipped_as(archive.name);
    std::set<std::string> wanted, archs = {offered_archs().front()};
    for (const ProgramArchive::Entry& entry : shipped.entries()) archs.insert(entry.program.arch);
    size_t missing = 0;
    for (const OfferedProgram& program : archive.programs) {
        if (!archs.count(program.options.arch)) continue;  // it does not compile for that one
        std::string key = program_key(program.source, program.options);
        wanted.insert(key);
        missing += !shipped.find(key);
    }
    EXPECT_EQ(0u, missing) << "of " << wanted.size() << " programs of " << archive.name
                           << ": its source has changed since they were compiled. Write them again "
                              "with lanewise-engine prebuild "
                           << archive.name << ", or all with --all";
    EXPECT_EQ(wanted.size(), shipped.size()) << "is of settings that are no longer offered";
}

// Each is intact: PTX that the machine can read, and where it should have one a cubin that tells
// its needs.
TEST_P(Shipped, CanBeRead) {
    ProgramArchive shipped = shipped_as(GetParam());
    std::optional<ProgramBlock> block;
    size_t number = ~size_t{0};
    for (const OfferedProgram& offer : offered_as(GetParam()).programs) {
        const ProgramArchive::Entry* entry = shipped.find(program_key(offer.source, offer.options));
        if (!entry) continue;  // IsWhatIsOffered says so
        if (entry->block != number) block = shipped.block(number = entry->block);
        ASSERT_TRUE(block);
        std::optional<Program> unpacked = program_in(*entry, *block);
        ASSERT_TRUE(unpacked);
        const Program& program = *unpacked;
        ASSERT_EQ(offer.options.arch, program.arch);
        ASSERT_NO_THROW(ptx::parse(program.ptx, program.entry)) << program.entry;
        std::optional<Program> found = shipped_program(offer.source, offer.options);
        ASSERT_TRUE(found) << program.entry << " lies in an archive in which nobody looks for it";
        ASSERT_EQ(program.ptx, found->ptx);
        ASSERT_EQ(offer.with_cubin, !program.cubin.empty()) << program.entry;
        if (!offer.with_cubin) continue;
        ASSERT_GT(kernel_resources(program.cubin, program.entry).registers_per_thread.value_or(0),
                  0);
        ASSERT_NO_FATAL_FAILURE(expect_flow(program)) << program.entry << " for " << program.arch;
    }
}

// Every setting that the window offers, interpreted from what is shipped alone.
TEST_P(Shipped, IsRightAtASmallOddShape) {
    if (!is_of_a_stage(GetParam())) return;
    const Stage& stage = catalogue().find(GetParam());
    if (is_exercise(stage)) return;  // wrong on purpose; tests/course/exercises_test.cpp
    ShippedAlone alone;
    for (const std::string& type : stage.types)
        for (const KnobValues& knobs : knob_combinations(stage, type))
            ASSERT_NO_FATAL_FAILURE(expect_interpreted(stage, knobs, type));
}

// Where NVRTC here is of that version, what is shipped is taken in its place: one setting of each stage
// is the same PTX, byte for byte.
TEST_P(Shipped, IsWhatNvrtcMakes) {
    NEEDS_NVRTC();
    if (!is_of_a_stage(GetParam())) return;
    const OfferedArchive& archive = offered_as(GetParam());
    if (!archive.headers.empty()) return;  // of a version of their own
    auto first = std::ranges::find_if(archive.programs, [](auto& offer) { return offer.with_cubin; });
    if (first == archive.programs.end()) return;
    std::optional<Program> shipped = shipped_program(first->source, first->options);
    ASSERT_TRUE(shipped);
    if (shipped->compiler != compiler_in_use()) GTEST_SKIP() << "another NVRTC: " << compiler_in_use();
    Program afresh = compile_afresh(first->source, first->options);
    EXPECT_EQ(without_debug(shipped->ptx), without_debug(afresh.ptx));
}

INSTANTIATE_TEST_SUITE_P(Archives, Shipped, testing::ValuesIn(names()),
                         [](const auto& test) { return case_name(test.param); });

TEST(ShippedFolder, HoldsWhatIsOffered) {
    std::vector<std::string> wanted;
    for (const OfferedArchive& archive : offered()) wanted.push_back(archive.name);
    std::ranges::sort(wanted);
    EXPECT_EQ(wanted, names()) << "write what is missing with lanewise-engine prebuild, and remove "
                                  "what is of no stage";
}

TEST(ShippedFolder, IsSmall) {
    uint64_t bytes = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(programs_folder()))
        if (entry.is_regular_file()) bytes += entry.file_size();
    EXPECT_LE(bytes, kMostShippedBytes);
    EXPECT_GT(bytes, 0u);
}

}  // namespace lanewise
