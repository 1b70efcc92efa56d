// CUTLASS's headers, found and used: a made-up copy of two files stands for them.
#include "compile/header_library.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "compile/compiler.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// Found once per process, so all tests of this file share it.
class Headers : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder_ = fs::temp_directory_path() / ("lanewise-cutlass-" + std::to_string(::getpid()));
        write_file(folder_ / "include/cute/tensor.hpp",
                   "inline int twice(int x) { return 2 * x; }\n");
        write_file(folder_ / "include/cutlass/version.h",
                   "#include <cstdint>\n#define CUTLASS_MAJOR 9\n#define CUTLASS_MINOR 8\n"
                   "#define CUTLASS_PATCH 7\n#define CUTLASS_BUILD 0\n");
        ::setenv("CUTLASS_PATH", folder_.c_str(), 1);
    }
    static void TearDownTestSuite() { fs::remove_all(folder_); }
    void SetUp() override {
        if (compiler_status().include_folder.empty()) GTEST_SKIP() << "no CUDA headers here";
    }
    static inline fs::path folder_;
};

TEST_F(Headers, AreFoundWhereTheVariableSays) {
    const HeaderLibrary& cutlass = header_library("cutlass");
    ASSERT_TRUE(cutlass.found) << cutlass.advice;
    EXPECT_EQ("9.8.7", cutlass.version);
    EXPECT_EQ((folder_ / "include").string(), cutlass.folders.front());
    EXPECT_EQ("", cutlass.advice);
    EXPECT_FALSE(header_library("boost").found);
}

// Much of them is written for host and device and says neither.
TEST_F(Headers, MayHoldFunctionsOfNoSpace) {
    Source source{"uses.cu",
                  "#include <cute/tensor.hpp>\n__global__ void uses(int* x) { *x = twice(*x); }\n"};
    CompileOptions options;
    options.kernel = "uses";
    options.headers = "cutlass";
    Program program = compile(source, options);
    EXPECT_TRUE(program.compiler.ends_with(" with CUTLASS 9.8.7")) << program.compiler;
    EXPECT_NE(std::string::npos, program.ptx.find(".entry"));
    options.headers = "";
    EXPECT_THROW(compile(source, options), CompileError);  // and only where they are asked for
}

}  // namespace
}  // namespace lanewise
