// The wavefront schedule as a table: a row per wavefront, a column per bank, in each cell the lanes
// whose word that bank hands out. Empty cells are banks that stand idle: in the
// colour of waste where the queue is longer than so many words need.
#include "figure/access/wavefront_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kLeastNumber = 8;

// Narrower numbers of bank columns, from every bank named to every eighth.
int naming_step(float cell, float size, const Measure& measure) {
    for (int step : {1, 2, 4, 8})
        if (measure("31", size, Font::mono) <= cell * static_cast<float>(step) - 2) return step;
    return 16;
}

// Says what the numbers at the edges count, and names the banks.
float draw_head(Drawing& drawing, Point at, float gutter, float cell, const Measure& measure) {
    float height = line_height(kNoteSize), size = kNoteSize;
    drawing.text({at.x, at.y, gutter + 32 * cell, height}, "bank", kNoteSize,
                 Fill::of(Ink::text_dim));
    int step = naming_step(cell, size, measure);
    for (int bank = 0; bank < kBanks; ++bank) {
        float x = at.x + gutter + cell * static_cast<float>(bank);
        if (bank % step == 0)
            text_if_it_fits(drawing, {x, at.y, std::min(cell * float(step), 32 * cell), height},
                            std::to_string(bank), size, Fill::of(Ink::text_dim), measure,
                            step == 1 ? Align::center : Align::left);
        drawing.rect({x, at.y + height, cell, 3}, Fill::bank(bank));
    }
    return at.y + height + 6;
}

// How many would do if every bank handed out a word in each.
size_t fewest_rows(const std::vector<Wavefront>& schedule) {
    size_t words = 0;
    for (const Wavefront& wavefront : schedule) words += wavefront.size();
    return (words + kBanks - 1) / kBanks;
}

}  // namespace

float wavefront_row_height(size_t rows) {
    if (rows <= 4) return 20;
    if (rows <= 8) return 16;
    return rows <= 16 ? 13 : 11;
}

float wavefront_rows(Drawing& drawing, Point at, float width, float height,
                     const std::vector<Wavefront>& schedule, int lane, const Measure& measure) {
    float gutter = measure("bank", kNoteSize, Font::text) + 8;
    float cell = (width - gutter - 1) / kBanks;
    float y = draw_head(drawing, at, gutter, cell, measure);
    float number_size = std::min(kNoteSize, std::max(height - 1, kLeastNumber));
    size_t named = 1;  // flat rows share a number
    while (height * static_cast<float>(named) < number_size + 1) named *= 2;
    const bool is_too_long = schedule.size() > fewest_rows(schedule);
    for (size_t i = 0; i < schedule.size(); ++i) {
        float line = std::max(height, number_size);
        if (i % named == 0)
            drawing.text({at.x, y + (height - line) / 2, gutter - 8, line}, std::to_string(i + 1),
                         number_size, Fill::of(Ink::text_dim), Align::right, Font::mono);
        float left = at.x + gutter;
        const Box row{left, y + 0.5f, cell * kBanks, height - 1};
        drawing.rect(row, Fill::of(Ink::panel));
        if (is_too_long) drawing.rect(row, Fill::of(Ink::wasted, 0.3f));
        for (int bank = 1; bank < kBanks; ++bank) {
            float x = left + cell * static_cast<float>(bank);
            drawing.line({x, y + 0.5f}, {x, y + height - 0.5f}, Fill::of(Ink::grid));
        }
        size_t begin = drawing.shapes.size();
        for (const WavefrontWord& word : schedule[i]) {
            int bank = static_cast<int>(word.word % kBanks);
            Box box{left + cell * static_cast<float>(bank) + 0.5f, y + 0.5f, cell - 1, height - 1};
            bool chosen = lane >= 0 && (word.lanes >> lane & 1);
            const auto mark = static_cast<uint32_t>(1 + std::countr_zero(word.lanes));
            drawing.rect(box, Fill::bank(bank), Fill::none(), 1).mark = mark;
            if (chosen) drawing.rect(box, Fill::none(), Fill::of(Ink::accent), 1).stroke_width = 2;
            std::string who = lanes_of(word.lanes);
            float size = size_that_fits(box, who, number_size, Font::mono, measure);
            if (text_if_it_fits(drawing, box, who, size, Fill::of(Ink::text_on_fill), measure))
                drawing.shapes.back().mark = mark;
            drawing.hit(
                box,
                fmt::format("wavefront {}: bank {} delivers word {} to lanes {}", i + 1, bank,
                            word.word, who),
                chosen ? fmt::format("lane:{}", lane) : fmt::format("lane:{}", std::stoi(who)));
        }
        for (size_t shape = begin; shape < drawing.shapes.size(); ++shape)
            drawing.shapes[shape].from = static_cast<int>(i) + 1;
        y += height;
    }
    return y;
}

}  // namespace lanewise
