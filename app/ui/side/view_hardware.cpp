// What the hardware counted of a launch, beside the machine's counts, with what makes them differ;
// or why its counters cannot be read.
#include <fmt/format.h>

#include "base/text.h"
#include "ui/kit/widgets.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr TextStyle kName{11, Ink::text, Font::text};
constexpr TextStyle kWords{11, Ink::text_dim, Font::text};

std::string number(double value, const CountComparison& row) {
    if (row.unit == "us") return fmt::format("{:.1f} µs", value);
    auto whole = static_cast<uint64_t>(value + 0.5);
    return row.unit == "bytes" ? in_bytes(whole) : with_thousands(whole);
}

Ink ink_of(const CountComparison& row) {
    if (row.verdict == CountComparison::Verdict::equal) return Ink::good;
    return row.verdict == CountComparison::Verdict::differs ? Ink::bad : Ink::text;
}

// The name with the hardware's figure at the right; below it what there is to say of the two.
void draw_row(const CountComparison& row) {
    TextStyle figure{11, ink_of(row), Font::mono};
    std::string counted = number(row.hardware, row);
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = available(), height = line_height(figure), right = extent_of(counted, figure).x;
    Rect room{at.x, at.y, at.x + width + 1, at.y + height};
    float name_width = width - right - px(8);
    draw_text(at, elided(row.name, kName, name_width), kName,
              {at.x, at.y, at.x + name_width, at.y + height});
    draw_text(ImVec2(at.x + width - right, at.y), counted, figure, room);
    ImGui::Dummy(ImVec2(width, height));
    if (row.verdict == CountComparison::Verdict::equal && row.words == "equal") return;
    std::string words = row.words;
    if (row.has_machine && row.verdict != CountComparison::Verdict::equal)
        words = "machine " + number(static_cast<double>(row.machine), row) + "; " + words;
    if (!words.empty()) paragraph(words, kWords);
    gap(3);
}

void draw_reading(const App& app, const CounterReading& reading) {
    if (!reading.problem.empty()) {
        paragraph("No hardware counters: " + reading.problem + ".", kDim);
        return;
    }
    if (app.derived.hardware_rows.empty()) {
        line("Counting the whole launch …", kDim);
        return;
    }
    line("COUNTED ON " + app.engine.gpu, kCaption);
    for (const CountComparison& row : app.derived.hardware_rows) draw_row(row);
    std::string end =
        fmt::format("In {} passes, each a launch of its own. Green: equal.", reading.passes);
    if (!reading.unknown.empty())
        end += fmt::format(" This card has no {}.", fmt::join(reading.unknown, ", "));
    paragraph(end, kDim);
}

}  // namespace

void draw_hardware(App& app) {
    gap(8);
    std::string_view problem = why_not_run(app);
    if (button("count", "Count on the hardware",
               {.enabled = problem.empty(),
                .tooltip = problem.empty() ? "Read the hardware's counters around a launch of this "
                                             "kernel, and hold them against these counts"
                                           : problem}))
        press_count(app);
    gap(6);
    if (app.arrived.counter_reading) draw_reading(app, *app.arrived.counter_reading);
}

}  // namespace lanewise::ui
