// What the GPU made of a kernel of the user's own: its time, and each buffer beside the machine's.
#include <fmt/format.h>

#include "base/text.h"
#include "ui/kit/widgets.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr TextStyle kSmall{12, Ink::text_dim, Font::text};

std::string of_buffer(const BufferDifference& buffer) {
    if (buffer.is_equal())
        return fmt::format("All {} elements equal the machine's, bit for bit.",
                           with_thousands(buffer.elements));
    std::string text =
        fmt::format("{} of {} elements differ from the machine's", with_thousands(buffer.different),
                    with_thousands(buffer.elements));
    if (buffer.near > 0)
        text += fmt::format(", {} of them within {} representable values",
                            with_thousands(buffer.near), kNearUlps);
    return text + fmt::format("; the first is [{}]: {} on the GPU, {} in the machine.",
                              with_thousands(buffer.first), buffer.gpu, buffer.machine);
}

void draw_buffer(const BufferDifference& buffer, const char* when) {
    Ink ink = buffer.is_equal() ? Ink::good : buffer.is_near() ? Ink::warn : Ink::bad;
    const char* word = buffer.is_equal() ? "equal" : buffer.is_near() ? "near" : "differs";
    badge(fmt::format("{}: {}{}", buffer.name, word, when), ink, of_buffer(buffer));
    gap(4);
    if (!buffer.is_equal()) {
        paragraph(of_buffer(buffer), kSmall);
        gap(4);
    }
}

}  // namespace

void draw_own_result(const OwnMeasurement& m) {
    line(fmt::format("{:.4g}\u00a0µs", m.time_us.median), kFigure);
    std::string clusters;
    if (m.cluster.x != 0)
        clusters = fmt::format(" in clusters of {}", counted(m.cluster.count(), "block"));
    paragraph(fmt::format("a launch{}; 90 % of {} samples lie between {:.4g} and {:.4g}\u00a0µs",
                          clusters, m.time_us.samples, m.time_us.p05, m.time_us.p95));
    paragraph(fmt::format("Measured on {}, {}", m.provenance.card, m.provenance.date.substr(0, 10)),
              {12, Ink::live, Font::text});
    gap(6);
    for (const BufferDifference& buffer : m.before) draw_buffer(buffer, "");
    // Said again only where the timing changed something.
    for (size_t i = 0; i < m.after.size(); ++i)
        if (i >= m.before.size() || m.after[i] != m.before[i])
            draw_buffer(m.after[i], " after timing");
    for (const std::string& note : m.notes) paragraph(note, kSmall);
}

}  // namespace lanewise::ui
