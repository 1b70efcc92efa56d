// A child process with pipes to its stdin, stdout and stderr.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace lanewise {

// A file descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor() { close(); }
    int get() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    int release();
    void close();

  private:
    int number_;
};

// Every child is the leader of a session of its own: it has no terminal to ask for a password on,
// and what it starts receives its signals. Our ends of the pipes do not block, and no other child
// inherits them.
class ChildProcess {
  public:
    // Starts words[0], looked for on the PATH, with posix_spawn: no fork, so it is safe beside
    // threads. Where `channel` is a descriptor, the child finds it as kChannel, and its stdin is
    // /dev/null. Throws Error(bad_input) where it cannot be started.
    explicit ChildProcess(const std::vector<std::string>& words, int channel = -1);
    static constexpr int kChannel = 3;
    // Closes the pipes; waits half a second, then SIGTERM, half a second, then SIGKILL. The child
    // is reaped in every case: one that even SIGKILL does not end at once, because it waits in a
    // driver, by a thread that stays behind.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    int id() const { return id_; }
    Descriptor input, output, errors;  // its stdin, stdout, stderr

    void terminate();  // SIGTERM
    void kill();       // SIGKILL, at once
    // How it ended, for the user: "exit status 3", "killed by signal 9 (Killed)"; nothing where it
    // still runs after that long.
    std::optional<std::string> wait(std::chrono::milliseconds patience);

  private:
    int id_ = 0;
    std::optional<std::string> ending_;
};

}  // namespace lanewise
