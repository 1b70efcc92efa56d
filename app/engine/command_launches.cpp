// launches: what a program's host code launches, each as a command to run here.
#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "lab/host/launch_proposals.h"
#include "lab/kernel/kernel_list.h"

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
                        ": no launch was found, kernel<<<…>>>(…) or cudaLaunchKernel(…). Say the "
                        "launch yourself with trace --kernel NAME --grid … --block …\n" +
                        list_of_kernels(read_file(file)));
    for (const LaunchProposal& proposal : proposals) print_proposal(proposal);
}

}  // namespace

void add_launches(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "launches", "propose a command for each launch in a program's host code");
    auto file = std::make_shared<std::string>();
    auto includes = std::make_shared<std::vector<std::string>>();
    auto as_json = std::make_shared<bool>(false);
    command->add_option("file", *file, "a .cu or .cuh file with its host code")->required();
    command->add_option("--include", *includes, "a folder with headers")->allow_extra_args(false);
    command->add_flag("--json", *as_json,
                      "print JSON: an array of {line, kernel, command, blanks, problem}");
    command->callback([=] { launches(*file, *includes, *as_json); });
}

}  // namespace lanewise
