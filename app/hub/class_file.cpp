#include "hub/class_file.h"

#include <fmt/format.h>

#include "base/files.h"
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
};

}  // namespace

ClassFile parse_class_file(std::string_view text, const std::string& name) {
    TomlTable file = TomlTable::parse(text, name, 1);
    file.only({"title", "limits", "sandbox"});
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
    return result;
}

ClassFile read_class_file(const std::filesystem::path& file) {
    return parse_class_file(read_file(file), file.string());
}

}  // namespace lanewise
