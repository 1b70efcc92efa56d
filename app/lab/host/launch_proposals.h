// Each launch of a CUDA program's host code as a complete command: kernel<T><<<grid, block, shared>>>(…)
// becomes `lanewise-engine trace FILE --kernel … --grid … --block … --arg …`.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lab/host/host_walk.h"
#include "lab/job/job.h"

namespace lanewise {

// What the host code does not say, with what the command has for it.
struct LaunchBlank {
    std::string name, why, suggestion;
};

struct LaunchProposal {
    int line = 0;        // of the launch
    std::string kernel;  // "scale<float, 32>"
    std::vector<std::string>
        command;                      // lanewise-engine first; it has the suggestions of the blanks
    std::vector<LaunchBlank> blanks;  // in the order of the command
    std::string problem;              // why it cannot be right, a sentence: "0 blocks"; else empty
};

// In the order of the source. `includes`: folders for #include "…", after the file's own.
// Throws Error(bad_input) where the file cannot be read.
std::vector<LaunchProposal> propose_launches(const std::filesystem::path& file,
                                             const std::vector<std::string>& includes);

// The launches of main() in the order in which it makes them, in one memory, as a .launch file has them
// (lab/kernel/launch_file.h): buffers by their names. `blanks` says what is not known, each once.
struct LaunchSequence {
    OwnLaunch last;  // with those before it
    std::vector<LaunchBlank> blanks;
};

// Throws Error(bad_input) where there is no launch, or one that cannot be right.
LaunchSequence propose_sequence(const std::filesystem::path& file,
                                const std::vector<std::string>& includes);

// One line for a shell: words that need it stand in quotes.
std::string shell_line(const std::vector<std::string>& command);

}  // namespace lanewise
