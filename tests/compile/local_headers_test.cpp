// Headers of the user's own: where they lie, and that their host code is left out, too.
#include "compile/local_headers.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "../needs.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "compile/device_program.h"
#include "compile/program_store.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// A folder with headers as they lie beside a downloaded kernel; gone with the test.
class LocalHeaders : public testing::Test {
  protected:
    LocalHeaders() {
        folder_ = fs::temp_directory_path() /
                  ("lanewise-local-headers-" + std::to_string(::getpid()) + "-" +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
        folder_ = fs::canonical(folder_);
    }
    ~LocalHeaders() override { fs::remove_all(folder_); }
    std::string put(const std::string& name, const std::string& text) {
        write_file(folder_ / name, text);
        return (folder_ / name).string();
    }
    CompileOptions options() const {
        CompileOptions options;
        options.kernel = "k";
        options.include_folders = {folder_.string()};
        return options;
    }
    Program compiled(const std::string& text) const {
        return compile({"main.cu", text}, options());
    }

    fs::path folder_;
};

TEST_F(LocalHeaders, AnIncludeLineSaysItsName) {
    EXPECT_EQ("a.h", include_in("#include \"a.h\"")->name);
    EXPECT_EQ("b/a.h", include_in("  #  include  <b/a.h>  // \"c.h\"")->name);
    EXPECT_TRUE(include_in("#include \"a.h\"")->is_quoted);
    EXPECT_FALSE(include_in("#include <a.h>")->is_quoted);
    for (const char* none : {"", "#", "include <a>", "#include", "#include A", "#include <a",
                             "#include \"\"", "#define include <a>", "// #include <a>"})
        EXPECT_FALSE(include_in(none)) << none;
}

TEST_F(LocalHeaders, AreFoundOnceBesideTheirIncluderFirst) {
    std::string main_one = put("one.h", "#include \"sub/two.h\"\n#include <vector>\n");
    std::string two = put("sub/two.h", "#include \"one.h\"\n#include \"../one.h\"\n");
    std::string sub_one = put("sub/one.h", "#include \"two.h\"\n");  // a circle
    std::vector<LocalHeader> found = local_headers(
        "#include \"one.h\"\n#include <one.h>\n#include \"none.h\"\n", {folder_.string()});
    ASSERT_EQ(3u, found.size());
    EXPECT_EQ(main_one, found[0].path);
    EXPECT_EQ(two, found[1].path);
    EXPECT_EQ(sub_one, found[2].path);
    EXPECT_EQ("#include \"two.h\"\n", found[2].text);
    EXPECT_TRUE(local_headers("#include \"one.h\"\n", {}).empty());
}

TEST_F(LocalHeaders, AChangeBelowAnIncludersFolderChangesTheProgramsKey) {
    put("sub/one.h", "#include \"two.h\"\n");
    put("sub/two.h", "// 1\n");
    Source source{"main.cu", "#include \"sub/one.h\"\n"};
    std::string before = program_key(source, options());
    put("sub/two.h", "// 2\n");
    EXPECT_NE(before, program_key(source, options()));
}

TEST_F(LocalHeaders, AreLeftWithoutTheirHostCode) {
    NEEDS_NVRTC();
    std::string common = put("inc/common.h",
                             "#pragma once\n"
                             "#include <sys/time.h>\n"
                             "#include <fstream>\n"
                             "#include \"check.cuh\"\n"
                             "static double now() { timeval t; gettimeofday(&t, 0); return 1; }\n"
                             "inline __device__ float twice(float x) { return x + x; }\n"
                             "struct Log { std::ofstream file; };\n");
    put("inc/check.cuh",
        "#pragma once\n"
        "inline void check(cudaError_t e) { if (e) puts(cudaGetErrorString(e)); }\n");
    Program program = compiled(
        "#include \"inc/common.h\"\n"
        "#include \"inc/../inc/check.cuh\"\n"
        "__global__ void k(float* p) { p[0] = twice(p[1]); }\n"
        "int main() { k<<<1, 1>>>(nullptr); }\n");
    EXPECT_NE(std::string::npos, program.ptx.find(".entry"));
    EXPECT_NE(std::string::npos, program.ptx.find(common));  // its lines are told as its own
    EXPECT_EQ("line 4; common.h: lines 2-3, 5 and 7; check.cuh: line 2",
              hidden_in_log(program.log));
}

// nvcc, too, takes them before the system's.
TEST_F(LocalHeaders, MayHaveANameOfTheSystems) {
    NEEDS_NVRTC();
    put("memory.h", "#define WIDTH 5\nvoid fill() { std::vector<int> v; }\n");
    put("queue", "__device__ int slot() { return WIDTH; }\n");
    Program program = compiled(
        "#include \"memory.h\"\n#include \"queue\"\n#include <queue>\n"
        "__global__ void k(int* p) { p[0] = slot(); }\n");
    EXPECT_NE(std::string::npos, program.ptx.find(", 5;")) << program.ptx;
}

// Two headers of one name, in two folders.
TEST_F(LocalHeaders, AreToldApartByTheirFolders) {
    NEEDS_NVRTC();
    put("a/size.h", "#define A 7\nvoid a() { cudaFree(0); }\n");
    put("b/size.h", "#define B 70\nvoid b() { cudaFree(0); }\n");
    put("a/all.h", "#include \"size.h\"\n");
    put("b/all.h", "#include \"size.h\"\n");
    Program program = compiled(
        "#include \"a/all.h\"\n#include \"b/all.h\"\n"
        "__global__ void k(int* p) { p[0] = A + B; }\nint main() {}\n");
    EXPECT_NE(std::string::npos, program.ptx.find(", 77;")) << program.ptx;
}

TEST_F(LocalHeaders, ErrorsInThemAreToldWithTheirLine) {
    NEEDS_NVRTC();
    std::string wrong = put("wrong.cuh",
                            "#include <vector>\n"
                            "void host() { std::vector<int> v; }\n"
                            "__device__ int f() {\n    return nothing;\n}\n");
    try {
        compiled("#include \"wrong.cuh\"\n__global__ void k(int* p) { p[0] = f(); }\n");
        FAIL() << "it compiled";
    } catch (const CompileError& error) {
        ASSERT_EQ(1u, error.diagnostics().size()) << error.what();
        EXPECT_EQ(wrong, error.diagnostics()[0].file);
        EXPECT_EQ(4, error.diagnostics()[0].line);
        std::string text = error.what();
        EXPECT_NE(std::string::npos, text.find(wrong + ":4:12: error:")) << text;
        EXPECT_NE(std::string::npos, text.find("\n    return nothing;\n           ^")) << text;
    }
}

// A header that nobody finds is left out; where the kernel misses something then, it is named.
TEST_F(LocalHeaders, ThoseThatNobodyFindsAreLeftOutOrNamed) {
    NEEDS_NVRTC();
    Program program = compiled(
        "#include <netinet/ip.h>\n__global__ void k(int* p) { p[0] = 1; }\nint main() {}\n");
    EXPECT_EQ("lines 1 and 3", hidden_in_log(program.log));
    try {
        compiled("#include \"absent.h\"\n__global__ void k(int* p) { p[0] = ABSENT; }\n");
        FAIL() << "it compiled";
    } catch (const CompileError& error) {
        std::string text = error.what();
        EXPECT_NE(std::string::npos, text.find("absent.h")) << text;
    }
}

}  // namespace
}  // namespace lanewise
