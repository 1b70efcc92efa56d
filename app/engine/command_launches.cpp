// launches: what a program's host code launches, each as a command to run here.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "engine/own_options.h"
#include "lab/host/launch_proposals.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/launch_file.h"

namespace lanewise {
namespace {

using Json = nlohmann::json;

Json proposal_json(const LaunchProposal& proposal) {
    Json blanks = Json::array();
    for (const LaunchBlank& blank : proposal.blanks)
        blanks.push_back(
            {{"name", blank.name}, {"why", blank.why}, {"suggestion", blank.suggestion}});
    return {{"line", proposal.line},
            {"kernel", proposal.kernel},
            {"command", proposal.command},
            {"blanks", blanks},
            {"problem", proposal.problem}};
}

void print_proposal(const LaunchProposal& proposal) {
    fmt::print("line {}: {}\n  {}\n", proposal.line, proposal.kernel, shell_line(proposal.command));
    if (!proposal.problem.empty()) fmt::print("  {}\n", proposal.problem);
    for (const LaunchBlank& blank : proposal.blanks)
        fmt::print("  unknown: {}, since {}; the command uses {}\n", blank.name, blank.why,
                   blank.suggestion);
}

// Every launch of main() in order, as a .launch file that trace and check take.
void write_launch_file(const std::string& file, const std::vector<std::string>& includes,
                       const std::string& out) {
    LaunchSequence sequence = propose_sequence(file, includes);
    const std::filesystem::path folder = std::filesystem::absolute(out).parent_path();
    OwnLaunch& first = sequence.last.before.empty() ? sequence.last : sequence.last.before.front();
    for (std::string& include : first.include_folders)
        include = std::filesystem::absolute(include).lexically_relative(folder).string();
    const std::string source = std::filesystem::absolute(file).lexically_relative(folder).string();
    std::string text;
    for (const LaunchBlank& blank : sequence.blanks)
        text += fmt::format("# unknown: {}, since {}; here it is {}\n", blank.name, blank.why,
                            blank.suggestion);
    write_file(out, text + launch_file_text(sequence.last, source));
    const size_t count = sequence.last.before.size() + 1;
    fmt::print("{}: {} launch{} in one memory{}\n", out, count, count == 1 ? "" : "es",
               sequence.blanks.empty() ? "" : "; what is not known stands at its head");
}

void launches(const std::string& file, std::vector<std::string> includes, bool as_json) {
    const std::vector<LaunchProposal> proposals = propose_launches(file, includes);
    if (as_json) {
        Json list = Json::array();
        for (const LaunchProposal& proposal : proposals) list.push_back(proposal_json(proposal));
        return print_json(list);
    }
    if (proposals.empty())
        throw Error(Status::bad_input,
                    file +
                        ": no launch was found, kernel<<<…>>>(…), cudaLaunchKernel(…), "
                        "cudaLaunchKernelEx(…), cuLaunchKernel(…) or cuLaunchKernelEx(…). Say the "
                        "launch yourself with trace --kernel NAME --grid … --block …\n" +
                        list_of_kernels(read_file(file), header_folders(file, includes)));
    for (const LaunchProposal& proposal : proposals) print_proposal(proposal);
}

}  // namespace

static void add_launches(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "launches", "propose a command for each launch in a program's host code");
    auto file = std::make_shared<std::string>();
    auto includes = std::make_shared<std::vector<std::string>>();
    auto as_json = std::make_shared<bool>(false);
    command->add_option("file", *file, "a .cu or .cuh file with its host code")->required();
    command->add_option("--include", *includes, "a folder with headers")->allow_extra_args(false);
    command->add_flag("--json", *as_json,
                      "print JSON: an array of {line, kernel, command, blanks, problem}");
    auto out = std::make_shared<std::string>();
    command->add_option("--launch-file", *out,
                        "write every launch of main() in order, with loops followed and buffers "
                        "shared, as a .launch file for trace and check");
    command->callback([=] {
        if (!out->empty()) return write_launch_file(*file, *includes, *out);
        launches(*file, *includes, *as_json);
    });
}
static const CommandRow kLaunches("launches", "step", add_launches);

}  // namespace lanewise
