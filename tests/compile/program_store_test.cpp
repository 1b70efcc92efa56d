#include "compile/program_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "base/files.h"

namespace lanewise {

namespace fs = std::filesystem;

class ProgramStoreTest : public testing::Test {
  protected:
    fs::path folder_ = fs::temp_directory_path() / ("lanewise-store-" + std::to_string(::getpid()));
    void TearDown() override { fs::remove_all(folder_); }
};

static Program some_program(const std::string& ptx = "ptx text") {
    Program program;
    program.entry = "_Z5scalePf";
    program.ptx = ptx;
    program.cubin = std::string(
        "\x7f"
        "ELF\0bytes",
        10);
    program.arch = "sm_90";
    program.compiler = "NVRTC 13.0";
    return program;
}

TEST_F(ProgramStoreTest, KeepsAProgramPerCompilerVersion) {
    ProgramStore store(folder_);
    EXPECT_FALSE(store.find("k1", "13.0"));
    store.store(some_program("old"), "k1", "12.4");
    store.store(some_program("new"), "k1", "13.0");
    ASSERT_TRUE(store.find("k1", "12.4"));
    EXPECT_EQ("old", store.find("k1", "12.4")->ptx);
    EXPECT_EQ("new", store.find("k1", "")->ptx);
    EXPECT_EQ(some_program().cubin, store.find("k1", "13.0")->cubin);
    EXPECT_EQ("_Z5scalePf", store.find("k1", "13.0")->entry);
    EXPECT_FALSE(store.find("k1", "12.9"));
    EXPECT_FALSE(store.find("k", ""));
}

TEST_F(ProgramStoreTest, ATornOrChangedFileIsMissingWhereverItIsTorn) {
    std::string whole = encode_program(some_program(), "k1");
    ASSERT_TRUE(decode_program(whole, "k1"));
    EXPECT_FALSE(decode_program(whole, "k2"));
    EXPECT_FALSE(decode_program(whole + "x", "k1"));
    for (size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(decode_program(whole.substr(0, length), "k1")) << length;
    for (size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x20);
        EXPECT_FALSE(decode_program(changed, "k1")) << at;
    }
}

TEST_F(ProgramStoreTest, WhatIsUnusedForLongestGoesFirst) {
    ProgramStore store(folder_, 40'000);
    for (int i = 0; i < 5; ++i)
        store.store(some_program(std::string(9'000, 'x')), "k" + std::to_string(i), "13.0");
    auto now = fs::file_time_type::clock::now();
    for (int i = 0; i < 5; ++i)
        fs::last_write_time(folder_ / ("k" + std::to_string(i) + "-13.0.program"),
                            now - std::chrono::hours(5 - i));
    ASSERT_TRUE(store.find("k0", "13.0"));  // used now, so it is the newest
    store.trim();                           // over 45,000 bytes: down to at most 20,000, two files
    EXPECT_TRUE(store.find("k0", "13.0"));
    EXPECT_TRUE(store.find("k4", "13.0"));
    for (const char* gone : {"k1", "k2", "k3"}) EXPECT_FALSE(store.find(gone, "13.0")) << gone;
}

TEST_F(ProgramStoreTest, WritersAtOnceNeverShowATornProgram) {
    ProgramStore store(folder_);
    std::vector<std::thread> threads;
    std::atomic<int> seen = 0, torn = 0;
    for (int writer = 0; writer < 4; ++writer)
        threads.emplace_back([&, writer] {
            std::string ptx(50'000, static_cast<char>('a' + writer));
            for (int i = 0; i < 25; ++i) {
                store.store(some_program(ptx), "k", "13.0");
                std::optional<Program> read = store.find("k", "13.0");
                if (!read)
                    ++torn;
                else if (read->ptx == std::string(50'000, read->ptx[0]))
                    ++seen;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(0, torn);
    EXPECT_EQ(100, seen);
    EXPECT_EQ(1, std::distance(fs::directory_iterator(folder_), {}));  // no temporary file left
}

TEST_F(ProgramStoreTest, AFolderThatCannotBeWrittenIsAnEmptyOne) {
    ProgramStore store("/proc/nowhere");
    store.store(some_program(), "k", "13.0");
    store.trim();
    EXPECT_FALSE(store.find("k", "13.0"));
    EXPECT_FALSE(store.find("k", ""));
}

TEST_F(ProgramStoreTest, TheKeyDependsOnEverythingThatIsCompiled) {
    Source source{"a.cu", "text"};
    CompileOptions options{"k<1>", "sm_90", {}, {"A=1"}};
    std::string key = program_key(source, options);
    EXPECT_EQ(key, program_key(source, options));
    auto differs = [&](Source s, CompileOptions o) { return program_key(s, o) != key; };
    EXPECT_TRUE(differs({"b.cu", "text"}, options));
    EXPECT_TRUE(differs({"a.cu", "texts"}, options));
    EXPECT_TRUE(differs({"a.cut", "ext"}, options));
    EXPECT_TRUE(differs(source, {"k<2>", "sm_90", {}, {"A=1"}}));
    EXPECT_TRUE(differs(source, {"k<1>", "sm_80", {}, {"A=1"}}));
    EXPECT_TRUE(differs(source, {"k<1>", "sm_90", {}, {"A=2"}}));
    EXPECT_TRUE(differs(source, {"k<1>", "sm_90", {"A=1"}, {}}));
}

TEST_F(ProgramStoreTest, TheKeyFollowsHeadersThatIncludeHeaders) {
    write_file(folder_ / "outer.h", "#pragma once\n# include <inner.h>\n");
    write_file(folder_ / "inner.h", "#include \"outer.h\"\nconstexpr int kOne = 1;\n");
    Source source{"a.cu", "#include \"outer.h\"\n"};
    CompileOptions options;
    options.include_folders = {folder_.string()};
    std::string before = program_key(source, options);
    EXPECT_EQ(before, program_key(source, options));
    write_file(folder_ / "inner.h", "#include \"outer.h\"\nconstexpr int kOne = 2;\n");
    EXPECT_NE(before, program_key(source, options));
}

}  // namespace lanewise
