// Wrapped words, hatching, legends, and numbers in words.
#include "figure/drawing/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/text.h"
#include "figure/drawing/hatch.h"

namespace lanewise {

std::string shortened(const std::string& text, float width, float size, Font font,
                      const Measure& measure) {
    if (measure(text, size, font) <= width) return text;
    std::string kept = text;
    while (!kept.empty()) {
        // Drop a whole UTF-8 character: its continuation bytes, then its first one.
        while (!kept.empty() && (static_cast<unsigned char>(kept.back()) & 0xc0) == 0x80)
            kept.pop_back();
        if (!kept.empty()) kept.pop_back();
        if (measure(kept + "…", size, font) <= width) return kept + "…";
    }
    return "";
}

std::vector<std::string> wrapped(const std::string& text, float width, float size, Font font,
                                 const Measure& measure) {
    std::vector<std::string> lines;
    std::string line;
    for (std::string_view word : split(text, ' ')) {
        std::string longer = line.empty() ? std::string(word) : line + " " + std::string(word);
        if (!line.empty() && measure(longer, size, font) > width) {
            lines.push_back(line);
            longer = word;
        }
        line = shortened(longer, width, size, font, measure);
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
}

float paragraph(Drawing& drawing, Point at, float width, const std::string& text, float size,
                Fill fill, const Measure& measure, Font font) {
    for (const std::string& line : wrapped(text, width, size, font, measure)) {
        drawing.text({at.x, at.y, width, line_height(size)}, line, size, fill, Align::left, font);
        at.y += line_height(size);
    }
    return at.y;
}

bool text_if_it_fits(Drawing& drawing, Box box, const std::string& text, float size, Fill fill,
                     const Measure& measure, Align align, Font font) {
    if (size <= 0 || text.empty() || box.h < size || measure(text, size, font) > box.w)
        return false;
    drawing.text(box, text, size, fill, align, font);
    return true;
}

float size_that_fits(Box box, const std::string& widest, float most, Font font,
                     const Measure& measure) {
    for (float size = std::min(most, box.h); size >= kSmallest; size -= 0.5f)
        if (measure(widest, size, font) <= box.w) return size;
    return 0;
}

void hatch(Drawing& drawing, Box box, Fill ink, float spacing) {
    for_each_hatch_stroke(box, spacing,
                          [&](Point from, Point to) { drawing.line(from, to, ink, 1); });
}

float legend(Drawing& drawing, Point at, float width, const std::vector<LegendItem>& items,
             const Measure& measure) {
    constexpr float swatch = 11, gap = 5, between = 16;
    float height = line_height(kNoteSize), x = at.x, y = at.y;
    for (const LegendItem& item : items) {
        bool plain = item.fill.kind == Fill::Kind::none && item.stroke.kind == Fill::Kind::none;
        float lead = plain ? 0 : swatch + gap;
        float room = width - lead;
        std::string words = shortened(item.words, room, kNoteSize, Font::text, measure);
        float words_width = measure(words, kNoteSize, Font::text);
        if (x > at.x && x + lead + words_width > at.x + width) {
            x = at.x;
            y += height + 2;
        }
        Box box{x, y + (height - swatch) / 2, swatch, swatch};
        if (!plain) drawing.rect(box, item.fill, Fill::none(), 2);
        if (item.hatched) hatch(drawing, box, item.stroke, 4);
        if (!plain) drawing.rect(box, Fill::none(), item.stroke, 2);
        drawing.text({x + lead, y, words_width + 0.5f, height}, words, kNoteSize,
                     Fill::of(Ink::text_dim));
        x += lead + words_width + between;
    }
    return y + height;
}

void bracket(Drawing& drawing, float x0, float x1, float y, float height, Fill ink) {
    drawing.polyline({{x0, y + height}, {x0, y}, {x1, y}, {x1, y + height}}, ink);
}

std::string hex_of(uint64_t value) { return fmt::format("0x{:x}", value); }

std::string lanes_of(uint32_t mask) {
    if (mask == 0) return "";
    int first = std::countr_zero(mask), last = 31 - std::countl_zero(mask);
    if (first == last) return std::to_string(first);
    if (std::popcount(mask) == last - first + 1) return fmt::format("{}–{}", first, last);
    std::string list;
    int named = 0;
    for (int lane = first; lane <= last; ++lane)
        if (mask >> lane & 1) {
            if (named == 3) return list + " …";
            list += (named++ ? ", " : "") + std::to_string(lane);
        }
    return list;
}

std::string rate(double gb_per_s) {
    if (gb_per_s >= 100) return with_thousands(static_cast<uint64_t>(gb_per_s + 0.5));
    return fmt::format("{:.1f}", gb_per_s);
}

bool has_access(const BlockTrace* block, const Report* report, int access, Space space) {
    if (!block || !report || access < 0) return false;
    auto index = static_cast<size_t>(access);
    return index < block->accesses.size() &&
           block->accesses[index].instruction < report->instructions.size() &&
           report->instructions[block->accesses[index].instruction].space == space &&
           block->accesses[index].addresses.size() == 32;
}

Drawing words_only(const std::string& words, float width, const Measure& measure) {
    Drawing figure;
    figure.width = width;
    figure.height =
        paragraph(figure, {0, 0}, width, words, kBodySize, Fill::of(Ink::text_dim), measure);
    return figure;
}

}  // namespace lanewise
