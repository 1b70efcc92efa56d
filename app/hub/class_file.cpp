#include "hub/class_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "course/assignment.h"
#include "course/toml_head.h"

namespace lanewise {

namespace {

struct LimitRow {
    const char* key;
    int64_t ClassLimits::*limit;
    int64_t least, most;
};
constexpr LimitRow kRows[] = {
    {"connections", &ClassLimits::connections, 1, 2000},
    {"engines_per_student", &ClassLimits::engines_per_student, 1, 100},
    {"open_requests", &ClassLimits::open_requests, 1, 1000},
    {"messages_per_second", &ClassLimits::messages_per_second, 5, 10'000},
    {"kilobytes_per_second", &ClassLimits::kilobytes_per_second, 64, 1 << 20},
    {"message_kilobytes", &ClassLimits::message_kilobytes, 256, 1 << 17},
    {"memory_megabytes", &ClassLimits::memory_megabytes, 256, 1 << 24},
    {"renice_after_cpu_s", &ClassLimits::renice_after_cpu_s, 1, 1'000'000},
    {"cpu_s", &ClassLimits::cpu_s, 10, 100'000'000},
    {"turn_s", &ClassLimits::turn_s, 5, 3600},
    {"rest_s", &ClassLimits::rest_s, 0, 86'400},
    {"disk_megabytes", &ClassLimits::disk_megabytes, 64, 1 << 24},
};

}  // namespace

// Of an assignment the date alone is read here: whether the rest of it can be graded is `assignment check`'s.
static void read_hand_in(const TomlTable& table, const std::filesystem::path& folder,
                         ClassFile& result) {
    table.only({"due", "assignment"});
    if (!table.has("assignment")) {
        result.due = due_time(table);
        return;
    }
    if (table.has("due"))
        table.fail("due", "the assignment says when it is due; leave this line out");
    std::filesystem::path name = table.text("assignment");
    if (name.is_absolute() || name.has_parent_path())
        table.fail("assignment", "it lies beside the class file: give its name alone");
    std::string text;
    try {
        text = read_file(folder / name);
    } catch (const Error& error) {
        table.fail("assignment", error.what());
    }
    result.due = due_time(TomlTable::parse(text, name.string(), 1));
    result.assignment = folder / name;
}

ClassFile parse_class_file(std::string_view text, const std::string& name,
                           const std::filesystem::path& folder) {
    TomlTable file = TomlTable::parse(text, name, 1);
    file.only({"title", "limits", "sandbox", "hand_in"});
    ClassFile result;
    if (file.has("title")) result.title = file.text("title");

    TomlTable limits = file.table("limits");
    std::vector<std::string> known;
    for (const LimitRow& row : kRows) known.push_back(row.key);
    limits.only(known);
    for (const LimitRow& row : kRows) {
        auto given = limits.integer(row.key);
        if (!given) continue;
        if (*given < row.least || *given > row.most)
            limits.fail(row.key, fmt::format("{} is from {} to {}, not {}", row.key, row.least,
                                             row.most, *given));
        result.limits.*row.limit = *given;
    }

    TomlTable sandbox = file.table("sandbox");
    sandbox.only({"readable"});
    result.readable = sandbox.texts("readable");
    for (const std::string& path : result.readable) {
        std::string clean = std::filesystem::path(path).lexically_normal().string();
        if (path.empty() || path[0] != '/' || clean == "/")
            sandbox.fail("readable",
                         "\"" + path + "\" is no folder by its whole path, like /opt/cuda");
    }
    read_hand_in(file.table("hand_in"), folder, result);
    return result;
}

ClassFile read_class_file(const std::filesystem::path& file) {
    return parse_class_file(read_file(file), file.string(), file.parent_path());
}

}  // namespace lanewise
