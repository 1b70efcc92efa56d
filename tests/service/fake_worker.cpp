// A worker that misbehaves as its jobs say, for tests of the engine's side:
// worker_process_test.cpp.
#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "service/gpu_worker.h"
#include "service/process.h"
#include "service/server.h"
#include "service/worker_process.h"

using namespace lanewise;
using Json = nlohmann::json;

namespace {

// More than any pipe holds, again and again.
void print_without_end() {
    std::string text(1 << 16, 'x');
    while (::write(STDOUT_FILENO, text.data(), text.size()) > 0) {
    }
}

Json echo(const Json& params, JobContext&) { return params; }

Json flood(const Json&, JobContext&) {
    ::signal(SIGTERM, SIG_IGN);
    print_without_end();
    return nullptr;
}

// Answers while another thread goes on printing.
Json flood_beside(const Json& params, JobContext&) {
    std::thread(print_without_end).detach();
    return params;
}

// Nothing runs any more, not even the thread that shows signs of life; only SIGKILL reaches it.
Json stop(const Json&, JobContext&) {
    ::raise(SIGSTOP);
    return nullptr;
}

// Ends, while a process out of its reach keeps the channel and the pipes open: for two minutes, or
// until nobody reads what it prints.
Json leave_a_process(const Json&, JobContext&) {
    if (::fork() == 0) {
        ::setsid();
        for (int i = 0; i < 1200 && ::write(STDOUT_FILENO, "x", 1) == 1; ++i) ::usleep(100'000);
        ::_exit(0);
    }
    ::_exit(3);
}

// Is gone from the channel, and then says more than is read at once.
Json end_with_words(const Json&, JobContext&) {
    std::string words(20'000, '.');
    words += "and this is the end";
    ::shutdown(ChildProcess::kChannel, SHUT_RDWR);
    ::usleep(20'000);
    ::_exit(::write(STDERR_FILENO, words.data(), words.size()) > 0 ? 3 : 4);
}

// Stands for an engine: says which process its worker is, and then waits for that.
int be_an_engine(const char* program) {
    GpuWorker worker({program}, false);
    worker.call("echo", nullptr, {}, nullptr);
    std::printf("%d\n", worker.process_id());
    std::fflush(stdout);
    worker.call("stop", nullptr, {}, nullptr);
    return 0;
}

// What can be reached from here.
Json reach(const Json& params, JobContext&) {
    auto writes = [](const std::string& path) {
        std::ofstream file(path);
        return (file << "x").flush().good();
    };
    int listener = params.at("port");
    sockaddr_in there = {};
    there.sin_family = AF_INET;
    there.sin_port = ::htons(static_cast<uint16_t>(listener));
    there.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    bool connects = ::connect(socket, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0;
    ::close(socket);
    return {{"folder", writes(params.at("folder").get<std::string>() + "/written")},
            {"tmp", writes("/tmp/lanewise-written-by-a-worker")},
            {"network", connects}};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) return be_an_engine(argv[0]);
    end_with_engine();
    Service service;
    service.methods = {{"echo", LaneKind::others, false, 0, echo},
                       {"flood", LaneKind::others, false, 0, flood},
                       {"flood_beside", LaneKind::others, false, 0, flood_beside},
                       {"stop", LaneKind::others, false, 0, stop},
                       {"leave_a_process", LaneKind::others, false, 0, leave_a_process},
                       {"end_with_words", LaneKind::others, false, 0, end_with_words},
                       {"reach", LaneKind::others, false, 0, reach}};
    service.status = [] { return Json::object(); };
    return serve(ChildProcess::kChannel, ChildProcess::kChannel, service);
}
