#include "lab/kernel/launch_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/toml_head.h"
#include "lab/kernel/cluster_option.h"
#include "lab/kernel/own_kernel.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> named_values(const TomlTable& table) {
    std::vector<std::string> values;
    for (const std::string& name : table.keys()) values.push_back(name + "=" + table.text(name));
    return values;
}

// [16, 4] or 16.
std::string sides(const TomlTable& launch, const std::string& key) {
    launch.need(key, key + " = [16, 4]");
    std::string text;
    for (int64_t side : launch.integers(key))
        text += fmt::format("{}{}", text.empty() ? "" : ",", side);
    return text;
}

OwnLaunch read_launch(const TomlTable& table) {
    table.only({"kernel", "grid", "block", "cluster", "dynamic_shared", "args"});
    table.need("kernel", "kernel = \"axpy<float>\"");
    OwnLaunch launch;
    launch.kernel = table.text("kernel");
    try {
        launch.shape.grid = parse_grid(sides(table, "grid"));
        launch.shape.block = parse_block(sides(table, "block"));
        if (table.has("cluster"))
            launch.variables.push_back(cluster_variable(sides(table, "cluster")));
    } catch (const Error& error) {
        if (std::string(error.what()).starts_with("--")) table.fail("grid", error.what());
        throw;
    }
    const int64_t bytes = table.integer("dynamic_shared").value_or(0);
    if (bytes < 0 || bytes > 0x7fffffff)
        table.fail("dynamic_shared", "dynamic_shared is a number of bytes from 0 to 232448");
    launch.shape.dynamic_shared_bytes = static_cast<uint32_t>(bytes);
    launch.arguments = table.texts("args");
    return launch;
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string quoted_list(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
    return "[" + list + "]";
}

std::string sides_text(const Dim3& size) {
    if (size.z > 1) return fmt::format("[{}, {}, {}]", size.x, size.y, size.z);
    return size.y > 1 ? fmt::format("[{}, {}]", size.x, size.y) : fmt::format("[{}]", size.x);
}

std::string table_of(const std::string& title, const std::vector<std::string>& values) {
    if (values.empty()) return "";
    std::string text = "\n[" + title + "]\n";
    for (const std::string& value : values) {
        if (is_cluster_variable(value)) continue;
        const size_t equals = value.find('=');
        text += value.substr(0, equals) + " = " + quoted(value.substr(equals + 1)) + "\n";
    }
    return text;
}

std::string launch_text(const OwnLaunch& launch) {
    std::string text =
        fmt::format("\n[[launch]]\nkernel = {}\ngrid = {}\nblock = {}\n", quoted(launch.kernel),
                    sides_text(launch.shape.grid), sides_text(launch.shape.block));
    if (const auto cluster = cluster_given(launch))
        text += fmt::format("cluster = {}\n", sides_text({cluster->x, cluster->y, cluster->z}));
    if (launch.shape.dynamic_shared_bytes > 0)
        text += fmt::format("dynamic_shared = {}\n", launch.shape.dynamic_shared_bytes);
    return text + "args = " + quoted_list(launch.arguments) + "\n";
}

}  // namespace

bool is_launch_file(const std::string& name) { return name.ends_with(".launch"); }

Job read_launch_file(const fs::path& file) {
    const TomlTable whole = TomlTable::parse(read_file(file), file.filename().string(), 1);
    whole.only({"file", "include", "define", "buffers", "variables", "launch"});
    whole.need("file", "file = \"mine.cu\"");
    const fs::path folder = fs::absolute(file).parent_path();
    std::vector<OwnLaunch> launches;
    for (const TomlTable& table : whole.tables("launch")) launches.push_back(read_launch(table));
    if (launches.empty())
        whole.fail("",
                   "there is no launch; write one as [[launch]] with kernel, grid, block, args");
    launches.front().buffers = named_values(whole.table("buffers"));
    for (std::string& variable : named_values(whole.table("variables")))
        launches.front().variables.push_back(std::move(variable));
    Job job;
    job.stage = own_stage(folder / whole.text("file"));
    for (OwnLaunch& launch : launches) {
        for (const std::string& include : whole.texts("include"))
            launch.include_folders.push_back((folder / include).lexically_normal().string());
        launch.defines = whole.texts("define");
    }
    job.own = std::move(launches.back());
    launches.pop_back();
    job.own.before = std::move(launches);
    job.stage.kernel = job.stage.title = job.own.kernel;
    return job;
}

std::string launch_file_text(const OwnLaunch& last, const std::string& source) {
    const OwnLaunch& first = last.before.empty() ? last : last.before.front();
    std::string text = "file = " + quoted(source) + "\n";
    if (!first.include_folders.empty())
        text += "include = " + quoted_list(first.include_folders) + "\n";
    if (!first.defines.empty()) text += "define = " + quoted_list(first.defines) + "\n";
    text += table_of("buffers", first.buffers) + table_of("variables", first.variables);
    for (const OwnLaunch& launch : last.before) text += launch_text(launch);
    return text + launch_text(last);
}

}  // namespace lanewise
