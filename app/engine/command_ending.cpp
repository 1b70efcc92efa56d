// ending: what a course taught, in what order the gains came, and what was not worth it.
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "course/ending.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "lab/analysis/rate.h"
#include "lab/chart/course_gains.h"

namespace lanewise {
namespace {

using Json = nlohmann::json;

// What both outputs are made of.
struct Shown {
    const Catalogue& catalogue;
    Path path;
    std::vector<Recording> recordings;

    CourseGains gains_of(const Ending& ending) const {
        return course_gains(path, catalogue.stages(), recordings, ending.course);
    }
    std::string evidence_of(const NotWorth& row) const {
        return not_worth_sentence(row, catalogue.stages(), recordings);
    }
};

Json ending_json(const Shown& shown, const Ending& ending) {
    const CourseGains gains = shown.gains_of(ending);
    Json rungs = Json::array(), not_worth = Json::array(), order = Json::array();
    for (const Rung& rung : gains.rungs)
        rungs.push_back({{"stage", rung.stage->id},
                         {"title", rung.stage->title},
                         {"speed", rate_of(*rung.measured)},
                         {"factor", rung.factor > 0 ? Json(rung.factor) : Json()}});
    for (size_t i : gains.by_gain) order.push_back(gains.rungs[i].stage->id);
    for (const NotWorth& row : ending.not_worth)
        not_worth.push_back(
            {{"says", row.says}, {"stage", row.tried.stage}, {"recorded", shown.evidence_of(row)}});
    return {{"course", ending.course}, {"learned", ending.learned}, {"beware", ending.beware},
            {"card", gains.card},      {"unit", gains.unit},        {"rungs", rungs},
            {"by_gain", order},        {"not_worth", not_worth}};
}

void print_gains(const CourseGains& gains) {
    if (gains.rungs.empty()) return;
    fmt::print("\nThe way up, recorded on {}, {}, {}\n", gains.card, gains.date, gains.size);
    for (const Rung& rung : gains.rungs) {
        const std::string speed = in_three_digits(rate_of(*rung.measured)) + " " + gains.unit;
        const std::string factor = rung.factor > 0 ? fmt::format("× {:.2f}", rung.factor) : "";
        fmt::print("  {:>16}  {:<8}{}\n", speed, factor, rung.stage->title);
    }
    if (gains.by_gain.empty() && gains.alike.empty()) return;
    fmt::print("\nWhere the speed came from, the largest gain first\n");
    for (const std::string& sentence : gain_sentences(gains)) fmt::print("  {}\n", sentence);
}

void print_ending(const Shown& shown, const Ending& ending) {
    fmt::print("{}: what you have learned\n", ending.course);
    for (const std::string& sentence : ending.learned) fmt::print("  {}\n", sentence);
    print_gains(shown.gains_of(ending));
    if (!ending.beware.empty()) fmt::print("  {}\n", ending.beware);
    if (!ending.not_worth.empty()) fmt::print("\nNot worth it\n");
    for (const NotWorth& row : ending.not_worth) {
        fmt::print("  {}\n", row.says);
        if (std::string evidence = shown.evidence_of(row); !evidence.empty())
            fmt::print("    {}\n", evidence);
    }
}

// Throws Error(bad_input) with the closest course.
const Ending& find_ending(const Endings& endings, const std::string& course) {
    if (const Ending* ending = endings.of(course)) return *ending;
    std::vector<std::string> names;
    for (const Ending& ending : endings.all) names.push_back(ending.course);
    const std::string near = closest(course, names);
    throw Error(Status::bad_input,
                "no course is called \"" + course + "\"" +
                    (near.empty() ? "; `lanewise-engine ending` shows all of them"
                                  : "; did you mean \"" + near + "\"?"));
}

void ending(const std::string& course, bool as_json) {
    const Catalogue catalogue = load_catalogue();
    const Endings endings = read_endings(catalogue);
    if (!endings.error.empty()) throw Error(Status::bad_input, endings.error);
    const Shown shown{catalogue, read_path(path_file(catalogue.content()), catalogue.stages()),
                      known_recordings(catalogue)};
    if (!shown.path.error.empty()) throw Error(Status::bad_input, shown.path.error);
    if (!course.empty()) {
        const Ending& one = find_ending(endings, course);
        return as_json ? print_json(ending_json(shown, one)) : print_ending(shown, one);
    }
    Json all = Json::array();
    for (const Ending& each : endings.all) {
        if (as_json)
            all.push_back(ending_json(shown, each));
        else
            print_ending(shown, each);
        if (!as_json && &each != &endings.all.back()) fmt::print("\n");
    }
    if (as_json) print_json(all);
}

}  // namespace

static void add_ending(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "ending",
        "say what a course taught, in what order the gains came, and what was not worth it");
    auto course = std::make_shared<std::string>();
    auto as_json = std::make_shared<bool>(false);
    command->add_option("course", *course, "zero, transpose, matmul or reduction; all by default");
    command->add_flag("--json", *as_json, "print JSON: one object, or an array of all");
    command->callback([=] { ending(*course, *as_json); });
}
static const CommandRow kEnding("ending", "glossary", add_ending);

}  // namespace lanewise
