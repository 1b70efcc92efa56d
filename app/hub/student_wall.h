// The sandbox around a student's whole engine, by bubblewrap. It sees a system of its own: /usr and
// what belongs to it, the program and its content, the devices of NVIDIA's cards, a private /tmp, and
// the student's own folder as /student. There is no network, no /home, no /root, nothing of /etc that
// says anything, no other process and no other student.
//
// Kernels inside need no sandbox of their own (service/sandbox.h): its walls stand already, and none
// can be made within, because the engine may make no namespaces.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace lanewise {

struct StudentWall {
    std::filesystem::path program;         // lanewise-engine
    std::filesystem::path content;         // holds kernels, lessons and assets
    std::filesystem::path student;         // the student's folder: written to, kept
    std::filesystem::path queue;           // the GPU's queue (service/gpu_queue.h), for all of them
    std::vector<std::string> readable;     // further folders and files, by their whole paths
    std::vector<std::string> environment;  // NAME=VALUE, beside what engines always get
};

inline constexpr const char* kStudentHome = "/student";

// The words that start `arguments` (behind the program's name) within the walls. The first are
// `env -i`, so that nothing of our own environment reaches even bubblewrap.
std::vector<std::string> within_wall(const StudentWall& wall,
                                     const std::vector<std::string>& arguments);

// The words that start any command there, for tests.
std::vector<std::string> within_wall_any(const StudentWall& wall,
                                         const std::vector<std::string>& command);

// The same engine without a sandbox, for this machine's own user: folders and environment as within.
std::vector<std::string> without_wall(const StudentWall& wall,
                                      const std::vector<std::string>& arguments);

// What an engine is given of our environment: where compilers and drivers are, and nothing that is
// secret.
std::vector<std::string> environment_for_engines();

// Why no such sandbox can be made, behind the words of `prefix`; "" where it can.
std::string why_no_wall(const StudentWall& wall, const std::vector<std::string>& prefix);

}  // namespace lanewise
