// The glossary's file, its faults, and its words in a text.
#include "course/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "base/words.h"
#include "course/card_figures.h"
#include "course/toml_head.h"

namespace lanewise {
namespace {

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
}

// A full stop, question or exclamation mark that ends the text or stands before a blank and a
// letter that is no small one. "cp.async copies" has none.
size_t sentences_in(std::string_view text) {
    size_t count = 0;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '.' && text[at] != '?' && text[at] != '!') continue;
        if (at + 1 == text.size())
            ++count;
        else if (at + 2 < text.size() && text[at + 1] == ' ')
            count += std::islower(static_cast<unsigned char>(text[at + 2])) == 0;
    }
    return count;
}

const CostField* cost_called(const std::string& name) {
    for (const CostField& field : cost_fields())
        if (field.name == name) return &field;
    return nullptr;
}

void check_measured(const TomlTable& table, const Term& term) {
    if (term.measured.empty() && term.measured_as.empty()) return;
    table.need("measured", "measured = \"l1_latency_clocks\", a constant of the card's profile");
    table.need("measured_as", "measured_as = \"a load from L1\", what takes so long");
    if (cost_called(term.measured)) return;
    std::vector<std::string> names;
    for (const CostField& field : cost_fields()) names.emplace_back(field.name);
    std::string near = closest(term.measured, names);
    table.fail("measured", "no profile has a constant \"" + term.measured + "\"" +
                               (near.empty() ? "; app/model/device_profile.h lists them"
                                             : "; did you mean \"" + near + "\"?"));
}

Term read_term(const TomlTable& table) {
    table.only({"term", "also", "everyday", "text", "link", "measured", "measured_as", "not"});
    table.need("term", "term = \"bank conflict\"");
    table.need("text", "text = \"One sentence. Another.\"");
    table.need("link", "link = \"view:banks\", \"stage:30_padded\" or \"term:bank\"");
    Term term{.name = table.text("term"),
              .also = table.texts("also"),
              .everyday = table.flag("everyday"),
              .text = table.text("text"),
              .link = table.text("link"),
              .measured = table.text("measured"),
              .measured_as = table.text("measured_as"),
              .avoided = table.texts("not"),
              .where = table.place_of("term")};
    if (size_t count = sentences_in(term.text); count != 2)
        table.fail("text", fmt::format("\"{}\" has {}; a term is explained in two", term.name,
                                       counted(count, "sentence")));
    check_measured(table, term);
    return term;
}

void add_form(Glossary& glossary, const TomlTable& table, const std::string& key,
              const std::string& form, size_t place) {
    if (trimmed(form).empty() || trimmed(form) != form)
        table.fail(key, "\"" + form + "\" begins or ends with a blank, or is empty; leave it out");
    auto [found, is_new] = glossary.forms.try_emplace(in_small_letters(form), place);
    if (is_new) return;
    const Term& other = glossary.terms[found->second];
    table.fail(key, "\"" + form + "\" is there already, " +
                        (found->second == place ? "in this term"
                                                : "for \"" + other.name + "\" at " + other.where) +
                        "; remove one of them");
}

Glossary glossary_of(const std::string& text, const std::string& file) {
    Glossary glossary;
    TomlTable all = TomlTable::parse(text, file, 1);
    all.only({"term"});
    all.need("term", "[[term]], then term, text and link");
    for (const TomlTable& table : all.tables("term")) {
        glossary.terms.push_back(read_term(table));
        const size_t place = glossary.terms.size() - 1;
        const Term& term = glossary.terms.back();
        add_form(glossary, table, "term", term.name, place);
        for (const std::string& form : term.also) add_form(glossary, table, "also", form, place);
    }
    return glossary;
}

// Why a link leads nowhere; "" where it leads somewhere.
std::string link_problem(const Glossary& glossary, const Term& term, const Catalogue& catalogue,
                         const std::vector<std::string>& view_ids) {
    const size_t colon = std::min(term.link.find(':'), term.link.size());
    const std::string kind = term.link.substr(0, colon);
    const std::string what = term.link.substr(std::min(colon + 1, term.link.size()));
    if (kind == "view") {
        if (std::find(view_ids.begin(), view_ids.end(), what) != view_ids.end()) return "";
        std::string near = closest(what, view_ids);
        return "there is no such view" +
               (near.empty() ? "" : "; did you mean \"view:" + near + "\"?");
    }
    if (kind == "stage") {
        try {
            catalogue.find(what);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    }
    if (kind != "term") return "it is none of view:, stage:, term:";
    const Term* other = glossary.find(what);
    if (!other) return "no term is called \"" + what + "\"";
    return other == &term ? "it is the term itself" : "";
}

// Whether a word ends here: "warp" is none of "warpSize", and "tile" none of "tile[0]".
bool is_border(std::string_view text, size_t at) {
    return at == 0 || at >= text.size() || !is_word_part(text[at - 1]) || !is_word_part(text[at]);
}

// A word of plain English is marked where it stands in a form that is none.
bool is_marked_form(const std::string& form, const Term& term) {
    return !term.everyday || form != in_small_letters(term.name);
}

// The longest form that begins here, or npos. Lessons are long and words many: only forms that share the first
// two letters are compared, and the one that is a single letter.
size_t form_at(const Glossary& glossary, std::string_view small, size_t at, size_t& term) {
    const std::string_view rest = small.substr(at);
    const auto& forms = glossary.forms;
    size_t longest = 0;
    auto weigh = [&](const std::string& form, size_t place) {
        if (form.size() < longest || !rest.starts_with(form)) return;
        if (!is_border(small, at + form.size())) return;
        if (!is_marked_form(form, glossary.terms[place])) return;
        longest = form.size();
        term = place;
    };
    if (auto letter = forms.find(std::string(rest.substr(0, 1))); letter != forms.end())
        weigh(letter->first, letter->second);
    const std::string begin(rest.substr(0, 2));
    for (auto each = forms.lower_bound(begin); begin.size() == 2 && each != forms.end(); ++each) {
        if (!each->first.starts_with(begin)) break;
        weigh(each->first, each->second);
    }
    return longest == 0 ? std::string_view::npos : at + longest;
}

bool is_plain(const LessonRun& run) { return !run.code && run.link.empty() && run.query.empty(); }

void mark_block(LessonBlock& block, const Glossary& glossary, std::set<size_t>& seen) {
    std::vector<LessonRun> runs;
    for (const LessonRun& run : block.runs) {
        size_t done = 0;
        auto put = [&](size_t begin, size_t end, const std::string& link) {
            if (begin == end) return;
            runs.push_back(run);
            runs.back().text = run.text.substr(begin, end - begin);
            if (!link.empty()) runs.back().link = link;
        };
        if (is_plain(run))
            for (const TermPlace& place : terms_in(glossary, run.text)) {
                if (!seen.insert(place.term).second) continue;
                put(done, place.begin, "");
                put(place.begin, place.end,
                    std::string(kTermLink) + glossary.terms[place.term].name);
                done = place.end;
            }
        if (done == 0)
            runs.push_back(run);
        else
            put(done, run.text.size(), "");
    }
    block.runs = std::move(runs);
}

}  // namespace

const Term* Glossary::find(std::string_view form) const {
    auto found = forms.find(in_small_letters(form));
    return found == forms.end() ? nullptr : &terms[found->second];
}

Glossary parse_glossary(const std::string& text, const std::string& file) {
    return glossary_of(text, file);
}

Glossary read_glossary(const std::filesystem::path& content) {
    try {
        return glossary_of(read_file(content / "lessons" / "glossary.toml"), "glossary.toml");
    } catch (const Error& error) {
        Glossary none;
        none.error = error.what();
        return none;
    }
}

std::vector<std::string> glossary_problems(const Glossary& glossary, const Catalogue& catalogue,
                                           const std::vector<std::string>& view_ids) {
    std::vector<std::string> problems;
    if (!glossary.error.empty()) problems.push_back(glossary.error);
    for (const Term& term : glossary.terms)
        if (std::string why = link_problem(glossary, term, catalogue, view_ids); !why.empty())
            problems.push_back(term.where + ": the link \"" + term.link +
                               "\" leads nowhere: " + why);
    return problems;
}

std::vector<TermPlace> terms_in(const Glossary& glossary, std::string_view text) {
    const std::string small = in_small_letters(text);
    std::vector<TermPlace> places;
    std::set<size_t> seen;
    for (size_t at = 0; at < small.size(); ++at) {
        if (at > 0 && is_word_part(small[at]) && is_word_part(small[at - 1])) continue;
        size_t term = 0;
        const size_t end = form_at(glossary, small, at, term);
        if (end == std::string_view::npos) continue;
        if (seen.insert(term).second) places.push_back({at, end, term});
        at = end - 1;
    }
    return places;
}

void mark_terms(std::vector<LessonBlock>& blocks, const Glossary& glossary) {
    using Kind = LessonBlock::Kind;
    std::set<size_t> seen;
    for (LessonBlock& block : blocks)
        if (block.kind != Kind::heading && block.kind != Kind::code && block.kind != Kind::rule)
            mark_block(block, glossary, seen);
}

LessonBlock marked_paragraph(const std::string& text, const Glossary& glossary) {
    LessonBlock block{.kind = LessonBlock::Kind::paragraph, .runs = {}};
    block.runs.emplace_back().text = text;
    std::set<size_t> seen;
    mark_block(block, glossary, seen);
    return block;
}

std::string measured_sentence(const Term& term, std::span<const DeviceProfile> cards,
                              std::string_view card) {
    const CostField* field = cost_called(term.measured);
    if (!field) return "";
    const DeviceProfile* shown = card_of_figures(cards, card);
    if (!shown || shown->costs.*field->value <= 0) return "";
    const double value = shown->costs.*field->value;
    std::string amount =
        term.measured.ends_with("_clocks")
            ? fmt::format("takes {:.3g} clocks ({:.3g} ns)", value,
                          value / shown->sm_clock_mhz * 1000)
            : "reaches " + with_thousands(static_cast<uint64_t>(std::lround(value))) + " GB/s";
    return fmt::format("Measured on the {}: {} {}.", shown->name, term.measured_as, amount);
}

}  // namespace lanewise
