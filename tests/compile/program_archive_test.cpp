#include "compile/program_archive.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "compile/cubin.h"
#include "padded.h"

namespace lanewise {

// Text that does not pack to nothing, the same for the same seed.
static std::string noise(size_t bytes, uint64_t seed) {
    std::string text;
    while (text.size() < bytes) text += hex(seed = hash(std::to_string(seed)));
    text.resize(bytes);
    return text;
}

static ArchivedProgram archived_program(const std::string& key, size_t bytes = 100) {
    Program program;
    program.entry = "_Z5scalePf" + key;
    program.ptx = noise(bytes, hash(key));
    program.cubin = std::string(
                        "\x7f"
                        "ELF\0",
                        5) +
                    noise(2 * bytes, hash(key) + 1);
    program.log = key == "b" ? "a warning" : "";
    program.arch = "sm_90";
    program.compiler = "NVRTC 13.0";
    return {key, program};
}

static std::optional<Program> found(const ProgramArchive& archive, const std::string& key) {
    const ProgramArchive::Entry* entry = archive.find(key);
    if (!entry) return {};
    std::optional<ProgramBlock> block = archive.block(entry->block);
    return block ? program_in(*entry, *block) : std::nullopt;
}

static void expect_same(const Program& expected, const Program& actual) {
    EXPECT_EQ(expected.entry, actual.entry);
    EXPECT_EQ(expected.ptx, actual.ptx);
    EXPECT_EQ(expected.cubin, actual.cubin);
    EXPECT_EQ(expected.log, actual.log);
    EXPECT_EQ(expected.arch, actual.arch);
    EXPECT_EQ(expected.compiler, actual.compiler);
}

TEST(ProgramArchive, GivesBackWhatWasPutIn) {
    std::vector<ArchivedProgram> programs = {archived_program("a"), archived_program("b"),
                                             archived_program("c")};
    programs[2].program.cubin.clear();
    std::string bytes = encode_archive(programs);
    EXPECT_EQ(bytes, encode_archive(programs));
    ProgramArchive archive(bytes, "x.programs");
    EXPECT_EQ((std::vector<std::string>{"a", "b", "c"}), archive.keys());
    for (const ArchivedProgram& each : programs) {
        std::optional<Program> program = found(archive, each.key);
        ASSERT_TRUE(program) << each.key;
        expect_same(each.program, *program);
    }
    EXPECT_FALSE(found(archive, "d"));
}

TEST(ProgramArchive, SplitsWhatIsLargeIntoBlocks) {
    std::vector<ArchivedProgram> programs;
    for (const char* key : {"a", "b", "c", "d"}) {
        programs.push_back(archived_program(key));
        programs.back().program.ptx.append(12 << 20, key[0]);
    }
    ProgramArchive archive(encode_archive(programs), "x.programs");
    EXPECT_EQ(0u, archive.find("a")->block);
    EXPECT_EQ(1u, archive.find("c")->block);  // 12 MiB each, 32 in a block
    for (const ArchivedProgram& each : programs)
        expect_same(each.program, found(archive, each.key).value_or(Program{}));
}

// Of a real cubin code and lines lie apart; each comes back to its place, whatever stands beside it.
TEST(ProgramArchive, PutsTheCubinsPartsBack) {
    std::vector<ArchivedProgram> programs = {archived_program("a"), archived_program("b"),
                                             archived_program("c"), archived_program("d")};
    programs[0].program.cubin = programs[2].program.cubin = fixture("padded.sm_90.cubin");
    programs[2].program.cubin += "behind the last section";
    programs[3].program.cubin = programs[0].program.cubin.substr(0, 400);  // not whole, but ELF
    for (size_t i = 0; i < programs.size(); ++i)
        programs[i].program.ptx = "\tadd.s32 \t%r" + std::to_string(i) + ", %r7, 1;\n";
    ASSERT_LE(3u, cubin_parts(programs[0].program.cubin).size());  // code, and two tables
    ProgramArchive archive(encode_archive(programs), "x.programs");
    for (const ArchivedProgram& each : programs)
        expect_same(each.program, found(archive, each.key).value_or(Program{}));
}

TEST(ProgramArchive, MayBeEmpty) {
    EXPECT_EQ(0u, ProgramArchive(encode_archive({}), "x.programs").size());
}

static std::string problem_of(const std::string& bytes) {
    try {
        ProgramArchive archive(bytes, "x.programs");
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(ProgramArchive, SaysWhatIsCutOrDamaged) {
    std::string bytes = encode_archive({archived_program("a"), archived_program("b")});
    for (size_t length = 0; length < bytes.size(); length += 7)
        EXPECT_TRUE(problem_of(bytes.substr(0, length)).starts_with("x.programs is cut or damaged"))
            << length;
    for (size_t at = 20; at < bytes.size(); at += 11) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        EXPECT_NE("", problem_of(changed)) << at;
    }
    EXPECT_NE("", problem_of(bytes + "x"));
}

TEST(ProgramArchive, SaysWhatIsOfAnotherVersion) {
    std::string bytes = encode_archive({archived_program("a")});
    bytes.replace(0, 20, "lanewise programs 1\n");
    EXPECT_TRUE(problem_of(bytes).starts_with("x.programs is of another version of Lanewise"));
}

static void take_all(const std::string& bytes) {
    try {
        ProgramArchive archive(bytes, "x.programs");
        for (const std::string& key : archive.keys()) found(archive, key);
    } catch (const Error&) {
    }
}

// With a right checksum: sizes beyond the file, and a directory that points beyond its blocks.
TEST(ProgramArchive, RefusesWhatMisleads) {
    auto sealed = [](const std::string& body) {
        return "lanewise programs 2\n" + hex(hash(body)) + body;
    };
    EXPECT_NE("", problem_of(sealed("")));
    EXPECT_NE("", problem_of(sealed(std::string(16, '\xff'))));
    std::string body = encode_archive({archived_program("a")}).substr(36);
    for (size_t at = 0; at < body.size(); ++at) {
        std::string changed = body;
        changed[at] = static_cast<char>(changed[at] ^ 0x40);
        take_all(sealed(changed));  // whatever it says, it reads nothing beyond
    }
}

}  // namespace lanewise
