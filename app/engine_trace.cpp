// stages, trace, check: what the machine says; no GPU needed.
#include <fmt/format.h>

#include "base/text.h"
#include "course/expression.h"
#include "course/query.h"
#include "engine_commands.h"
#include "engine_options.h"
#include "engine_print.h"
#include "lab/json.h"

namespace lanewise {

namespace {

void print_stages(bool as_json) {
    Catalogue catalogue = load_catalogue();
    Json list = Json::array();
    for (const Stage& stage : catalogue.stages()) {
        if (as_json)
            list.push_back(stage_json(stage));
        else if (stage.error.empty())
            fmt::print("{:<28} {}\n", stage.id, stage.title);
        else
            fmt::print("{:<28} cannot be used: {}\n", stage.id, stage.error);
    }
    if (as_json) print_json(list);
}

int trace_status(const Analysis& analysis) {
    bool right = analysis.correct || !analysis.has_reference;
    bool fine = right && analysis.report.findings.empty();
    return static_cast<int>(fine ? Status::fine : Status::failed_check);
}

// trace_json, and of a kernel of the user's own what it was launched with.
Json job_json(const Job& job, const Analysis& analysis) {
    Json json = trace_json(analysis);
    if (job.own.is_used())
        json["params"] = {{"kernel", job.own.kernel}, {"args", job.own.arguments}};
    return json;
}

int trace(const JobOptions& options, int threads) {
    TimeLimit limit(options.time_limit_s);
    Job job = options.job();
    Analysis analysis = analyse(job, threads);
    if (options.json)
        print_json(job_json(job, analysis));
    else
        print_analysis(job, analysis);
    return trace_status(analysis);
}

// Names of an expectation: the counts, knobs and shape of course/query.h, and correct, findings.
NameLookup expectation_names(const Analysis& analysis) {
    NameLookup counts = counts_lookup(analysis.report.totals, analysis.knobs, analysis.rows,
                                      analysis.cols, element_bytes(analysis.type));
    return [=, correct = analysis.correct, has_reference = analysis.has_reference,
            findings = static_cast<int64_t>(analysis.report.findings.size())](std::string_view name,
                                                                              int64_t& value) {
        bool of_matrix = name == "rows" || name == "cols" || name == "element_bytes";
        if (!has_reference && (name == "correct" || of_matrix))
            return false;  // a kernel of the user's own has neither
        if (name == "correct")
            value = correct;
        else if (name == "findings")
            value = findings;
        else
            return counts(name, value);
        return true;
    };
}

int check(const JobOptions& options, const std::vector<std::string>& expectations) {
    TimeLimit limit(options.time_limit_s);
    Job job = options.job();
    Analysis analysis = analyse(job);
    NameLookup names = expectation_names(analysis);
    int status = trace_status(analysis);
    Json results = Json::array();
    for (const std::string& expectation : expectations) {
        bool holds = evaluate(expectation, names) != 0;
        if (!holds) status = static_cast<int>(Status::failed_check);
        results.push_back({{"expect", expectation}, {"holds", holds}});
        if (!options.json) fmt::print("{}  {}\n", holds ? "ok    " : "failed", expectation);
    }
    if (options.json) {
        Json json = job_json(job, analysis);
        json["expectations"] = results;
        print_json(json);
    } else if (status != 0) {
        print_analysis(job, analysis);
    } else if (expectations.empty()) {
        fmt::print("ok      {}nothing was found\n",
                   analysis.has_reference ? "every element is right, and " : "");
    }
    return status;
}

}  // namespace

void add_stages(CLI::App& app, int&) {
    auto* command = app.add_subcommand("stages", "list the stages");
    auto as_json = std::make_shared<bool>(false);
    command->add_flag("--json", *as_json, "print one JSON array");
    command->callback([as_json] { print_stages(*as_json); });
}

void add_trace(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("trace", "interpret a stage: every access, counted");
    auto options = std::make_shared<JobOptions>();
    auto threads = std::make_shared<int>(0);
    options->add_to(*command);
    command->add_option("--threads", *threads, "interpret on so many threads; 0: all cores")
        ->check(CLI::Range(0, 1024));
    command->callback([options, threads, &status] { status = trace(*options, *threads); });
}

void add_check(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("check", "trace, and hold the counts to expectations");
    auto options = std::make_shared<JobOptions>();
    auto expectations = std::make_shared<std::vector<std::string>>();
    options->add_to(*command);
    command
        ->add_option("--expect", *expectations,
                     "e.g. \"shared_load.wavefronts == shared_load.wavefronts_ideal\"; may be "
                     "repeated")
        ->allow_extra_args(false);
    command->callback([=, &status] { status = check(*options, *expectations); });
}

}  // namespace lanewise
