// The commands that move, and those that say where to stop; step_questions.cpp has those that ask.
#include "lab/step/step_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/text.h"
#include "lab/step/memory_look.h"
#include "trace/places.h"

namespace lanewise {

namespace {

using Run = void (*)(StepCommands&, std::string_view, StepReply&);
template <void (StepCommands::*F)(std::string_view, StepReply&)>
void call(StepCommands& commands, std::string_view text, StepReply& reply) {
    (commands.*F)(text, reply);
}
template <StepUnit unit>
void go(StepCommands& commands, std::string_view text, StepReply& reply) {
    commands.forward(unit, text, reply);
}

struct Row {
    StepCommand command;
    Run run;
};
using C = StepCommands;
constexpr Row kRows[] = {
    {{"next", "n", "[COUNT]", "goes to the warp's next source line"}, go<StepUnit::line>},
    {{"step", "s", "[COUNT]", "executes the warp's next instruction"}, go<StepUnit::instruction>},
    {{"barrier", "bar", "[COUNT]", "goes behind the warp's next barrier"}, go<StepUnit::barrier>},
    {{"back", "bk", "[COUNT] [step|line|barrier|run]", "goes back, by what you moved by last"},
     call<&C::back>},
    {{"run", "r", "", "goes on to a breakpoint, a fault, or the launch's end"}, call<&C::run_on>},
    {{"at", "", "block B thread T line L | block B fault | wrote NAME[INDEX]",
      "goes to that moment"},
     call<&C::at>},
    {{"goto", "g", "STEP", "goes to that step of the block"}, call<&C::go_to>},
    {{"warp", "", "W", "looks at another warp of the block"}, call<&C::to_warp>},
    {{"block", "", "B", "goes to the begin of another block: a number, or X,Y"},
     call<&C::to_block>},
    {{"break", "b", "LINE [if CONDITION] [block B] [warp W] [lane L]",
      "stops runs at the line, where the condition holds in some lane"},
     call<&C::add_break>},
    {{"delete", "d", "NUMBER|all", "removes a breakpoint"}, call<&C::remove_breaks>},
    {{"breaks", "", "", "lists the breakpoints"}, call<&C::list_breaks>},
    {{"watch", "", "EXPRESSION", "shows its 32 values after each move"}, call<&C::watch>},
    {{"unwatch", "", "", "watches nothing any more"}, call<&C::unwatch>},
    {{"print", "p", "EXPRESSION", "shows its 32 values: row, tile[lane], %r12, in[i] * 2"},
     call<&C::print>},
    {{"values", "v", "", "shows every variable in sight"}, call<&C::values>},
    {{"mem", "x", "ADDRESS|NAME[INDEX]", "shows memory around it"}, call<&C::memory>},
    {{"who", "", "ADDRESS|NAME[INDEX]", "says who wrote it last, and when"}, call<&C::who>},
    {{"lanes", "", "", "shows which lanes execute, which wait, and where they meet"},
     call<&C::lanes>},
    {{"where", "w", "", "says where the warp stands, to the instruction"}, call<&C::where>},
    {{"list", "l", "[LINE]", "shows the source around the line"}, call<&C::list>},
    {{"limit", "", "MB", "says how much memory the recording may take"}, call<&C::limit>},
    {{"help", "h", "", "shows this list"}, call<&C::help>},
    {{"quit", "q", "", "ends"}, call<&C::quit>},
};

const Row* find_row(std::string_view name) {
    for (const Row& row : kRows)
        if (row.command.name == name || (!name.empty() && row.command.other == name)) return &row;
    return nullptr;
}

// The first word, which is taken off.
std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    size_t end = std::min(text.find_first_of(" \t"), text.size());
    std::string_view word = text.substr(0, end);
    text = trimmed(text.substr(end));
    return word;
}

uint64_t whole_number(std::string_view text, const char* what) {
    int64_t value = 0;
    if (!parse_integer(trimmed(text), value) || value < 0)
        reject(fmt::format("{} is a whole number from 0 on, not \"{}\"", what, trimmed(text)));
    return static_cast<uint64_t>(value);
}

// "3" or "1,2" or "(1,2,0)" within an extent.
uint64_t place_in(std::string_view text, const Dim3& extent, const char* what) {
    text = trimmed(text);
    if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
    auto parts = split(text, ',');
    uint64_t at[3] = {}, sizes[3] = {extent.x, extent.y, extent.z};
    if (parts.size() > 3) reject(fmt::format("a {} has at most three coordinates", what));
    for (size_t i = 0; i < parts.size(); ++i) at[i] = whole_number(parts[i], what);
    if (parts.size() == 1) sizes[0] = extent.count();
    for (size_t i = 0; i < parts.size(); ++i)
        if (at[i] >= sizes[i])
            reject(fmt::format("there is no {} {}; {} of them are there", what, text,
                               with_thousands(sizes[i])));
    return at[0] + extent.x * (at[1] + extent.y * at[2]);
}

bool is_clause_word(std::string_view word) {
    return word == "block" || word == "warp" || word == "lane" || word == "thread" ||
           word == "line";
}

// "block 1,2" at the end of `text`, which it is taken off; false where there is none.
bool take_last_clause(std::string_view& text, std::string_view& word, std::string_view& value) {
    text = trimmed(text);
    size_t from = text.find_last_of(" \t");
    if (from == text.npos) return false;
    value = text.substr(from + 1);
    std::string_view before = trimmed(text.substr(0, from));
    size_t start = before.find_last_of(" \t");
    word = start == before.npos ? before : before.substr(start + 1);
    bool is_value = !value.empty() && value.find_first_not_of("0123456789,()") == value.npos;
    if (!is_clause_word(word) || !is_value) return false;
    text = trimmed(before.substr(0, before.size() - word.size()));
    return true;
}

}  // namespace

const std::vector<StepCommand>& step_commands() {
    static const std::vector<StepCommand> all = [] {
        std::vector<StepCommand> list;
        for (const Row& row : kRows) list.push_back(row.command);
        return list;
    }();
    return all;
}

StepCommands::StepCommands(const Job& job, const Debugger::Options& options)
    : debugger_(job, options) {}

StepReply StepCommands::run(std::string_view line) {
    StepReply reply;
    reply.command = trimmed(line);
    std::string_view rest = reply.command;
    if (rest.empty() || rest.starts_with('#')) return reply;
    std::string_view name = take_word(rest);
    try {
        if (const Row* row = find_row(name)) {
            row->run(*this, rest, reply);
        } else {
            std::vector<std::string> names;
            for (const Row& each : kRows) names.emplace_back(each.command.name);
            std::string close = closest(name, names);
            reject(fmt::format(
                "there is no command \"{}\"; {}", name,
                close.empty() ? "`help` lists them" : fmt::format("did you mean `{}`?", close)));
        }
    } catch (const Error& error) {
        reply.error = error.what();
    }
    return reply;
}

uint32_t StepCommands::block_number(std::string_view text) const {
    return static_cast<uint32_t>(place_in(text, debugger_.recording().shape().grid, "block"));
}
uint32_t StepCommands::thread_number(std::string_view text) const {
    return static_cast<uint32_t>(place_in(text, debugger_.recording().shape().block, "thread"));
}

// left: the line that a move has left, whose values are shown; 0 where there is none.
void StepCommands::show(const StepStop& stop, StepReply& reply, int left) {
    reply.place = place(stop);
    reply.notes.insert(reply.notes.end(), stop.notes.begin(), stop.notes.end());
    if (left > 0) reply.assigned = debugger_.sight().assigned_at(left);
    show_watches(reply);
}

void StepCommands::forward(StepUnit unit, std::string_view text, StepReply& reply) {
    uint64_t count = text.empty() ? 1 : whole_number(text, "how often");
    unit_ = unit;
    int left = debugger_.line();
    StepStop stop = debugger_.forward(unit, count);
    reply.shows_instruction = unit == StepUnit::instruction;
    bool by_line = unit == StepUnit::line && count == 1;
    show(stop, reply, by_line ? left : debugger_.line_left());
}

void StepCommands::back(std::string_view text, StepReply& reply) {
    uint64_t count = 1;
    if (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0])))
        count = whole_number(take_word(text), "how often");
    std::string_view by = take_word(text);
    if (by == "run") return show(debugger_.run_back(), reply);
    if (by == "step") unit_ = StepUnit::instruction;
    if (by == "line" || by == "next") unit_ = StepUnit::line;
    if (by == "barrier") unit_ = StepUnit::barrier;
    if (!by.empty() && by != "step" && by != "line" && by != "next" && by != "barrier")
        reject(fmt::format("back goes by step, line, barrier or run, not by \"{}\"", by));
    StepStop stop = debugger_.back(unit_, count);
    reply.shows_instruction = unit_ == StepUnit::instruction;
    show(stop, reply);
}

void StepCommands::run_on(std::string_view text, StepReply& reply) {
    if (!text.empty()) reject("run takes nothing; `break LINE` says where it stops");
    show(debugger_.run(), reply);
}

void StepCommands::go_to(std::string_view text, StepReply& reply) {
    if (text.empty()) reject("goto wants the number of a step: goto 120");
    uint64_t step = whole_number(text, "a step");
    show(debugger_.to_moment({debugger_.recording().now().block, step}, debugger_.warp()), reply);
}

void StepCommands::to_warp(std::string_view text, StepReply& reply) {
    show(debugger_.to_warp(
             static_cast<uint32_t>(std::min<uint64_t>(whole_number(text, "a warp"), ~0u))),
         reply);
}

void StepCommands::to_block(std::string_view text, StepReply& reply) {
    show(debugger_.to_block(block_number(text)), reply);
}

// "block B thread T line L", "block B fault", "wrote out[5]".
void StepCommands::at(std::string_view text, StepReply& reply) {
    if (text.starts_with("wrote ")) return at_write(trimmed(text.substr(6)), reply);
    bool to_fault = text.ends_with("fault");
    if (to_fault) text = trimmed(text.substr(0, text.size() - 5));
    uint32_t block = debugger_.recording().now().block, thread = debugger_.warp() * 32;
    int line = 0;
    std::string_view word, value;
    while (take_last_clause(text, word, value)) {
        if (word == "block") block = block_number(value);
        if (word == "thread") thread = thread_number(value);
        if (word == "line")
            line = static_cast<int>(std::min<uint64_t>(whole_number(value, "a line"), 1u << 30));
    }
    if (!text.empty() || (line == 0 && !to_fault))
        reject("at wants \"block B thread T line L\", \"block B fault\" or \"wrote NAME[INDEX]\"");
    if (!to_fault) return at_thread(block, thread, line, reply);
    debugger_.to_block(block);
    Breakpoints kept = debugger_.exchange_breakpoints({});
    StepStop stop = debugger_.run();
    debugger_.exchange_breakpoints(std::move(kept));
    show(stop, reply);
    reply.shows_instruction = true;
}

// To the first time that the thread comes to the line.
void StepCommands::at_thread(uint32_t block, uint32_t thread, int line, StepReply& reply) {
    int with_code = debugger_.line_with_code(line);
    debugger_.to_block(block);
    Breakpoints kept = debugger_.exchange_breakpoints({});
    Breakpoint here;
    here.line = with_code;
    here.block = block;
    here.warp = thread / 32;
    here.lane = thread % 32;
    debugger_.add_breakpoint(here);
    StepStop stop;
    do stop = debugger_.run();
    while (stop.why == StepStop::Why::fault);
    debugger_.exchange_breakpoints(std::move(kept));
    if (stop.why == StepStop::Why::breakpoint) {
        stop.why = StepStop::Why::moved;
        stop.breakpoint = 0;
    } else {
        stop = debugger_.to_block(block);
        stop.notes.push_back(fmt::format("Thread {} of block {} does not come to line {}.", thread,
                                         block, with_code));
    }
    debugger_.to_warp(thread / 32);
    stop.lanes = 1u << thread % 32;
    show(stop, reply);
}

// The whole launch runs, and then it goes back to who wrote the word last.
void StepCommands::at_write(std::string_view text, StepReply& reply) {
    Pointee pointee;
    uint32_t lane = 0;
    uint64_t address = address_of(text, pointee, lane);
    if (is_shared_address(address))
        reject("`at wrote` is for global memory; shared memory is a block's own: use `who` in it");
    Breakpoints kept = debugger_.exchange_breakpoints({});
    StepStop stop;
    do stop = debugger_.run();
    while (stop.why == StepStop::Why::fault);
    debugger_.exchange_breakpoints(std::move(kept));
    StepWrite write;
    auto bytes = static_cast<uint64_t>(bytes_of_element(pointee.element));
    if (!debugger_.recording().last_write(Space::global, address, bytes, write)) {
        stop.notes.push_back(fmt::format("No thread writes {} in this launch.", text));
        return show(stop, reply);
    }
    StepStop there = debugger_.to_moment(write.at, write.warp);
    there.lanes = write.lanes;
    there.notes.push_back(fmt::format("The next instruction writes {} for the last time.", text));
    show(there, reply);
    reply.shows_instruction = true;
}

void StepCommands::add_break(std::string_view text, StepReply& reply) {
    Breakpoint made;
    std::string_view whole = text, word, value;
    while (take_last_clause(text, word, value)) {
        uint64_t number = word == "block" ? block_number(value) : whole_number(value, "a number");
        auto narrow = static_cast<uint32_t>(std::min<uint64_t>(number, ~0u));
        if (word == "block") made.block = narrow;
        if (word == "warp") made.warp = narrow;
        if (word == "lane") made.lane = narrow;
        if (word == "thread" || word == "line") reject("say \"break LINE warp W lane L\"");
    }
    std::string_view condition;
    size_t iffy = text.find(" if ");
    if (iffy != text.npos) {
        condition = trimmed(text.substr(iffy + 4));
        text = trimmed(text.substr(0, iffy));
        while (take_last_clause(text, word, value)) {  // "break 17 warp 2 if …"
            if (word == "block") made.block = block_number(value);
            if (word == "warp") made.warp = static_cast<uint32_t>(whole_number(value, "a warp"));
            if (word == "lane") made.lane = static_cast<uint32_t>(whole_number(value, "a lane"));
        }
    }
    int64_t line = 0;
    if (!parse_integer(text, line) || line < 1 || line > 1 << 30)
        reject(
            fmt::format("break wants a line of the source: \"break 17 if row == 31 lane 3\", not "
                        "\"{}\"",
                        whole));
    made.line = static_cast<int>(line);
    if (!condition.empty()) made.condition = std::make_shared<LaneExpression>(condition);
    made.number = debugger_.add_breakpoint(made);
    made.line = debugger_.line_with_code(made.line);
    if (made.line != line)
        reply.notes.push_back(
            fmt::format("Line {} has no code; it stops at line {}.", line, made.line));
    reply.breakpoints.push_back(made);
}

void StepCommands::remove_breaks(std::string_view text, StepReply& reply) {
    if (text == "all") {
        reply.notes.push_back(counted(debugger_.breakpoints().count(), "breakpoint") + " removed.");
        return debugger_.clear_breakpoints();
    }
    uint64_t number = whole_number(text, "a breakpoint");
    if (number > 0x7fffffff || !debugger_.remove_breakpoint(static_cast<int>(number)))
        reject(fmt::format("there is no breakpoint {}; `breaks` lists them", number));
    reply.notes.push_back(fmt::format("Breakpoint {} removed.", number));
}

void StepCommands::list_breaks(std::string_view, StepReply& reply) {
    reply.breakpoints = debugger_.breakpoints().all();
    if (reply.breakpoints.empty()) reply.notes.push_back("There is no breakpoint.");
}

void StepCommands::limit(std::string_view text, StepReply& reply) {
    LaunchRecording& recording = debugger_.recording();
    if (!text.empty()) recording.limit_bytes(whole_number(text, "a limit in MB") << 20);
    reply.notes.push_back(fmt::format("The recording takes {} of at most {}.",
                                      in_bytes(recording.used_bytes()),
                                      in_bytes(recording.most_bytes())));
}

void StepCommands::quit(std::string_view, StepReply& reply) { reply.quits = true; }

}  // namespace lanewise
