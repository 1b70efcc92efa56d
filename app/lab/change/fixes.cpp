#include "lab/change/fixes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/c_expression.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/line_diff.h"
#include "base/text.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/launch_timing.h"
#include "lab/analysis/product_sample.h"
#include "lab/change/source_changes.h"
#include "lab/kernel/source_names.h"
#include "lab/machine/prepared.h"
#include "lab/product/product.h"

namespace lanewise {
namespace {

// Where text is put into the source.
struct Insertion {
    size_t at;
    std::string text;
};

class FixFinder {
  public:
    explicit FixFinder(const Job& job)
        : job_(job), source_(job.stage.source), kernel_(kernel_name(job)) {}

    std::vector<Fix> find(bool conflicts) {
        if (!job_.own.is_used()) turn_knobs();
        if (!job_.own.ptx.empty()) return std::move(found_);  // there is no source to change
        if (conflicts) {
            pad();
            take(swizzle_changes(job_));
        }
        take(vector_changes(job_));
        take(histogram_changes(job_));
        unroll();
        restrict_pointers();
        return std::move(found_);
    }

  private:
    void turn_knobs() {
        for (const Knob& knob : job_.stage.knobs)
            for (int64_t value : knob.choices) {
                Job other = job_;
                auto now = other.knobs.find(knob.name);
                if (now != other.knobs.end() && now->second == value) continue;
                other.knobs[knob.name] = value;
                if (knob_problem(other.stage, other.knobs, other.type).empty())
                    found_.push_back({fmt::format("{} = {}", knob.name, value), other});
            }
    }

    void add(const std::string& title, std::vector<Insertion> insertions) {
        if (insertions.empty()) return;
        std::sort(insertions.begin(), insertions.end(),
                  [](const Insertion& a, const Insertion& b) { return a.at > b.at; });
        Fix fix{title, job_, true};
        for (const Insertion& each : insertions) fix.job.stage.source.insert(each.at, each.text);
        found_.push_back(std::move(fix));
    }

    void take(std::vector<SourceChange> changes) {
        for (SourceChange& change : changes) {
            Fix fix{change.title, job_, true};
            fix.job.stage.source = std::move(change.source);
            found_.push_back(std::move(fix));
        }
    }

    // By a whole word where elements are smaller than one.
    void pad() {
        std::vector<Insertion> all;
        for (const SharedArray& array : shared_arrays(source_, kernel_)) {
            if (array.extents.size() < 2 || trimmed(array.extents.back()).empty()) continue;
            all.push_back({array.ends.back(), " + 1"});
            add(fmt::format("Each row of {} is one element longer", array.name), {all.back()});
            const std::string word = fmt::format(" + 4 / sizeof({})", array.type);
            if (bytes_of_type(array.type, names_of(job_)) != 4)
                add(fmt::format("Each row of {} is one word longer", array.name),
                    {{array.ends.back(), word}});
        }
        if (all.size() > 1) add("Each row of every tile is one element longer", all);
    }

    // The line's begin, with its indentation after it.
    size_t line_begin(size_t at) const {
        const size_t end = source_.rfind('\n', at);
        return end == source_.npos ? 0 : end + 1;
    }

    template <typename Act>
    void in_kernel(Act act) const {
        const std::vector<CToken> tokens = c_tokens(source_);
        bool within = false;
        for (size_t i = 0; i + 1 < tokens.size(); ++i) {
            if (tokens[i].text == "__global__") within = false;
            if (tokens[i].text == kernel_ && tokens[i + 1].text == "(") within = true;
            if (within) act(tokens, i);
        }
    }

    void unroll() {
        std::vector<Insertion> pragmas;
        in_kernel([&](const std::vector<CToken>& tokens, size_t i) {
            if (tokens[i].text != "for" || tokens[i + 1].text != "(") return;
            const size_t begin = line_begin(tokens[i].at);
            const std::string_view line(source_.data() + begin, tokens[i].at - begin);
            if (!trimmed(line).empty()) return;  // behind something else
            const size_t before = begin > 1 ? line_begin(begin - 2) : 0;
            const std::string_view above(source_.data() + before, begin - before);
            if (above.find("#pragma unroll") != above.npos) return;
            pragmas.push_back({begin, std::string(line) + "#pragma unroll\n"});
        });
        add(pragmas.size() > 1 ? "Its loops are unrolled" : "Its loop is unrolled", pragmas);
    }

    // Its parameters, up to the bracket that closes them.
    void restrict_pointers() {
        std::vector<Insertion> words;
        int depth = 0;
        bool done = false, is_restricted = false;
        in_kernel([&](const std::vector<CToken>& tokens, size_t i) {
            if (done) return;
            depth += (tokens[i].text == "(") - (tokens[i].text == ")");
            if (tokens[i].text == "__restrict__") is_restricted = true;
            if (depth == 1 && tokens[i].text == "*" && tokens[i + 1].kind == CToken::Kind::name &&
                tokens[i + 1].text != "__restrict__" && tokens[i + 1].text != "const")
                words.push_back({tokens[i].at + 1, " __restrict__"});
            done = tokens[i].text == ")" && depth == 0;
        });
        if (!is_restricted) add("Its pointers do not overlap: __restrict__", words);
    }

    const Job& job_;
    const std::string& source_;
    const std::string kernel_;
    std::vector<Fix> found_;
};

// What a launch leaves behind, to be compared with another's.
struct Outcome {
    uint64_t memory = 0;  // a hash of every buffer
    bool right = false;   // of a stage
    uint64_t findings = 0;
    bool has_conflicts = false;
};

Outcome outcome_of(const Job& job, const CancelFlag* cancel) {
    Outcome outcome;
    const bool own = job.own.is_used();
    const uint64_t blocks = too_long_to_interpret(job).empty() ? 0 : blocks_to_sample(job);
    const Analysis run = analyse(job, own ? 1 : 0, cancel, blocks, [&](const StageLaunch& launch) {
        if (!own) return;
        uint64_t sum = 0;
        for (const Memory::Buffer& buffer : launch.memory.buffers())
            if (buffer.storage)
                sum = hash({reinterpret_cast<const char*>(buffer.storage),
                            static_cast<size_t>(buffer.bytes)},
                           hash(buffer.name, sum));
        outcome.memory = sum;
    });
    outcome.right = run.correct;
    outcome.findings = run.report.findings.size();
    const Counts& counts = run.report.totals;
    outcome.has_conflicts = counts.shared_load.wavefronts > counts.shared_load.wavefronts_ideal ||
                            counts.shared_store.wavefronts > counts.shared_store.wavefronts_ideal;
    return outcome;
}

std::string what_is_wrong(const Job& job, const Outcome& before, const Outcome& now) {
    if (job.own.is_used() && now.memory != before.memory)
        return "it leaves something else in the buffers";
    if (!job.own.is_used() && !now.right) return "its result is wrong";
    return now.findings > before.findings ? "something is found in it" : "";
}

}  // namespace

std::vector<Fix> fixes_of(const Job& job, bool conflicts) { return FixFinder(job).find(conflicts); }

FixTrial try_fixes(const Job& given, const CancelFlag* cancel, const Progress& progress) {
    Job job = given;
    validate(job);
    FixTrial trial;
    trial.before = time_of(record_launch(job, cancel));
    if (!trial.before.holds) return trial;
    const Outcome before = outcome_of(job, cancel);
    std::vector<Fix> fixes = fixes_of(job, before.has_conflicts);
    for (Fix& fix : fixes) {
        if (progress)
            progress(static_cast<double>(trial.fixes.size()) / static_cast<double>(fixes.size()),
                     "trying " + fix.title);
        TriedFix tried{std::move(fix), "", {}};
        try {
            const RecordedLaunch launch = record_launch(tried.fix.job, cancel);
            tried.time = time_of(launch);
            tried.problem = what_is_wrong(job, before, outcome_of(tried.fix.job, cancel));
        } catch (const Error& error) {
            tried.problem = std::string(lines_of(error.what()).front());
        }
        trial.fixes.push_back(std::move(tried));
    }
    std::stable_sort(trial.fixes.begin(), trial.fixes.end(),
                     [](const TriedFix& a, const TriedFix& b) {
                         const bool a_is = a.problem.empty() && a.time.holds;
                         const bool b_is = b.problem.empty() && b.time.holds;
                         return a_is != b_is ? a_is : a_is && a.time.time_us < b.time.time_us;
                     });
    return trial;
}

std::string diff_of(const Job& before, const Fix& fix) {
    if (!fix.changes_source) return {};
    const std::vector<DiffLine> lines = line_diff(before.stage.source, fix.job.stage.source);
    std::string diff;
    auto changed = [&](size_t i) {
        return i < lines.size() && lines[i].kind != DiffLine::Kind::same;
    };
    for (size_t i = 0; i < lines.size(); ++i) {
        const bool near = changed(i) || changed(i + 1) || (i > 0 && changed(i - 1));
        if (!near) continue;
        const bool begins = i == 0 || !(changed(i - 1) || changed(i) || (i > 1 && changed(i - 2)));
        if (begins || diff.empty())
            diff += fmt::format("@@ line {} @@\n", std::max(lines[i].before, 1));
        const char sign = lines[i].kind == DiffLine::Kind::same      ? ' '
                          : lines[i].kind == DiffLine::Kind::removed ? '-'
                                                                     : '+';
        diff += sign + lines[i].text + "\n";
    }
    return diff;
}

}  // namespace lanewise
