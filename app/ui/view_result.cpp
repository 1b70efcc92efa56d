// How fast: measured here, recorded elsewhere, or modelled, and always said which; and the badges
// that are proofs, recomputed at each change.
#include <fmt/format.h>

#include "base/text.h"
#include "ui/views.h"
#include "ui/widgets.h"

namespace lanewise::ui {
namespace {

std::string percent_of(double value, double of) {
    return fmt::format("{:.0f} %", 100 * value / of);
}

std::string in_words(double gb_per_s) {
    return with_thousands(static_cast<uint64_t>(gb_per_s + 0.5)) + " GB/s";
}

void draw_measurement(const Measurement& m, bool live) {
    line(in_words(m.gb_per_s), kFigure);
    std::string shares;
    if (m.copy_gb_per_s > 0) shares = percent_of(m.gb_per_s, m.copy_gb_per_s) + " of copy";
    // Below four times the L2 nothing is called a share of the memory's speed.
    if (m.provenance.datasheet_gb_per_s > 0 && m.beyond_l2)
        shares += " · " + percent_of(m.gb_per_s, m.provenance.datasheet_gb_per_s) + " of datasheet";
    if (!shares.empty()) paragraph(shares, {13, Ink::text, Font::text});
    std::string where = fmt::format(
        "{} {}, {}: median of {}, {:.4g}\u00a0µs", live ? "Measured on" : "Recorded on",
        m.provenance.card, m.provenance.date.substr(0, 10), m.time_us.samples, m.time_us.median);
    paragraph(where, {12, live ? Ink::live : Ink::text_dim, Font::text});
    if (!m.note.empty()) paragraph(m.note, {12, Ink::warn, Font::text});
    if (!m.beyond_l2)
        paragraph(
            "Input and output together are less than four times the L2 cache, so part of this "
            "speed is the cache's.",
            kDim);
}

void draw_model(const BandwidthPrediction& prediction) {
    line("≈ " + in_words(prediction.gb_per_s), kFigure);
    paragraph(fmt::format("Modelled for {}, not measured. Limited by {}.", prediction.device,
                          prediction.limited_by),
              {12, Ink::model, Font::text});
}

struct Badge {
    bool good;
    std::string word, why;
};

template <class Counts>
bool ideal(const Counts& counts) {
    if constexpr (requires { counts.sectors; })
        return counts.sectors == counts.sectors_ideal;
    else
        return counts.wavefronts == counts.wavefronts_ideal;
}

std::vector<Badge> badges(const Analysis& a) {
    const Counts& t = a.report.totals;
    std::vector<Badge> found;
    uint64_t elements = static_cast<uint64_t>(a.rows) * static_cast<uint64_t>(a.cols);
    bool clean = a.correct && a.report.findings.empty();
    std::string why =
        fmt::format("All {} elements of the output are right.", with_thousands(elements));
    if (!a.correct)
        why = fmt::format("{} of {} elements are wrong, first at row {}, column {}.",
                          with_thousands(a.mismatch.count), with_thousands(elements),
                          a.mismatch.row, a.mismatch.col);
    else if (!clean)
        why = a.report.findings[0].message;
    found.push_back({clean, clean ? "correct" : a.correct ? "finding" : "wrong result", why});
    uint64_t sectors = t.global_load.sectors + t.global_store.sectors;
    uint64_t least = t.global_load.sectors_ideal + t.global_store.sectors_ideal;
    bool coalesced = ideal(t.global_load) && ideal(t.global_store);
    found.push_back({coalesced, coalesced ? "coalesced" : "not coalesced",
                     fmt::format("{} sectors of global memory; {} would do.",
                                 with_thousands(sectors), with_thousands(least))});
    if (t.shared_load.instructions + t.shared_store.instructions == 0) return found;
    uint64_t waves = t.shared_load.wavefronts + t.shared_store.wavefronts;
    uint64_t fewest = t.shared_load.wavefronts_ideal + t.shared_store.wavefronts_ideal;
    bool free = ideal(t.shared_load) && ideal(t.shared_store);
    found.push_back({free, free ? "conflict-free" : "bank conflicts",
                     fmt::format("{} wavefronts of shared memory; {} would do.",
                                 with_thousands(waves), with_thousands(fewest))});
    return found;
}

void draw_badges(const App& app) {
    if (!app.analysis)
        return line(app.activity.busy() ? "Counting the whole launch …" : "Not counted.", kDim);
    bool first = true;
    for (const Badge& each : badges(*app.analysis)) {
        if (!first) flow(each.word + "XX");
        first = false;
        badge(each.word, each.good ? Ink::good : Ink::warn, each.why);
    }
}

}  // namespace

void draw_result(App& app) {
    Shown shown = shown_measurement(app);
    if (shown.measurement)
        draw_measurement(*shown.measurement, shown.live);
    else if (app.analysis)
        draw_model(app.analysis->prediction);
    else
        line("…", kFigure);
    gap(8);
    draw_badges(app);
}

}  // namespace lanewise::ui
