// The debugger's commands that ask and change nothing: values, memory, lanes, who wrote a word.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/text.h"
#include "lab/step/memory_look.h"
#include "lab/step/step_commands.h"
#include "sim/warp/warp.h"
#include "trace/places.h"

namespace lanewise {

namespace {

std::string line_of_source(const std::string& source, int line) {
    auto lines = lines_of(source);
    bool is_there = line >= 1 && static_cast<size_t>(line) <= lines.size();
    return is_there ? std::string(lines[static_cast<size_t>(line) - 1]) : std::string();
}

}  // namespace

StepPlace StepCommands::place(const StepStop& stop) const {
    const LaunchRecording& recording = debugger_.recording();
    const ptx::Kernel& kernel = recording.prepared().kernel;
    const WarpSight& sight = debugger_.sight();
    StepPlace place;
    place.at = recording.now();
    place.block = coordinates(place.at.block, recording.shape().grid);
    place.warp = debugger_.warp();
    place.look = debugger_.look();
    place.is_turn = !recording.stepper().has_ended() && recording.stepper().warp() == place.warp;
    place.why = stop.why;
    place.breakpoint = stop.breakpoint;
    place.lanes = stop.lanes;
    place.file = recording.job().stage.file;
    place.line = debugger_.line();
    place.source = line_of_source(recording.job().stage.source, place.line);
    place.meets_line = sight.line_of(place.look.meets);
    for (const WarpLook::Path& path : place.look.paths)
        place.path_lines.emplace_back(sight.line_of(path.instruction), sight.line_of(path.meets));
    place.recorded_bytes = recording.used_bytes();
    place.checkpoints = recording.checkpoints();
    if (place.look.state == WarpLook::State::finished) return place;
    const ptx::Instruction& next = kernel.instructions[place.look.instruction];
    place.instruction = next.text;
    if (next.position.line == place.line) place.column = next.position.column;
    for (int call = next.call; call >= 0; call = kernel.calls[static_cast<size_t>(call)].outer) {
        const ptx::Position& from = kernel.calls[static_cast<size_t>(call)].at;
        place.calls.push_back(fmt::format("called from line {}", from.line));
    }
    return place;
}

NamedValues StepCommands::evaluated(const LaneExpression& expression) {
    LaneResult result = expression.evaluate(debugger_.sight());
    NamedValues named{expression.text(), result.values, {}, 0};
    if (result.divided_by_zero != 0)
        named.from =
            fmt::format("divides by zero in lane {}", __builtin_ctz(result.divided_by_zero));
    return named;
}

void StepCommands::show_watches(StepReply& reply) {
    for (const LaneExpression& each : watches_) {
        try {
            reply.watches.push_back(evaluated(each));
        } catch (const Error& error) {
            reply.watches.push_back({each.text(), {}, error.what(), 0});
        }
    }
}

void StepCommands::print(std::string_view text, StepReply& reply) {
    LaneExpression expression(text);
    reply.values.push_back(evaluated(expression));
    if (reply.values.back().from.empty() && expression.names().size() == 1 &&
        expression.names()[0] == expression.text())
        for (NamedValues& each : debugger_.sight().in_sight())
            if (each.name == expression.text()) reply.values.back().from = each.from;
    reply.place = place({});
}

void StepCommands::watch(std::string_view text, StepReply& reply) {
    LaneExpression expression(text);
    int line = debugger_.line();
    for (const std::string& name : expression.names())
        if (!debugger_.sight().knows(name, line)) {
            std::string close = closest(name, debugger_.sight().names(line));
            reject(fmt::format(
                "nothing here is called {}{}", name,
                close.empty() ? "; `values` lists what is" : "; did you mean \"" + close + "\"?"));
        }
    watches_.push_back(std::move(expression));
    reply.place = place({});
    show_watches(reply);
}

void StepCommands::unwatch(std::string_view, StepReply& reply) {
    reply.notes.push_back(counted(watches_.size(), "watch") + " removed.");
    watches_.clear();
}

void StepCommands::values(std::string_view, StepReply& reply) {
    reply.values = debugger_.sight().in_sight();
    if (reply.values.empty()) reply.notes.push_back("No variable of the source is in sight here.");
    reply.place = place({});
}

uint64_t StepCommands::address_of(std::string_view text, Pointee& pointee, uint32_t& lane) {
    if (text.empty()) reject("say which: an address, or NAME[INDEX]");
    std::string typed(text);
    char* end = nullptr;
    uint64_t number = std::strtoull(typed.c_str(), &end, 0);
    pointee = {"u32", {}};
    lane = 0;
    if (*end == '\0') {
        for (const NamedMemory& memory : debugger_.sight().memories())
            if (number - memory.address < memory.bytes) pointee.element = memory.pointee.element;
        return number;
    }
    LaneExpression expression(text);
    uint32_t lanes = debugger_.look().lanes;
    LaneValues addresses = expression.address(debugger_.sight(), kEveryLane).values;
    uint32_t usable = addresses.known & lanes ? addresses.known & lanes : addresses.known;
    if (usable == 0) reject(fmt::format("no lane has an address for {} yet", text));
    lane = static_cast<uint32_t>(__builtin_ctz(usable));
    pointee = addresses.pointee;
    return addresses.bits[lane];
}

// "local[3]" of the element at the address; the byte in the object where that is no named array.
static std::string label_of(Debugger& debugger, uint64_t address, int bytes) {
    for (const NamedMemory& memory : debugger.sight().memories()) {
        if (address - memory.address >= memory.bytes || bytes == 0) continue;
        auto index = static_cast<int64_t>(address - memory.address) / bytes;
        std::string label;
        for (size_t i = memory.pointee.extents.size(); i-- > 0;) {
            label = fmt::format("[{}]", index % memory.pointee.extents[i]) + label;
            index /= memory.pointee.extents[i];
        }
        return fmt::format("{}[{}]{}", memory.name, index, label);
    }
    return place_of(debugger.recording(), address);
}

static std::string value_at(Debugger& debugger, uint32_t lane, uint64_t address,
                            const std::string& element) {
    LaneValues addresses = same_in_all(NumberType::u64, static_cast<int64_t>(address));
    return lane_text(debugger.sight().load(element, addresses, 1u << lane), lane);
}

void StepCommands::memory(std::string_view text, StepReply& reply) {
    Pointee pointee;
    uint32_t lane = 0;
    uint64_t address = address_of(text, pointee, lane);
    auto bytes = static_cast<uint64_t>(bytes_of_element(pointee.element));
    if (bytes == 0) reject("the type of what lies there is not known");
    constexpr uint64_t kBefore = 8, kCells = 32;
    uint64_t begin = address;
    for (const NamedMemory& memory : debugger_.sight().memories())
        if (address - memory.address < memory.bytes)
            begin = memory.address + (address - memory.address) / bytes * bytes;
    for (uint64_t i = 0;
         i < kBefore && !value_at(debugger_, lane, begin - bytes, pointee.element).empty(); ++i) {
        bool leaves = label_of(debugger_, begin - bytes, static_cast<int>(bytes)).substr(0, 2) !=
                      label_of(debugger_, begin, static_cast<int>(bytes)).substr(0, 2);
        if (leaves) break;
        begin -= bytes;
    }
    MemoryRows rows{pointee.element, {}, static_cast<size_t>((address - begin) / bytes)};
    for (uint64_t i = 0; i < kCells; ++i) {
        uint64_t at = begin + i * bytes;
        std::string value = value_at(debugger_, lane, at, pointee.element);
        if (value.empty()) break;
        rows.cells.push_back({at, label_of(debugger_, at, static_cast<int>(bytes)), value});
    }
    if (rows.cells.empty()) reject(fmt::format("nothing lies at {}", text));
    reply.memory = std::move(rows);
}

void StepCommands::who(std::string_view text, StepReply& reply) {
    Pointee pointee;
    uint32_t lane = 0;
    uint64_t address = address_of(text, pointee, lane);
    int bytes = bytes_of_element(pointee.element);
    WrittenBy written;
    written.value = value_at(debugger_, lane, address, pointee.element);
    if (written.value.empty()) reject(fmt::format("nothing lies at {}", text));
    written.what = label_of(debugger_, address, bytes);
    LaunchRecording& recording = debugger_.recording();
    bool shared = is_shared_address(address);
    written.is_known = recording.last_write(
        shared ? Space::shared : Space::global, shared ? shared_offset(address) : address,
        static_cast<uint64_t>(std::max(bytes, 1)), written.write);
    if (written.is_known) {
        written.block = coordinates(written.write.at.block, recording.shape().grid);
        written.line = debugger_.sight().line_of(written.write.instruction);
        written.source = trimmed(line_of_source(recording.job().stage.source, written.line));
        written.instruction =
            recording.prepared().kernel.instructions[written.write.instruction].text;
    }
    debugger_.to_warp(debugger_.warp());
    reply.written = std::move(written);
}

void StepCommands::lanes(std::string_view, StepReply& reply) {
    reply.place = place({});
    reply.shows_lanes = true;
}

void StepCommands::where(std::string_view, StepReply& reply) {
    reply.place = place({});
    reply.shows_instruction = reply.shows_recording = true;
}

void StepCommands::list(std::string_view text, StepReply& reply) {
    int64_t middle = debugger_.line();
    if (!text.empty() && (!parse_integer(text, middle) || middle < 1))
        reject(fmt::format("list wants a line, not \"{}\"", text));
    constexpr int64_t kAround = 5;
    auto lines = lines_of(debugger_.recording().job().stage.source);
    std::vector<int> with_code = debugger_.sight().lines_with_code();
    for (int64_t line = std::max<int64_t>(1, middle - kAround);
         line <= std::min<int64_t>(middle + kAround, static_cast<int64_t>(lines.size())); ++line) {
        auto number = static_cast<int>(line);
        reply.source.push_back({number, std::string(lines[static_cast<size_t>(line) - 1]),
                                std::binary_search(with_code.begin(), with_code.end(), number),
                                debugger_.breakpoints().any_at(number),
                                number == debugger_.line()});
    }
    if (reply.source.empty())
        reject(fmt::format("the source has {}", counted(lines.size(), "line")));
}

void StepCommands::help(std::string_view, StepReply& reply) {
    for (const StepCommand& each : step_commands()) {
        std::string typed(each.name);
        if (!each.other.empty()) typed += fmt::format(" ({})", each.other);
        if (!each.parameters.empty()) typed += fmt::format(" {}", each.parameters);
        reply.notes.push_back(fmt::format("{:<44} {}", typed, each.help));
    }
}

}  // namespace lanewise
