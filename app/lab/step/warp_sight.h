// What the source's names stand for at the moment at which a recording stands, for all lanes of a
// warp. A variable's value is that of the register which holds it, where the lines of the code tell
// which; or it is computed as the source computes it, where what it is computed from has not changed
// since. Where neither can be told, nothing is said.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/kernel/kernel_arguments.h"
#include "lab/kernel/source_names.h"
#include "lab/step/lane_expression.h"
#include "lab/step/launch_recording.h"
#include "lab/step/register_use.h"
#include "lab/step/source_variables.h"

namespace lanewise {

// A name or an expression with its values. from: "%r18", "the source", "the launch"; or, where no
// value is to be had, why.
struct NamedValues {
    std::string name;
    LaneValues values;
    std::string from;
    int line = 0;  // of the source where it got its value; 0 where that is nowhere
};

// A shared array or a buffer, by its name.
struct NamedMemory {
    std::string name;
    uint64_t address = 0;  // generic
    Pointee pointee;
    uint64_t bytes = 0;
    bool is_constant = false;  // as the parameter's type says
};

class WarpSight final : public LaneNames {
  public:
    explicit WarpSight(const LaunchRecording& recording);

    // Of this warp, at the recording's present moment. Ask again after each move.
    void look_from(uint32_t warp);
    uint32_t warp() const { return warp_; }

    bool find(std::string_view name, LaneValues& values) override;
    LaneValues load(std::string_view element, const LaneValues& addresses, uint32_t lanes) override;
    bool loaded(std::string_view text, LaneValues& values) override;

    // Of the variables that are seen at the present line, then of the parameters.
    std::vector<NamedValues> in_sight();
    // What the line gives a value to: variables, and elements of arrays.
    std::vector<NamedValues> assigned_at(int line);
    NamedValues register_named(std::string_view name) const;  // throws Error where there is none
    const std::vector<NamedMemory>& memories() const { return memories_; }
    // All names that could be meant at a line, for "did you mean".
    std::vector<std::string> names(int line) const;
    bool knows(std::string_view name, int line) const;
    // The lines of the source at which instructions stand, in order.
    std::vector<int> lines_with_code() const;

    // The line of the source at which the instruction stands, or at which the source calls what it
    // was inlined from; 0 where that is not known.
    int line_of(uint32_t instruction) const;
    // The line at which the warp stands, as look_from() found it; 0 where that is not known.
    int line() const { return line_; }
    // Whether the instruction is of its line's own work. The compiler moves parts of lines about, as
    // addresses that it computes early; where a line has loads, stores, branches and the like, only
    // the stretches with these count.
    bool is_of_statement(uint32_t instruction) const { return of_statement_[instruction]; }
    int file() const { return file_; }  // index into ptx::Kernel::files
    const RegisterUses& registers() const { return uses_; }

  private:
    // The last step that one of the instructions was executed in, and the lanes that ever did.
    Stepper::Executed latest(const std::vector<uint32_t>& instructions) const;
    Stepper::Executed latest_at(const SourceAssignment& assignment) const;
    bool find_special(std::string_view name, LaneValues& values) const;
    bool find_parameter(std::string_view name, LaneValues& values);
    bool find_memory(std::string_view name, LaneValues& values) const;
    const SourceVariable* variable(std::string_view name) const;
    const std::vector<HeldIn>& places_of(const SourceVariable& variable);
    LaneValues value_of(const SourceVariable& variable, std::string& from);
    bool in_registers(const SourceVariable& variable, LaneValues& values, std::string& from);
    bool computed(const SourceVariable& variable, LaneValues& values);
    bool is_unchanged_since(const LaneExpression& expression, uint64_t step);
    bool is_pure(const SourceVariable& variable, int depth = 0);
    LaneValues held(const std::vector<HeldIn>& places, std::string_view element,
                    std::string& from) const;
    const LaneExpression* parsed(const SourceAssignment& assignment);
    void find_statements();
    std::string element_of_target(const SourceAssignment& assignment, int line) const;
    std::string element_of_type(const std::string& type, bool& is_pointer) const;
    void take_shared(const Job& job);
    void take_parameters(const Job& job);

    const LaunchRecording& recording_;
    const ptx::Kernel& kernel_;
    RegisterUses uses_;
    SourceScan scan_;
    int file_ = -1;
    SourceNames constants_;
    std::map<std::string, std::string> types_;  // of a template: "T" -> "f32"
    std::vector<KernelParameter> parameters_;
    std::vector<SourceVariable> changed_parameters_;
    std::vector<NamedMemory> memories_;
    std::map<const SourceVariable*, std::vector<HeldIn>> places_;
    std::map<const SourceVariable*, bool> pure_;
    std::map<const SourceAssignment*, std::unique_ptr<LaneExpression>> expressions_;

    std::vector<bool> of_statement_;  // by instruction

    uint32_t warp_ = 0;
    int line_ = 0;
    int depth_ = 0;  // of computations within computations
    const SourceAssignment* computing_ = nullptr;
};

}  // namespace lanewise
