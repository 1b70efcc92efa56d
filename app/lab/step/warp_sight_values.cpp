// WarpSight: the values of the source's variables, from registers or as the source computes them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "lab/step/warp_sight.h"
#include "ptx/parts.h"

namespace lanewise {

namespace {

constexpr int kMostDepth = 16;  // of variables that are computed from others

bool is_subscripted(const std::string& text) { return text.find('[') != text.npos; }

}  // namespace

// While a line of the source is computed: the only load of that line has what was read there. Else
// memory may have changed since, but for what the kernel may not store to.
bool WarpSight::loaded(std::string_view text, LaneValues& values) {
    if (!computing_) return false;
    std::vector<HeldIn> loads;
    for (uint32_t i : uses_.at_lines(file_, computing_->line, computing_->last_line)) {
        const ptx::Instruction& instruction = kernel_.instructions[i];
        if (instruction.parts[0] != "ld" || ptx::has_part(instruction, "param")) continue;
        if (instruction.operands[0].kind == ptx::Operand::Kind::reg)
            loads.push_back({instruction.operands[0].reg, {i}, false});
    }
    std::string array(text.substr(0, text.find('[')));
    std::string element;
    bool is_constant = false;
    for (const NamedMemory& memory : memories_)
        if (memory.name == array)
            element = memory.pointee.element, is_constant = memory.is_constant;
    bool is_only = std::count(computing_->value.begin(), computing_->value.end(), '[') == 1;
    if (loads.size() == 1 && is_only && !element.empty()) {
        std::string from;
        values = held(loads, element, from);
        return true;
    }
    if (!is_constant)
        throw Error(Status::bad_input,
                    fmt::format("what {} was read as is in no register that can be told", text));
    return false;
}

LaneValues WarpSight::held(const std::vector<HeldIn>& places, std::string_view element,
                           std::string& from) const {
    struct Write {
        const HeldIn* place;
        Stepper::Executed executed;
    };
    std::vector<Write> writes;
    for (const HeldIn& place : places)
        if (Stepper::Executed executed = latest(place.writers); executed.step > 0)
            writes.push_back({&place, executed});
    std::stable_sort(writes.begin(), writes.end(), [](const Write& a, const Write& b) {
        return a.executed.step > b.executed.step;
    });
    std::array<uint64_t, 32> bits{};
    uint32_t known = 0;
    std::string kind(element);
    for (const Write& write : writes) {
        uint32_t fresh = write.executed.lanes & ~known;
        if (fresh == 0) continue;
        auto values = recording_.stepper().values(warp_, write.place->reg);
        for (size_t n = 0; n < bits.size(); ++n)
            if (fresh >> n & 1) bits[n] = values[n];
        known |= fresh;
        if (from.empty()) from = uses_.name_of(write.place->reg);
        if (kind.empty()) kind = uses_.of(write.place->reg).element;
    }
    if (kind.empty()) kind = "i32";
    return from_elements(kind, bits, known);
}

const LaneExpression* WarpSight::parsed(const SourceAssignment& assignment) {
    auto [found, is_new] = expressions_.try_emplace(&assignment);
    if (is_new) try {
            found->second = std::make_unique<LaneExpression>(assignment.value);
        } catch (const Error&) {
            // A call, a lambda, a cast to a type of the source's own: no expression of this kind.
        }
    return found->second.get();
}

// Whether its value depends on nothing that changes, so that it can be computed at any time.
bool WarpSight::is_pure(const SourceVariable& variable, int depth) {
    auto known = pure_.find(&variable);
    if (known != pure_.end()) return known->second;
    bool pure = depth < kMostDepth && variable.assignments.size() == 1 && !variable.is_array &&
                !is_subscripted(variable.assignments[0].value);
    const LaneExpression* expression = pure ? parsed(variable.assignments[0]) : nullptr;
    pure = expression != nullptr;
    int line = line_;
    line_ = variable.line;
    if (pure)
        for (const std::string& name : expression->names()) {
            const SourceVariable* other = this->variable(name);
            if (other == &variable || name.starts_with("%")) pure = false;
            if (other && pure) pure = is_pure(*other, depth + 1);
        }
    line_ = line;
    return pure_[&variable] = pure;
}

// A variable that is used here has kept its value since that step, as far as can be told.
bool WarpSight::is_unchanged_since(const LaneExpression& expression, uint64_t step) {
    for (const std::string& name : expression.names()) {
        const SourceVariable* other = variable(name);
        if (!other || is_pure(*other) || other->is_array) continue;
        std::vector<uint32_t> writers;
        for (const HeldIn& each : places_of(*other))
            writers.insert(writers.end(), each.writers.begin(), each.writers.end());
        if (writers.empty())
            for (const SourceAssignment& each : other->assignments)
                for (uint32_t i : uses_.at_lines(file_, each.line, each.last_line))
                    writers.push_back(i);
        if (latest(writers).step > step) return false;
    }
    return true;
}

const std::vector<HeldIn>& WarpSight::places_of(const SourceVariable& variable) {
    auto [place, is_new] = places_.try_emplace(&variable);
    if (is_new && file_ >= 0) {
        bool is_pointer = false;
        std::string element = element_of_type(variable.type, is_pointer);
        const ElementType* type = find_element_type(is_pointer ? "u64" : element);
        place->second =
            uses_.held_in(variable, file_, type ? type->bytes : 0, type && type->is_float);
    }
    return place->second;
}

bool WarpSight::in_registers(const SourceVariable& variable, LaneValues& values,
                             std::string& from) {
    const std::vector<HeldIn>& places = places_of(variable);
    if (places.empty()) return false;
    bool is_pointer = false;
    std::string element = element_of_type(variable.type, is_pointer);
    values = held(places, is_pointer ? "u64" : element, from);
    if (is_pointer) values.pointee = {element.empty() ? "u8" : element, {}};
    return true;
}

bool WarpSight::computed(const SourceVariable& variable, LaneValues& values) {
    const SourceAssignment* last = nullptr;
    Stepper::Executed done;
    for (const SourceAssignment& each : variable.assignments) {
        Stepper::Executed executed = latest_at(each);
        if (!last || executed.step > done.step) last = &each, done = executed;
    }
    const LaneExpression* expression = last ? parsed(*last) : nullptr;
    if (!expression || depth_ >= kMostDepth) return false;
    bool pure = is_pure(variable);
    bool names_itself = variable.assignments.size() > 1;
    if (!pure && (names_itself || done.step == 0 || !is_unchanged_since(*expression, done.step)))
        return false;
    const SourceAssignment* around = std::exchange(computing_, last);
    ++depth_;
    try {
        uint32_t lanes = pure ? kEveryLane : done.lanes;
        values = expression->evaluate(*this, lanes).values;
    } catch (const Error&) {
        values.known = 0;
    }
    --depth_;
    computing_ = around;
    if (values.known == 0 && !(pure && done.step == 0)) return false;
    bool is_pointer = false;
    std::string element = element_of_type(variable.type, is_pointer);
    if (!is_pointer && !element.empty()) {
        uint32_t known = values.known;
        bool narrow =
            bytes_of_element(element) < 4 && variable.type.find("bool") == std::string::npos;
        values = converted(values, number_type_of_element(element));
        if (narrow && !is_float(values.type)) values = from_elements(element, values.bits, known);
    }
    return true;
}

LaneValues WarpSight::value_of(const SourceVariable& variable, std::string& from) {
    if (variable.is_array)
        throw Error(Status::bad_input, "an array that the compiler keeps in registers");
    LaneValues values;
    if (is_pure(variable) && computed(variable, values)) {
        // The register is named where it agrees in every lane that has it.
        LaneValues in_register;
        std::string name;
        bool agrees = in_registers(variable, in_register, name) && in_register.known != 0;
        for (size_t n = 0; agrees && n < 32; ++n)
            agrees = !in_register.is_known(n) || in_register.bits[n] == values.bits[n];
        from = agrees ? name : "the source";
        return values;
    }
    if (in_registers(variable, values, from)) return values;
    if (computed(variable, values)) return from = "the source", values;
    throw Error(Status::bad_input,
                "in no register that can be told: merged with others, or its loop is unrolled");
}

std::vector<NamedValues> WarpSight::in_sight() {
    std::vector<NamedValues> all;
    for (const SourceVariable& each : scan_.variables) {
        if (!each.is_seen_at(line_) || variable(each.name) != &each) continue;
        LaneValues address;
        if (find_memory(each.name, address)) continue;  // shown as memory
        NamedValues named{each.name, {}, {}, each.line};
        try {
            named.values = value_of(each, named.from);
        } catch (const Error& error) {
            named.from = error.what();
        }
        bool is_to_come = each.line > line_ && named.values.known == 0;
        if (!is_to_come) all.push_back(std::move(named));
    }
    for (const KernelParameter& parameter : parameters_) {
        NamedValues named{parameter.name, {}, "the launch", 0};
        try {
            if (!parameter.name.empty() && find(parameter.name, named.values))
                all.push_back(std::move(named));
        } catch (const Error&) {
            // Its source has changed it, and no register tells to what.
        }
    }
    return all;
}

// Of "tile[i]" the array's.
std::string WarpSight::element_of_target(const SourceAssignment& assignment, int line) const {
    std::string name = assignment.target.substr(0, assignment.target.find('['));
    for (const NamedMemory& memory : memories_)
        if (memory.name == name) return memory.pointee.element;
    bool is_pointer = false;
    const SourceVariable* array = variable_at(scan_, name, line);
    return array ? element_of_type(array->type, is_pointer) : std::string();
}

std::vector<NamedValues> WarpSight::assigned_at(int line) {
    std::vector<NamedValues> all;
    int present = std::exchange(line_, line);
    for (const SourceVariable& each : scan_.variables) {
        bool here = std::any_of(each.assignments.begin(), each.assignments.end(),
                                [&](const SourceAssignment& a) { return a.line == line; });
        if (!here) continue;
        NamedValues named{each.name, {}, {}, line};
        try {
            named.values = value_of(each, named.from);
            all.push_back(std::move(named));
        } catch (const Error&) {
            // Nothing is to be said.
        }
    }
    line_ = present;
    for (const SourceAssignment& each : scan_.elements) {
        if (each.line != line || file_ < 0) continue;
        std::vector<HeldIn> stored = uses_.stored_by(each, file_);
        std::string element = element_of_target(each, line);
        if (stored.empty()) {  // an array that the compiler keeps in registers
            const ElementType* type = find_element_type(element);
            SourceVariable as_variable;
            as_variable.assignments.push_back(each);
            stored =
                uses_.held_in(as_variable, file_, type ? type->bytes : 0, type && type->is_float);
        }
        NamedValues named{each.target, {}, {}, line};
        named.values = held(stored, element, named.from);
        if (named.values.known != 0) all.push_back(std::move(named));
    }
    return all;
}

}  // namespace lanewise
