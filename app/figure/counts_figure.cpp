// Counts as a table: counted by the machine, ideal, measured by the hardware.
#include <algorithm>

#include "base/text.h"
#include "figure/figures.h"
#include "figure/marks.h"

namespace lanewise {

static void add_global(std::vector<CountRow>& rows, const std::string& name,
                       const GlobalCounts& counts) {
    if (counts.requests == 0) return;
    rows.push_back({name + " requests", counts.requests, counts.requests, false, 0});
    rows.push_back({name + " sectors", counts.sectors, counts.sectors_ideal, false, 0});
}

static void add_shared(std::vector<CountRow>& rows, const std::string& name,
                       const SharedCounts& counts) {
    if (counts.instructions == 0) return;
    rows.push_back({name + " wavefronts", counts.wavefronts, counts.wavefronts_ideal, false, 0});
}

std::vector<CountRow> count_rows(const Counts& counts) {
    std::vector<CountRow> rows;
    add_global(rows, "global load", counts.global_load);
    add_global(rows, "global store", counts.global_store);
    add_shared(rows, "shared load", counts.shared_load);
    add_shared(rows, "shared store", counts.shared_store);
    return rows;
}

static std::string measured_words(const CountRow& row) {
    if (!row.has_measured) return "not measured";
    return with_thousands(row.measured) + (row.measured == row.counted ? " =" : " differs");
}

Drawing counts_figure(const std::vector<CountRow>& rows, float width, const Measure& measure) {
    constexpr float row_height = 22, gap = 14;
    Drawing figure;
    figure.width = width;
    const char* heads[] = {"computed", "ideal", "measured"};
    float widths[3];
    for (int i = 0; i < 3; ++i) widths[i] = measure(heads[i], kNoteSize, Font::text);
    for (const CountRow& row : rows) {
        widths[0] =
            std::max(widths[0], measure(with_thousands(row.counted), kNoteSize, Font::mono));
        widths[1] = std::max(widths[1], measure(with_thousands(row.ideal), kNoteSize, Font::mono));
        widths[2] = std::max(widths[2], measure(measured_words(row), kNoteSize, Font::mono));
    }
    float rights[3], right = width - 4;
    for (int i = 2; i >= 0; --i) {
        rights[i] = right;
        right -= widths[i] + gap;
    }
    auto cell = [&](int i, float y, const std::string& text, Ink ink, Font font) {
        figure.text({rights[i] - widths[i] - 1, y, widths[i] + 1, row_height}, text, kNoteSize,
                    Fill::of(ink), Align::right, font);
    };
    float y = 0;
    for (int i = 0; i < 3; ++i) cell(i, y, heads[i], Ink::text_dim, Font::text);
    y += row_height;
    for (const CountRow& row : rows) {
        figure.line({0, y}, {width, y}, Fill::of(Ink::grid));
        bool ideal = row.counted <= row.ideal;
        std::string name = shortened(row.name, right - 4, kBodySize, Font::text, measure);
        figure.text({4, y, std::max(0.0f, right - 4), row_height}, name, kBodySize);
        cell(0, y, with_thousands(row.counted), ideal ? Ink::text : Ink::warn, Font::mono);
        cell(1, y, with_thousands(row.ideal), Ink::text_dim, Font::mono);
        bool differs = row.has_measured && row.measured != row.counted;
        cell(2, y, measured_words(row),
             differs            ? Ink::bad
             : row.has_measured ? Ink::text
                                : Ink::text_dim,
             Font::mono);
        figure.hit({0, y, width, row_height}, row.name + ": " + with_thousands(row.counted) +
                                                  " computed by the machine, ideal " +
                                                  with_thousands(row.ideal) +
                                                  ", hardware: " + measured_words(row));
        y += row_height;
    }
    figure.height = y + 1;
    return figure;
}

}  // namespace lanewise
