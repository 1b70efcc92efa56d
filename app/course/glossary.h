// The glossary: lessons/glossary.toml, one [[term]] for each word of the course.
//   [[term]]
//   term = "bank conflict"          as it stands in the middle of a sentence
//   also = ["bank conflicts"]       other forms that count as the word; capitals do not matter
//   everyday = true                 a word of plain English, too: a text marks only its `also`
//   text = "One. Two."              two sentences; no figure that depends on the card
//   link = "view:banks"             where it can be seen: view:…, stage:…, or another term, term:…
//   measured = "l1_latency_clocks"  a constant of a card's profile (model/device_profile.h)
//   measured_as = "a load from L1"  what takes so many clocks, or reaches so many GB/s
//   not = ["bank collision"]        what we do not say for it, for docs/words.md
#pragma once
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "course/catalogue.h"
#include "course/lesson.h"
#include "model/device_profile.h"

namespace lanewise {

struct Term {
    std::string name;
    std::vector<std::string> also;
    bool everyday = false;
    std::string text, link;
    std::string measured, measured_as;  // both or neither
    std::vector<std::string> avoided;   // `not`
    std::string where;                  // "glossary.toml:12"
};

struct Glossary {
    std::vector<Term> terms;              // in the order of the file, which is the alphabet's
    std::map<std::string, size_t> forms;  // every form in small letters: its place in `terms`
    std::string error;                    // why it could not be read; empty when fine

    // Of "Bank conflicts", whatever its capitals; null where no term is called so.
    const Term* find(std::string_view form) const;
};

// Throws Error(bad_input), "FILE:LINE: …": TOML that is none, an unknown key, a form twice, other
// than two sentences, a constant that no profile has.
Glossary parse_glossary(const std::string& text, const std::string& file);
// content/lessons/glossary.toml. Does not throw: what cannot be read comes back with `error` set.
Glossary read_glossary(const std::filesystem::path& content);

// "FILE:LINE: …" for each link that leads nowhere, of `view_ids` and the catalogue's stages.
std::vector<std::string> glossary_problems(const Glossary& glossary, const Catalogue& catalogue,
                                           const std::vector<std::string>& view_ids);

// Where a text holds a form of a term, whole words only, the longest first, from left to right and
// never overlapping. Each term once: its first place. `terms`' everyday words are passed over.
struct TermPlace {
    size_t begin = 0, end = 0;  // bytes
    size_t term = 0;            // its place in Glossary::terms
};
std::vector<TermPlace> terms_in(const Glossary& glossary, std::string_view text);

inline constexpr std::string_view kTermLink = "term:";  // begins the link of a marked word

// Cuts the runs of plain text so that the first place of each term in the lesson's body becomes a
// run of its own, with the link "term:NAME". Headings, code, links and queries stay as they are.
void mark_terms(std::vector<LessonBlock>& blocks, const Glossary& glossary);
// A paragraph of plain text with its terms marked likewise.
LessonBlock marked_paragraph(const std::string& text, const Glossary& glossary);

// "Measured on the NVIDIA H200: a load from DRAM takes 656 clocks (331 ns)." Of the card called
// `card` where its constants were fitted to measurements, else of the first card of which that
// is so; "" where the term names no constant, or no card was measured.
std::string measured_sentence(const Term& term, std::span<const DeviceProfile> cards,
                              std::string_view card = {});

}  // namespace lanewise
