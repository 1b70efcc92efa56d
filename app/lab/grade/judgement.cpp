#include "lab/grade/judgement.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "compile/compiler.h"
#include "course/gate_cases.h"
#include "course/operation.h"
#include "course/query.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/rate.h"

namespace lanewise {
namespace {

using Why = Judgement::Why;

// "96 x 160", and what else differs from what was handed in: "33 x 65 with f64 and TILE = 16".
std::string in_words(const Job& job, const Job& submitted) {
    std::string text = fmt::format("{} x {}", job.rows, job.cols);
    if (operation_of(job.stage).has_inner()) text += fmt::format(" x {}", job.inner);
    std::vector<std::string> parts;
    if (job.type != submitted.type) parts.push_back(job.type);
    for (const auto& [name, value] : job.knobs) {
        auto before = submitted.knobs.find(name);
        if (before == submitted.knobs.end() || before->second != value)
            parts.push_back(fmt::format("{} = {}", name, value));
    }
    if (job.batch > 1) parts.push_back(fmt::format("{} matrices at once", job.batch));
    if (job.input != "random") parts.push_back("the input \"" + job.input + "\"");
    for (size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? " with " : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

NameLookup names_of(const Analysis& analysis) {
    return with_outcome(counts_lookup(analysis.report.totals, analysis.knobs, analysis.rows,
                                      analysis.cols, element_bytes(analysis.type), analysis.inner),
                        analysis.mismatch.count, analysis.report.findings.size());
}

// What the gate asks of the counts and is not so, for a sentence; "" where all of it is.
std::string unmet(const std::string& expect, const NameLookup& names) {
    if (expect.empty()) return {};
    try {
        return unmet_part(expect, names);
    } catch (const Error& error) {  // of a knob, say, that the source has no longer
        std::string why = error.what();
        return expect + ", which cannot be counted here: " + why.substr(0, why.find('\n'));
    }
}

// "race" -> "a race".
std::string kind_in_words(const Finding& finding) {
    std::string kind = finding.kind;
    std::replace(kind.begin(), kind.end(), '_', ' ');
    return kind;
}

class Judge {
  public:
    Judge(const Job& submitted, const GateTask& task, const CancelFlag* cancel)
        : submitted_(submitted), task_(task), cancel_(cancel) {
        for (const auto& [name, value] : default_knobs(submitted.stage))
            submitted_.knobs.try_emplace(name, value);
        result_.cases = task.cases.size();
    }

    // False where it fails.
    bool holds_at(const GateCase& one) {
        Job job = job_at(submitted_, one);
        where_ = in_words(job, submitted_);
        take_case(job);
        Analysis analysis;
        try {
            validate(job);
        } catch (const Error& error) {
            if (!one.offered) return true;  // this setting has no such case
            return fails(Why::launch, where_ + " cannot be chosen: " + error.what());
        }
        try {
            analysis = analyse(job, 0, cancel_);
        } catch (const NoCompiler&) {
            throw;
        } catch (const CompileError& error) {
            if (result_.held == 0) throw;
            std::string why = error.what();
            return fails(Why::launch, "it does not compile for " + where_ + ": " +
                                          why.substr(0, why.find('\n')));
        } catch (const Error& error) {
            return fails(Why::launch, "it cannot be launched at " + where_ + ": " + error.what());
        }
        if (!looks_right(analysis)) return false;
        std::string off = unmet(one.expect, names_of(analysis));
        if (!off.empty()) {
            first_ = where_;  // right it is
            return fails(Why::count, "but the task asks for more there: " + off, true);
        }
        if (result_.held++ == 0) first_ = where_;
        return true;
    }

    Judgement finish() {
        if (result_.passed()) {
            result_.has_case = false;
            result_.sentence =
                fmt::format("Passed: right in all {} cases, with nothing found.", result_.held);
        }
        return std::move(result_);
    }

    // Of what must be so before any case is looked at.
    bool fails_outright(Why why, const std::string& sentence) {
        result_.why = why;
        result_.has_case = false;
        result_.sentence = sentence;
        return false;
    }

  private:
    bool looks_right(const Analysis& analysis) {
        result_.mismatch = analysis.mismatch;
        result_.findings = analysis.report.findings;
        std::string found;
        if (!result_.findings.empty()) {
            const Finding& first = result_.findings.front();
            found = fmt::format("{} at line {}", kind_in_words(first), first.line);
        }
        if (!analysis.correct) {
            bool one = operation_of(analysis).one_result;
            const Mismatch& wrong = analysis.mismatch;
            std::string what =
                wrong.count == 0 ? "the error is larger than rounding explains"
                : one ? fmt::format("the sum is {}, not {}", wrong.actual, wrong.expected)
                      : fmt::format("{}, the first at ({}, {})", counted(wrong.count, "element"),
                                    wrong.row, wrong.col);
            if (!found.empty()) what += "; the checker finds: " + found;
            return fails(Why::result, fmt::format("wrong at {}: {}", where_, what));
        }
        if (result_.findings.empty()) return true;
        return fails(Why::finding, fmt::format("the checker finds at {}: {}", where_, found));
    }

    bool fails(Why why, const std::string& what, bool after_right = false) {
        result_.why = why;
        after_right = after_right || result_.held > 0;
        result_.sentence = after_right ? "Right at " + first_ + ", " + what : what;
        if (!result_.sentence.ends_with('.')) result_.sentence += '.';
        char& begin = result_.sentence.front();
        if (begin >= 'a' && begin <= 'z') begin = static_cast<char>(begin - 'a' + 'A');
        return false;
    }

    void take_case(const Job& job) {
        result_.has_case = true;
        result_.knobs = job.knobs;
        result_.type = job.type;
        result_.input = job.input;
        result_.rows = job.rows;
        result_.cols = job.cols;
        result_.inner = inner_for(job.stage, job.inner);
        result_.batch = job.batch;
    }

    Job submitted_;
    const GateTask& task_;
    const CancelFlag* cancel_;
    Judgement result_;
    std::string where_, first_;  // the case that is judged, and the first that held
};

// What a head must leave as it is: with another reference another result would be right.
std::string changed_head(const Stage& stage, const GateTask& task) {
    if (stage.reference != task.reference)
        return fmt::format(
            "The head says reference = \"{}\", and the task is of \"{}\": put it "
            "back.",
            stage.reference, task.reference);
    if (stage.library != task.library)
        return "The head's line \"library\" must be as the stage has it: put it back.";
    for (const std::string& type : task.types)
        if (std::find(stage.types.begin(), stage.types.end(), type) == stage.types.end())
            return fmt::format(
                "The head no longer offers the type {}, which the stage has: put "
                "it back.",
                type);
    return {};
}

}  // namespace

GateTask task_of(const Gate& gate, const Stage& original) {
    return {original.id,    original.reference, original.library,
            original.types, gate.expect,        hidden_cases(gate, original)};
}

Job job_at(const Job& submitted, const GateCase& one) {
    Job job = submitted;
    for (const std::string& each : one.at.set) parse_setting(each, job.knobs);
    if (!one.at.type.empty()) job.type = one.at.type;
    job.rows = one.at.rows;
    job.cols = one.at.cols;
    job.inner = one.at.inner == kNoInner ? 0 : one.at.inner;
    job.batch = one.batch;
    job.input = one.input.empty() ? "random" : one.input;
    return job;
}

Judgement judge(const Job& submitted, const GateTask& task, const CancelFlag* cancel,
                const HeardCase& heard) {
    const Stage& stage = submitted.stage;
    if (!stage.error.empty()) throw Error(Status::bad_input, stage.error);
    Judge judge(submitted, task, cancel);
    if (std::string why = changed_head(stage, task); !why.empty()) {
        judge.fails_outright(Why::head, why);
        return judge.finish();
    }
    if (is_library_call(stage)) {  // there is no source of ours; its settings are what is chosen
        Job chosen = submitted;
        for (const auto& [name, value] : default_knobs(stage))
            chosen.knobs.try_emplace(name, value);
        std::string off = unmet(task.expect, names_of(nothing_counted(chosen)));
        if (!off.empty()) judge.fails_outright(Why::setting, "The task asks for " + off + ".");
        return judge.finish();
    }
    if (task.cases.empty())
        throw Error(Status::bad_input, task.stage + " has no cases to judge at");
    // Knobs and type as handed in: a case that they cannot have is left out, but not all of them.
    Job first = job_at(submitted, task.cases.front());
    validate(first);
    uint64_t done = 0;
    for (const GateCase& one : task.cases) {
        if (cancel && *cancel) throw Cancelled{};
        if (heard) heard(done++, task.cases.size());
        if (!judge.holds_at(one)) break;
    }
    return judge.finish();
}

}  // namespace lanewise
