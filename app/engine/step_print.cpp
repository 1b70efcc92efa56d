#include "engine/step_print.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lab/step/step_words.h"

namespace lanewise {

namespace {

constexpr std::string_view kNoValue = "·";

std::string dimmed(std::string_view text, const StepScreen& screen) {
    return screen.has_colours ? fmt::format("\x1b[2m{}\x1b[0m", text) : std::string(text);
}
std::string bold(std::string_view text, const StepScreen& screen) {
    return screen.has_colours ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
}

// "█" for each lane that is in, in four groups of eight.
std::string mask_text(uint32_t lanes) {
    std::string text;
    for (int n = 0; n < 32; ++n) {
        if (n > 0 && n % 8 == 0) text += ' ';
        text += lanes >> n & 1 ? "█" : "·";
    }
    return text;
}

// The 32 values, as many side by side as fit, with the first lane's number before each row.
std::string value_rows(const LaneValues& values, uint32_t lanes, const StepScreen& screen) {
    size_t width = 1;
    for (size_t n = 0; n < 32; ++n) width = std::max(width, lane_text(values, n).size());
    constexpr size_t kIndent = 8;
    auto columns = static_cast<size_t>(std::max(screen.columns, 40));
    size_t side = 4;
    for (size_t each : {32u, 16u, 8u})
        if (kIndent + each * (width + 1) <= columns) {
            side = each;
            break;
        }
    std::string text;
    for (size_t n = 0; n < 32; ++n) {
        if (n % side == 0) text += fmt::format("{}{:>7}:", n > 0 ? "\n" : "", n);
        bool takes_part = lanes >> n & 1;
        bool shown = values.is_known(n) && (takes_part || screen.has_colours);
        std::string value = shown ? lane_text(values, n) : std::string(kNoValue);
        size_t length = shown ? value.size() : 1;
        text += std::string(1 + width - length, ' ') +
                (takes_part || !shown ? value : dimmed(value, screen));
    }
    return text + "\n";
}

// A small picture: each lane's value as a height between the least and the greatest.
std::string heights(const LaneValues& values, uint32_t lanes) {
    static constexpr std::string_view kHeights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double least = 0, most = 0;
    bool any = false;
    for (size_t n = 0; n < 32; ++n) {
        if (!(lanes & values.known & 1u << n)) continue;
        double value = values.number(n);
        least = any ? std::min(least, value) : value;
        most = any ? std::max(most, value) : value;
        any = true;
    }
    std::string text;
    for (size_t n = 0; n < 32; ++n) {
        bool shown = (lanes & values.known & 1u << n) != 0;
        double share = most > least ? (values.number(n) - least) / (most - least) : 0;
        bool is_number = share >= 0 && share <= 1;
        text += shown && is_number ? kHeights[static_cast<size_t>(share * 7 + 0.5)] : kNoValue;
    }
    return text;
}

// One variable or expression: in a few words where they say all, else its rows.
std::string named_text(const NamedValues& named, uint32_t lanes, size_t width, bool has_picture,
                       const StepScreen& screen) {
    LaneValues shown = named.values;
    shown.known &= lanes;
    bool has_none = named.values.known == 0;
    std::string words = has_none && !named.from.empty() ? named.from : in_few_words(shown);
    std::string from = has_none ? "" : named.from;
    bool pictured = has_picture && !has_none && named.values.pointee.element.empty();
    std::string picture = pictured ? heights(shown, lanes) + "  " : "";
    std::string text = fmt::format("  {:<{}}  {}", named.name, width, picture);
    if (!words.empty()) {
        text += words;
        if (!from.empty()) text += "   " + dimmed(fmt::format("({})", from), screen);
        return text + "\n";
    }
    if (!from.empty()) text += dimmed(fmt::format("({})", from), screen);
    return std::string(text) + "\n" + value_rows(named.values, lanes, screen);
}

std::string all_named(const std::vector<NamedValues>& list, uint32_t lanes, bool has_picture,
                      const StepScreen& screen) {
    size_t width = 1;
    constexpr size_t kWidest = 32;
    for (const NamedValues& each : list)
        width = std::max(width, std::min(kWidest, each.name.size()));
    std::string text;
    for (const NamedValues& each : list)
        text += named_text(each, lanes, width, has_picture, screen);
    return text;
}

std::string why_text(const StepPlace& place) {
    std::string why = why_in_words(place);
    return why.empty() ? why : why + "\n";
}

std::string head_text(const StepPlace& place, const StepScreen& screen) {
    std::string head = fmt::format("block {}, warp {}, step {}", place.block, place.warp,
                                   with_thousands(place.at.step));
    std::string state;
    auto count = __builtin_popcount(place.look.lanes);
    if (place.look.state == WarpLook::State::finished)
        state = "returned";
    else if (place.look.state == WarpLook::State::at_barrier)
        state = "waits at a barrier";
    else if (count == 32)
        state = "all lanes";
    else
        state = fmt::format("{} of 32 lanes", count);
    if (!place.is_turn && place.look.state == WarpLook::State::ready) state += ", not its turn";
    return bold(head, screen) + "   " + dimmed(state, screen) + "\n";
}

std::string line_text(const StepPlace& place, bool with_instruction, const StepScreen& screen) {
    if (place.line == 0) return "       " + place.instruction + "\n";
    std::string text = fmt::format("{:>5} | {}\n", place.line, place.source);
    bool is_done = place.look.state == WarpLook::State::finished;
    if (is_done) return text;
    size_t indent = place.source.find_first_not_of(" \t");
    size_t column = place.column > 0              ? static_cast<size_t>(place.column) - 1
                    : indent == place.source.npos ? 0
                                                  : indent;
    std::string caret = std::string(column, ' ') + "^";
    if (with_instruction) caret += "  " + dimmed(place.instruction, screen);
    return text + "      | " + caret + "\n";
}

std::string at_line(int line) {
    return line > 0 ? fmt::format("line {}", line) : std::string("the end");
}

std::string lanes_text(const StepPlace& place) {
    const WarpLook& look = place.look;
    if (look.state == WarpLook::State::finished) return "  All lanes have returned.\n";
    std::string text = fmt::format("  {}  execute {}", mask_text(look.lanes), at_line(place.line));
    if (look.meets != WarpLook::kNowhere && look.lanes != look.live)
        text += fmt::format(", meet others at {}", at_line(place.meets_line));
    text += "\n";
    if (look.executing != look.lanes)
        text += fmt::format("  {}  of them the instruction's guard lets on\n",
                            mask_text(look.executing));
    for (size_t i = 0; i < look.paths.size(); ++i)
        text += fmt::format("  {}  {}, meet others at {}\n", mask_text(look.paths[i].lanes),
                            look.paths[i].lanes & look.lanes
                                ? "stand together at " + at_line(place.path_lines[i].first)
                                : "wait at " + at_line(place.path_lines[i].first),
                            at_line(place.path_lines[i].second));
    if (uint32_t gone = ~look.live)
        text += fmt::format("  {}  have returned, or do not exist\n", mask_text(gone));
    return text;
}

std::string memory_text(const MemoryRows& rows, const StepScreen& screen) {
    size_t label = 1, width = 1;
    constexpr size_t kSide = 8;
    for (const MemoryCell& cell : rows.cells) {
        label = std::max(label, cell.label.size());
        width = std::max(width, cell.text.size());
    }
    std::string text;
    for (size_t i = 0; i < rows.cells.size(); ++i) {
        const MemoryCell& cell = rows.cells[i];
        if (i % kSide == 0)
            text += fmt::format("{}  {:<{}}  0x{:x} ", i > 0 ? "\n" : "", cell.label, label,
                                cell.address);
        std::string value(width - cell.text.size(), ' ');
        value += i == rows.asked ? bold(fmt::format("[{}]", cell.text), screen)
                                 : fmt::format(" {} ", cell.text);
        text += value;
    }
    return text + "\n";
}

std::string written_text(const WrittenBy& by) {
    std::string text = written_in_words(by) + "\n";
    if (!by.is_known) return text;
    if (by.line > 0) text += fmt::format("{:>5} | {}\n", by.line, by.source);
    return text + fmt::format("        {}\n", by.instruction);
}

std::string source_text(const std::vector<SourceRow>& rows) {
    std::string text;
    for (const SourceRow& row : rows)
        text += fmt::format("{} {}{:>4} {} {}\n", row.is_here ? "→" : " ",
                            row.has_breakpoint ? "●" : " ", row.line, row.has_code ? "|" : " ",
                            row.text);
    return text;
}

}  // namespace

std::string in_text(const StepReply& reply, const StepScreen& screen) {
    if (!reply.error.empty()) return reply.error + "\n";
    std::string text;
    for (const std::string& note : reply.notes) text += note + "\n";
    uint32_t lanes = kEveryLane;
    bool asks = !reply.values.empty();  // a question's answer needs no place
    if (reply.place) {
        const StepPlace& place = *reply.place;
        if (place.look.state != WarpLook::State::finished && place.look.lanes != 0)
            lanes = place.look.lanes;
        if (!asks && !reply.shows_lanes) {
            text += why_text(place) + head_text(place, screen) +
                    line_text(place, reply.shows_instruction, screen);
        }
        if (reply.shows_recording) {
            for (const std::string& call : place.calls) text += fmt::format("      {}\n", call);
            text += fmt::format("      recorded: {} in {}\n", in_bytes(place.recorded_bytes),
                                counted(place.checkpoints, "checkpoint"));
        }
        if (reply.shows_lanes) text += lanes_text(place);
    }
    text += all_named(reply.assigned, kEveryLane, false, screen);
    text += all_named(reply.values, lanes, false, screen);
    text += all_named(reply.watches, lanes, true, screen);
    if (reply.memory) text += memory_text(*reply.memory, screen);
    if (reply.written) text += written_text(*reply.written);
    for (const Breakpoint& each : reply.breakpoints)
        text += fmt::format("Breakpoint {}: {}{}\n", each.number, each.in_words(),
                            each.hits > 0 ? "; stopped " + counted(each.hits, "time") : "");
    return text + source_text(reply.source);
}

}  // namespace lanewise
