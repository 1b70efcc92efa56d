#include "ptx/body.h"

#include <algorithm>

#include "base/text.h"

namespace lanewise::ptx {

namespace {

// Far more than any kernel has whose block finishes; they bound the memory that one takes.
constexpr size_t kMostInstructions = 1u << 18;
constexpr size_t kMostCalls = 1u << 13;           // put in place, one within another included
constexpr size_t kMostBranchTargets = 1u << 16;   // of all brx.idx together
constexpr size_t kMostScopes = 256;               // one within another
constexpr uint32_t kMostLocalBytes = 512 * 1024;  // CUDA C++ Programming Guide, "Technical
                                                  // Specifications per Compute Capability"
constexpr uint32_t kMostBytes = 1u << 30;         // of one space, so that offsets never overflow

class Body {
  public:
    Body(Cursor& cursor, Kernel& kernel, const Functions& functions)
        : cursor_(cursor), kernel_(kernel), functions_(functions) {}

    void parse() { frame({}, false); }

  private:
    // A kernel's body, or that of a function where it is called.
    struct Frame {
        size_t first = 0;                                           // instruction
        std::map<std::pair<size_t, std::string>, uint32_t> labels;  // by scope and name
        std::map<std::string, std::vector<std::string>> branch_targets;
        std::vector<size_t> returns;
    };
    // The .param variables that can be named at one place, by their offset in local memory.
    using Parameters = std::map<std::string, uint32_t, std::less<>>;

    void frame(const Parameters& parameters, bool called) {
        Frame outer;
        std::swap(outer, frame_);
        frame_.first = kernel_.instructions.size();
        size_t depth = scopes_.size();
        cursor_.expect("{");
        scopes_.emplace_back();
        open_scope();
        parameters_.push_back(parameters);
        is_called_ = called;
        while (scopes_.size() > depth) statement();
        resolve_names();
        for (size_t i : frame_.returns)
            kernel_.instructions[i].operands[0].value = kernel_.instructions.size();
        std::swap(outer, frame_);
    }

    // Names of labels are known within their braces, as those of registers are.
    void open_scope() {
        outer_scopes_.push_back(scope_);
        scope_ = outer_scopes_.size() - 1;
    }

    // statement := "{" | "}" | label ":" | directive | [guard] instruction ";"
    void statement() {
        if (cursor_.at_end()) cursor_.fail("the kernel does not end");
        if (cursor_.accept("{")) {
            if (scopes_.size() >= kMostScopes) cursor_.fail("braces are nested too deeply");
            scopes_.push_back(Registers(scopes_.back()));
            parameters_.push_back(Parameters(parameters_.back()));
            open_scope();
        } else if (cursor_.accept("}")) {
            scopes_.pop_back();
            scope_ = outer_scopes_[scope_];
            parameters_.pop_back();
        } else if (cursor_.peek_next() == ":") {
            label();
        } else if (cursor_.peek()[0] == '.') {
            directive();
        } else {
            instruction();
        }
    }

    void label() {
        std::string name(cursor_.next());
        auto index = static_cast<uint32_t>(kernel_.instructions.size());
        if (!frame_.labels.emplace(std::pair(scope_, name), index).second)
            cursor_.fail("the label is there twice");
        cursor_.expect(":");
        last_line_ = 0;  // another block of code
        if (cursor_.accept(".callprototype")) {
            cursor_.skip_past(";");
        } else if (cursor_.accept(".branchtargets")) {
            do frame_.branch_targets[name].emplace_back(cursor_.next());
            while (cursor_.accept(","));
            cursor_.expect(";");
        }
    }

    void directive() {
        std::string_view name = cursor_.next();
        if (name == ".reg") {
            parse_register_declaration(cursor_, kernel_, scopes_.back());
        } else if (name == ".shared") {
            place(kernel_.shared, kernel_.shared_bytes, parse_declaration(cursor_));
        } else if (name == ".local") {
            place_local(parse_declaration(cursor_));
        } else if (name == ".loc") {
            location();
        } else if (name == ".param") {
            Declaration declaration = parse_declaration(cursor_);
            parameters_.back()[declaration.name] = place_parameter(declaration);
        } else if (name == ".pragma") {
            cursor_.skip_past(";");
        } else {
            cursor_.fail("the directive " + std::string(name) + " is not known in a kernel");
        }
    }

    // ".loc" file line column ["," "function_name" label ["+" n] "," "inlined_at" file line column]
    // Code that the compiler moved has line 0; it keeps the last line of its block of code.
    void location() {
        position_.file = static_cast<int>(cursor_.small_number(1 << 20));
        position_.line = static_cast<int>(cursor_.small_number(1 << 30));
        position_.column = static_cast<int>(cursor_.small_number(1 << 30));
        if (position_.line == 0 && last_line_ != 0)
            position_ = last_position_;
        else if (position_.line != 0)
            last_position_ = position_, last_line_ = position_.line;
        if (!cursor_.accept(",")) return;
        cursor_.expect("function_name");
        cursor_.next();
        if (cursor_.accept("+")) cursor_.number();
        cursor_.expect(",");
        cursor_.expect("inlined_at");
        for (int i = 0; i < 3; ++i) cursor_.number();
    }

    // ["@" ["!"] %p] opcode [operands] ";"
    void instruction() {
        Instruction result;
        size_t start = cursor_.offset();
        result.ptx_line = cursor_.line();
        result.position = position_;
        if (position_.line != 0) last_position_ = position_, last_line_ = position_.line;
        if (cursor_.accept("@")) {
            result.guarded = true;
            result.guard = parse_predicate(cursor_, scopes_.back());
        }
        std::string_view opcode = cursor_.next();
        if (opcode.empty() || opcode[0] < 'a' || opcode[0] > 'z')
            cursor_.fail("expected an instruction", result.ptx_line);
        for (std::string_view part : split(opcode, '.')) result.parts.emplace_back(part);
        Call call;
        if (result.parts[0] == "call")
            call = parse_call(result);
        else
            parse_operands(cursor_, scopes_.back(), result);
        if (cursor_.peek() != ";") cursor_.fail("expected ';'");
        result.text = cursor_.text_since(start);
        cursor_.next();
        if (call.function || call.is_indirect) return put_call(call, result);
        for (Operand& operand : result.operands) resolve_parameter(operand);
        if (is_called_ && result.parts[0] == "ret") make_branch(result);
        if (kernel_.instructions.size() == kMostInstructions)
            cursor_.fail("the kernel has more than 262,144 instructions; unroll its loops less",
                         result.ptx_line);
        kernel_.instructions.push_back(std::move(result));
        instruction_scopes_.push_back(scope_);
    }

    // Calls -----------------------------------------------------------------------------------

    struct Call {
        const Function* function = nullptr;  // null where the module does not define it
        bool is_indirect = false;            // through `pointer`
        Register pointer;
        std::string name;
        std::vector<std::string> results, parameters;
    };

    // call ["(" results ")" ","] name ["," "(" parameters ")"]
    Call parse_call(Instruction& instruction) {
        Call call;
        call.results = name_list();
        if (!call.results.empty()) cursor_.expect(",");
        call.name = cursor_.next();
        if (cursor_.accept(",")) call.parameters = name_list();
        if (cursor_.accept(",")) cursor_.next();  // the prototype of an indirect call
        Operand name;
        name.kind = Operand::Kind::symbol;
        name.name = call.name;
        instruction.operands.push_back(name);
        for (const auto* list : {&call.results, &call.parameters})
            for (const std::string& parameter : *list) {
                Operand operand;
                operand.kind = Operand::Kind::address;
                operand.name = parameter;
                instruction.operands.push_back(operand);
            }
        call.is_indirect = scopes_.back().find(call.name, call.pointer);
        if (auto known = functions_.find(call.name); known != functions_.end())
            call.function = &known->second;
        return call;
    }
    std::vector<std::string> name_list() {
        std::vector<std::string> names;
        if (!cursor_.accept("(")) return names;
        while (!cursor_.at_end() && !cursor_.accept(")")) {
            names.emplace_back(cursor_.next());
            cursor_.accept(",");
        }
        return names;
    }

    void put_call(const Call& call, const Instruction& instruction) {
        size_t around = 0;
        if (instruction.guarded) around = add_branch(instruction, instruction.guard, true);
        if (call.is_indirect)
            put_candidates(call, instruction);
        else
            put_in_place(call, instruction);
        if (instruction.guarded) lead_here(around);
    }

    // A call through a pointer may mean every function that fits: each is compared with and put in
    // place. A pointer to none of them stops the lane.
    void put_candidates(const Call& call, const Instruction& instruction) {
        std::vector<size_t> done;
        for (const auto& [name, function] : functions_) {
            bool fits = function.is_taken && function.results.size() == call.results.size() &&
                        function.parameters.size() == call.parameters.size();
            if (!fits || is_running(name)) continue;
            Operand differs;
            differs.kind = Operand::Kind::reg;
            differs.reg = {RegisterKind::predicate, kernel_.predicates++};
            Operand pointer = differs, address;
            pointer.reg = call.pointer;
            address.kind = Operand::Kind::immediate;
            address.value = function.address;
            add(instruction, {"setp", "ne", "u64"}, {differs, pointer, address});
            size_t next = add_branch(instruction, differs, false);
            Call direct = call;
            direct.name = name;
            direct.function = &function;
            put_in_place(direct, instruction);
            done.push_back(add(instruction, {"bra", "uni"}, {Operand{}}));
            lead_here(next);
        }
        add(instruction, {"trap", "call"}, {});
        for (size_t i : done) lead_here(i);
    }

    // An instruction in place of another. Returns its index.
    size_t add(const Instruction& instead_of, std::vector<std::string> parts,
               std::vector<Operand> operands) {
        if (kernel_.instructions.size() == kMostInstructions)
            cursor_.fail("the kernel has too many instructions", instead_of.ptx_line);
        Instruction result = instead_of;
        result.guarded = false;
        result.parts = std::move(parts);
        result.operands = std::move(operands);
        kernel_.instructions.push_back(std::move(result));
        return kernel_.instructions.size() - 1;
    }
    size_t add_branch(const Instruction& instead_of, const Operand& guard, bool negated) {
        size_t index = add(instead_of, {"bra"}, {Operand{}});
        kernel_.instructions[index].guarded = true;
        kernel_.instructions[index].guard = guard;
        kernel_.instructions[index].guard.negated = guard.negated != negated;
        return index;
    }
    void lead_here(size_t branch) {
        Operand& target = kernel_.instructions[branch].operands[0];
        target.kind = Operand::Kind::label;
        target.value = kernel_.instructions.size();
    }
    bool is_running(const std::string& name) const {
        return std::find(calls_.begin(), calls_.end(), name) != calls_.end();
    }

    void put_in_place(const Call& call, const Instruction& instruction) {
        if (is_running(call.name))
            cursor_.fail("the recursive call of " + call.name + " is not known",
                         instruction.ptx_line);
        if (call.results.size() != call.function->results.size() ||
            call.parameters.size() != call.function->parameters.size())
            cursor_.fail("the call does not fit the function", instruction.ptx_line);
        if (++calls_placed_ > kMostCalls)
            cursor_.fail("the kernel makes too many calls", instruction.ptx_line);
        Parameters formal;
        for (size_t i = 0; i < call.results.size(); ++i)
            formal[call.function->results[i].name] = parameter(call.results[i]);
        for (size_t i = 0; i < call.parameters.size(); ++i)
            formal[call.function->parameters[i].name] = parameter(call.parameters[i]);
        size_t behind = cursor_.mark();
        Position position = position_;
        bool was_called = is_called_;
        calls_.push_back(call.name);
        cursor_.return_to(call.function->body);
        frame(formal, true);
        cursor_.return_to(behind);
        calls_.pop_back();
        is_called_ = was_called;
        position_ = last_position_ = position;
    }
    uint32_t parameter(const std::string& name) {
        auto found = parameters_.back().find(name);
        if (found == parameters_.back().end()) cursor_.fail("there is no parameter " + name);
        return found->second;
    }
    uint32_t place_parameter(const Declaration& declaration) {
        Declaration placed = declaration;
        placed.name = "";  // known within its braces only
        place_local(placed);
        return kernel_.local.back().offset;
    }
    void place_local(const Declaration& declaration) {
        place(kernel_.local, kernel_.local_bytes, declaration);
        if (kernel_.local_bytes > kMostLocalBytes)
            cursor_.fail("a thread has more than 512 KiB of local memory, all that there can be");
    }
    void resolve_parameter(Operand& operand) {
        auto found = parameters_.back().find(operand.name);
        if (operand.name.empty() || found == parameters_.back().end()) return;
        operand.space = SymbolSpace::local;
        operand.value += found->second;
        operand.name.clear();
    }
    // A function's ret goes to where its body ends.
    void make_branch(Instruction& instruction) {
        instruction.parts = {"bra"};
        Operand end;
        end.kind = Operand::Kind::label;
        instruction.operands = {end};
        frame_.returns.push_back(kernel_.instructions.size());
    }

    void resolve_names() {
        for (const auto& variable : kernel_.variables)
            symbols_[variable.name] = {SymbolSpace::module, variable.address};
        for (const auto& [name, function] : functions_)
            symbols_[name] = {SymbolSpace::module, function.address};
        for (const auto& parameter : kernel_.parameters)
            symbols_[parameter.name] = {SymbolSpace::parameter, parameter.offset};
        for (const auto& variable : kernel_.local)
            symbols_[variable.name] = {SymbolSpace::local, variable.offset};
        // The dynamic array starts where the static ones end.
        for (auto& variable : kernel_.shared) {
            if (variable.bytes == 0)
                variable.offset =
                    (kernel_.shared_bytes + variable.align - 1) / variable.align * variable.align;
            symbols_[variable.name] = {SymbolSpace::shared, variable.offset};
        }
        for (size_t i = frame_.first; i < kernel_.instructions.size(); ++i)
            for (Operand& operand : kernel_.instructions[i].operands)
                resolve(operand, instruction_scopes_[i], kernel_.instructions[i].ptx_line);
    }

    // The name of a list of labels (of brx.idx) becomes the labels.
    void expand_targets(Operand& operand) {
        auto list = frame_.branch_targets.find(operand.name);
        if (operand.name.empty() || list == frame_.branch_targets.end()) return;
        operand = Operand{};
        operand.kind = Operand::Kind::vector;
        branch_targets_ += list->second.size();
        if (branch_targets_ > kMostBranchTargets) cursor_.fail("there are too many branch targets");
        for (const std::string& name : list->second) {
            operand.elements.emplace_back();
            operand.elements.back().kind = Operand::Kind::symbol;
            operand.elements.back().name = name;
        }
    }

    // The label of that name in the scope or the next around it that has one; null for none.
    const uint32_t* find_label(const std::string& name, size_t scope) const {
        for (;; scope = outer_scopes_[scope]) {
            auto label = frame_.labels.find({scope, name});
            if (label != frame_.labels.end()) return &label->second;
            if (scope == 0) return nullptr;
        }
    }

    void resolve(Operand& operand, size_t scope, int line) {
        expand_targets(operand);
        for (Operand& element : operand.elements) resolve(element, scope, line);
        bool is_done =
            operand.kind == Operand::Kind::label || operand.space != SymbolSpace::unknown;
        if (operand.name.empty() || is_done || operand.kind == Operand::Kind::special) return;
        if (auto symbol = symbols_.find(operand.name); symbol != symbols_.end()) {
            operand.space = symbol->second.space;
            operand.value += symbol->second.offset;
        } else if (const uint32_t* label = find_label(operand.name, scope)) {
            if (operand.kind != Operand::Kind::symbol) cursor_.fail("a label has no address", line);
            operand.kind = Operand::Kind::label;
            operand.value = *label;
        } else if (operand.name[0] == '$') {
            cursor_.fail("there is no label " + operand.name, line);
        }  // else a variable in a space that the machine may refuse when it decodes
    }

    struct Symbol {
        SymbolSpace space;
        uint64_t offset;
    };
    Cursor& cursor_;
    Kernel& kernel_;
    const Functions& functions_;
    Frame frame_;
    std::vector<Parameters> parameters_;  // by scope
    std::vector<std::string> calls_;      // whose bodies are being put in place
    size_t calls_placed_ = 0, branch_targets_ = 0;
    bool is_called_ = false;
    std::vector<Registers> scopes_;
    std::vector<size_t> outer_scopes_ = {0};  // of each pair of braces so far; 0 is around all
    size_t scope_ = 0;                        // the present one
    std::vector<size_t> instruction_scopes_;  // by instruction
    std::map<std::string, Symbol> symbols_;
    Position position_, last_position_;
    int last_line_ = 0;
};

}  // namespace

Declaration parse_declaration(Cursor& cursor) {
    Declaration result;
    uint32_t bytes = 0;
    while (cursor.peek().starts_with(".")) {
        std::string_view word = cursor.next();
        if (word == ".align") {
            result.align = cursor.small_number(4096);
            if (result.align == 0 || (result.align & (result.align - 1)) != 0)
                cursor.fail("an alignment is a power of two");
        } else if (word == ".attribute") {
            cursor.skip_past(")");
        } else if ((bytes = type_bytes(word)) == 0) {
            cursor.fail("the type " + std::string(word) + " is not known");
        }
    }
    if (bytes == 0) cursor.fail("expected a type");
    result.align = std::max(result.align, bytes);
    result.name = cursor.next();
    uint64_t count = 1;
    while (cursor.accept("[")) {
        count *= cursor.peek() == "]" ? 0 : cursor.small_number(kMostBytes);
        cursor.expect("]");
        if (count * bytes > kMostBytes) cursor.fail("the variable is too large");
    }
    result.bytes = static_cast<uint32_t>(count * bytes);
    result.element_bytes = bytes;
    if (cursor.accept("="))
        while (!cursor.at_end() && cursor.peek() != ";") result.initial.emplace_back(cursor.next());
    cursor.accept(";");
    return result;
}

void place(std::vector<Variable>& variables, uint32_t& used, const Declaration& declaration) {
    Variable variable{declaration.name, 0, declaration.bytes, declaration.align};
    if (declaration.bytes > 0) {
        variable.offset = (used + declaration.align - 1) / declaration.align * declaration.align;
        used = std::min(variable.offset + declaration.bytes, kMostBytes);
    }
    variables.push_back(std::move(variable));
}

void parse_body(Cursor& cursor, Kernel& kernel, const Functions& functions) {
    Body(cursor, kernel, functions).parse();
}

}  // namespace lanewise::ptx
