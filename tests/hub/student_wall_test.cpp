// What a student's engine can reach from within its walls, tried with a shell in its place.
#include "hub/student_wall.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "service/process.h"

namespace lanewise {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Wall : public testing::Test {
  protected:
    // Not below /tmp, which is private within in any case.
    fs::path root_ = fs::path(PROGRAMS) / ("wall-" + std::to_string(::getpid()));
    StudentWall wall_;
    void SetUp() override {
        fs::create_directories(root_ / "students/ada");
        fs::create_directories(root_ / "students/bert");
        fs::create_directories(root_ / "queue");
        write_file(root_ / "class.tokens", "ada 0123456789abcdef\n");
        write_file(root_ / "students/bert/mine", "bert's\n");
        write_file(root_ / "shown/library", "shown\n");
        wall_.program = fs::path(PROGRAMS) / "lanewise-engine";
        wall_.content = CONTENT_FOLDER;
        wall_.student = root_ / "students/ada";
        wall_.queue = root_ / "queue";
        wall_.environment = environment_for_engines();
        std::string why = why_no_wall(wall_, {});
        if (!why.empty()) GTEST_SKIP() << why;
    }
    void TearDown() override { fs::remove_all(root_); }

    // What the command prints within; its errors, too.
    std::string said(const std::string& script) {
        ChildProcess child(within_wall_any(wall_, {"sh", "-c", script + " 2>&1"}));
        child.input.close();
        std::string text;
        std::array<char, 4096> bytes;
        for (int i = 0; i < 1000; ++i) {
            ssize_t count = ::read(child.output.get(), bytes.data(), bytes.size());
            if (count == 0) break;
            if (count > 0) text.append(bytes.data(), static_cast<size_t>(count));
            if (count < 0) std::this_thread::sleep_for(10ms);
        }
        return text;
    }
};

TEST_F(Wall, TheEngineRunsWithin) {
    EXPECT_EQ(0u, said("/lanewise/bin/lanewise-engine --version").find("lanewise-engine "));
    EXPECT_NE(std::string::npos,
              said("/lanewise/bin/lanewise-engine stages").find("transpose/30_padded"));
    EXPECT_EQ("/student\n", said("echo $HOME"));
    EXPECT_EQ("kept\n", said("echo kept >/student/file; cat /student/file"));
    EXPECT_TRUE(fs::exists(wall_.student / "file"));
}

TEST_F(Wall, NothingOfOthersIsThere) {
    for (const fs::path& secret :
         {fs::path("/etc/passwd"), fs::path("/etc/shadow"), fs::path("/etc/hostname"),
          fs::path("/root"), fs::path("/home"), fs::path("/var/log"), fs::path("/run"),
          fs::path("/srv"), fs::path("/boot"), root_ / "class.tokens", root_ / "students",
          root_ / "students/bert/mine", fs::path(CONTENT_FOLDER) / "CMakeLists.txt",
          fs::path(CONTENT_FOLDER) / ".git"})
        EXPECT_EQ("no\n", said("test -e '" + secret.string() + "' && echo yes || echo no"))
            << secret;
    EXPECT_EQ("no\n", said("test -e /student/../students && echo yes || echo no"));
}

TEST_F(Wall, ALinkOutOfItsOwnFolderLeadsNowhere) {
    fs::create_symlink(root_ / "class.tokens", wall_.student / "link");
    fs::create_symlink("/etc", wall_.student / "etc");
    EXPECT_EQ(std::string::npos, said("cat /student/link").find("0123456789abcdef"));
    EXPECT_EQ("no\n", said("test -e /student/etc/passwd && echo yes || echo no"));
}

TEST_F(Wall, OnlyItsOwnFolderTakesFiles) {
    for (const char* place : {"/usr", "/lanewise/share/kernels", "/lanewise/bin", "/lanewise",
                              "/etc", "/", "/sys", "/dev", "/var"})
        EXPECT_EQ("no\n",
                  said("(touch " + std::string(place) + "/x) 2>/dev/null && echo yes || echo no"))
            << place;
    EXPECT_FALSE(fs::exists("/usr/x"));
    EXPECT_FALSE(fs::exists(fs::path(CONTENT_FOLDER) / "kernels/x"));
    said("echo x >/tmp/lanewise-from-within");
    EXPECT_FALSE(fs::exists("/tmp/lanewise-from-within"));
}

TEST_F(Wall, NoNetworkAndNoOtherProcess) {
    EXPECT_EQ("lo\n",
              said("ls /sys/class/net 2>/dev/null || cut -d: -f1 -s /proc/net/dev | tr -d ' '"));
    ChildProcess outside({"sleep", "30"});
    EXPECT_EQ("no\n", said("test -e /proc/" + std::to_string(outside.id() + 0) +
                           "/cmdline && grep -q sleep /proc/" + std::to_string(outside.id()) +
                           "/cmdline && echo yes || echo no"));
    // One, the shell, and what it starts.
    EXPECT_LT(std::stoi(said("ls /proc | grep -c '^[0-9]'")), 8);
    outside.kill();
}

TEST_F(Wall, OurOwnEnvironmentStaysOutside) {
    ::setenv("LANEWISE_TOKEN", "0123456789abcdef", 1);
    ::setenv("SOMETHING_SECRET", "0123456789abcdef", 1);
    wall_.environment = environment_for_engines();
    EXPECT_EQ(std::string::npos, said("env; cat /proc/*/environ").find("0123456789abcdef"));
    ::unsetenv("LANEWISE_TOKEN");
    ::unsetenv("SOMETHING_SECRET");
}

TEST_F(Wall, WhatIsReadableIsReadAndNotWritten) {
    wall_.readable = {(root_ / "shown").string()};
    EXPECT_EQ("shown\n", said("cat '" + (root_ / "shown/library").string() + "'"));
    said("echo x >'" + (root_ / "shown/library").string() + "'");
    EXPECT_EQ("shown\n", read_file(root_ / "shown/library"));
    EXPECT_EQ("no\n",
              said("test -e '" + (root_ / "class.tokens").string() + "' && echo yes || echo no"));
}

// Kernels run without a sandbox of their own within: none can be made, and none is needed.
TEST_F(Wall, NoFurtherNamespacesCanBeMade) {
    std::string text = said("unshare --user --map-root-user echo made; unshare --mount echo made");
    EXPECT_EQ(std::string::npos, text.find("made\n")) << text;
    EXPECT_EQ(std::string::npos,
              said("mount -t tmpfs none /mnt && echo mounted").find("mounted\n"));
}

// What is written there is in the machine's memory.
TEST_F(Wall, TheTemporaryFolderIsSmall) {
    std::string blocks = said("df -k /tmp | tail -1");
    if (blocks.find("1048576") == blocks.npos)
        GTEST_SKIP() << "this bubblewrap limits no size: " << blocks;
    EXPECT_EQ("no\n", said("fallocate -l 1200M /tmp/x 2>/dev/null && echo yes || echo no"));
}

// As root, too, whose files these are outside.
TEST_F(Wall, TheSystemsSwitchesAreOutOfReach) {
    for (const char* file :
         {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches"})
        EXPECT_EQ("no\n",
                  said("(: >>" + std::string(file) + ") 2>/dev/null && echo yes || echo no"))
            << file;
    EXPECT_EQ("no\n", said("ls /dev/sd* /dev/nvme* /dev/mem /dev/kmsg /dev/loop* >/dev/null 2>&1 "
                           "&& echo yes || echo no"));
}

TEST_F(Wall, TheQueueIsShared) {
    said("echo x >/queue/ticket");
    EXPECT_TRUE(fs::exists(root_ / "queue/ticket"));
}

TEST_F(Wall, EndsWithWhoStartedIt) {
    int ready[2];
    ASSERT_EQ(0, ::pipe(ready));
    // A process that starts the sandbox and is then killed.
    std::string script = "echo $$ >/student/pid; exec sleep 60";
    std::vector<std::string> words = within_wall_any(wall_, {"sh", "-c", script});
    pid_t starter = ::fork();
    if (starter == 0) {
        ChildProcess* child = new ChildProcess(words);
        ::write(ready[1], "x", 1) == 1 ? ::pause() : 0;
        ::_exit(child->id() > 0);
    }
    char byte;
    ASSERT_EQ(1, ::read(ready[0], &byte, 1));
    for (int i = 0; i < 300 && !fs::exists(wall_.student / "pid"); ++i)
        std::this_thread::sleep_for(10ms);
    auto sleepers = [&] {
        int count = 0;
        for (auto& entry : fs::directory_iterator("/proc")) {
            std::ifstream file(entry.path() / "cmdline");
            std::string line((std::istreambuf_iterator<char>(file)), {});
            count += line.find(wall_.student.string()) != line.npos;
        }
        return count;
    };
    EXPECT_GT(sleepers(), 0);
    ::kill(starter, SIGKILL);
    int left = -1;
    for (int i = 0; i < 300 && left != 0; ++i) {
        std::this_thread::sleep_for(20ms);
        left = sleepers();
    }
    EXPECT_EQ(0, left);
}

TEST(WithoutAWall, TheEnvironmentIsTheSame) {
    StudentWall wall;
    wall.program = "/p/lanewise-engine";
    wall.content = "/p";
    wall.student = "/s/ada";
    std::vector<std::string> words = without_wall(wall, {"serve"});
    EXPECT_EQ("env", words[0]);
    EXPECT_EQ("-i", words[1]);
    EXPECT_EQ("HOME=/s/ada", words[2]);
    EXPECT_EQ("serve", words.back());
}

}  // namespace lanewise
