#include <bit>

#include "ptx/body.h"

namespace lanewise::ptx {

namespace {

constexpr uint32_t kMostRegisters = 1u << 20;  // of one kind; the hardware has 255

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Special registers (10.) whose names end in digits, as those of declared ones do.
bool is_one_with_a_number(std::string_view name) {
    static constexpr std::string_view families[] = {"%clock64", "%envreg", "%pm",
                                                    "%reserved_smem_offset_"};
    return std::any_of(std::begin(families), std::end(families),
                       [&](std::string_view family) { return name.starts_with(family); });
}
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class OperandParser {
  public:
    OperandParser(Cursor& cursor, const Registers& registers)
        : cursor_(cursor), registers_(registers) {}

    // operand := [vector] | one ["|" one]
    Operand operand() {
        Operand first = cursor_.peek() == "{" ? vector() : one();
        if (!cursor_.accept("|")) return first;
        Operand pair;
        pair.kind = Operand::Kind::pair;
        pair.elements = {std::move(first), one()};
        return pair;
    }

    // "{" one ("," one)* "}"
    Operand vector() {
        Operand result;
        result.kind = Operand::Kind::vector;
        cursor_.expect("{");
        do result.elements.push_back(one());
        while (cursor_.accept(","));
        cursor_.expect("}");
        return result;
    }

    // one := "!" register | number | "[" address "]" | name ["+" number]
    Operand one() {
        if (cursor_.accept("[")) return address();
        if (cursor_.at_number() && cursor_.peek().find('.') != std::string_view::npos)
            return decimal();
        if (cursor_.at_number() || cursor_.peek() == "-") {
            Operand result;
            result.kind = Operand::Kind::immediate;
            result.value = cursor_.number();
            return result;
        }
        bool negated = cursor_.accept("!");
        Operand result = name();
        result.negated = negated;
        if (result.kind == Operand::Kind::symbol && cursor_.accept("+"))
            result.value = cursor_.number();
        return result;
    }

  private:
    // 0.5: as inline assembly has it; the compiler itself writes bits
    Operand decimal() {
        std::string_view word = cursor_.peek();
        double value = 0;
        auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size())
            cursor_.fail("expected a number but found '" + std::string(word) + "'");
        Operand result;
        result.kind = Operand::Kind::immediate;
        result.value = std::bit_cast<uint64_t>(value);
        result.name = cursor_.next();
        return result;
    }

    // address := [name] ["+" number] ["," vector] "]"; the vector: a tensor's coordinates
    Operand address() {
        Operand result;
        if (!cursor_.at_number() && cursor_.peek() != "-") {
            result = name();
            result.has_base = result.kind == Operand::Kind::reg;
            if (!result.has_base && result.kind != Operand::Kind::symbol)
                cursor_.fail("expected an address");
            if (cursor_.accept("+"))
                result.value = cursor_.number();
            else if (cursor_.peek() == "-")
                result.value = cursor_.number();
        } else {
            result.value = cursor_.number();
        }
        if (cursor_.accept(",")) result.elements = vector().elements;
        cursor_.expect("]");
        result.kind = Operand::Kind::address;
        return result;
    }

    Operand name() {
        std::string_view word = cursor_.peek();
        Operand result;
        bool is_name = !word.empty() &&
                       (word[0] == '%' || word[0] == '_' || word[0] == '$' || is_letter(word[0]));
        if (!is_name) cursor_.fail("expected an operand");
        Register first;
        if (registers_.find_pair(word, first)) {
            cursor_.next();
            return pair_of(first);
        }
        if (word == "_") {
            result.kind = Operand::Kind::sink;
        } else if (word == "WARP_SZ") {
            result.kind = Operand::Kind::immediate;
            result.value = 32;
        } else if (registers_.find(word, result.reg)) {
            result.kind = Operand::Kind::reg;
        } else {
            result.kind = word[0] == '%' ? Operand::Kind::special : Operand::Kind::symbol;
            result.name = word;
            bool is_special = is_one_with_a_number(word);
            if (word[0] == '%' && word.size() > 1 && is_digit(word.back()) && !is_special)
                cursor_.fail("the register " + std::string(word) + " is not declared");
        }
        cursor_.next();
        return result;
    }

    // A register of 128 bits: {lower half, upper half}
    static Operand pair_of(Register first) {
        Operand result, half;
        half.kind = Operand::Kind::reg;
        result.kind = Operand::Kind::vector;
        for (uint32_t i = 0; i < 2; ++i) {
            half.reg = {first.kind, first.index + i};
            result.elements.push_back(half);
        }
        return result;
    }

    Cursor& cursor_;
    const Registers& registers_;
};

}  // namespace

void Registers::declare(Kernel& kernel, std::string_view name, RegisterKind kind, uint32_t count,
                        bool numbered) {
    uint32_t& next = kind == RegisterKind::predicate ? kernel.predicates
                     : kind == RegisterKind::word    ? kernel.words
                                                     : kernel.wides;
    if (numbered)
        numbered_[std::string(name)] = {kind, next, count};
    else
        single_[std::string(name)] = {kind, next};
    next += count;
}

// "%r12" -> "%r" and 12. False where there is no number, or one that is too large.
static bool split_number(std::string_view name, std::string_view& stem, uint32_t& number) {
    size_t digits = name.size();
    while (digits > 0 && is_digit(name[digits - 1])) --digits;
    stem = name.substr(0, digits);
    auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size();
}

bool Registers::find(std::string_view name, Register& found) const {
    if (auto it = single_.find(name); it != single_.end()) {
        found = it->second;
        return true;
    }
    std::string_view stem;
    uint32_t number = 0;
    if (!split_number(name, stem, number)) return false;
    auto family = numbered_.find(stem);
    if (family == numbered_.end() || number >= family->second.count) return false;
    found = {family->second.kind, family->second.first + number};
    return true;
}

void Registers::declare_pairs(Kernel& kernel, std::string_view name, uint32_t count,
                              bool numbered) {
    pairs_[std::string(name)] = {RegisterKind::wide, kernel.wides, numbered ? count : 0};
    kernel.wides += 2 * count;
}

bool Registers::find_pair(std::string_view name, Register& first) const {
    if (pairs_.empty()) return false;
    auto family = pairs_.find(name);
    std::string_view stem;
    uint32_t number = 0;
    bool alone = family != pairs_.end() && family->second.count == 0;
    if (!alone) {
        if (!split_number(name, stem, number)) return false;
        family = pairs_.find(stem);
        if (family == pairs_.end() || number >= family->second.count) return false;
    }
    first = {family->second.kind, family->second.first + 2 * number};
    return true;
}

void parse_operands(Cursor& cursor, const Registers& registers, Instruction& instruction) {
    if (cursor.peek() == ";") return;
    OperandParser parser(cursor, registers);
    do instruction.operands.push_back(parser.operand());
    while (cursor.accept(","));
}

Operand parse_predicate(Cursor& cursor, const Registers& registers) {
    Operand result = OperandParser(cursor, registers).one();
    if (result.kind != Operand::Kind::reg || result.reg.kind != RegisterKind::predicate)
        cursor.fail("expected a predicate register");
    return result;
}

uint32_t type_bytes(std::string_view directive) {
    struct Row {
        std::string_view name;
        uint32_t bytes;
    };
    static constexpr Row rows[] = {
        {".pred", 1}, {".b8", 1},  {".u8", 1},  {".s8", 1},    {".b16", 2},
        {".u16", 2},  {".s16", 2}, {".f16", 2}, {".bf16", 2},  {".b32", 4},
        {".u32", 4},  {".s32", 4}, {".f32", 4}, {".f16x2", 4}, {".bf16x2", 4},
        {".b64", 8},  {".u64", 8}, {".s64", 8}, {".f64", 8},   {".b128", 16},
    };
    for (const Row& row : rows)
        if (row.name == directive) return row.bytes;
    return 0;
}

void parse_register_declaration(Cursor& cursor, Kernel& kernel, Registers& registers) {
    uint32_t bytes = type_bytes(cursor.peek());
    if (bytes == 0) cursor.fail("a register of this type is not known");
    RegisterKind kind = cursor.peek() == ".pred" ? RegisterKind::predicate
                        : bytes == 8             ? RegisterKind::wide
                                                 : RegisterKind::word;
    cursor.next();
    do {
        std::string_view name = cursor.next();
        bool numbered = cursor.accept("<");
        uint32_t count = numbered ? cursor.small_number(kMostRegisters) : 1;
        if (numbered) cursor.expect(">");
        if (kernel.words + kernel.wides + kernel.predicates + count > kMostRegisters)
            cursor.fail("there are too many registers");
        if (bytes == 16)
            registers.declare_pairs(kernel, name, count, numbered);
        else
            registers.declare(kernel, name, kind, count, numbered);
    } while (cursor.accept(","));
    cursor.expect(";");
}

}  // namespace lanewise::ptx
