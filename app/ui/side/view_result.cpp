// How fast: measured here, recorded elsewhere, or modelled, and always said which.
#include "base/text.h"
#include "lab/analysis/prediction.h"
#include "lab/analysis/rate.h"
#include "lab/product/product.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

std::string_view percent_of(double value, double of) {
    return frame_text("{}", percent(value / of));
}

std::string_view rate_in_words(double gb_per_s) {
    return joined(with_thousands(static_cast<uint64_t>(gb_per_s + 0.5)), " GB/s");
}

// Operations per second, or the time where that is all there is to say.
std::string_view operations_in_words(const Measurement& m) {
    if (is_launch_bound(m)) return frame_text("{:.3g}\u00a0µs", m.time_us.median);
    return joined(with_thousands(static_cast<uint64_t>(gflop_per_s(m) + 0.5)), " GFLOP/s");
}

std::string_view shares_of_operations(const Measurement& m) {
    std::string_view shares;
    if (!m.yardstick.samples_us.empty())
        shares = frame_text("{} of {}", percent(m.yardstick.ratio.median), m.yardstick.kind);
    if (m.arithmetic.datasheet_gflop_per_s > 0 && !is_launch_bound(m))
        shares = frame_text("{}{}{} of the datasheet's {}", shares, shares.empty() ? "" : " · ",
                            percent_of(gflop_per_s(m), m.arithmetic.datasheet_gflop_per_s), m.arithmetic.unit);
    return shares;
}

// Four digits, and a long time whole.
std::string_view microseconds(double us) {
    if (us < 1e4) return frame_text("{:.4g}", us);
    return frame_text("{}", with_thousands(static_cast<uint64_t>(us + 0.5)));
}

std::string_view shares_of_bytes(const Measurement& m) {
    std::string_view shares;
    if (m.yardstick.gb_per_s > 0) shares = joined(percent_of(m.gb_per_s, m.yardstick.gb_per_s), " of copy");
    // Below four times the L2 nothing is called a share of the memory's speed.
    if (m.provenance.datasheet_gb_per_s > 0 && m.beyond_l2)
        shares = frame_text("{} · {} of datasheet", shares,
                            percent_of(m.gb_per_s, m.provenance.datasheet_gb_per_s));
    return shares;
}

void draw_measurement(const Measurement& m, bool live) {
    const Operation& operation = operation_of(m);
    const bool counts_bytes = operation.rate == Operation::Rate::bytes;
    line(counts_bytes ? rate_in_words(m.gb_per_s) : operations_in_words(m), kFigure);
    std::string_view shares = counts_bytes ? shares_of_bytes(m) : shares_of_operations(m);
    if (!shares.empty()) paragraph(shares, {13, Ink::text, Font::text});
    std::string_view where =
        frame_text("{} {}, {}: median of {}, {}\u00a0µs", live ? "Measured on" : "Recorded on",
                   m.provenance.card, std::string_view(m.provenance.date).substr(0, 10),
                   m.time_us.samples, microseconds(m.time_us.median));
    paragraph(where, {12, live ? Ink::live : Ink::text_dim, Font::text});
    if (!m.note.empty()) paragraph(m.note, {12, Ink::warn, Font::text});
    if (operation.computes)
        paragraph(frame_text("Error ‖C − ref‖ / ‖ref‖: {}", number_text(m.error.relative)), kDim);
    if (counts_bytes && !m.beyond_l2)
        paragraph(frame_text(
                      "{} less than four times the L2 cache, so part of this speed is the cache's.",
                      operation.moved_are()),
                  kDim);
}

bool has_model(const App& app) {
    return app.of_launch() && !app.of_launch()->prediction.stations.empty();
}

void draw_model(const BandwidthPrediction& prediction) {
    if (prediction.stations.empty()) return line("…", kFigure);
    line(joined("≈ ", speed_words(prediction)), kFigure);
    std::string_view limit = is_launch_bound(prediction)
                                 ? std::string_view(kLaunchBound)
                                 : frame_text("Limited by {}.", prediction.limited_by);
    paragraph(frame_text("By the bandwidth model of {}, not measured. {}", prediction.device, limit),
              {12, Ink::model, Font::text});
}

}  // namespace

// A wrong result has no speed: how long it took to go wrong would only be compared with what is right.
static bool is_wrong(const App& app) {
    const Analysis* analysis = app.of_launch();
    return analysis && analysis->has_reference && !analysis->correct;
}

void draw_result(App& app) {
    draw_crash(app);
    Shown shown = app.own ? Shown{} : shown_measurement(app);
    if (app.own && app.arrived.own_measurement)
        draw_own_result(*app.arrived.own_measurement);
    else if (!app.own && (is_wrong(app) || (shown.measurement && !shown.measurement->correct)))
        paragraph("No speed: the result is wrong.", {15, Ink::bad, Font::bold});
    else if (shown.measurement)
        draw_measurement(*shown.measurement, shown.live);
    else if (app.chosen().operation->computes && !app.own && !has_model(app))  // may take a minute
        paragraph("Not measured at this shape. Press Run, where there is a GPU.", kBody);
    else if (app.of_launch())
        draw_model(app.of_launch()->prediction);
    else
        line("…", kFigure);
    gap(8);
    draw_badges(app);
}

}  // namespace lanewise::ui
