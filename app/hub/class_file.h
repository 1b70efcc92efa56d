// What each student of a class may use. A TOML file; whatever is left out is as below:
//   title = "GPU programming, 2026"       on the board
//   [limits]
//   connections = 120                     at once, of all students
//   engines_per_student = 2               at once
//   open_requests = 32                    of one engine; more are refused with a sentence
//   messages_per_second = 40              what comes faster waits
//   kilobytes_per_second = 4096           likewise
//   message_kilobytes = 8192              a larger message ends its connection
//   memory_megabytes = 4096               of one engine; one that has more is ended
//   renice_after_cpu_s = 3                a student who used so many processor seconds lately gives way (heat.h)
//   cpu_s = 7200                          and with so many it is ended
//   turn_s = 120                          one measurement's on the GPU; a longer one is ended
//   rest_s = 30                           a student whose engine was ended waits so long for another
//   disk_megabytes = 1024                 of a student's folder; what is over ends the engine
//   [sandbox]
//   readable = ["/opt/cuda"]              what engines read beside the system's own folders
//   [hand_in]
//   due = "2026-12-01 23:59"              in UTC; what comes later is marked
//   assignment = "week2.assignment"       or: due when that says, and offered to the class; beside the
//                                         class file
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

struct ClassLimits {
    int64_t connections = 120, engines_per_student = 2, open_requests = 32;
    int64_t messages_per_second = 40, kilobytes_per_second = 4096, message_kilobytes = 8192;
    int64_t memory_megabytes = 4096;
    int64_t renice_after_cpu_s = 3, cpu_s = 7200, turn_s = 120, rest_s = 30;
    int64_t disk_megabytes = 1024;
};

struct ClassFile {
    std::string title = "Lanewise";
    ClassLimits limits;
    std::vector<std::string> readable;
    std::string due;  // of hand-ins, "2026-12-01T23:59:00Z"; "": nothing is late
    std::filesystem::path assignment = {};  // which the class works on; empty: none is named
};

// Throws Error(bad_input), "FILE:LINE: …", for the first thing in it that cannot be used.
ClassFile read_class_file(const std::filesystem::path& file);
// `folder` is where an assignment lies that it names.
ClassFile parse_class_file(std::string_view text, const std::string& name,
                           const std::filesystem::path& folder = {});

}  // namespace lanewise
