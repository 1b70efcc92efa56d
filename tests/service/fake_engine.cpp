// An engine with toy methods, for testing the wire without compiling or interpreting anything.
#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "service/server.h"

using namespace lanewise;
using Json = nlohmann::json;

namespace {

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

Json echo(const Json& params, JobContext&) { return params; }

Json print(const Json&, JobContext&) {
    std::puts("this must not reach the wire");
    std::fflush(stdout);
    return Json::object();
}

Json count(const Json& params, JobContext& context) {  // up to "to", a millisecond each
    int to = params.at("to");
    for (int i = 1; i <= to; ++i) {
        if (context.cancel) throw Cancelled{};
        context.progress(static_cast<double>(i) / to, "counting");
        sleep_ms(1);
    }
    return {{"counted", to}};
}

Json hang(const Json&, JobContext&) {  // as a kernel that never ends: deaf to cancellation
    for (;;) sleep_ms(1000);
}

Json crash(const Json&, JobContext&) {
    std::fputs("first line\nlast words\n", stderr);
    std::abort();
}

Json refuse(const Json&, JobContext&) { throw Error(Status::needs_gpu, "there is no GPU"); }

// The thread that gives signs of life works at something else so many milliseconds, as if the
// machine gave it no turn.
pthread_t life_thread;
int stall_ms = 0;

Json stall(const Json& params, JobContext&) {
    stall_ms = params.at("ms");
    ::signal(SIGUSR1, [](int) {
        auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(stall_ms);
        while (std::chrono::steady_clock::now() < end) {
        }
    });
    ::pthread_kill(life_thread, SIGUSR1);
    return params;
}

Json big(const Json& params, JobContext&) { return std::string(params.at("bytes"), 'x'); }

}  // namespace

int main() {
    static bool lost = false;
    life_thread = ::pthread_self();
    Service service;
    service.methods = {
        // name      lane                newest  limit  work
        {"echo", LaneKind::others, false, 0, echo},
        {"ping", LaneKind::others, false, 0, echo},
        {"print", LaneKind::others, false, 0, print},
        {"count", LaneKind::others, false, 0, count},
        {"picture", LaneKind::pictures, true, 0, count},
        {"hang", LaneKind::others, false, 0, hang},
        {"overdue", LaneKind::others, false, 0.2, hang},
        {"crash", LaneKind::others, false, 0, crash},
        {"refuse", LaneKind::others, false, 0, refuse},
        {"big", LaneKind::others, false, 0, big},
        {"stall", LaneKind::others, false, 0, stall},
        {"lose", LaneKind::others, false, 0,
         [](const Json&, JobContext&) -> Json {
             lost = true;
             throw Error(Status::failed_check, "the launch failed");
         }},
    };
    service.status = [] {
        sleep_ms(20);
        return Json{{"gpu", nullptr}, {"problem", "a fake has none"}, {"compiler", "none"}};
    };
    service.gpu_lost = [] { return lost; };
    return serve(0, 1, service);
}
