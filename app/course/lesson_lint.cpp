// One check per kind of mistake; every problem found is reported, not only the first.
#include "course/lesson_lint.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "course/named_access.h"
#include "course/operation.h"
#include "course/query.h"
#include "model/bandwidth.h"

namespace lanewise {
namespace fs = std::filesystem;
namespace {

const DeviceProfile& sample_card() {
    static const DeviceProfile card = [] {
        DeviceProfile made;
        made.name = "a card";
        made.sm_count = made.max_warps_per_sm = 1;
        made.sm_clock_mhz = 1000;
        made.costs.dram_latency_clocks = made.costs.l2_latency_clocks = 1;
        made.costs.dram_read_gb_per_s = made.costs.dram_write_gb_per_s = 1;
        return made;
    }();
    return card;
}

// What a run would count, all ones: enough to see whether an expression can be evaluated.
NameLookup sample_names(const Stage& stage) {
    Counts ones;
    ones.global_load = ones.global_store = {1, 1, 1, 1, 1};
    ones.shared_load = ones.shared_store = ones.matrix_load = {1, 1, 1, 1};
    ones.async_copy = {1, 1, 1, 1, 1, 1, 1, 1};
    NameLookup counts = counts_lookup(ones, default_knobs(stage), 4096, 4096,
                                      element_bytes(stage.types[0]), inner_for(stage, 4096));
    return with_card(with_outcome(std::move(counts), 1, 1), &sample_card());
}

bool is_number(std::string_view text) {
    bool digits = false;
    for (char c : text) {
        digits |= std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (!std::isdigit(static_cast<unsigned char>(c)) && c != '.' && c != ',') return false;
    }
    return digits;
}

// "8 wavefronts" in "served in 8 wavefronts"; empty where no such figure stands in the text.
std::string figure_in(std::string_view text) {
    constexpr std::array<std::string_view, 13> kUnits = {
        "sector", "wavefront", "request", "GB/s", "TB/s", "%",    "µs",
        "us ",    "ms ",       "times",   "×",    "way",  "fold",
    };
    for (size_t at = 0; at < text.size(); ++at) {
        if (!std::isdigit(static_cast<unsigned char>(text[at]))) continue;
        size_t end = std::min(text.find_first_not_of("0123456789,.", at), text.size());
        size_t unit = end + (end < text.size() && (text[end] == ' ' || text[end] == '-'));
        for (std::string_view name : kUnits)
            if (text.substr(unit).starts_with(name))
                return std::string(text.substr(at, unit + name.size() - at));
        at = end;
    }
    return {};
}

bool names_a_card(std::string_view text) {
    constexpr std::array<std::string_view, 8> kCards = {"A100", "H100", "H200", "V100",
                                                        "RTX",  "GTX",  "L40",  "B200"};
    return std::any_of(kCards.begin(), kCards.end(),
                       [&](std::string_view card) { return text.find(card) != text.npos; });
}

class Lint {
  public:
    Lint(const Lesson& lesson, const Stage& stage, const Catalogue& catalogue,
         const std::vector<std::string>& view_ids)
        : lesson_(lesson), stage_(stage), catalogue_(catalogue), view_ids_(view_ids) {}

    std::vector<std::string> run() {
        check_head();
        for (const LessonBlock& block : lesson_.blocks) check_block(block);
        return std::move(problems_);
    }

  private:
    void report(const std::string& problem) {
        problems_.push_back("lesson " + lesson_.stage + ": " + problem);
    }

    void check_head() {
        const Prediction& predict = lesson_.predict;
        for (const std::string* text :
             {&lesson_.title, &lesson_.aim, &lesson_.still_wrong, &predict.question,
              &predict.explain, &lesson_.gate.task, &lesson_.gate.catches}) {
            check_figures(*text);
            if (text->find("{{") != text->npos)
                report("\"" + *text + "\" asks a {{query}}; only the body may");
        }
        check_term();
        check_question(predict);
        if (!lesson_.again.question.empty()) {
            check_figures(lesson_.again.question);
            check_figures(lesson_.again.explain);
            check_question(lesson_.again);
            check_setting(lesson_.again_at, "the question's second form");
        }
        for (const std::string& hint : lesson_.gate.hints) check_figures(hint);
        for (const WriteTask& task : lesson_.write) check_write(task);
        if (!lesson_.gate.expect.empty()) check_query(lesson_.gate.expect);
        if (!lesson_.gate.shapes.empty()) check_query(lesson_.gate.shapes);
        check_solution(lesson_.gate.solved_at);
        for (const GateCase& one : lesson_.gate.cases) check_case(one);
        for (const Prediction& poll : lesson_.polls) check_poll(poll);
    }

    void check_term() {
        const std::string& term = lesson_.still_wrong_term;
        std::vector<std::string> names = station_names();
        if (term.empty() || std::find(names.begin(), names.end(), term) != names.end()) return;
        std::string near = closest(term, names);
        report("the model has no loss \"" + term + "\"" +
               (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
    }

    void check_distinct(const Prediction& question) {
        std::set<std::string> distinct(question.choices.begin(), question.choices.end());
        if (distinct.size() < 2 || distinct.size() < question.choices.size())
            report("a prediction needs at least two choices, all different");
    }

    // Numbers, of which the machine knows the right one, or words. Each of the others is explained,
    // and no two explanations are equal.
    void check_question(const Prediction& asked) {
        if (std::none_of(asked.choices.begin(), asked.choices.end(), choice_number)) {
            check_poll(asked);
        } else {
            check_query(asked.answer);
            check_choices(asked);
        }
        std::set<std::string> distinct = {asked.explain};
        for (const Prediction::Wrong& wrong : asked.wrong) {
            check_figures(wrong.because);
            if (!distinct.insert(wrong.because).second)
                report("two choices are explained alike: \"" + wrong.because + "\"");
        }
    }

    void check_write(const WriteTask& task) {
        check_figures(task.gate.task);
        for (const std::string& hint : task.gate.hints) check_figures(hint);
        if (!task.gate.expect.empty()) check_query(task.gate.expect);
        try {
            if (write_start(lesson_, task, stage_.source) == stage_.source)
                report("the task \"" + task.size + "\" begins with the source as it is");
        } catch (const Error& error) {
            report(error.what());
        }
    }

    // Of a class: numbers as in the prediction, or words of which the answer is one.
    void check_poll(const Prediction& poll) {
        check_figures(poll.explain);
        if (asks_for_number(poll)) {
            check_query(poll.answer);
            return check_choices(poll);
        }
        check_distinct(poll);
        if (!right_choice(poll, std::nullopt))
            report("the answer \"" + poll.answer + "\" to \"" + poll.question +
                   "\" is none of its choices");
    }

    void check_solution(const WantedSetting& at) { check_setting(at, "the gate's solution"); }

    void check_case(const GateCase& one) {
        check_setting(one.at, "a case of the gate");
        if (!one.expect.empty()) check_query(one.expect);
        if (!one.input.empty() && !operation_of(stage_).computes)
            report("a case of the gate has an input, which" + input_is_for(stage_));
        if (is_in_place(stage_) && one.at.rows != one.at.cols)
            report("a case of the gate must be square: the matrix is transposed where it lies");
    }

    void check_setting(const WantedSetting& at, const std::string& what) {
        const std::string& type = at.type.empty() ? stage_.types[0] : at.type;
        bool offered =
            std::find(stage_.types.begin(), stage_.types.end(), type) != stage_.types.end();
        std::string problem = offered ? knob_problem(stage_, knobs_at(stage_, at), type)
                                      : "the stage does not offer the type " + type;
        if (!problem.empty()) report(what + " cannot be chosen: " + problem);
        const Operation& operation = operation_of(stage_);
        if (at.rows > 0 && (at.inner != kNoInner) != operation.has_inner())
            report(what + " needs a size of " + sides_in_words(operation) + ": \"" +
                   operation.sizes.like + "\"");
    }

    void check_choices(const Prediction& predict) {
        bool percent = predict.answer.find("percent") != std::string::npos;
        check_distinct(predict);
        for (std::string_view choice : predict.choices) {
            bool right =
                percent ? choice.ends_with(" %") && is_number(choice.substr(0, choice.size() - 2))
                        : is_number(choice);
            if (!right)
                report("the choice \"" + std::string(choice) + "\" is not " +
                       (percent ? "a percentage like \"12.5 %\"" : "a number") +
                       ", as the answer is");
        }
    }

    // A section that asks for a card's figure has said before whose it is.
    void check_card(const LessonBlock& block) {
        if (block.kind == LessonBlock::Kind::heading) card_is_named_ = false;
        for (const LessonRun& run : block.runs) {
            card_is_named_ |= run.query == kCardName;
            if (run.query.find("card.") != run.query.npos && !card_is_named_)
                report("\"" + run.query + "\" is a card's; say whose it is with {{card.name}}");
        }
    }

    void check_block(const LessonBlock& block) {
        check_card(block);
        std::string prose;
        for (const LessonRun& run : block.runs) {
            if (!run.query.empty()) check_query(run.query);
            if (!run.link.empty()) check_link(run.link);
            bool plain = !run.code && run.query.empty() && block.kind != LessonBlock::Kind::code;
            if (plain) prose += run.text;
        }
        if (prose.find("](") != prose.npos)
            report("a link is not closed, or its quote has < or > without \\ before it: \"" +
                   prose + "\"");
        if (block.kind != LessonBlock::Kind::quote) return check_figures(prose);
        if (!figure_in(prose).empty() && !names_a_card(prose))
            report("a quoted figure must name the card that it was measured on: \"" + prose + "\"");
    }

    void check_figures(const std::string& text) {
        std::string figure = figure_in(text);
        if (!figure.empty())
            report("\"" + figure + "\" is for the app to compute or measure; ask it with {{…}}");
    }

    void check_query(const std::string& query) {
        if (query == kCardName) return;
        bool shared = query.find("shared_") != query.npos || query.find("wavefronts") != query.npos;
        if (shared && !stage_.has_tile && stage_.source.find("__shared__") == std::string::npos)
            report("\"" + query + "\" asks about shared memory, which the stage does not use");
        try {
            query_value(query, sample_names(stage_));
        } catch (const Error& error) {
            report("cannot evaluate \"" + query + "\": " + error.what());
        }
    }

    void check_link(const std::string& link) {
        size_t colon = link.find(':');
        std::string kind = link.substr(0, colon);
        std::string target = colon == link.npos ? "" : link.substr(colon + 1);
        if (kind == "view") return check_view(link, target);
        if (kind == "stage" || kind == "lesson") return check_stage(link, target, kind == "lesson");
        if (kind == "set") return check_setting(link, target);
        if (kind == "code") return check_quote(link, target);
        if (kind == "at") return check_access(link, target);
        if (link == "proof:correct") return;
        report("link \"" + link +
               "\" is none of view:, stage:, lesson:, set:, code:, at:, proof:correct");
    }

    void check_view(const std::string& link, const std::string& view) {
        if (std::find(view_ids_.begin(), view_ids_.end(), view) != view_ids_.end()) return;
        std::string near = closest(view, view_ids_);
        report("link \"" + link + "\" leads nowhere: there is no such view" +
               (near.empty() ? "" : "; did you mean \"view:" + near + "\"?"));
    }

    void check_stage(const std::string& link, const std::string& name, bool needs_lesson) {
        try {
            fs::path lesson = lesson_path(catalogue_, catalogue_.find(name));
            if (needs_lesson && !fs::exists(lesson))
                report("link \"" + link + "\" leads nowhere: that stage has no lesson");
        } catch (const Error& error) {
            report("link \"" + link + "\" leads nowhere: " + error.what());
        }
    }

    void check_setting(const std::string& link, const std::string& setting) {
        size_t equals = setting.find('=');
        int64_t value = 0;
        if (equals == setting.npos ||
            !parse_integer(std::string_view(setting).substr(equals + 1), value))
            return report("link \"" + link + "\" is not like set:PAD=0");
        std::string problem =
            knob_problem(stage_, {{setting.substr(0, equals), value}}, stage_.types[0]);
        if (!problem.empty()) report("link \"" + link + "\" leads nowhere: " + problem);
    }

    void check_quote(const std::string& link, const std::string& quote) {
        size_t found = occurrences(stage_.source, quote);
        if (found != 1)
            report("link \"" + link + "\" quotes text that the source holds " +
                   std::to_string(found) + " times; quote what it holds once");
    }

    void check_access(const std::string& link, const std::string& access) {
        if (std::string why = access_text(access, stage_.source).problem; !why.empty())
            report("link \"" + link + "\" names no access: " + why);
    }

    const Lesson& lesson_;
    const Stage& stage_;
    const Catalogue& catalogue_;
    const std::vector<std::string>& view_ids_;
    std::vector<std::string> problems_;
    bool card_is_named_ = false;
};

}  // namespace

fs::path lesson_path(const Catalogue& catalogue, const Stage& stage) {
    fs::path name = fs::path(stage.file).replace_extension(".md");
    return catalogue.content() / "lessons" / stage.operation / name;
}

std::vector<std::string> unpaired(const Catalogue& catalogue) {
    std::vector<std::string> problems;
    std::set<fs::path> expected;
    for (const Stage& stage : catalogue.stages()) {
        fs::path lesson = lesson_path(catalogue, stage);
        expected.insert(lesson);
        if (!fs::exists(lesson))
            problems.push_back("stage " + stage.id + " has no lesson; write " + lesson.string());
    }
    std::error_code none;
    for (const auto& entry :
         fs::recursive_directory_iterator(catalogue.content() / "lessons", none))
        if (entry.path().extension() == ".md" && !expected.contains(entry.path()))
            problems.push_back("lesson " + entry.path().string() + " has no stage of its name");
    return problems;
}

std::vector<std::string> lesson_problems(const Lesson& lesson, const Stage& stage,
                                         const Catalogue& catalogue,
                                         const std::vector<std::string>& view_ids) {
    if (!lesson.error.empty()) return {lesson.error};
    if (!stage.error.empty()) return {stage.error};
    return Lint(lesson, stage, catalogue, view_ids).run();
}

}  // namespace lanewise
