#include "compile/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace lanewise {

using Clock = std::chrono::steady_clock;

namespace {
// Owns one end of a stream to the child.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    int get() const { return number_; }
    void close() {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }

  private:
    int number_;
};

struct Stream {
    Descriptor ours, theirs;
};
}  // namespace

// A socket rather than a pipe: send() takes MSG_NOSIGNAL, so a child that does not read to the end
// kills nobody. No other child inherits either end.
static Stream new_stream() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw Error(Status::bad_input,
                    std::string("cannot talk to a compiler: ") + std::strerror(errno));
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

static pid_t start(const std::vector<std::string>& command, const Stream (&streams)[3]) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; ++i)
        ::posix_spawn_file_actions_adddup2(&actions, streams[i].theirs.get(), i);
    std::vector<char*> arguments;
    for (const std::string& argument : command)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    int failure =
        ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        throw Error(Status::bad_input,
                    "cannot start " + command[0] + ": " + std::strerror(failure));
    return child;
}

// Appends what has arrived; closes at the end.
static void receive(Descriptor& from, std::string& to) {
    char bytes[65536];
    ssize_t count = ::read(from.get(), bytes, sizeof bytes);
    if (count > 0) to.append(bytes, static_cast<size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) from.close();
}

// Takes off what was sent; closes when all is.
static void send_some(Descriptor& to, std::string_view& input) {
    ssize_t count = ::send(to.get(), input.data(), input.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) input.remove_prefix(static_cast<size_t>(count));
    bool failed = count < 0 && errno != EINTR && errno != EAGAIN;
    if (failed || input.empty()) to.close();
}

ChildResult run_child(const std::vector<std::string>& command, std::string_view input,
                      std::chrono::milliseconds limit) {
    Stream streams[3] = {new_stream(), new_stream(), new_stream()};
    pid_t child = start(command, streams);
    for (Stream& stream : streams) stream.theirs.close();
    Descriptor &in = streams[0].ours, &out = streams[1].ours, &err = streams[2].ours;
    if (input.empty()) in.close();

    ChildResult result;
    auto end = Clock::now() + limit;
    while (out.get() >= 0 || err.get() >= 0) {
        auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0) {
            result.timed_out = true;
            ::kill(child, SIGKILL);
            break;
        }
        pollfd waiting[] = {{in.get(), POLLOUT, 0}, {out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}};
        if (::poll(waiting, 3, static_cast<int>(left.count())) <= 0) continue;
        if (waiting[0].revents) send_some(in, input);
        if (waiting[1].revents) receive(out, result.out);
        if (waiting[2].revents) receive(err, result.err);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

}  // namespace lanewise
