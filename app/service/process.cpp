#include "service/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "base/error.h"

extern char** environ;

namespace lanewise {

using namespace std::chrono_literals;

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        number_ = other.release();
    }
    return *this;
}

int Descriptor::release() {
    int number = number_;
    number_ = -1;
    return number;
}

void Descriptor::close() {
    if (is_open()) ::close(release());
}

namespace {

struct Pipe {
    Descriptor read, write;
};

Pipe make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw Error(Status::bad_input, std::string("cannot make a pipe: ") + std::strerror(errno));
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void stop_blocking(const Descriptor& descriptor) {
    ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

// What posix_spawn is told: which descriptors the child gets, and that signals which we ignore or
// block are not ignored or blocked there.
struct SpawnPlan {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    SpawnPlan(int input, int output, int errors, int channel) {
        ::posix_spawn_file_actions_init(&files);
        if (channel < 0)
            ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
        else
            ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
        if (channel >= 0)
            ::posix_spawn_file_actions_adddup2(&files, channel, ChildProcess::kChannel);
        ::posix_spawnattr_init(&attributes);
        sigset_t signals;
        ::sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&attributes, &signals);
        ::sigaddset(&signals, SIGPIPE);
        ::sigaddset(&signals, SIGINT);
        ::posix_spawnattr_setsigdefault(&attributes, &signals);
        ::posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    }
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&files);
        ::posix_spawnattr_destroy(&attributes);
    }
};

std::string ending(int status) {
    if (WIFEXITED(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
    int signal = WTERMSIG(status);
    return "killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words, int channel) {
    Pipe to_child = make_pipe(), from_child = make_pipe(), errors_of_child = make_pipe();
    SpawnPlan plan(to_child.read.get(), from_child.write.get(), errors_of_child.write.get(),
                   channel);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    int failure = ::posix_spawnp(&id_, arguments[0], &plan.files, &plan.attributes,
                                 arguments.data(), environ);
    if (failure != 0)
        throw Error(Status::bad_input,
                    "cannot start the engine (" + words[0] + "): " + std::strerror(failure));
    input = std::move(to_child.write);
    output = std::move(from_child.read);
    errors = std::move(errors_of_child.read);
    for (const Descriptor* ours : {&input, &output, &errors}) stop_blocking(*ours);
}

ChildProcess::~ChildProcess() {
    input.close();
    output.close();
    errors.close();
    if (wait(500ms)) return;
    terminate();
    if (wait(500ms)) return;
    kill();
    if (wait(1000ms)) return;
    std::thread([id = id_] { ::waitpid(id, nullptr, 0); }).detach();
}

// The whole session's group: a shell or a sandbox around the child must not outlive it.
void ChildProcess::terminate() {
    if (!ending_) ::kill(-id_, SIGTERM);
}

void ChildProcess::kill() {
    if (!ending_) ::kill(-id_, SIGKILL);
}

std::optional<std::string> ChildProcess::wait(std::chrono::milliseconds patience) {
    auto deadline = std::chrono::steady_clock::now() + patience;
    while (!ending_) {
        int status = 0;
        int reaped = ::waitpid(id_, &status, WNOHANG);
        if (reaped == id_)
            ending_ = ending(status);
        else if (reaped < 0 && errno != EINTR)
            ending_ = "ended";  // somebody else reaped it
        else if (std::chrono::steady_clock::now() >= deadline)
            return std::nullopt;
        else
            std::this_thread::sleep_for(2ms);
    }
    return ending_;
}

}  // namespace lanewise
