// Decodes everything that is a row of the operations' tables, and the moves that are more than one
// row to another.
#include <algorithm>
#include <bit>

#include "sim/decode/decoder.h"
#include "sim/operation/long_way.h"
#include "sim/operation/rare_operations.h"
#include "sim/warp/modes.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

namespace {

bool wide(Type type) { return type == Type::u64 || type == Type::s64 || type == Type::f64; }

// .sync and .aligned say how lanes meet, which they always do here; fences order nothing that is
// not ordered; round to nearest is what the host does; a conversion's says what it does.
bool changes_operation(std::string_view opcode, std::string_view part) {
    if (opcode == "membar" || opcode == "fence") return false;
    return part != "sync" && part != "aligned" && !(part == "rn" && opcode != "cvt");
}

// d or d|p
void with_second(KernelDecoder& d, const ptx::Operand& operand, bool is_wide, bool predicate) {
    bool pair = operand.kind == Kind::pair;
    const ptx::Operand& first = pair ? operand.elements[0] : operand;
    d.op().d = predicate ? d.predicate_destination(first) : d.destination(first, is_wide);
    if (pair) d.op().d2 = d.predicate_destination(operand.elements[1]);
}

// The operands by the tables' letters (operations.h).
void rows(KernelDecoder& d, std::string_view letters, uint8_t bytes, uint8_t second_bytes) {
    if (letters.size() != d.operands()) d.unknown();
    Op& op = d.op();
    uint32_t* places[] = {&op.a, &op.b, &op.c, &op.d2};
    size_t used = 0;
    for (size_t i = 0; i < letters.size(); ++i) {
        const ptx::Operand& operand = d.operand(i);
        bool is_wide = bytes == 8;
        switch (letters[i]) {
            case 'd':
                with_second(d, operand, is_wide, false);
                break;
            case 'D':
                if (i == 0)
                    op.d = d.destination(operand, bytes == 4);
                else
                    *places[used++] = d.source(operand, bytes == 4);
                break;
            case 'W':
                op.d = d.destination(operand, false);
                break;
            case 'P':
                with_second(d, operand, false, true);
                break;
            case 's':
                *places[used++] = d.source(operand, is_wide);
                break;
            case 't':
                *places[used++] = d.source(operand, second_bytes == 8);
                break;
            case 'w':
                *places[used++] = d.source(operand, false);
                break;
            case 'l':
                *places[used++] = d.source(operand, true);
                break;
            case 'm':
                op.flow = Flow::converge;
                op.only_meets = d.now().parts[0] == "bar";
                op.target = d.source(operand, false);
                break;
            case 'V':
                with_second(d, operand, false, false);
                break;
            case 'p': {
                uint32_t flip = 0;
                uint32_t& place = *places[used++];
                place = d.predicate_source(operand, flip);
                if (flip != 0 && &place != &op.c && d.now().parts[0] != "vote") d.unknown();
                if (flip != 0) op.c_flip = flip;
                break;
            }
            default:
                d.unknown();
        }
    }
}

// From the tables that are not vectorised: the first whose operation has the types. `plain` is the
// opcode without what Modes holds.
Execute select_rare(std::string_view key, std::string_view plain, Type type, Type second,
                    const OpcodeRow*& found) {
    const OpcodeRow* candidates[] = {
        find_row(float_rows(), plain), find_row(selection_rows(), plain),
        find_row(integer_rows(), key), find_row(carry_rows(), key), find_row(warp_rows(), key)};
    for (const OpcodeRow* candidate : candidates) {
        Execute execute = candidate ? candidate->select(type, second) : nullptr;
        if (!execute) continue;
        found = candidate;
        return execute;
    }
    return nullptr;
}

// cvt, where the vectorised table has no row
void convert(KernelDecoder& d, std::string_view opcode, Type to, Type from) {
    // .rna, half away from zero, is tf32's own, and .satfinite that of the types of eight bits.
    bool to_bytes = to == Type::e4m3x2 || to == Type::e5m2x2;
    bool known =
        opcode == (to_bytes ? "cvt.satfinite" : "cvt") || (opcode == "cvt.rna" && to == Type::tf32);
    if (!known) d.unknown();
    d.op().execute = conversion(to, from);
    if (!d.op().execute) d.unknown();
    bool pair = from == Type::f32 && (to == Type::f16x2 || to == Type::bf16x2 || to_bytes);
    rows(d, pair ? "dtt" : "dt", wide(to) ? 8 : 4, wide(from) ? 8 : 4);
    d.op().bytes = static_cast<uint8_t>(to);
    d.op().elements = static_cast<uint8_t>(from);
}

// cvt.s64.s32 d, a of an `a` with 64 bits: only the low ones count (9.4.1, "Operand Size Exceeding
// Instruction-Type Size"). True where it is such a conversion between integers.
bool convert_low_bits(KernelDecoder& d, const TypeName* to, const TypeName* from) {
    auto is_integer = [](Type type) { return type >= Type::u8 && type <= Type::s64; };
    if (!to || !from || d.now().parts.size() != 3 || d.operands() != 2) return false;
    const ptx::Operand& source = d.operand(1);
    if (source.kind != Kind::reg || source.reg.kind != ptx::RegisterKind::wide) return false;
    if (from->bytes == 8 || !is_integer(from->type) || !is_integer(to->type)) return false;
    Op& op = d.op();
    op.a = d.source(source, true);
    op.d = d.destination(d.operand(0), to->bytes == 8);
    op.bytes = from->bytes;
    op.elements = to->bytes;
    bool is_signed = from->type == Type::s8 || from->type == Type::s16 || from->type == Type::s32;
    op.c_flip = is_signed ? kAllLanes : 0;
    op.execute = [](Warp& w, const Op& o) {
        int unused = 64 - 8 * o.bytes, kept = 64 - 8 * o.elements;
        for (int n = 0; n < kLanes; ++n) {
            if (!(w.lanes >> n & 1)) continue;
            uint64_t high = w.wides(o.a)[n] << unused;
            uint64_t value = o.c_flip ? static_cast<uint64_t>(static_cast<int64_t>(high) >> unused)
                                      : high >> unused;
            if (o.elements == 8)
                w.wides(o.d)[n] = value;
            else
                w.words(o.d)[n] = static_cast<uint32_t>(value << kept >> kept);
        }
    };
    return true;
}

// Moves ------------------------------------------------------------------------------------------

bool is_clock(const KernelDecoder& d) {
    static constexpr std::string_view clocks[] = {
        "%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"};
    return d.operands() == 2 && d.operand(1).kind == Kind::special &&
           is_one_of(d.operand(1).name, clocks);
}
void clock(KernelDecoder& d) {
    bool is_wide = d.operand(0).reg.kind == ptx::RegisterKind::wide;
    d.op().d = d.destination(d.operand(0), is_wide);
    d.op().execute = is_wide ? operations().clock_wide : operations().clock_word;
}
uint8_t mov_bytes(const KernelDecoder& d) {
    const TypeName* type = d.now().parts.size() == 2 ? find_type(d.now().parts[1]) : nullptr;
    if (!type || type->bytes < 4) d.unknown();
    return type->bytes;
}
void set_part_bytes(KernelDecoder& d, uint8_t whole, const ptx::Operand& vector) {
    size_t count = vector.elements.size();
    if ((count != 2 && count != 4) || whole / count == 0) d.unknown();
    d.op().elements = static_cast<uint8_t>(count);
    d.op().bytes = static_cast<uint8_t>(whole / count);
}
// mov.pred d, 0    mov.pred d, %is_explicit_cluster
void set_predicate(KernelDecoder& d) {
    const ptx::Operand& from = d.operand(1);
    d.op().d = d.predicate_destination(d.operand(0));
    if (from.kind == Kind::special && from.name != "%is_explicit_cluster") d.unknown();
    bool is_set = from.kind == Kind::special ? d.result().has_cluster : from.value != 0;
    d.op().c_flip = is_set ? kAllLanes : 0;
    d.op().execute = [](Warp& w, const Op& op) {
        uint32_t& to = w.predicate(op.d);
        to = (to & ~w.lanes) | (op.c_flip & w.lanes);
    };
}
// mov.b64 d, {a, b}
void pack(KernelDecoder& d) {
    uint8_t whole = mov_bytes(d);
    set_part_bytes(d, whole, d.operand(1));
    if (d.elements(d.operand(1), true)) d.unknown();
    d.op().d = d.destination(d.operand(0), whole == 8);
    d.op().execute = whole == 8 ? operations().pack_wide : operations().pack_word;
}
// mov.b64 {a, b}, d
void unpack(KernelDecoder& d) {
    uint8_t whole = mov_bytes(d);
    d.op().a = d.source(d.operand(1), whole == 8);
    set_part_bytes(d, whole, d.operand(0));
    if (d.elements(d.operand(0), false)) d.unknown();
    d.op().execute = whole == 8 ? operations().unpack_wide : operations().unpack_word;
}

// mov.b128 d, a: each {lower half, upper half}
void move_pair(KernelDecoder& d) {
    const ptx::Operand &to = d.operand(0), &from = d.operand(1);
    if (to.elements.size() != 2 || from.elements.size() != 2) d.unknown();
    Op& op = d.op();
    op.a = d.source(from.elements[0], true);
    op.b = d.source(from.elements[1], true);
    op.d = d.destination(to.elements[0], true);
    op.vector[0] = d.destination(to.elements[1], true);
    op.execute = [](Warp& w, const Op& o) {
        for (int n = 0; n < kLanes; ++n) {
            if (!(w.lanes >> n & 1)) continue;
            uint64_t low = w.wides(o.a)[n], high = w.wides(o.b)[n];
            w.wides(o.d)[n] = low;
            w.wides(o.vector[0])[n] = high;
        }
    };
}

}  // namespace

void decode_move(KernelDecoder& d) {
    const Kind from = d.operands() > 1 ? d.operand(1).kind : Kind::sink;
    if (d.has("pred") && (from == Kind::immediate || from == Kind::special))
        set_predicate(d);
    else if (is_clock(d))
        clock(d);
    else if (d.has("b128"))
        move_pair(d);
    else if (d.operand(0).kind == Kind::vector)
        unpack(d);
    else if (d.operand(1).kind == Kind::vector)
        pack(d);
    else
        decode_plain(d);
}

void decode_plain(KernelDecoder& d) {
    const std::vector<std::string>& parts = d.now().parts;
    std::string key = parts[0], plain = key;  // plain: without what Modes holds
    // The least or largest of three has a row of its own.
    if ((key == "min" || key == "max") && d.operands() == 4) plain = key += "3";
    const TypeName* types[3] = {};
    Modes modes;
    size_t count = 0;
    for (size_t i = 1; i < parts.size(); ++i) {
        std::string_view part = parts[i];
        if (const TypeName* type = find_type(part)) {
            if (count == 3) d.unknown();
            types[count++] = type;
            continue;
        }
        if (changes_operation(parts[0], part)) key.append(".").append(part);
        if (!add_mode(part, modes)) plain.append(".").append(part);
    }
    if (key == "cvt" && convert_low_bits(d, types[0], types[1])) return;
    if (count == 1 && types[0]->type == Type::pred) key += ".pred";
    Type type = count > 0 ? types[0]->type : Type::none;
    Type second = count > 1 ? types[1]->type : type;
    bool only_moves = key == "mov" || key == "selp";
    if (only_moves && type == Type::f16) type = Type::u16;
    Op& op = d.op();
    const OpcodeRow* operation = operations().find(key);
    op.execute = operation ? operation->select(type, second) : nullptr;
    if (!op.execute) {
        op.immediate = packed(modes);
        if (parts[0] == "cvt") return convert(d, plain, type, second);
        if (parts[0] == "setp") return decode_setp(d);
        op.execute = select_rare(key, plain, type, second, operation);
    }
    if (!op.execute) d.unknown();
    op.operand_rule = operand_rule(parts);
    if (find_row(carry_rows(), key)) op.d2 = d.carry();
    rows(d, operation->operands, count > 0 ? types[0]->bytes : 4, count > 1 ? types[1]->bytes : 4);
}

namespace {

// d = c's lower part, then a and b, each brought into the range of `bits` bits; b is the lowest.
template <int bits, bool is_signed>
void run_pack(Warp& w, const Op& op) {
    constexpr int32_t most = (1 << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    constexpr uint32_t mask = (1u << bits) - 1;
    const uint32_t *a = w.words(op.a), *b = w.words(op.b), *c = w.words(op.c);
    uint32_t* d = w.words(op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        auto part = [&](uint32_t word) {
            auto number = static_cast<int32_t>(word);
            return static_cast<uint32_t>(std::clamp(number, least, most)) & mask;
        };
        uint32_t above = bits == 16 ? 0 : c[n] << (2 * bits % 32);
        d[n] = above | part(a[n]) << bits | part(b[n]);
    }
}

}  // namespace

// 9.7.9.23  cvt.pack.sat.s8.s32.b32 d, a, b, c    cvt.pack.sat.s16.s32 d, a, b; others are plain
void decode_convert(KernelDecoder& d) {
    if (!d.has("pack")) return decode_plain(d);
    const std::vector<std::string_view> parts(d.now().parts.begin(), d.now().parts.end());
    bool has_c = parts.size() == 6 && parts[5] == "b32";
    if ((parts.size() != 5 && !has_c) || parts[2] != "sat" || parts[4] != "s32" ||
        d.operands() != (has_c ? 4u : 3u))
        d.unknown();
    std::string_view to = parts[3];
    Op& op = d.op();
    op.execute = to == "s8" && has_c     ? run_pack<8, true>
                 : to == "u8" && has_c   ? run_pack<8, false>
                 : to == "s16" && !has_c ? run_pack<16, true>
                 : to == "u16" && !has_c ? run_pack<16, false>
                                         : nullptr;
    if (!op.execute) d.unknown();
    op.a = d.source(d.operand(1), false);
    op.b = d.source(d.operand(2), false);
    if (has_c)
        op.c = d.source(d.operand(3), false);
    else
        op.c = op.b;
    op.d = d.destination(d.operand(0), false);
}

}  // namespace lanewise
