#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "ptx/body_parser.h"
#include "ptx/reserved.h"

namespace lanewise::ptx {

void Body::parse() {
    try {
        frame({}, false);
        place_stack();
    } catch (const Error& error) {
        // Of inlined code the call in the kernel's own file.
        Position at = position_;
        for (int call = call_; call >= 0; call = kernel_.calls[static_cast<size_t>(call)].outer)
            at = kernel_.calls[static_cast<size_t>(call)].at;
        auto file = static_cast<size_t>(at.file);
        if (at.line == 0 || file >= kernel_.files.size()) throw;
        throw Error(error.status(),
                    kernel_.files[file] + ":" + std::to_string(at.line) + ": " + error.what());
    }
}

void Body::frame(const Places& parameters, bool called) {
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
void Body::open_scope() {
    outer_scopes_.push_back(scope_);
    scope_ = outer_scopes_.size() - 1;
}

// statement := "{" | "}" | label ":" | directive | [guard] instruction ";"
void Body::statement() {
    if (cursor_.at_end()) cursor_.fail("the kernel does not end");
    if (cursor_.accept("{")) {
        if (scopes_.size() >= kMostScopes) cursor_.fail("braces are nested too deeply");
        scopes_.push_back(Registers(scopes_.back()));
        parameters_.push_back(Places(parameters_.back()));
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

void Body::label() {
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

void Body::directive() {
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
void Body::location() {
    Position position = this->position();
    int call = -1;
    if (cursor_.accept(",")) {
        cursor_.expect("function_name");
        cursor_.next();
        if (cursor_.accept("+")) cursor_.number();
        cursor_.expect(",");
        cursor_.expect("inlined_at");
        call = inlined_call(this->position());
    }
    calls_at_[key_of(position)] = call;
    position_ = position, call_ = call;
    if (position.line == 0 && last_line_ != 0)
        position_ = last_position_, call_ = last_call_;
    else if (position.line != 0)
        last_position_ = position, last_call_ = call, last_line_ = position.line;
}

// file line column
Position Body::position() {
    Position result;
    result.file = static_cast<int>(cursor_.small_number(1 << 20));
    result.line = static_cast<int>(cursor_.small_number(1 << 30));
    result.column = static_cast<int>(cursor_.small_number(1 << 30));
    return result;
}

// The call at this place, which is itself in the one that the last .loc of the place named.
int Body::inlined_call(const Position& at) {
    auto around = calls_at_.find(key_of(at));
    int outer = around == calls_at_.end() ? -1 : around->second;
    auto [call, is_new] =
        calls_.try_emplace({key_of(at), outer}, static_cast<int>(kernel_.calls.size()));
    if (is_new) kernel_.calls.push_back({at, outer});
    return call->second;
}

// ["@" ["!"] %p] opcode [operands] ";"
void Body::instruction() {
    Instruction result;
    size_t start = cursor_.offset();
    result.ptx_line = cursor_.line();
    result.position = position_;
    result.call = call_;
    if (position_.line != 0)
        last_position_ = position_, last_call_ = call_, last_line_ = position_.line;
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
    for (Operand& operand : result.operands) place_reserved(operand);
    if (cursor_.peek() != ";") cursor_.fail("expected ';'");
    result.text = cursor_.text_since(start);
    cursor_.next();
    if (call.function || call.is_indirect) return put_call(call, result);
    for (Operand& operand : result.operands) resolve_parameter(operand);
    if (is_called_ && result.parts[0] == "ret") make_branch(result);
    push(std::move(result));
}

void Body::push(Instruction instruction) {
    if (kernel_.instructions.size() == kMostInstructions)
        cursor_.fail("the kernel has more than 262,144 instructions; unroll its loops less",
                     instruction.ptx_line);
    kernel_.instructions.push_back(std::move(instruction));
    instruction_scopes_.push_back(scope_);
}

// A function's ret goes to where its body ends.
void Body::make_branch(Instruction& instruction) {
    instruction.parts = {"bra"};
    Operand end;
    end.kind = Operand::Kind::label;
    instruction.operands = {end};
    frame_.returns.push_back(kernel_.instructions.size());
}

// %reserved_smem_offset_0 and _1: the parts of the shared memory that the system keeps for itself,
// of which cooperative groups use the second. Here they are a variable of the kernel's own.
void Body::place_reserved(Operand& operand) {
    constexpr std::string_view kPart = "%reserved_smem_offset_";
    constexpr uint32_t kBytes = 1024;
    bool is_part = operand.kind == Operand::Kind::special && operand.name.starts_with(kPart) &&
                   (operand.name.ends_with("_0") || operand.name.ends_with("_1"));
    if (!is_part) return;
    auto is_reserved = [](const Variable& variable) { return variable.name == kReservedShared; };
    auto& shared = kernel_.shared;
    if (std::none_of(shared.begin(), shared.end(), is_reserved))
        place(shared, kernel_.shared_bytes, {std::string(kReservedShared), 16, kBytes, 1, {}});
    operand.value = std::find_if(shared.begin(), shared.end(), is_reserved)->offset;
    if (operand.name.ends_with("_1")) operand.value += kBytes / 2;
    operand.kind = Operand::Kind::symbol;
    operand.space = SymbolSpace::shared;
    operand.name = kReservedShared;
}

// Variables and parameters in local memory ------------------------------------------------------

void Body::place_local(const Declaration& declaration) {
    if (innermost()) {
        frame_.locals[declaration.name] = place_parameter(declaration);
        return;
    }
    place(kernel_.local, kernel_.local_bytes, declaration);
    if (kernel_.local_bytes > kMostLocalBytes)
        cursor_.fail("a thread has more than 512 KiB of local memory, all that there can be");
}

Body::Place Body::place_parameter(const Declaration& declaration) {
    if (Recursive* body = innermost()) {
        uint64_t offset =
            (body->used + declaration.align - 1) / declaration.align * declaration.align;
        body->used = offset + declaration.bytes;
        if (body->used > kRecursionBytes)
            cursor_.fail("one call of " + body->name + " takes more than the stack of " +
                         in_bytes(kRecursionBytes) + " that recursion has here");
        return {offset, true, body->frame};
    }
    Declaration placed = declaration;
    placed.name = "";  // known within its braces only
    place_local(placed);
    return {kernel_.local.back().offset, false, {}};
}

void Body::resolve_parameter(Operand& operand) {
    auto found = parameters_.back().find(operand.name);
    if (operand.name.empty() || found == parameters_.back().end()) return;
    set_place(operand, found->second);
}

void Body::set_place(Operand& operand, const Place& place) {
    operand.space = SymbolSpace::local;
    operand.value += place.offset;
    operand.has_base = place.has_frame;
    operand.reg = place.frame;
    operand.name.clear();
}

// mov d, variable: behind a frame it is an addition.
void Body::add_frame(Instruction& instruction) {
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
        Operand& operand = instruction.operands[i];
        if (operand.kind != Operand::Kind::symbol || !operand.has_base) continue;
        if (instruction.parts[0] != "mov" || i != 1)
            cursor_.fail("this use of a recursive function's variable is not known",
                         instruction.ptx_line);
        Operand frame, offset;
        frame.kind = Operand::Kind::reg;
        frame.reg = operand.reg;
        offset.kind = Operand::Kind::immediate;
        offset.value = operand.value;
        Operand to = instruction.operands[0];
        instruction.parts = {"add", "u64"};
        instruction.operands = {to, frame, offset};
    }
}

// Names -------------------------------------------------------------------------------------------

void Body::resolve_names() {
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
    for (size_t i = frame_.first; i < kernel_.instructions.size(); ++i) {
        Instruction& instruction = kernel_.instructions[i];
        for (Operand& operand : instruction.operands)
            resolve(operand, instruction_scopes_[i], instruction.ptx_line);
        add_frame(instruction);
    }
}

// The name of a list of labels (of brx.idx) becomes the labels.
void Body::expand_targets(Operand& operand) {
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
const uint32_t* Body::find_label(const std::string& name, size_t scope) const {
    for (;; scope = outer_scopes_[scope]) {
        auto label = frame_.labels.find({scope, name});
        if (label != frame_.labels.end()) return &label->second;
        if (scope == 0) return nullptr;
    }
}

void Body::resolve(Operand& operand, size_t scope, int line) {
    expand_targets(operand);
    resolve_name(operand, scope, line);
}

// What a list of branch targets stands for are labels, never a list again.
void Body::resolve_name(Operand& operand, size_t scope, int line) {
    for (Operand& element : operand.elements) resolve_name(element, scope, line);
    bool is_done = operand.kind == Operand::Kind::label || operand.space != SymbolSpace::unknown;
    if (operand.name.empty() || is_done || operand.kind == Operand::Kind::special) return;
    if (auto local = frame_.locals.find(operand.name); local != frame_.locals.end()) {
        set_place(operand, local->second);
    } else if (auto symbol = symbols_.find(operand.name); symbol != symbols_.end()) {
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
