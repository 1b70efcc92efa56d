// glossary: what the words of the course mean.
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "course/glossary.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "model/device_profile.h"

namespace lanewise {
namespace {

using Json = nlohmann::json;

Json term_json(const Term& term, const std::vector<DeviceProfile>& cards) {
    return {{"term", term.name},
            {"also", term.also},
            {"text", term.text},
            {"link", term.link},
            {"measured", measured_sentence(term, cards)},
            {"not", term.avoided}};
}

void print_term(const Term& term, const std::vector<DeviceProfile>& cards) {
    fmt::print("{}\n  {}\n", term.name, term.text);
    if (std::string measured = measured_sentence(term, cards); !measured.empty())
        fmt::print("  {}\n", measured);
}

// Throws Error(bad_input) with the closest word.
const Term& find_term(const Glossary& glossary, const std::string& word) {
    if (const Term* term = glossary.find(word)) return *term;
    std::vector<std::string> forms;
    for (const auto& [form, place] : glossary.forms) forms.push_back(form);
    std::string near = closest(word, forms);
    throw Error(Status::bad_input,
                "the glossary has no \"" + word + "\"" +
                    (near.empty() ? "; `lanewise-engine glossary` lists its words"
                                  : "; did you mean \"" + near + "\"?"));
}

void glossary(const std::string& word, bool as_json) {
    Catalogue catalogue = load_catalogue();
    Glossary all = read_glossary(catalogue.content());
    if (!all.error.empty()) throw Error(Status::bad_input, all.error);
    const std::vector<DeviceProfile> cards = device_profiles(catalogue.content());
    if (!word.empty()) {
        const Term& term = find_term(all, word);
        return as_json ? print_json(term_json(term, cards)) : print_term(term, cards);
    }
    if (as_json) {
        Json list = Json::array();
        for (const Term& term : all.terms) list.push_back(term_json(term, cards));
        return print_json(list);
    }
    for (const Term& term : all.terms) print_term(term, cards);
}

}  // namespace

static void add_glossary(EngineCommand& app, int&) {
    auto* command = app.add_subcommand("glossary", "say what the words of the course mean");
    auto word = std::make_shared<std::string>();
    auto as_json = std::make_shared<bool>(false);
    command->add_option("term", *word, "one of them, such as warp; all where none is named");
    command->add_flag("--json", *as_json, "print JSON: one object, or an array of all");
    command->callback([=] { glossary(*word, *as_json); });
}
static const CommandRow kGlossary("glossary", "rules", add_glossary);

}  // namespace lanewise
