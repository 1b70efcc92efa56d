// The glossary that ships, the faults that its reader names, and its words in a text.
#include "course/glossary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../shipped_stages.h"
#include "base/error.h"
#include "course/lesson_lint.h"

namespace lanewise {
namespace {

using Problems = std::vector<std::string>;

const Glossary& shipped() {
    static const Glossary loaded = read_glossary(CONTENT_FOLDER);
    return loaded;
}
const Problems kTermViews = {"access", "banks", "code",    "speed",  "charts",
                             "forge",  "flow",  "product", "counts", "ladder"};

TEST(Glossary, ShipsAtLeastSixtyTerms) {
    EXPECT_EQ("", shipped().error);
    EXPECT_GE(shipped().terms.size(), 60u);
    for (const char* word : {"lane",           "warps",      "Block",
                             "sector",         "cache line", "wavefronts",
                             "bank conflicts", "swizzle",    "occupancy",
                             "register spill", "L1",         "DRAM",
                             "Little's law",   "roofline",   "FMA",
                             "__syncthreads",  "PTX",        "SASS",
                             "tensor cores",   "wgmma",      "TMA",
                             "mbarrier",       "float4",     "grid-stride loop",
                             "tail effect",    "byte masks", "TF32",
                             "median",         "gate"})
        EXPECT_TRUE(shipped().find(word)) << word;
    EXPECT_FALSE(shipped().find("warpSize"));
}

TEST(Glossary, IsInTheOrderOfTheAlphabet) {
    auto key = [](const Term& term) {
        std::string name;
        for (char c : term.name)
            if (std::isalnum(static_cast<unsigned char>(c)))
                name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return name;
    };
    for (size_t i = 1; i < shipped().terms.size(); ++i)
        EXPECT_LT(key(shipped().terms[i - 1]), key(shipped().terms[i])) << shipped().terms[i].where;
}

TEST(Glossary, EveryLinkLeadsSomewhere) {
    EXPECT_EQ(Problems(), glossary_problems(shipped(), shipped_stages(), kTermViews));
}

// A figure that depends on the card is asked of its profile, never typed in.
TEST(Glossary, HasNoFigureOfACard) {
    for (const Term& term : shipped().terms)
        for (const char* unit : {"GB/s", "TB/s", "clocks", " ns", "MiB", "KiB", "%"})
            EXPECT_EQ(std::string::npos, term.text.find(unit)) << term.where << ": " << unit;
}

std::string term_text(const std::string& more, const std::string& name = "warp") {
    return "[[term]]\nterm = \"" + name +
           "\"\ntext = \"One thing. Another.\"\nlink = \"view:access\"\n" + more;
}

std::string glossary_error(const std::string& text) {
    try {
        parse_glossary(text, "g.toml");
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(Glossary, NamesEachFaultOnceWithItsLine) {
    EXPECT_EQ("", glossary_error(term_text("also = [\"warps\"]\n")));
    EXPECT_EQ("g.toml:6: \"Warp\" is there already, for \"warp\" at g.toml:2; remove one of them",
              glossary_error(term_text("") + term_text("", "Warp")));
    EXPECT_EQ("g.toml:9: \"lane\" is there already, for \"lane\" at g.toml:2; remove one of them",
              glossary_error(term_text("", "lane") + term_text("also = [\"lane\"]\n")));
    EXPECT_EQ("g.toml:5: \"warps\" is there already, in this term; remove one of them",
              glossary_error(term_text("also = [\"warps\", \"warps\"]\n")));
    auto with_text = [](const std::string& text) {
        return "[[term]]\nterm = \"a\"\ntext = \"" + text + "\"\nlink = \"view:access\"\n";
    };
    EXPECT_EQ("g.toml:3: \"a\" has 3 sentences; a term is explained in two",
              glossary_error(with_text("One. Two. Three.")));
    EXPECT_EQ("g.toml:3: \"a\" has 1 sentence; a term is explained in two",
              glossary_error(with_text("Only one, with cp.async in it.")));
    EXPECT_EQ(
        "g.toml:1: link is missing; write it like link = \"view:banks\", \"stage:30_padded\" or "
        "\"term:bank\"",
        glossary_error("[[term]]\nterm = \"a\"\ntext = \"One. Two.\"\n"));
    EXPECT_EQ(
        "g.toml:5: unknown key \"alias\"; the keys here are term, also, everyday, text, link, "
        "measured, measured_as, not",
        glossary_error(term_text("alias = [\"warps\"]\n")));
    EXPECT_EQ("g.toml:5: everyday must be true or false, without quotes",
              glossary_error(term_text("everyday = \"yes\"\n")));
    EXPECT_EQ(
        "g.toml:5: no profile has a constant \"l1_latency_clock\"; did you mean "
        "\"l1_latency_clocks\"?",
        glossary_error(term_text("measured = \"l1_latency_clock\"\nmeasured_as = \"a load\"\n")));
    EXPECT_EQ(
        "g.toml:1: measured_as is missing; write it like measured_as = \"a load from L1\", what "
        "takes so long",
        glossary_error(term_text("measured = \"l1_latency_clocks\"\n")));
    EXPECT_EQ("g.toml:5: \" warps\" begins or ends with a blank, or is empty; leave it out",
              glossary_error(term_text("also = [\" warps\"]\n")));
    EXPECT_TRUE(glossary_error("[[term]\n").starts_with("g.toml:1: "));
}

TEST(Glossary, FindsLinksThatLeadNowhere) {
    auto problem = [](const std::string& link) {
        Glossary one = parse_glossary(
            "[[term]]\nterm = \"warp\"\ntext = \"One. Two.\"\nlink = \"" + link + "\"\n", "g.toml");
        Problems found = glossary_problems(one, shipped_stages(), kTermViews);
        return found.empty() ? "" : found[0];
    };
    EXPECT_EQ("", problem("stage:30_padded"));
    EXPECT_EQ(
        "g.toml:2: the link \"view:bank\" leads nowhere: there is no such view; did you mean "
        "\"view:banks\"?",
        problem("view:bank"));
    EXPECT_EQ(
        "g.toml:2: the link \"stage:31_padded\" leads nowhere: no stage \"31_padded\"; did you "
        "mean \"30_padded\"?",
        problem("stage:31_padded"));
    EXPECT_EQ("g.toml:2: the link \"term:lane\" leads nowhere: no term is called \"lane\"",
              problem("term:lane"));
    EXPECT_EQ("g.toml:2: the link \"term:warp\" leads nowhere: it is the term itself",
              problem("term:warp"));
    EXPECT_EQ("g.toml:2: the link \"set:PAD=0\" leads nowhere: it is none of view:, stage:, term:",
              problem("set:PAD=0"));
}

TEST(Glossary, IsMissingWithOneSentence) {
    EXPECT_NE(std::string::npos, read_glossary("/nowhere").error.find("glossary.toml"));
    EXPECT_TRUE(read_glossary("/nowhere").terms.empty());
}

Problems words(const std::string& text) {
    Problems found;
    for (const TermPlace& place : terms_in(shipped(), text))
        found.push_back(text.substr(place.begin, place.end - place.begin) + " = " +
                        shipped().terms[place.term].name);
    return found;
}

TEST(TermsIn, TakesWholeWordsTheLongestFirstAndEachOnce) {
    EXPECT_EQ((Problems{"Bank conflicts = bank conflict", "warp = warp"}),
              words("Bank conflicts of a warp are bank conflicts."));
    EXPECT_EQ(Problems(), words("warpSize, tilemaps and sm_90 are names."));
    EXPECT_EQ((Problems{"__syncthreads() = __syncthreads"}), words("Call __syncthreads() here."));
    EXPECT_EQ((Problems{"SM = multiprocessor"}), words("an SM."));
}

TEST(TermsIn, PassesOverWordsOfPlainEnglish) {
    EXPECT_EQ(Problems(), words("In the event, half of this line is a gate."));
    EXPECT_EQ((Problems{"cache line = line", "half precision = half"}),
              words("A cache line in half precision."));
}

TEST(MarkTerms, LinksTheFirstPlaceInTheBodyAlone) {
    Lesson lesson = parse_lesson(
        "+++\ntitle = \"t\"\naim = \"a\"\nstill_wrong = \"s\"\n[predict]\nquestion = \"q\"\nanswer "
        "= "
        "\"1\"\nchoices = [\"1\", \"2\"]\nexplain = \"e\"\n[gate]\ntask = \"t\"\n+++\n# A warp\n\n"
        "The `warp` of a [warp](view:access), warps, **a warp**.\n\nA warp and a sector.\n",
        "transpose/30_padded");
    ASSERT_EQ("", lesson.error);
    mark_terms(lesson.blocks, shipped());
    Problems links;
    std::string all;
    for (const LessonBlock& block : lesson.blocks)
        for (const LessonRun& run : block.runs) {
            all += run.text;
            if (run.link.starts_with(kTermLink)) links.push_back(run.text + " " + run.link);
        }
    EXPECT_EQ((Problems{"warps term:warp", "sector term:sector"}), links);
    EXPECT_EQ("A warpThe warp of a warp, warps, a warp.A warp and a sector.", all);
}

// Marking neither loses nor moves a letter of any lesson.
TEST(MarkTerms, KeepsEveryLessonsText) {
    auto text = [](const Lesson& lesson) {
        std::string all;
        for (const LessonBlock& block : lesson.blocks)
            for (const LessonRun& run : block.runs) all += run.text;
        return all;
    };
    size_t marked = 0, with_words = 0;
    for (const Stage& stage : shipped_stages().stages()) {
        Lesson lesson = read_lesson(lesson_path(shipped_stages(), stage), stage.id);
        const std::string before = text(lesson);
        mark_terms(lesson.blocks, shipped());
        EXPECT_EQ(before, text(lesson)) << stage.id;
        size_t here = 0;
        for (const LessonBlock& block : lesson.blocks)
            for (const LessonRun& run : block.runs) {
                if (!run.link.starts_with(kTermLink)) continue;
                ++here;
                EXPECT_TRUE(shipped().find(run.link.substr(kTermLink.size()))) << run.link;
            }
        with_words += here > 0;
        marked += here;
    }
    EXPECT_GE(marked, 200u);
    EXPECT_GE(with_words + 5, shipped_stages().stages().size());
}

TEST(MeasuredSentence, NamesTheCardThatWasMeasured) {
    const std::vector<DeviceProfile> cards = device_profiles(CONTENT_FOLDER);
    const Term& dram = *shipped().find("DRAM");
    auto h200 = std::find_if(cards.begin(), cards.end(),
                             [](const DeviceProfile& card) { return card.name == "NVIDIA H200"; });
    ASSERT_NE(cards.end(), h200);
    const std::string sentence = measured_sentence(dram, cards);
    EXPECT_TRUE(sentence.starts_with("Measured on the NVIDIA H200: a load from DRAM takes "))
        << sentence;
    // A card whose constants are another's, scaled, lends none of them.
    EXPECT_EQ(sentence, measured_sentence(dram, cards, "NVIDIA GeForce RTX 3080"));
    std::vector<DeviceProfile> own(1);
    own[0].name = "My card";
    own[0].sm_clock_mhz = 2000;
    own[0].costs.dram_latency_clocks = 500;
    EXPECT_EQ("Measured on the My card: a load from DRAM takes 500 clocks (250 ns).",
              measured_sentence(dram, own));
    own[0].costs_like = "NVIDIA H200";
    EXPECT_EQ("", measured_sentence(dram, own));
    EXPECT_EQ("", measured_sentence(*shipped().find("warp"), cards));
    for (const Term& term : shipped().terms)
        EXPECT_EQ(term.measured.empty(), measured_sentence(term, cards).empty()) << term.where;
}

}  // namespace
}  // namespace lanewise
