#include "compile/shipped_programs.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/files.h"
#include "compile/program_archive.h"
#include "compile/program_store.h"

namespace lanewise {

namespace fs = std::filesystem;

static const Source kShippedSource{"30_scale.cu", "__global__ void scale(float*);"};

static CompileOptions options_for(const std::string& arch) {
    CompileOptions options;
    options.kernel = "scale";
    options.arch = arch;
    return options;
}

// A content folder of its own, with no compiler but what is shipped in it.
class ShippedPrograms : public testing::Test {
  protected:
    void SetUp() override {
        fs::create_directories(home_ / "kernels");
        ::setenv("LANEWISE_HOME", home_.c_str(), 1);
        ::setenv("XDG_CACHE_HOME", (home_ / "cache").c_str(), 1);
        choose_compiler("shipped");
    }
    void TearDown() override {
        choose_compiler("");
        ::unsetenv("LANEWISE_HOME");
        ::unsetenv("XDG_CACHE_HOME");
        fs::remove_all(home_);
    }
    void ship(const std::vector<std::string>& archs) { ship_in(file_, archs); }
    void ship_in(const fs::path& file, const std::vector<std::string>& archs) {
        std::vector<ArchivedProgram> programs;
        for (const std::string& arch : archs) {
            Program program;
            program.entry = "scale";
            program.ptx = "ptx of " + arch;
            program.cubin = "cubin of " + arch;
            program.arch = arch;
            program.compiler = "NVRTC 13.0";
            programs.push_back({program_key(kShippedSource, options_for(arch)), program});
        }
        write_file(file, encode_archive(programs));
    }

    fs::path home_ = fs::temp_directory_path() / ("lanewise-shipped-" + std::to_string(::getpid()));
    fs::path file_ = home_ / "assets/programs/transpose/30_scale.programs";
};

TEST_F(ShippedPrograms, ServeNoCardThatDoesNotExist) {
    using Archs = std::vector<std::string>;
    EXPECT_EQ((Archs{"sm_89", "sm_86", "sm_80", "sm_75"}), shipped_archs("sm_89"));
    EXPECT_EQ((Archs{"sm_130", "sm_90", "sm_86", "sm_80", "sm_75"}), shipped_archs("sm_130"));  // to come
    for (const char* none : {"sm_9999", "sm_91", "sm_90a", "", "hopper"})
        EXPECT_EQ(Archs{none}, shipped_archs(none));
}

TEST_F(ShippedPrograms, AreFoundBySourceAndOptions) {
    ship({"sm_90", "sm_80"});
    Program program = compile(kShippedSource, options_for("sm_80"));
    EXPECT_EQ("ptx of sm_80", program.ptx);
    EXPECT_EQ("cubin of sm_80", program.cubin);
    EXPECT_EQ("NVRTC 13.0, shipped", program.compiler);
    EXPECT_EQ(CompilerKind::shipped, program.kind);
    EXPECT_EQ(Program::Origin::shipped, program.origin);
}

TEST_F(ShippedPrograms, AreNoneForAnotherSource) {
    ship({"sm_90"});
    EXPECT_FALSE(shipped_program({kShippedSource.name, kShippedSource.text + " "}, options_for("sm_90")));
    EXPECT_FALSE(shipped_program({"31_scale.cu", kShippedSource.text}, options_for("sm_90")));
    EXPECT_FALSE(shipped_program({"../30_scale.cu", kShippedSource.text}, options_for("sm_90")));
    EXPECT_FALSE(shipped_program({"", kShippedSource.text}, options_for("sm_90")));
    CompileOptions defined = options_for("sm_90");
    defined.defines = {"N=1"};
    EXPECT_FALSE(shipped_program(kShippedSource, defined));
    EXPECT_EQ("", shipped_problem(kShippedSource));
}

TEST_F(ShippedPrograms, ServeANewerCardAndSaySo) {
    ship({"sm_90", "sm_86", "sm_75"});
    Program program = compile(kShippedSource, options_for("sm_89"));
    EXPECT_EQ("ptx of sm_86", program.ptx);
    EXPECT_EQ("cubin of sm_86", program.cubin);
    EXPECT_EQ("sm_86", program.arch);
    EXPECT_EQ("NVRTC 13.0, shipped for sm_86", program.compiler);
    program = compile(kShippedSource, options_for("sm_120"));
    EXPECT_EQ("ptx of sm_90", program.ptx);
    EXPECT_EQ("", program.cubin);  // of another generation; the driver compiles the PTX
    program = compile(kShippedSource, options_for("sm_80"));
    EXPECT_EQ("ptx of sm_75", program.ptx);
    EXPECT_EQ("", program.cubin);
    EXPECT_THROW(compile(kShippedSource, options_for("sm_70")), Error);
    EXPECT_THROW(compile(kShippedSource, options_for("sm_90a")), Error);
    EXPECT_THROW(compile(kShippedSource, options_for("nonsense")), Error);
}

TEST_F(ShippedPrograms, AreReadAgainWhenTheyAreWrittenAgain) {
    ship({"sm_90"});
    EXPECT_FALSE(shipped_program(kShippedSource, options_for("sm_75")));
    ship({"sm_90", "sm_75"});
    EXPECT_TRUE(shipped_program(kShippedSource, options_for("sm_75")));
    fs::remove(file_);
    EXPECT_FALSE(shipped_program(kShippedSource, options_for("sm_75")));
}

// Of the launches, beside their sources: found, and no part of what is told of the course.
TEST_F(ShippedPrograms, OfTheLaunchesLieBesideThem) {
    for (const char* folder : {"launches/", "launches/sealed/"}) {
        const std::string name = std::string(folder) + "30_scale";
        const fs::path file = shipped_folder_of(name) / (name + ".programs");
        EXPECT_EQ(home_ / "assets" / (name + ".programs"), file);
        ship_in(file, {"sm_90"});
        std::optional<Program> program = shipped_program(kShippedSource, options_for("sm_90"));
        ASSERT_TRUE(program) << folder;
        EXPECT_EQ("ptx of sm_90", program->ptx);
        EXPECT_EQ(0u, shipped_status().programs);
        EXPECT_TRUE(shipped_status().problems.empty());
        write_file(file, "cut");
        EXPECT_EQ(1u, shipped_status().problems.size());
        EXPECT_FALSE(shipped_program(kShippedSource, options_for("sm_90")));
        fs::remove(file);
    }
    EXPECT_EQ(shipped_folder(), shipped_folder_of("transpose/30_scale"));
}

TEST_F(ShippedPrograms, SaysWhatIsDamagedAndGoesOn) {
    ship({"sm_90"});
    std::string bytes = read_file(file_);
    write_file(file_, bytes.substr(0, bytes.size() / 2));
    EXPECT_FALSE(shipped_program(kShippedSource, options_for("sm_90")));
    EXPECT_NE(std::string::npos, shipped_problem(kShippedSource).find("is cut or damaged"));
    ShippedStatus status = shipped_status();
    EXPECT_EQ(0u, status.archives);
    ASSERT_EQ(1u, status.problems.size());
    write_file(file_, bytes);
    EXPECT_TRUE(shipped_program(kShippedSource, options_for("sm_90")));
    status = shipped_status();
    EXPECT_EQ(1u, status.archives);
    EXPECT_EQ(1u, status.programs);
    EXPECT_EQ("NVRTC 13.0", status.compiler);
    EXPECT_TRUE(status.problems.empty());
}

// A page's file that did not come has its size and its time all the same.
TEST_F(ShippedPrograms, AreReadAgainWhereThatFailed) {
    ship({"sm_90"});
    std::string bytes = read_file(file_);
    fs::file_time_type written = fs::last_write_time(file_);
    write_file(file_, std::string(bytes.size(), ' '));
    fs::last_write_time(file_, written);
    EXPECT_FALSE(shipped_program(kShippedSource, options_for("sm_90")));
    EXPECT_NE("", shipped_problem(kShippedSource));
    write_file(file_, bytes);
    fs::last_write_time(file_, written);
    EXPECT_EQ("", shipped_problem(kShippedSource));
    EXPECT_TRUE(shipped_program(kShippedSource, options_for("sm_90")));
}

TEST_F(ShippedPrograms, AreNoneWhereNothingIsShipped) {
    EXPECT_FALSE(shipped_program(kShippedSource, options_for("sm_90")));
    EXPECT_EQ(0u, shipped_status().programs);
    EXPECT_EQ("", shipped_problem(kShippedSource));
}

}  // namespace lanewise
