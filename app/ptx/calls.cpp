// Calls within a kernel's body: a function's body is put in place of each call of it; recursive
// functions, in place of the first, and the other calls jump there (body_parser.h).
#include <algorithm>

#include "ptx/body_parser.h"

namespace lanewise::ptx {

namespace {

Operand register_operand(Register reg) {
    Operand operand;
    operand.kind = Operand::Kind::reg;
    operand.reg = reg;
    return operand;
}
Operand immediate(uint64_t value) {
    Operand operand;
    operand.kind = Operand::Kind::immediate;
    operand.value = value;
    return operand;
}
Operand label_of(size_t instruction) {
    Operand operand;
    operand.kind = Operand::Kind::label;
    operand.value = instruction;
    return operand;
}

}  // namespace

// call ["(" results ")" ","] name ["," "(" parameters ")"]
Body::Call Body::parse_call(Instruction& instruction) {
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

std::vector<std::string> Body::name_list() {
    std::vector<std::string> names;
    if (!cursor_.accept("(")) return names;
    while (!cursor_.at_end() && !cursor_.accept(")")) {
        names.emplace_back(cursor_.next());
        cursor_.accept(",");
    }
    return names;
}

void Body::put_call(const Call& call, const Instruction& instruction) {
    size_t around = 0;
    if (instruction.guarded) around = add_branch(instruction, instruction.guard, true);
    if (call.is_indirect)
        put_candidates(call, instruction);
    else
        put_direct(call, instruction);
    if (instruction.guarded) lead_here(around);
}

// A call through a pointer may mean every function that fits: each is compared with and put in
// place. A pointer to none of them stops the lane.
void Body::put_candidates(const Call& call, const Instruction& instruction) {
    std::vector<size_t> done;
    for (const auto& [name, function] : functions_) {
        bool fits = function.is_taken && function.results.size() == call.results.size() &&
                    function.parameters.size() == call.parameters.size();
        if (!fits) continue;
        Operand differs = register_operand(new_register(RegisterKind::predicate));
        add(instruction, {"setp", "ne", "u64"},
            {differs, register_operand(call.pointer), immediate(function.address)});
        size_t next = add_branch(instruction, differs, false);
        Call direct = call;
        direct.name = name;
        direct.function = &function;
        put_direct(direct, instruction);
        done.push_back(add(instruction, {"bra", "uni"}, {Operand{}}));
        lead_here(next);
    }
    add(instruction, {"trap", "call"}, {});
    for (size_t i : done) lead_here(i);
}

// An instruction in place of another. Returns its index.
size_t Body::add(const Instruction& instead_of, std::vector<std::string> parts,
                 std::vector<Operand> operands) {
    Instruction result = instead_of;
    result.guarded = false;
    result.parts = std::move(parts);
    result.operands = std::move(operands);
    push(std::move(result));
    return kernel_.instructions.size() - 1;
}
size_t Body::add_branch(const Instruction& instead_of, const Operand& guard, bool negated) {
    size_t index = add(instead_of, {"bra"}, {Operand{}});
    kernel_.instructions[index].guarded = true;
    kernel_.instructions[index].guard = guard;
    kernel_.instructions[index].guard.negated = guard.negated != negated;
    return index;
}
void Body::lead_here(size_t branch) {
    kernel_.instructions[branch].operands[0] = label_of(kernel_.instructions.size());
}

void Body::put_direct(const Call& call, const Instruction& instruction) {
    if (call.results.size() != call.function->results.size() ||
        call.parameters.size() != call.function->parameters.size())
        cursor_.fail("the call does not fit the function", instruction.ptx_line);
    if (++calls_placed_ > kMostCalls)
        cursor_.fail("the kernel makes too many calls", instruction.ptx_line);
    if (call.function->circle != 0) return put_recursive(call, instruction);
    Places formal;
    for (size_t i = 0; i < call.results.size(); ++i)
        formal[call.function->results[i].name] = parameter(call.results[i]);
    for (size_t i = 0; i < call.parameters.size(); ++i)
        formal[call.function->parameters[i].name] = parameter(call.parameters[i]);
    put_body(*call.function, formal);
}

void Body::put_body(const Function& function, const Places& parameters) {
    size_t behind = cursor_.mark();
    Position position = position_;
    bool was_called = is_called_;
    cursor_.return_to(function.body);
    frame(parameters, true);
    cursor_.return_to(behind);
    is_called_ = was_called;
    position_ = last_position_ = position;
}

const Body::Place& Body::parameter(const std::string& name) const {
    auto found = parameters_.back().find(name);
    if (found == parameters_.back().end()) cursor_.fail("there is no parameter " + name);
    return found->second;
}

// Recursion -----------------------------------------------------------------------------------

Register Body::new_register(RegisterKind kind) {
    uint32_t& next = kind == RegisterKind::predicate ? kernel_.predicates
                     : kind == RegisterKind::word    ? kernel_.words
                                                     : kernel_.wides;
    return {kind, next++};
}

// The recursive function whose frame is the present one; null where none is being read.
Body::Recursive* Body::innermost() {
    if (circles_.empty()) return nullptr;
    Circle& circle = *circles_.back();
    return &circle.bodies[circle.running.back()];
}

Body::Circle* Body::running_circle(int number) {
    for (Circle* circle : circles_)
        if (circle->number == number) return circle;
    return nullptr;
}

void Body::put_recursive(const Call& call, const Instruction& instruction) {
    if (Circle* circle = running_circle(call.function->circle)) {
        for (Recursive& body : circle->bodies)
            if (body.name == call.name) return put_jump(*circle, body, call, instruction);
        return put_first(*circle, call, instruction);
    }
    Circle circle;
    circle.number = call.function->circle;
    circle.first[0] = {RegisterKind::predicate, kernel_.predicates};
    circle.first[1] = {RegisterKind::word, kernel_.words};
    circle.first[2] = {RegisterKind::wide, kernel_.wides};
    put_first(circle, call, instruction);
    finish(circle);
}

// The end of the innermost frame, in a new register: where the next one begins.
Operand Body::behind_innermost(const Instruction& instruction) {
    Operand next = register_operand(new_register(RegisterKind::wide));
    if (const Recursive* body = innermost()) {
        Circle& circle = *circles_.back();
        size_t i =
            add(instruction, {"add", "u64"}, {next, register_operand(body->frame), immediate(0)});
        circle.sizes.emplace_back(i, circle.running.back());
    } else {
        stack_begins_.push_back(add(instruction, {"mov", "u64"}, {next, immediate(0)}));
    }
    return next;
}

// Between places of local memory, in pieces as large as both their alignments allow.
void Body::copy(const Instruction& instruction, const Place& to, const Place& from,
                uint32_t bytes) {
    auto address = [](const Place& place, uint64_t done) {
        Operand operand;
        operand.kind = Operand::Kind::address;
        operand.space = SymbolSpace::local;
        operand.value = place.offset + done;
        operand.has_base = place.has_frame;
        operand.reg = place.frame;
        return operand;
    };
    for (uint32_t done = 0; done < bytes;) {
        uint32_t piece = 8;
        while (piece > bytes - done || ((to.offset | from.offset | done) & (piece - 1)) != 0)
            piece /= 2;
        Operand value =
            register_operand(new_register(piece == 8 ? RegisterKind::wide : RegisterKind::word));
        std::string type = "b" + std::to_string(8 * piece);
        add(instruction, {"ld", "local", type}, {value, address(from, done)});
        add(instruction, {"st", "local", type}, {address(to, done), value});
        done += piece;
    }
}

void Body::copy_parameters(const Call& call, const Recursive& body, const Place& base,
                           const Instruction& instruction) {
    for (size_t i = 0; i < call.parameters.size(); ++i) {
        const Declaration& formal = call.function->parameters[i];
        Place to = base;
        to.offset = body.places.at(formal.name).offset;
        copy(instruction, to, parameter(call.parameters[i]), formal.bytes);
    }
}
void Body::copy_results(const Call& call, const Recursive& body, const Place& base,
                        const Instruction& instruction) {
    for (size_t i = 0; i < call.results.size(); ++i) {
        const Declaration& formal = call.function->results[i];
        Place from = base;
        from.offset = body.places.at(formal.name).offset;
        copy(instruction, parameter(call.results[i]), from, formal.bytes);
    }
}

// The body itself. Site 0 is what follows it.
void Body::put_first(Circle& circle, const Call& call, const Instruction& instruction) {
    Operand next = behind_innermost(instruction);
    Recursive& body = circle.bodies.emplace_back();
    body.name = call.name;
    body.frame = new_register(RegisterKind::wide);
    body.site = new_register(RegisterKind::word);
    for (const auto* list : {&call.function->results, &call.function->parameters})
        for (const Declaration& formal : *list) {
            uint64_t offset = (body.used + formal.align - 1) / formal.align * formal.align;
            body.places[formal.name] = {offset, true, body.frame};
            body.used = offset + formal.bytes;
        }
    Place frame{0, true, body.frame};
    add(instruction, {"mov", "u64"}, {register_operand(body.frame), next});
    copy_parameters(call, body, frame, instruction);
    add(instruction, {"mov", "u32"}, {register_operand(body.site), immediate(0)});
    body.begin = kernel_.instructions.size();
    bool is_new = circle.running.empty();
    if (is_new) circles_.push_back(&circle);
    circle.running.push_back(circle.bodies.size() - 1);
    put_body(*call.function, body.places);
    circle.running.pop_back();
    if (is_new) circles_.pop_back();
    body.leave = add(instruction, {"brx", "idx"}, {register_operand(body.site), Operand{}});
    body.sites.insert(body.sites.begin(), static_cast<uint32_t>(kernel_.instructions.size()));
    copy_results(call, body, frame, instruction);
}

void Body::put_jump(Circle& circle, Recursive& body, const Call& call,
                    const Instruction& instruction) {
    Operand next = behind_innermost(instruction);
    Operand is_full = register_operand(new_register(RegisterKind::predicate));
    stack_checks_.push_back(add(instruction, {"setp", "gt", "u64"}, {is_full, next, immediate(0)}));
    size_t overflow = add(instruction, {"trap", "stack"}, {});
    kernel_.instructions[overflow].guarded = true;
    kernel_.instructions[overflow].guard = is_full;
    Place frame{0, true, next.reg};
    copy_parameters(call, body, frame, instruction);
    circle.saves.push_back(add(instruction, {"registers", "save"}, {}));
    add(instruction, {"mov", "u64"}, {register_operand(body.frame), next});
    // Site 0 comes in front when the body is complete.
    size_t site = body.sites.size() + (body.leave == 0 ? 1 : 0);
    add(instruction, {"mov", "u32"}, {register_operand(body.site), immediate(site)});
    add(instruction, {"bra", "uni"}, {label_of(body.begin)});
    body.sites.push_back(static_cast<uint32_t>(kernel_.instructions.size()));
    circle.saves.push_back(add(instruction, {"registers", "restore"}, {}));
    copy_results(call, body, frame, instruction);
}

// What is known only when all of the circle has been read: the sizes of its frames, its registers,
// and where its functions return to.
void Body::finish(Circle& circle) {
    constexpr uint64_t kAlign = 16;  // also the least, so that an endless recursion meets its end
    constexpr uint64_t kSavedPerByte = 8;  // of the stack; bounds what saved registers take
    uint32_t ends[] = {kernel_.predicates, kernel_.words, kernel_.wides};
    uint64_t saved = 0;
    for (size_t kind = 0; kind < 3; ++kind)
        saved += uint64_t{ends[kind] - circle.first[kind].index} * (kind == 2 ? 8 : 4);
    for (auto [instruction, body] : circle.sizes) {
        uint64_t used = std::max({circle.bodies[body].used, kAlign, saved / kSavedPerByte});
        kernel_.instructions[instruction].operands[2].value = (used + kAlign - 1) / kAlign * kAlign;
    }
    for (size_t save : circle.saves)
        for (size_t kind = 0; kind < 3; ++kind) {
            if (ends[kind] == circle.first[kind].index) continue;
            kernel_.instructions[save].operands.push_back(register_operand(circle.first[kind]));
            kernel_.instructions[save].operands.push_back(
                immediate(ends[kind] - circle.first[kind].index));
        }
    for (const Recursive& body : circle.bodies) {
        Operand& sites = kernel_.instructions[body.leave].operands[1];
        sites.kind = Operand::Kind::vector;
        for (uint32_t site : body.sites) sites.elements.push_back(label_of(site));
        branch_targets_ += body.sites.size();
    }
    if (branch_targets_ > kMostBranchTargets) cursor_.fail("there are too many branch targets");
}

// The stack lies behind the variables of the functions that are not recursive.
void Body::place_stack() {
    if (stack_begins_.empty()) return;
    uint32_t begin = (kernel_.local_bytes + 15) / 16 * 16;
    kernel_.local_bytes = begin + kRecursionBytes;
    for (size_t i : stack_begins_) kernel_.instructions[i].operands[1].value = begin;
    // A frame that begins before the end and reaches beyond is found out by its accesses.
    for (size_t i : stack_checks_)
        kernel_.instructions[i].operands[2].value = kernel_.local_bytes - 16;
}

}  // namespace lanewise::ptx
