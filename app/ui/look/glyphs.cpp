#include "ui/look/glyphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "ui/look/look.h"

namespace lanewise::ui {
namespace {

constexpr unsigned kReplacement = 0xfffd, kPlane = 0x10000;

// What the program and its lessons write; the last is drawn for what no font has.
constexpr ImWchar kOwn[] = {0x0020, 0x007e, 0x00a0, 0x00ff, 0x0394, 0x0394, 0x03bc, 0x03bc, 0x2009,
                            0x2027, 0x202f, 0x203a, 0x2070, 0x209c, 0x2190, 0x2195, 0x21d2, 0x21d2,
                            0x2208, 0x2209, 0x2212, 0x2215, 0x221a, 0x221e, 0x2248, 0x2248, 0x2260,
                            0x2265, 0x2295, 0x2297, 0x22c5, 0x22c5, 0x2308, 0x230b, 0x25a0, 0x25a1,
                            0x25b2, 0x25c0, 0x25c6, 0x25cf, 0x2713, 0x2717, 0xfffd, 0xfffd};

// Of those what the first frame needs: ASCII, a few signs, dashes, quotes, arrows, marks.
constexpr ImWchar kFew[] = {0x0020, 0x007e, 0x00a0, 0x00a0, 0x00b0, 0x00b7, 0x00bd, 0x00bd, 0x00d7, 0x00d7, 0x03bc, 0x03bc, 0x2009, 0x2027,
                            0x202f, 0x203a, 0x2190, 0x2193, 0x2212, 0x2212, 0x2264, 0x2265, 0x25a0, 0x25a1, 0x25b2, 0x25c0,
                            0x25cf, 0x25cf, 0x2713, 0x2713, 0xfffd, 0xfffd};

struct Glyphs {
    std::bitset<kPlane> asked;
    std::bitset<kPlane> missing;
    std::vector<ImWchar> ranges;
    bool ranges_stale = true;
    bool few = false;  // of kOwn only kFew is asked for
    uint64_t stock = 0, wanted = 0;
    Glyphs() { ask(kOwn); }
    void ask(std::span<const ImWchar> pairs) {
        for (size_t i = 0; i < pairs.size(); i += 2)
            for (unsigned c = pairs[i]; c <= pairs[i + 1]; ++c) asked.set(c);
        ranges_stale = true;
    }
};
Glyphs& glyphs() {
    static Glyphs one;
    return one;
}

// visit(code point) for each character that is not plain ASCII.
template <typename Visit>
void for_each_character(std::string_view text, Visit visit) {
    for (size_t at = 0; at < text.size();) {
        auto lead = static_cast<unsigned char>(text[at++]);
        if (lead < 0xc0) continue;
        int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        unsigned c = lead & (0x3fu >> more);
        for (; more > 0 && at < text.size() && (text[at] & 0xc0) == 0x80; --more)
            c = c << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fu);
        if (more == 0) visit(c);
    }
}

void changed(Glyphs& g) {
    g.ranges_stale = true;
    ++g.wanted;
    look().fonts_changed = true;
}

// A letter of an alphabet is seldom alone: with it comes its neighbourhood, so that typing does not
// bake for every key.
void ask_for(Glyphs& g, unsigned c) {
    if (std::exchange(g.few, false)) {
        g.ask(kOwn);
        if (g.asked[c]) return changed(g);
    }
    constexpr unsigned kAlphabets = 0x2000, kNeighbours = 0x80, kFirstLetter = 0x100;
    unsigned first = c, last = c;
    if (c >= kFirstLetter && c < kAlphabets) {
        first = c / kNeighbours * kNeighbours;
        last = first + kNeighbours - 1;
    }
    for (; first <= last; ++first) g.asked.set(first);
    changed(g);
}

std::string utf8(unsigned c) {
    auto tail = [&](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) return {static_cast<char>(c)};
    if (c < 0x800) return {static_cast<char>(0xc0 | c >> 6), tail(0)};
    if (c < kPlane) return {static_cast<char>(0xe0 | c >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0)};
}

// Dear ImGui counts characters in 16 bits: there is no glyph for those beyond.
bool is_missing(unsigned c) { return c >= kPlane || glyphs().missing[c]; }

}  // namespace

void want_glyphs(std::string_view text) {
    Glyphs& g = glyphs();
    for_each_character(text, [&](unsigned c) {
        if (c < kPlane && !g.asked[c]) ask_for(g, c);
    });
}

void want_few_glyphs() {
    Glyphs& g = glyphs();
    g.asked.reset();
    g.ask(kFew);
    g.few = true;
    changed(g);
}

void want_all_glyphs() {
    Glyphs& g = glyphs();
    if (!std::exchange(g.few, false)) return;
    g.ask(kOwn);
    changed(g);
}

const ImWchar* glyph_ranges() {
    Glyphs& g = glyphs();
    if (!g.ranges_stale) return g.ranges.data();
    g.ranges.clear();
    for (unsigned c = 1; c < kPlane; ++c) {
        if (!g.asked[c]) continue;
        if (g.asked[c - 1])
            g.ranges.back() = static_cast<ImWchar>(c);
        else
            g.ranges.insert(g.ranges.end(), 2, static_cast<ImWchar>(c));
    }
    g.ranges.push_back(0);
    g.ranges_stale = false;
    return g.ranges.data();
}

void take_stock_of_glyphs() {
    Glyphs& g = glyphs();
    g.missing.reset();
    for (Font kind : {Font::text, Font::bold, Font::mono}) {
        const ImFont* font = look().fonts->pick(kind, 13).font;
        for (unsigned c = 0x80; font && c < kPlane; ++c)
            if (g.asked[c] && !font->FindGlyphNoFallback(static_cast<ImWchar>(c))) g.missing.set(c);
    }
    ++g.stock;
}

std::string missing_glyphs(std::string_view text, std::string_view name) {
    std::set<unsigned> missing;
    unsigned first = 0;
    for_each_character(text, [&](unsigned c) {
        if (!is_missing(c)) return;
        if (missing.empty()) first = c;
        missing.insert(c);
    });
    if (missing.empty()) return "";
    size_t others = missing.size() - 1;
    std::string more = others == 0   ? ""
                       : others == 1 ? " and one more character"
                                     : fmt::format(" and {} more characters", others);
    return fmt::format(
        "No font here has the character U+{:04X}{} of {}: {} is drawn instead, and the text itself "
        "stays as it is.",
        first, more, name, is_missing(kReplacement) ? "“?”" : "“" + utf8(kReplacement) + "”");
}

uint64_t glyph_stock() { return glyphs().stock; }
uint64_t glyphs_wanted() { return glyphs().wanted; }

void forget_glyphs() {
    const uint64_t stock = glyphs().stock, wanted = glyphs().wanted;
    glyphs() = Glyphs();
    glyphs().stock = stock + 1;
    glyphs().wanted = wanted + 1;
}

}  // namespace lanewise::ui
