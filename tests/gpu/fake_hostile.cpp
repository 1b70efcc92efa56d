// What kernels do to the process that runs them, as far as a test without a GPU can do it.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fake_kernels.h"

namespace {

int print(uint64_t bytes) {  // as the driver does: through the C library's stdout
    static const std::string line(99, 'p');
    for (uint64_t printed = 0; printed < bytes; printed += 100) std::printf("%s\n", line.c_str());
    return 0;
}

// $FAKE_PRINTED_BYTES, else a gigabyte: in all, however often it is launched.
int print_much_once() {
    const char* told = std::getenv("FAKE_PRINTED_BYTES");
    static bool printed = false;
    if (!printed) print(told ? std::strtoull(told, nullptr, 10) : 1'000'000'000);
    printed = true;
    return 0;
}

int be_deaf() {  // a driver that does not come back, and a process that no SIGTERM ends
    ::signal(SIGTERM, SIG_IGN);
    for (;;) ::pause();
}

struct Misdeed {
    const char* part;  // of the kernel's name
    int (*work)();
};
constexpr Misdeed kMisdeeds[] = {
    {"out_of_bounds", [] { return 700; }},
    {"misaligned", [] { return 716; }},
    {"traps", [] { return 719; }},
    {"prints_much", print_much_once},
    {"prints_little", [] { return print(1000); }},
    {"deaf", be_deaf},
    {"exits", []() -> int { std::_Exit(3); }},
    {"killed", []() -> int { return ::raise(SIGKILL); }},
};

}  // namespace

int run_hostile_kernel(const std::string& entry) {
    for (const Misdeed& misdeed : kMisdeeds)
        if (entry.find(misdeed.part) != std::string::npos) return misdeed.work();
    return 0;
}
