#include "ptx/body.h"

#include "base/text.h"

namespace lanewise::ptx {

namespace {

constexpr uint32_t kMostBytes = 1u << 30;  // of one space, so that offsets never overflow

class Body {
  public:
    Body(Cursor& cursor, Kernel& kernel) : cursor_(cursor), kernel_(kernel) {}

    void parse() {
        cursor_.expect("{");
        scopes_.emplace_back();
        while (!scopes_.empty()) statement();
        resolve_names();
    }

  private:
    // statement := "{" | "}" | label ":" | directive | [guard] instruction ";"
    void statement() {
        if (cursor_.at_end()) cursor_.fail("the kernel does not end");
        if (cursor_.accept("{")) {
            scopes_.push_back(Registers(scopes_.back()));
        } else if (cursor_.accept("}")) {
            scopes_.pop_back();
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
        if (!labels_.emplace(name, index).second) cursor_.fail("the label is there twice");
        cursor_.expect(":");
        last_line_ = 0;  // another block of code
        if (cursor_.accept(".branchtargets")) {
            do branch_targets_[name].emplace_back(cursor_.next());
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
            place(kernel_.local, kernel_.local_bytes, parse_declaration(cursor_));
        } else if (name == ".loc") {
            location();
        } else if (name == ".pragma" || name == ".param") {  // .param: of a call
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
        if (result.parts[0] == "call")
            while (!cursor_.at_end() && cursor_.peek() != ";") cursor_.next();
        else
            parse_operands(cursor_, scopes_.back(), result);
        if (cursor_.peek() != ";") cursor_.fail("expected ';'");
        result.text = cursor_.text_since(start);
        cursor_.next();
        kernel_.instructions.push_back(std::move(result));
    }

    void resolve_names() {
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
        for (Instruction& instruction : kernel_.instructions)
            for (Operand& operand : instruction.operands) resolve(operand, instruction.ptx_line);
    }

    // The name of a list of labels (of brx.idx) becomes the labels.
    void expand_targets(Operand& operand) {
        auto list = branch_targets_.find(operand.name);
        if (list == branch_targets_.end()) return;
        operand = Operand{};
        operand.kind = Operand::Kind::vector;
        for (const std::string& name : list->second) {
            operand.elements.emplace_back();
            operand.elements.back().kind = Operand::Kind::symbol;
            operand.elements.back().name = name;
        }
    }

    void resolve(Operand& operand, int line) {
        expand_targets(operand);
        for (Operand& element : operand.elements) resolve(element, line);
        if (operand.name.empty() || operand.kind == Operand::Kind::special) return;
        if (auto symbol = symbols_.find(operand.name); symbol != symbols_.end()) {
            operand.space = symbol->second.space;
            operand.value += symbol->second.offset;
        } else if (auto label = labels_.find(operand.name); label != labels_.end()) {
            if (operand.kind != Operand::Kind::symbol) cursor_.fail("a label has no address", line);
            operand.kind = Operand::Kind::label;
            operand.value = label->second;
        } else if (operand.name[0] == '$') {
            cursor_.fail("there is no label " + operand.name, line);
        }  // else a variable in a space that the machine may refuse when it decodes
    }

    struct Symbol {
        SymbolSpace space;
        uint32_t offset;
    };
    Cursor& cursor_;
    Kernel& kernel_;
    std::vector<Registers> scopes_;
    std::map<std::string, uint32_t> labels_;
    std::map<std::string, Symbol> symbols_;
    std::map<std::string, std::vector<std::string>> branch_targets_;
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
    if (cursor.peek() == "=")
        cursor.skip_past(";");
    else if (cursor.peek() == ";")
        cursor.next();
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

void parse_body(Cursor& cursor, Kernel& kernel) { Body(cursor, kernel).parse(); }

}  // namespace lanewise::ptx
