// The one exception type, and the exit statuses of both programs.
// Thrown where something goes wrong; caught in main and at the job boundary (service/server) only.
#pragma once
#include <stdexcept>
#include <string>

namespace lanewise {

// Exit statuses of the command line; the numbers are part of its interface.
enum class Status {
    fine = 0,
    failed_check = 1,  // wrong result, a finding, a failed --expect
    bad_input = 2,     // bad usage, bad file, unknown stage or knob
    no_compile = 3,    // the kernel does not compile
    needs_gpu = 4,     // asks for a GPU that is not there
    out_of_time = 5,   // stopped by its time limit
};

// what() is ready for the user: one message that says what is wrong and what to do next.
// It has no trailing newline and no "error:" prefix.
class Error : public std::runtime_error {
  public:
    Error(Status status, const std::string& message)
        : std::runtime_error(message), status_(status) {}
    Status status() const { return status_; }

  private:
    Status status_;
};

// Refuses what the user gave.
[[noreturn]] inline void reject(const std::string& why) { throw Error(Status::bad_input, why); }

}  // namespace lanewise
