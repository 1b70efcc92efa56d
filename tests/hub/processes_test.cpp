// What a process and those below it use.
#include "hub/processes.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

#include "service/process.h"

namespace lanewise {

using namespace std::chrono_literals;

TEST(Processes, AreFoundWithAllBelow) {
    ChildProcess shell({"sh", "-c", "sleep 30 & sleep 30 & wait"});
    std::map<int, ProcessUse> uses;
    for (int i = 0; i < 200 && uses[shell.id()].processes.size() < 3; ++i) {
        std::this_thread::sleep_for(20ms);
        uses = use_of({shell.id(), 999'999'999});
    }
    const ProcessUse& use = uses.at(shell.id());
    EXPECT_EQ(3u, use.processes.size());
    EXPECT_EQ(shell.id(), use.processes[0]);
    EXPECT_GT(use.resident_bytes, 100'000u);
    EXPECT_LT(use.resident_bytes, 100'000'000u);
    EXPECT_EQ(0u, uses.count(999'999'999));
    shell.kill();
}

TEST(Processes, ProcessorSecondsAreThoseOfChildrenToo) {
    ChildProcess shell(
        {"sh", "-c", "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'; sleep 30"});
    double cpu_s = 0;
    for (int i = 0; i < 1000 && cpu_s == 0; ++i) {
        std::this_thread::sleep_for(20ms);
        cpu_s = use_of({shell.id()})[shell.id()].cpu_s;
    }
    EXPECT_GT(cpu_s, 0);
    shell.kill();
}

TEST(Processes, GiveWay) {
    ChildProcess shell({"sh", "-c", "sleep 30 & wait"});
    ProcessUse use;
    for (int i = 0; i < 200 && use.processes.size() < 2; ++i) {
        std::this_thread::sleep_for(20ms);
        use = use_of({shell.id()})[shell.id()];
    }
    ASSERT_EQ(2u, use.processes.size());
    auto nice_of = [](int process) { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(process)); };
    auto session_of = [](int process) {
        std::string line;
        std::getline(std::ifstream("/proc/" + std::to_string(process) + "/autogroup"), line);
        return line;
    };
    const bool has_sessions = !session_of(shell.id()).empty();
    let_give_way(use.processes, 19);
    let_give_way({999'999'999}, 19);
    for (int process : use.processes) EXPECT_EQ(nice_of(process), ::geteuid() == 0 ? 19 : 10);
    EXPECT_TRUE(!has_sessions || session_of(shell.id()).ends_with(" nice 19")) << session_of(shell.id());
    std::this_thread::sleep_for(150ms);  // the system takes ten such changes a second
    let_give_way(use.processes, 0);
    for (int process : use.processes) EXPECT_EQ(nice_of(process), ::geteuid() == 0 ? 0 : 10);
    EXPECT_TRUE(!has_sessions || session_of(shell.id()).ends_with(" nice 0")) << session_of(shell.id());
    shell.kill();
}

}  // namespace lanewise
