// A worker in a real sandbox of bubblewrap, and what it can still reach.
#include "service/sandbox.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "service/gpu_worker.h"

namespace lanewise {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// A socket that listens on loopback, and a folder outside /tmp.
struct Outside {
    int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    int port = 0;
    fs::path folder = PROGRAMS "/sandbox-" + std::to_string(::getpid());
    Outside() {
        sockaddr_in here = {};
        here.sin_family = AF_INET;
        here.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof here;
        bool listens = ::bind(socket, reinterpret_cast<sockaddr*>(&here), size) == 0 &&
                       ::listen(socket, 5) == 0;
        EXPECT_TRUE(listens);
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&here), &size);
        port = ::ntohs(here.sin_port);
        fs::create_directories(folder);
    }
    ~Outside() {
        ::close(socket);
        fs::remove_all(folder);
        fs::remove("/tmp/lanewise-written-by-a-worker");
    }
    Json asked_of(std::vector<std::string> command) {
        GpuWorker worker(std::move(command), false);
        return worker.call("reach", {{"port", port}, {"folder", folder.string()}}, {}, nullptr)
            .result;
    }
};

}  // namespace

TEST(Sandbox, HoldsAWorkerThatCouldReachEverything) {
    Outside outside;
    std::vector<std::string> command = {PROGRAMS "/fake_worker"};
    EXPECT_EQ(Json({{"folder", true}, {"tmp", true}, {"network", true}}),
              outside.asked_of(command));
    fs::remove("/tmp/lanewise-written-by-a-worker");
    std::vector<std::string> walled;
    try {
        walled = in_sandbox(command);
    } catch (const Error& error) {
        GTEST_SKIP() << error.what();
    }
    EXPECT_EQ(Json({{"folder", false}, {"tmp", true}, {"network", false}}),
              outside.asked_of(walled));
    EXPECT_FALSE(fs::exists("/tmp/lanewise-written-by-a-worker"));  // its /tmp is its own
}

static void find_no_bubblewrap() {
    ::setenv("PATH", "/nowhere", 1);
    try {
        in_sandbox({"true"});
    } catch (const Error& error) {
        std::fprintf(stderr, "%s", error.what());
        std::exit(static_cast<int>(error.status()));
    }
    std::exit(0);
}

// In a process of its own, because what was tried is remembered.
TEST(Sandbox, SaysWhatIsMissing) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(find_no_bubblewrap(), testing::ExitedWithCode(2),
                "a sandbox needs bubblewrap, which is not installed.*without --sandbox");
}

}  // namespace lanewise
