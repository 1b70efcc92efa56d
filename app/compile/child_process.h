// A compiler as a child process: text in, text out, nothing on disk.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

struct ChildResult {
    int status = 0;  // its exit status; 128 + the signal's number where one ended it
    bool timed_out = false;
    std::string out, err;
};

// Starts `command` (a path or a name to be found in PATH, then its arguments; no shell), feeds
// `input` to its stdin and returns what it wrote when it has ended. It is killed after `limit`.
// Safe to call from several threads. Throws Error(bad_input) where it cannot be started.
ChildResult run_child(const std::vector<std::string>& command, std::string_view input,
                      std::chrono::milliseconds limit);

}  // namespace lanewise
