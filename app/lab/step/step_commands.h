// The debugger's commands, in the manner of gdb: a line of text goes in, a StepReply comes out.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lab/step/step_reply.h"

namespace lanewise {

struct StepCommand {
    std::string_view name, other, parameters, help;
};
// In the order of `help`.
const std::vector<StepCommand>& step_commands();

class StepCommands {
  public:
    StepCommands(const Job& job, const Debugger::Options& options);

    // Never throws what the user's text causes: that is StepReply::error. An empty line, or one that
    // begins with #, does nothing.
    StepReply run(std::string_view line);
    Debugger& debugger() { return debugger_; }

    // One row of step_commands() each; what is behind the name comes trimmed. Private to
    // step_commands.cpp and step_questions.cpp.
    void forward(StepUnit unit, std::string_view text, StepReply& reply);
    void back(std::string_view text, StepReply& reply);
    void run_on(std::string_view text, StepReply& reply);
    void at(std::string_view text, StepReply& reply);
    void go_to(std::string_view text, StepReply& reply);
    void to_warp(std::string_view text, StepReply& reply);
    void to_block(std::string_view text, StepReply& reply);
    void add_break(std::string_view text, StepReply& reply);
    void remove_breaks(std::string_view text, StepReply& reply);
    void list_breaks(std::string_view text, StepReply& reply);
    void watch(std::string_view text, StepReply& reply);
    void unwatch(std::string_view text, StepReply& reply);
    void print(std::string_view text, StepReply& reply);
    void values(std::string_view text, StepReply& reply);
    void memory(std::string_view text, StepReply& reply);
    void who(std::string_view text, StepReply& reply);
    void lanes(std::string_view text, StepReply& reply);
    void where(std::string_view text, StepReply& reply);
    void list(std::string_view text, StepReply& reply);
    void limit(std::string_view text, StepReply& reply);
    void help(std::string_view text, StepReply& reply);
    void quit(std::string_view text, StepReply& reply);

  private:
    void show(const StepStop& stop, StepReply& reply, int left = 0);
    void show_watches(StepReply& reply);
    StepPlace place(const StepStop& stop) const;
    uint32_t block_number(std::string_view text) const;
    uint32_t thread_number(std::string_view text) const;
    NamedValues evaluated(const LaneExpression& expression);
    // The address of "0x…", "tile[3]", "in[i]", of the first lane that has one, and its element.
    uint64_t address_of(std::string_view text, Pointee& pointee, uint32_t& lane);
    void at_write(std::string_view text, StepReply& reply);
    void at_thread(uint32_t block, uint32_t thread, int line, StepReply& reply);

    Debugger debugger_;
    StepUnit unit_ = StepUnit::line;
    std::vector<LaneExpression> watches_;
};

}  // namespace lanewise
